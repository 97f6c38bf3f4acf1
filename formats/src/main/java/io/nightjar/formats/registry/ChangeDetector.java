package io.nightjar.formats.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.table.JsonCells;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects change logs, and JSON operations of other tools, from the first bytes of a file. */
final class ChangeDetector {

    private static final Pattern TEST_DECODING =
            Pattern.compile("(?m)^[^\\n{]{0,80}?\\b(BEGIN( \\d+)?\"?$|table [^\\n]{1,200}: (INSERT|UPDATE|DELETE): )");

    private static final Pattern BINLOG = Pattern.compile(
            "(?m)^(# The proper term is pseudo_replica_mode|/\\*!50530 SET @@SESSION\\.PSEUDO_SLAVE_MODE|DELIMITER /\\*!\\*/;|### (INSERT INTO|UPDATE|DELETE FROM) `)");

    private static final byte[] OPS = "\"ops\":[[\"".getBytes(StandardCharsets.US_ASCII);

    private ChangeDetector() {}

    /** Returns the format of the text from a position on, or null. */
    static @Nullable Format of(byte[] text, int first) {
        if (first >= text.length) {
            return null;
        }
        if (text[first] != '{' && text[first] != '[') {
            String head = new String(text, first, text.length - first, StandardCharsets.UTF_8);
            return BINLOG.matcher(head).find()
                    ? Format.MYSQLBINLOG
                    : TEST_DECODING.matcher(head).find() ? Format.TEST_DECODING : ofPrefixed(text, first);
        }
        return isOurs(text, first) ? null : ofJson(text, first);
    }

    /**
     * Returns whether the first line has a member of Nightjar's JSON that no change log has, so that its pairs need no
     * inspection.
     */
    private static boolean isOurs(byte[] text, int first) {
        for (int at = first; at + OPS.length <= text.length && text[at] != '\n'; at++) {
            if (text[at] == OPS[0] && Arrays.equals(text, at, at + OPS.length, OPS, 0, OPS.length)) {
                return true;
            }
        }
        return false;
    }

    /** Detects lines with a prefix before their JSON, such as the columns of a query's result. */
    private static @Nullable Format ofPrefixed(byte[] text, int first) {
        int brace = first;
        while (brace < text.length && text[brace] != '{' && text[brace] != '\n') {
            brace++;
        }
        if (brace == text.length || text[brace] != '{') {
            return null;
        }
        Format format = ofJson(text, brace);
        return format == Format.WAL2JSON ? format : null;
    }

    private static @Nullable Format ofJson(byte[] text, int first) {
        Set<String> names = new HashSet<>();
        try (JsonParser parser = JsonCells.parser(text, first, text.length - first)) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_ARRAY) {
                token = parser.nextToken();
            }
            // a key may precede its message, and BEGIN of a transaction its changes
            while (token == JsonToken.START_OBJECT) {
                names(parser, names, "");
                Format format = ofNames(names);
                if (format != null) {
                    return format;
                }
                token = parser.nextToken();
            }
        } catch (IOException cut) {
            return ofNames(names);
        }
        return null;
    }

    /** Collects the names of members, including members of messages with a schema or key around them. */
    private static void names(JsonParser parser, Set<String> names, String prefix) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            names.add(prefix + name);
            JsonToken value = parser.nextToken();
            boolean isWrapper =
                    name.equals("payload") || name.equals("value") || name.equals("source") || name.equals("info");
            if (value == JsonToken.START_OBJECT && isWrapper) {
                names(parser, names, name.equals("source") ? "source." : prefix);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static @Nullable Format ofNames(Set<String> names) {
        if (names.contains("Input") && names.contains("Call")) {
            return Format.ETCD;
        }
        if (names.contains("change") || names.contains("action") && !names.contains("key") && !names.contains("txn")) {
            return Format.WAL2JSON;
        }
        boolean isMessage = names.contains("message") && names.contains("source.connector");
        boolean isChange = names.contains("op") && (names.contains("after") || names.contains("before") || isMessage);
        boolean isFrame = names.contains("status") && names.contains("id") && names.contains("event_count");
        if (isChange || isFrame) {
            return Format.DEBEZIUM;
        }
        boolean hasClock = names.contains("mvcc_timestamp") || names.contains("updated");
        if (hasClock && names.contains("after") || names.contains("resolved") && names.size() == 1) {
            return Format.COCKROACH;
        }
        return names.contains("writes") && names.contains("key") ? Format.TIDB : null;
    }
}
