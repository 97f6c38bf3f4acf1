package io.nightjar.formats.text;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Output of a text file: bytes are buffered in {@link #text} and written in large blocks. */
public final class TextOutput implements AutoCloseable {

    private static final int ENOUGH = 1 << 16;

    public final Utf8 text = new Utf8();
    private final AtomicFile file;
    private @Nullable OutputStream out; // null once closed
    private long bytesWritten;

    public TextOutput(Path target) throws IOException {
        this.file = new AtomicFile(target);
        this.out = file.open();
    }

    /** Writes the buffered bytes if they are many; called between rows. */
    public void flushIfFull() throws IOException {
        if (text.length >= ENOUGH) {
            flush();
        }
    }

    public boolean isEmpty() {
        return bytesWritten + text.length == 0;
    }

    public void finish() throws IOException {
        flush();
        OutputStream complete = requireNonNull(out);
        out = null;
        complete.close();
        file.publish();
    }

    @Override
    public void close() throws IOException {
        try {
            if (out != null) {
                out.close();
            }
        } finally {
            out = null;
            file.close();
        }
    }

    // ---------------------------------------------------------------- common elements of formats

    public TextOutput ascii(String ascii) {
        JsonText.putAscii(ascii, text);
        return this;
    }

    /** Appends bytes that are already UTF-8. */
    public TextOutput bytes(byte[] utf8, int offset, int length) {
        text.put(utf8, offset, length);
        return this;
    }

    public TextOutput number(long number) {
        JsonText.putLong(number, text);
        return this;
    }

    /** Appends a key in JSON. */
    public TextOutput jsonKey(HistorySlice slice, int op) {
        JsonText.putScalar(slice.keyType == ValueType.STRING ? slice.keyNames : null, slice.key[op], text);
        return this;
    }

    /** Appends a value or list element in JSON. */
    public TextOutput jsonValue(HistorySlice slice, long scalar) {
        JsonText.putScalar(slice.valueType == ValueType.STRING ? slice.valueNames : null, scalar, text);
        return this;
    }

    /** Appends the elements of a list read in JSON. */
    public TextOutput jsonList(HistorySlice slice, long ref) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        ascii("[");
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                ascii(",");
            }
            jsonValue(slice, slice.lists.element(list, i));
        }
        return ascii("]");
    }

    private void flush() throws IOException {
        requireNonNull(out).write(text.bytes, 0, text.length);
        bytesWritten += text.length;
        text.clear();
    }
}
