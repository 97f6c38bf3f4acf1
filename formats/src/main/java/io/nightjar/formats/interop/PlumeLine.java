package io.nightjar.formats.interop;

import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;

/** One operation of Plume's text: {@code r(key,value,session,txn)}. */
final class PlumeLine {

    /** Transaction number of an aborted transaction. */
    static final long ABORTED = -1;

    private final OpText text = new OpText();

    boolean isWrite;
    long key;
    long value;
    long session;
    long txn;

    /** Parses the current line of the reader; returns false if it is blank. */
    boolean read(LineReader lines) {
        text.over(lines.bytes(), lines.start(), lines.end());
        if (text.isAtEnd()) {
            return false;
        }
        int letter = text.peek();
        if (letter != 'r' && letter != 'w') {
            throw text.unexpected("r or w");
        }
        isWrite = letter == 'w';
        text.skip(1);
        text.expect('(');
        key = text.readLong("key");
        text.expect(',');
        value = text.readLong("value");
        text.expect(',');
        session = text.readLong("session");
        text.expect(',');
        txn = text.readLong("txn");
        text.expect(')');
        if (!text.isAtEnd()) {
            throw text.unexpected("the end of the line");
        }
        if (txn < ABORTED) {
            throw BadRowException.of("negative transaction").with("txn=%d expected=-1 or more", txn);
        }
        return true;
    }
}
