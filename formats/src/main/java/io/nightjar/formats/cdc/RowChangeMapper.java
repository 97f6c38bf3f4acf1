package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.table.ColumnRole;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts row changes to operations. The key of a row is its table and identifying columns, its value the whole row as
 * JSON; a user may name one column for each instead.
 */
final class RowChangeMapper {

    private final ChangeFacts facts;
    private final @Nullable String keyColumn;
    private final @Nullable String valueColumn;
    private final Utf8 row = new Utf8();

    RowChangeMapper(ChangeFacts facts) {
        this.facts = facts;
        this.keyColumn = facts.columns().get(ColumnRole.KEY);
        this.valueColumn = facts.columns().get(ColumnRole.VALUE);
    }

    /** Appends the operations of a change to its record; on failure nothing is appended. */
    void add(ChangeEvent event, DecodedChange record) {
        List<Object> key = key(event, event.names, event.values);
        if (key == null) {
            throw BadRowException.of("change does not have the key of its row")
                    .with(
                            "table=%s key=%s columns=%s",
                            event.table, facts.keys().of(event), event.names)
                    .advise("name one with --map key=COLUMN");
        }
        boolean isDelete = event.type == ChangeEvent.Type.DELETE;
        Object content = isDelete ? null : content(event);
        List<Object> oldKey = event.oldNames.isEmpty() ? null : key(event, event.oldNames, event.oldValues);
        if (oldKey != null && !oldKey.equals(key)) { // the key of the row has changed
            record.op(OpKind.DELETE, name(event, oldKey), null);
        }
        boolean isDeletion = isDelete || valueColumn != null && content == null;
        record.op(
                isDeletion ? OpKind.DELETE : OpKind.WRITE, name(event, key), isDeletion ? null : value(event, content));
    }

    /** Returns the identifying values of the row; null if one of them is missing. */
    private @Nullable List<Object> key(ChangeEvent event, List<String> names, List<Object> values) {
        if (event.key != null && keyColumn == null) {
            return new ArrayList<>(event.key);
        }
        List<Object> key = new ArrayList<>();
        for (String column : facts.keys().of(event)) {
            int i = names.indexOf(column);
            if (i < 0 && event.key != null) {
                return new ArrayList<>(event.key);
            }
            if (i < 0 || values.get(i) == null) {
                return null;
            }
            key.add(values.get(i));
        }
        return key;
    }

    private Object content(ChangeEvent event) {
        if (valueColumn == null) {
            boolean isRow = event.key == null || !requireNonNull(event.table).isEmpty();
            return isRow ? event : event.values.get(0);
        }
        int i = event.names.indexOf(valueColumn);
        if (i < 0) {
            throw BadRowException.of("change does not have the column of the value")
                    .with("column=%s present=%s table=%s", valueColumn, event.names, event.table);
        }
        return event.values.get(i);
    }

    /** Returns the key of the row: a number, or its table and identifying values. */
    private Object name(ChangeEvent event, List<Object> key) {
        if (keyColumn != null && key.get(0) instanceof Long) {
            return key.get(0);
        }
        StringBuilder text = new StringBuilder();
        if (keyColumn == null && !requireNonNull(event.table).isEmpty()) {
            text.append(event.table).append('/');
        }
        for (int i = 0; i < key.size(); i++) {
            text.append(i == 0 ? "" : ",").append(key.get(i));
        }
        return text.toString();
    }

    private Object value(ChangeEvent event, @Nullable Object content) {
        if (content == event) {
            row.clear();
            RowValue.put(event.names, event.values, row);
            return row;
        }
        return content instanceof Long ? content : String.valueOf(content);
    }
}
