package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a text format that groups transactions by session, and therefore first buffers the history in memory. */
public final class SessionTextWriter implements HistoryWriter {

    private final TextOutput out;
    private final SessionText form;
    private final BufferedHistory history = new BufferedHistory();

    private SessionTextWriter(Path file, SessionText form) throws IOException {
        this.out = new TextOutput(file);
        this.form = form;
    }

    public static SessionTextWriter awdit(Path file) throws IOException {
        return new SessionTextWriter(file, new AwditText());
    }

    public static SessionTextWriter hist(Path file) throws IOException {
        return new SessionTextWriter(file, new HistText());
    }

    public static SessionTextWriter dbcopJson(Path file) throws IOException {
        return new SessionTextWriter(file, new DbcopJsonText());
    }

    public static SessionTextWriter dbcop(Path file) throws IOException {
        return new SessionTextWriter(file, new DbcopBinary());
    }

    @Override
    public void write(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            form.check(slice, txn);
        }
        history.add(slice);
    }

    @Override
    public void finish() throws IOException {
        history.sort();
        form.write(history, out);
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
