package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;

/** Spelling of a text format that groups transactions by session. */
interface SessionText {

    /** Fails if the format cannot store the transaction. */
    void check(HistorySlice slice, int txn);

    void write(BufferedHistory history, TextOutput out) throws IOException;
}
