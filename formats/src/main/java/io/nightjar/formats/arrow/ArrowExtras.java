package io.nightjar.formats.arrow;

import io.nightjar.formats.text.ExtraJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** Columns that a history does not have, copied to its extra column row by row. */
final class ArrowExtras {

    private final List<ArrowField> fields = new ArrayList<>();
    private final List<ArrowColumn> columns = new ArrayList<>();
    private final ExtraJson json = new ExtraJson();

    void add(ArrowField field, ArrowColumn column) {
        fields.add(field);
        columns.add(column);
    }

    void load(long from, int count) throws IOException {
        for (ArrowColumn column : columns) {
            column.load(from, count);
        }
    }

    /** Returns the extra members of the row: its extra column and all unknown columns. */
    @Nullable
    String with(@Nullable String extra, int row) throws IOException {
        if (extra == null && columns.isEmpty()) {
            return null;
        }
        json.begin(extra);
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).isNull(row)) {
                put(fields.get(i), columns.get(i), row);
            }
        }
        return json.build();
    }

    private void put(ArrowField field, ArrowColumn column, int row) {
        if (field.isString()) {
            json.string(field.name, column.string(row));
        } else if (field.type == Type.Bool) {
            json.raw(field.name, column.number(row) != 0 ? "true" : "false");
        } else if (field.type == Type.Int) {
            long number = column.number(row);
            json.raw(field.name, field.isSigned ? Long.toString(number) : Long.toUnsignedString(number));
        } else {
            boolean isDouble = field.bitWidth == 64;
            double number = isDouble
                    ? Double.longBitsToDouble(column.number(row))
                    : Float.intBitsToFloat((int) column.number(row));
            String text = isDouble ? Double.toString(number) : Float.toString((float) number);
            if (Double.isFinite(number)) {
                json.raw(field.name, text);
            } else {
                json.string(field.name, text);
            }
        }
    }
}
