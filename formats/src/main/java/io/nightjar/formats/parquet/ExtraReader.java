package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.text.ExtraJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads all columns that are not part of the history schema into one JSON object per transaction. */
final class ExtraReader {

    private final ExtraJson json = new ExtraJson();
    private final @Nullable FlatColumn extra;
    private final List<FlatColumn> others = new ArrayList<>();

    ExtraReader(HistoryLeaves leaves, BiFunction<SchemaNode, StringEncoder, LeafReader> open) {
        SchemaNode extraNode = leaves.leaf(HistoryColumn.EXTRA);
        extra = extraNode == null ? null : new FlatColumn(extraNode, open);
        for (SchemaNode other : leaves.others) {
            if (other.type != PhysicalType.INT96) {
                others.add(new FlatColumn(other, open));
            }
        }
    }

    void read(SliceBatchAssembler slice, int first, int rows) throws IOException {
        if (extra != null) {
            extra.read(rows);
        }
        for (FlatColumn other : others) {
            other.read(rows);
        }
        for (int row = 0; row < rows; row++) {
            String object = object(row);
            requireNonNull(slice.extra)[first + row] = object;
            slice.hasExtra |= object != null;
        }
    }

    private @Nullable String object(int row) throws IOException {
        String given = extra == null || extra.isNull(row) ? null : extra.names().get((int) extra.number(row));
        if (given == null && others.isEmpty()) {
            return null;
        }
        json.begin(given == null ? null : trimmed(given));
        for (FlatColumn other : others) {
            if (other.isPlain(row) && !other.isNull(row)) {
                json.raw(other.leaf.path(), other.text(row));
            } else if (!other.isNull(row)) {
                json.string(other.leaf.path(), other.text(row));
            }
        }
        return json.build();
    }

    /** Returns an object without surrounding white space; any other text unchanged. */
    private static String trimmed(String text) {
        String stripped = text.strip();
        return stripped.startsWith("{") ? stripped : text;
    }
}
