package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Base of the readers of files with one JSON object per row, whose keys and values are JSON scalars. */
abstract class JsonRows implements InteropRowReader {

    final RowSliceBuilder sink;
    private final JsonItems items;

    JsonRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.items = new JsonItems(file);
    }

    /** Returns whether an object is valid, and no row. */
    boolean isPassedOver(@Nullable Object item) {
        return false;
    }

    /** Adds the transaction of an object. */
    abstract void readRow(@Nullable Object item);

    @Override
    public final boolean advance() throws IOException {
        boolean hasRow = false;
        try {
            if (!items.advance()) {
                return false;
            }
            if (isPassedOver(items.item())) {
                return true;
            }
            sink.beginRow(items.row());
            hasRow = true;
            readRow(items.item());
        } catch (BadRowException bad) {
            if (items.isLost()) {
                throw bad;
            }
            if (!hasRow) {
                sink.beginRow(items.row());
            }
            sink.refuseRow(bad.fault(), items.raw());
        }
        return true;
    }

    @Override
    public final void close() throws IOException {
        items.close();
    }

    /** Adds a read; null is the initial state. */
    void read(@Nullable Object key, @Nullable Object value) {
        long at = key(key);
        if (value == null) {
            sink.ops().op(OpKind.READ_NOTHING, at, 0);
        } else {
            sink.ops().op(OpKind.READ, at, value(value));
        }
    }

    void write(@Nullable Object key, @Nullable Object value) {
        if (value == null) {
            throw BadRowException.of("value is null").with("a write needs a value");
        }
        long at = key(key);
        sink.ops().op(OpKind.WRITE, at, value(value));
    }

    void delete(@Nullable Object key) {
        sink.ops().op(OpKind.DELETE, key(key), 0);
    }

    private long key(@Nullable Object key) {
        if (key instanceof Long number) {
            return sink.key(number);
        }
        byte[] utf8 = text(key, "key").getBytes(StandardCharsets.UTF_8);
        return sink.key(utf8, 0, utf8.length);
    }

    private long value(Object value) {
        if (value instanceof Long number) {
            return sink.value(number);
        }
        byte[] utf8 = text(value, "value").getBytes(StandardCharsets.UTF_8);
        return sink.value(utf8, 0, utf8.length);
    }

    private static String text(@Nullable Object scalar, String what) {
        if (scalar instanceof String text) {
            return text;
        }
        throw BadRowException.of(what + " is neither int64 nor text").with(what + "=" + scalar);
    }
}
