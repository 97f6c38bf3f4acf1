package io.nightjar.formats.arrow;

import io.nightjar.formats.text.ExtraJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Columns that a history does not have, copied to its extra column row by row. */
final class ArrowExtras {

    private final List<Field> fields = new ArrayList<>();
    private final List<ArrowColumn> columns = new ArrayList<>();
    private final ExtraJson json = new ExtraJson();

    void add(Field field, ArrowColumn column) {
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

    private void put(Field field, ArrowColumn column, int row) throws IOException {
        if (ArrowColumns.isString(field)) {
            json.string(field.getName(), column.string(row));
        } else if (field.getType() instanceof ArrowType.Bool) {
            json.raw(field.getName(), column.number(row) != 0 ? "true" : "false");
        } else if (field.getType() instanceof ArrowType.Int type) {
            long number = column.number(row);
            json.raw(field.getName(), type.getIsSigned() ? Long.toString(number) : Long.toUnsignedString(number));
        } else {
            String text = column.fraction(row);
            if (Double.isFinite(Double.parseDouble(text))) {
                json.raw(field.getName(), text);
            } else {
                json.string(field.getName(), text);
            }
        }
    }
}
