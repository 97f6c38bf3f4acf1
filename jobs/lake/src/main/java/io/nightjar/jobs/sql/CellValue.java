package io.nightjar.jobs.sql;

import io.nightjar.jobs.JsonObjectText;
import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBStruct;
import org.duckdb.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * Cells without the driver's own types: null, String, Boolean, Number, {@code List<Object>} and
 * {@code Map<String, Object>} and {@link Json}; times are strings of ISO 8601, those with a zone in UTC.
 */
final class CellValue {

    /** Text that is JSON itself. */
    record Json(String json) implements JsonObjectText.Raw {

        @Override
        public String toString() {
            return json;
        }
    }

    private CellValue() {}

    static @Nullable Object of(ResultSet result, int column) throws SQLException {
        return plain(result.getObject(column));
    }

    private static @Nullable Object plain(@Nullable Object cell) throws SQLException {
        if (cell == null || cell instanceof String || cell instanceof Boolean || cell instanceof Number) {
            return cell;
        }
        if (cell instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        }
        if (cell instanceof Instant time) {
            return time.toString();
        }
        if (cell instanceof Timestamp time) {
            return text(time.toLocalDateTime());
        }
        if (cell instanceof LocalDateTime time) {
            return text(time);
        }
        if (cell instanceof Array array) {
            return list((Object[]) array.getArray());
        }
        if (cell instanceof DuckDBStruct struct) {
            return map(struct.getMap());
        }
        if (cell instanceof Struct struct) {
            return list(struct.getAttributes());
        }
        if (cell instanceof Map<?, ?> map) {
            return map(map);
        }
        if (cell instanceof Object[] array) {
            return list(array);
        }
        if (cell instanceof Blob blob) {
            return HexFormat.of().formatHex(blob.getBytes(1, Math.toIntExact(blob.length())));
        }
        return cell instanceof JsonNode json ? new Json(json.toString()) : cell.toString();
    }

    private static String text(LocalDateTime time) {
        String text = time.toString();
        return text.length() == "2026-11-20T09:15".length() ? text + ":00" : text;
    }

    private static List<Object> list(Object[] array) throws SQLException {
        List<Object> list = new ArrayList<>(array.length);
        for (Object element : array) {
            list.add(plain(element));
        }
        return list;
    }

    private static Map<String, Object> map(Map<?, ?> from) throws SQLException {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : from.entrySet()) {
            map.put(String.valueOf(plain(entry.getKey())), plain(entry.getValue()));
        }
        return map;
    }
}
