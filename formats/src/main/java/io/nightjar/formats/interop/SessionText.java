package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;

/** Spelling of a text format that groups transactions by session. */
interface SessionText {

    /** Fails if the transaction has no place in the format. */
    void check(HistorySlice slice, int txn);

    void write(BufferedHistory history, TextOutput out) throws IOException;
}
