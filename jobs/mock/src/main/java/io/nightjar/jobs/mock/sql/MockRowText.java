package io.nightjar.jobs.mock.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.jobs.JsonObjectText;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.h2.table.Column;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** Archived text of rows: JSON objects with sorted members, one of which makes each version unique. */
final class MockRowText {

    private static final String VERSION = "_v";
    private static final String DELETED = "_deleted";

    private MockRowText() {}

    static String of(Column[] columns, Value[] values, long version) {
        Integer[] order = new Integer[columns.length + 1];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparing(i -> nameOf(columns, i)));
        return JsonObjectText.of(object -> {
            for (int column : order) {
                object.writeFieldName(nameOf(columns, column));
                if (column == columns.length) {
                    object.writeNumber(version);
                } else {
                    writeValue(object, values[column]);
                }
            }
        });
    }

    private static String nameOf(Column[] columns, int column) {
        return column == columns.length ? VERSION : columns[column].getName();
    }

    private static void writeValue(JsonGenerator object, @Nullable Value value) throws IOException {
        if (value == null || value == ValueNull.INSTANCE) {
            object.writeNull();
            return;
        }
        switch (value.getValueType()) {
            case Value.BOOLEAN -> object.writeBoolean(value.getBoolean());
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT -> object.writeNumber(value.getLong());
            case Value.NUMERIC, Value.DECFLOAT -> object.writeNumber(value.getBigDecimal());
            default -> object.writeString(value.getString());
        }
    }

    /** Returns the text of a column that is a separate object. */
    static String ofCell(Value value, long version) {
        return JsonObjectText.of(object -> {
            object.writeNumberField(VERSION, version);
            object.writeFieldName("value");
            writeValue(object, value);
        });
    }

    /** Returns the text of the existence of a row whose columns are separate objects. */
    static String ofPresent(long version) {
        return "{\"" + VERSION + "\":" + version + "}";
    }

    static String ofDeleted(long version) {
        return "{\"" + DELETED + "\":true,\"" + VERSION + "\":" + version + "}";
    }
}
