package io.nightjar.formats.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.parquet.ParquetTable;
import io.nightjar.formats.table.ColumnRole;
import io.nightjar.formats.table.JsonCells;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Detects tables with one row per operation from the names of their columns. */
final class TableDetector {

    private TableDetector() {}

    /** Returns whether the rows of a Parquet file are operations. */
    static boolean isTable(Path parquet, FormatChoice choice) throws IOException {
        try (ParquetTable table = ParquetTable.open(parquet)) {
            boolean isMapped = !choice.columns().isEmpty(); // then only the mapped columns are required
            return !table.hasOperations() && (isMapped || areColumns(table.columns(), choice));
        } catch (MalformedHistoryException damaged) {
            return false; // its reader will report the corrupt location
        }
    }

    /** Returns whether text begins with a line of column names. */
    static boolean isCsv(byte[] text, int from, FormatChoice choice) {
        int end = from;
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        String header = new String(text, from, end - from, StandardCharsets.UTF_8).trim();
        for (String delimiter : new String[] {",", ";", "\t", "\\|"}) { // split compiles no pattern for these
            List<String> names = new ArrayList<>();
            for (String name : header.split(delimiter)) {
                names.add(unquoted(name.trim()));
            }
            if (names.size() > 2 && areColumns(names, choice)) {
                return true;
            }
        }
        return false;
    }

    private static String unquoted(String name) {
        int from = name.startsWith("\"") ? 1 : 0;
        int to = name.length() > from && name.endsWith("\"") ? name.length() - 1 : name.length();
        return name.substring(from, to);
    }

    /** Returns whether JSON begins like a table, in any of its shapes. */
    static boolean isJson(byte[] text, int from, FormatChoice choice) {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = JsonCells.parser(text, from, text.length - from)) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_ARRAY) {
                token = parser.nextToken();
            }
            if (token != JsonToken.START_OBJECT) {
                return false;
            }
            String name = parser.nextFieldName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
                return isNested(parser, name, value, choice);
            }
            while (name != null) {
                names.add(name);
                parser.skipChildren();
                name = parser.nextFieldName();
                parser.nextToken();
            }
        } catch (IOException cut) {
            return areColumns(names, choice); // only the beginning is available
        }
        return areColumns(names, choice);
    }

    private static boolean isNested(JsonParser parser, String name, JsonToken value, FormatChoice choice)
            throws IOException {
        if (name.equals("schema") && value == JsonToken.START_OBJECT) {
            return "fields".equals(parser.nextFieldName());
        }
        if (name.equals("columns") && value == JsonToken.START_ARRAY) {
            List<String> names = new ArrayList<>();
            while (parser.nextToken() == JsonToken.VALUE_STRING) {
                names.add(parser.getText());
            }
            return areColumns(names, choice);
        }
        boolean isColumn = isColumn(name, choice);
        if (value == JsonToken.START_ARRAY) {
            JsonToken first = parser.nextToken();
            return isColumn && first != null && first.isScalarValue() && areColumnsWith(parser, name, choice);
        }
        String inner = parser.nextFieldName();
        JsonToken first = parser.nextToken();
        if (inner == null || first == null || !first.isScalarValue()) {
            return false;
        }
        return isColumn ? inner.equals("0") : name.equals("0") && isColumn(inner, choice);
    }

    /** Returns whether the members after the current array make a table with it, as far as they are visible. */
    private static boolean areColumnsWith(JsonParser parser, String first, FormatChoice choice) {
        List<String> names = new ArrayList<>(List.of(first));
        try {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                parser.skipChildren();
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                names.add(name);
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (IOException cut) {
            return !names.contains("ops");
        }
        return areColumns(names, choice);
    }

    private static boolean isColumn(String name, FormatChoice choice) {
        return choice.columns().containsValue(name) || ColumnRole.named(name) != null;
    }

    private static boolean areColumns(List<String> names, FormatChoice choice) {
        Set<ColumnRole> roles = EnumSet.noneOf(ColumnRole.class);
        for (String name : names) {
            ColumnRole role = ColumnRole.named(name);
            if (role != null) {
                roles.add(role);
            }
        }
        choice.columns().forEach((role, column) -> {
            if (names.contains(column)) {
                roles.add(role);
            }
        });
        return !names.contains("ops")
                && roles.containsAll(EnumSet.of(ColumnRole.OP, ColumnRole.KEY))
                && (roles.contains(ColumnRole.TXN) || !choice.columns().isEmpty());
    }
}
