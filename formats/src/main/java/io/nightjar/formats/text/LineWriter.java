package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes a text with one transaction per line, and a separate line for a reason that leaves the whole history
 * undecided.
 */
abstract class LineWriter implements HistoryWriter {

    final TextOutput out;
    final ExtraObject extra = new ExtraObject();
    final CanonicalJson canonicalJson = new CanonicalJson();
    boolean isRelational; // whether the current slice is relational
    private final String noTransactions;
    private @Nullable String doubt; // null for none

    /** @param noTransactions text of a history without transactions, since an empty file is not a history */
    LineWriter(Path file, String noTransactions) throws IOException {
        this.out = new TextOutput(file);
        this.noTransactions = noTransactions;
    }

    /** Writes a transaction with its line end. */
    abstract void writeTxn(HistorySlice slice, int txn) throws IOException;

    /** Writes the line with the reason why no level can hold. */
    abstract void writeDoubt(String why);

    @Override
    public final void write(HistorySlice slice) throws IOException {
        isRelational = slice.isRelational();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            writeTxn(slice, txn);
            out.flushIfFull();
        }
    }

    @Override
    public final boolean doubt(String why) {
        doubt = why;
        return true;
    }

    @Override
    public boolean takesMixedTypes() {
        return true;
    }

    @Override
    public final void finish() throws IOException {
        if (doubt != null) {
            writeDoubt(doubt);
        }
        if (out.isEmpty()) {
            out.ascii(noTransactions);
        }
        out.finish();
    }

    @Override
    public final void close() throws IOException {
        out.close();
    }

    /** Writes the parameters of a condition: unchanged if they are canonical, otherwise as a string. */
    final void writeParams(String params) {
        if (params.equals(canonicalJson.canonicalArray(params))) {
            byte[] utf8 = params.getBytes(StandardCharsets.UTF_8);
            out.bytes(utf8, 0, utf8.length);
        } else {
            JsonText.putString(params, out.text);
        }
    }
}
