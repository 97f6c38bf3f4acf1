package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the log of one of Cobra's clients, which is one session. */
final class CobraRows implements InteropRowReader {

    /*
     * Layout. Integers are i64, big-endian, after a letter that states the record type:
     *
     *   S  transaction [, time]                        C  transaction [, time]
     *   W  write id, key hash, value hash              R  writer transaction, write id, key hash, value hash
     *
     * Times are present in all records of a file or in none. The first record decides: the byte after the transaction
     * is the letter of the next record or the highest byte of a time, and times are below every letter.
     */

    /** The write id and the transaction of the initial state. */
    static final long INITIAL = 0xbebeebeeL;

    private static final long ABSENT = 0xdeadbeefL;

    /** Write ids of the operations by which Cobra's garbage collector marks its epochs. */
    private static final long EPOCH_OPEN = 0x23332333L;

    private static final long EPOCH_CLOSED = 0x66666666L;

    /** Exclusive maximum of times, so that their highest byte is never the letter of a record. */
    static final long TIME_LIMIT = (long) 'C' << 56;

    private static final Pattern FILE_NAME = Pattern.compile("T(\\d{1,18})\\.log.*");

    private final RowSliceBuilder sink;
    private final BinaryInput in;
    private final long session;
    private long row;
    private boolean hasTimes;

    CobraRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.in = new BinaryInput(file);
        this.session = sessionOf(file);
    }

    /** Returns the number in the name of a log; 0 if it has none. */
    static long sessionOf(Path file) {
        Matcher name = FILE_NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }

    @Override
    public boolean advance() throws IOException {
        int letter = in.read();
        if (letter == BinaryInput.END) {
            return false;
        }
        sink.beginRow(++row);
        if (letter != 'S') {
            throw unexpected(letter, "S");
        }
        readTxn();
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void readTxn() throws IOException {
        long id = in.readBigEndian("a transaction");
        if (row == 1) {
            hasTimes = findTimes();
        }
        long start = readTime();
        int letter = in.readByte("W, R or C");
        while (letter != 'C') {
            if (letter == 'W') {
                readWrite();
            } else if (letter == 'R') {
                readRead();
            } else {
                throw unexpected(letter, "W, R or C");
            }
            letter = in.readByte("W, R or C");
        }
        long committed = in.readBigEndian("a transaction");
        if (committed != id) {
            throw BadRowException.of("commit of another transaction")
                    .with("started=%d committed=%d %s", id, committed, in.location(Long.BYTES));
        }
        long commit = readTime();
        sink.beginTxn(id, session, sink.positionIn(session)).clientTimes(start, commit);
        sink.endRow(null);
    }

    private void readWrite() throws IOException {
        long write = in.readBigEndian("a write id");
        long key = in.readBigEndian("a key");
        in.readBigEndian("a value");
        if (!isEpochMark(write)) {
            sink.ops().op(OpKind.WRITE, sink.key(key), sink.value(write));
        }
    }

    private void readRead() throws IOException {
        long writer = in.readBigEndian("a writer");
        if (writer == HistorySlice.NONE) {
            throw BadRowException.of("reserved number as a writer")
                    .with("writer=%d %s", writer, in.location(Long.BYTES));
        }
        long write = in.readBigEndian("a write id");
        long key = in.readBigEndian("a key");
        in.readBigEndian("a value");
        if (isEpochMark(write)) {
            return;
        }
        if (isInitial(write)) {
            sink.ops().op(OpKind.READ_NOTHING, sink.key(key), 0);
        } else {
            sink.ops().op(OpKind.READ, sink.key(key), sink.value(write));
            sink.ops().writerTxn(writer);
        }
    }

    static boolean isInitial(long write) {
        return write == INITIAL || write == ABSENT;
    }

    static boolean isEpochMark(long write) {
        return write == EPOCH_OPEN || write == EPOCH_CLOSED;
    }

    private boolean findTimes() throws IOException {
        int next = in.peek(0);
        if (isLetter(next) || next == BinaryInput.END) {
            return false;
        }
        if (isLetter(in.peek(Long.BYTES))) {
            return true;
        }
        in.read();
        throw unexpected(next, "W, R or C, or a time before it");
    }

    private long readTime() throws IOException {
        if (!hasTimes) {
            return HistorySlice.NONE;
        }
        long time = in.readBigEndian("a time");
        if (time == HistorySlice.NONE) {
            throw BadRowException.of("reserved number as a time").with("time=%d %s", time, in.location(Long.BYTES));
        }
        return time;
    }

    private static boolean isLetter(int b) {
        return b == 'W' || b == 'R' || b == 'C';
    }

    private BadRowException unexpected(int letter, String expected) {
        if (letter == 'A') {
            return BadRowException.of("aborted transaction")
                    .with("%s", in.location(1))
                    .advise("logs of Cobra hold committed ones only");
        }
        String found = letter > ' ' && letter < 0x7f ? "'" + (char) letter + "'" : "0x%02x".formatted(letter);
        return BadRowException.of("unknown record").with("expected=%s found=%s %s", expected, found, in.location(1));
    }
}
