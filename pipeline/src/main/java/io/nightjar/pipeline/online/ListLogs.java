package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.ListText;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The elements of every list in the order of their commits. The value of a list's version is a length of its log. */
final class ListLogs {

    private static final long BYTES_OF_LIST = 100;
    private static final Log NONE = new Log();

    private final OnlineKeys keys;
    private final Int2ObjectOpenHashMap<Log> logs = new Int2ObjectOpenHashMap<>();
    private long elementCount;

    ListLogs(OnlineKeys keys) {
        this.keys = keys;
    }

    private static final class Log {
        private final LongArrayList elements = new LongArrayList();
        private int initialLength;
        private boolean isUnknown; // the order of its elements, so that no read is compared with it
    }

    private Log log(int key) {
        Log log = logs.get(key);
        if (log == null) {
            log = new Log();
            logs.put(key, log);
            long[] initial = keys.initials().list(key);
            insert(log, 0, initial == null ? new long[0] : initial);
            log.initialLength = log.elements.size();
        }
        return log;
    }

    private void insert(Log log, int from, long[] elements) {
        log.elements.addElements(from, elements);
        elementCount += elements.length;
    }

    /** Returns the number of elements before all appended ones. */
    int initialLength(int key) {
        return log(key).initialLength;
    }

    /** Inserts the elements of an append; {@code length} is that of the log before it. */
    void append(int key, int length, long[] elements) {
        insert(log(key), length, elements);
    }

    boolean isUnknown(int key) {
        return logs.getOrDefault(key, NONE).isUnknown;
    }

    /** Records that the order of a log's elements cannot be determined. */
    void setUnknown(int key) {
        log(key).isUnknown = true;
    }

    /** Returns whether a read observed the log up to a length; a loose read observed it and possibly more. */
    boolean agrees(int key, long[] read, int length, boolean isLoose) {
        LongArrayList log = log(key).elements;
        boolean agrees = isLoose ? read.length >= length : read.length == length;
        for (int at = 0; agrees && at < length; at++) {
            agrees = read[at] == log.getLong(at);
        }
        return agrees;
    }

    /** Learns the initial state from a read: the elements before the log up to a length; returns their number. */
    int learn(int key, long[] read, int length) {
        Log log = log(key);
        int more = read.length - length;
        boolean endsAlike = more >= 0;
        for (int at = 0; endsAlike && at < length; at++) {
            endsAlike = read[more + at] == log.elements.getLong(at);
        }
        long[] initial = endsAlike ? Arrays.copyOf(read, more) : new long[0];
        for (long element : initial) {
            keys.hold(element);
        }
        keys.initials().learnList(key, initial);
        insert(log, 0, initial);
        log.initialLength = initial.length;
        return initial.length;
    }

    /** Returns the log up to a length as text; null if it is empty. */
    @Nullable
    String text(int key, int length) {
        return text(Arrays.copyOf(log(key).elements.elements(), length));
    }

    /** Returns elements as text; null without any. */
    @Nullable
    String text(long[] elements) {
        return elements.length == 0 ? null : ListText.of(elements.length, at -> keys.valueText(elements[at]));
    }

    /** Returns all elements of a list. */
    long[] content(int key) {
        return logs.getOrDefault(key, NONE).elements.toLongArray();
    }

    /** Discards a key that is no longer checked. */
    void drop(int key) {
        Log log = logs.remove(key);
        elementCount -= log == null ? 0 : log.elements.size();
    }

    long byteSize() {
        return BYTES_OF_LIST * logs.size() + Long.BYTES * elementCount;
    }

    void write(int key, ByteWriter to) {
        Log log = logs.get(key);
        to.putByte(log == null ? 0 : log.isUnknown ? 2 : 1);
        if (log != null) {
            to.putVarint(log.initialLength);
            keys.writeElements(log.elements.toLongArray(), to);
        }
    }

    void read(int key, ByteReader from) {
        int state = from.getByte();
        if (state > 0) {
            Log log = new Log();
            logs.put(key, log);
            log.isUnknown = state == 2;
            log.initialLength = from.getCount();
            insert(log, 0, keys.readElements(from));
        }
    }
}
