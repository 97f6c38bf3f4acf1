package io.nightjar.formats.registry;

import io.nightjar.formats.table.ColumnRole;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user's choice of format: its name, and the meaning of columns, as {@code table:txn=id,key=name}.
 *
 * @param format null to detect it
 * @param columns names of columns by their meaning
 */
record FormatChoice(@Nullable Format format, Map<ColumnRole, String> columns) {

    static final FormatChoice AUTO = new FormatChoice(null, Map.of());

    private static final String AUTO_NAME = "auto";

    /**
     * Parses a choice; null means {@code auto}.
     *
     * @throws IllegalArgumentException if the format or meaning is unknown
     */
    static FormatChoice parse(@Nullable String spelled) {
        if (spelled == null) {
            return AUTO;
        }
        int colon = spelled.indexOf(':');
        String name = colon < 0 ? spelled : spelled.substring(0, colon);
        Format format = name.equals(AUTO_NAME) ? null : Histories.formatNamed(name);
        Map<ColumnRole, String> columns = new EnumMap<>(ColumnRole.class);
        if (colon >= 0) {
            for (String pair : spelled.substring(colon + 1).split(",")) {
                put(pair, columns);
            }
        }
        return new FormatChoice(format, columns);
    }

    private static void put(String pair, Map<ColumnRole, String> columns) {
        int equals = pair.indexOf('=');
        String word = equals < 0 ? pair : pair.substring(0, equals);
        ColumnRole role = ColumnRole.named(word.toLowerCase(Locale.ROOT));
        if (equals < 0 || role == null || equals == pair.length() - 1) {
            throw new IllegalArgumentException("unknown column mapping: map=%s expected=NAME=COLUMN with NAME one of %s"
                    .formatted(pair, ColumnRole.expected()));
        }
        if (columns.put(role, pair.substring(equals + 1)) != null) {
            throw new IllegalArgumentException("column is mapped twice: map=" + pair);
        }
    }
}
