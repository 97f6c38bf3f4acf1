package io.nightjar.pipeline.online;

import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The appends and reads of every list for one level, checked when they are sealed. */
final class ListTimelines {

    /*
     * Layout. Events of a key have the order of RegisterTimelines. Events up to the watermark have been replayed
     * against the log of all appended elements.
     *
     * Algorithm. Sealed appends are removed unless a later arrival may conflict with them; their elements remain in the
     * log. A read that arrives between retained appends is compared with the log up to there. An append is inserted
     * into the log there, and its effect on reads is left to a check of its segment. A row that belongs before a
     * removed append is left to that check too; if the row is an append, the log is unknown afterwards.
     */

    static final long BYTES_OF_EVENT = 120;
    private static final long BYTES_OF_LIST = 200;

    private final IsolationLevel level;
    private final boolean bySnapshots;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final Int2ObjectOpenHashMap<OneList> lists = new Int2ObjectOpenHashMap<>();
    private long rowCount;
    private long watermark = Long.MIN_VALUE;

    ListTimelines(IsolationLevel level, OnlineKeys keys, OnlineFindings findings) {
        this.level = level;
        this.bySnapshots = level == IsolationLevel.SNAPSHOT_ISOLATION;
        this.keys = keys;
        this.findings = findings;
    }

    /** The elements that a transaction appended to a list, or its first read of the list. */
    private static final class Event {
        private final long at;
        private final int rowClass;
        private final byte kind;
        private final OnlineTxn txn;
        private final long arrived;
        private final long[] elements;

        Event(long at, int rowClass, byte kind, OnlineTxn txn, long arrived, long[] elements) {
            this.at = at;
            this.rowClass = rowClass;
            this.kind = kind;
            this.txn = txn;
            this.arrived = arrived;
            this.elements = elements;
        }

        boolean isAppend() {
            return kind == LaneOp.APPEND;
        }

        boolean isBefore(Event other) {
            if (at != other.at) {
                return at < other.at;
            }
            if (rowClass != other.rowClass) {
                return rowClass < other.rowClass;
            }
            if (txn.txnId() != other.txn.txnId()) {
                return txn.txnId() < other.txn.txnId();
            }
            return !isAppend() && other.isAppend();
        }

        boolean isBackward() {
            return txn.startTs() > txn.commitTs();
        }
    }

    private static final class OneList {
        private final List<Event> events = new ArrayList<>();
        private int replayed;
        private final LongArrayList log = new LongArrayList();
        private @Nullable OnlineTxn lastWriter;
        private boolean isInitialKnown;
        private boolean isUnknown; // content and order of the log
        private long leftTo = Long.MIN_VALUE; // time of the last removed append
        private @Nullable OnlineTxn leftWriter;
    }

    long rowCount() {
        return rowCount;
    }

    long byteSize() {
        long bytes = BYTES_OF_EVENT * rowCount;
        for (OneList list : lists.values()) {
            bytes += BYTES_OF_LIST + (long) Long.BYTES * list.log.size();
        }
        return bytes;
    }

    // ---------------------------------------------------------------- arrivals

    void append(int key, OnlineTxn txn, long arrived, long[] elements) {
        int rowClass = bySnapshots && txn.startTs() == txn.commitTs() ? 1 : 0;
        add(key, new Event(txn.commitTs(), rowClass, LaneOp.APPEND, txn, arrived, elements));
    }

    /** @param kind kind of the read; see {@link LaneOp} */
    void read(int key, byte kind, OnlineTxn txn, boolean isReadOnly, long arrived, long[] elements) {
        long at = bySnapshots ? txn.startTs() : txn.commitTs();
        if (bySnapshots && at > txn.commitTs()) {
            return; // reported as TIMESTAMP-ORDER
        }
        boolean isAtOnce = txn.startTs() == txn.commitTs();
        int rowClass = bySnapshots ? isAtOnce ? 1 : 2 : isReadOnly ? 1 : 0;
        add(key, new Event(at, rowClass, kind, txn, arrived, elements));
    }

    private void add(int key, Event event) {
        OneList list = lists.computeIfAbsent(key, absent -> begin(new OneList(), key));
        if (event.at <= watermark) {
            addAfter(key, list, event);
            return;
        }
        int in = list.events.size();
        while (in > 0 && event.isBefore(list.events.get(in - 1))) {
            in--;
        }
        rowCount++;
        list.events.add(in, event);
    }

    private void addAfter(int key, OneList list, Event event) {
        if (event.at <= list.leftTo) {
            findings.leaveToSegment(event.txn.commitTs());
            list.isUnknown |= event.isAppend();
            return;
        }
        int in = list.replayed;
        int length = list.log.size();
        while (in > 0 && event.isBefore(list.events.get(in - 1))) {
            in--;
            length -= list.events.get(in).elements.length;
        }
        if (!event.isAppend()) {
            check(key, list, event, length, in == 0 ? list.leftWriter : list.events.get(in - 1).txn);
            return;
        }
        findings.leaveToSegment(event.txn.commitTs());
        list.log.addElements(length, event.elements);
        list.lastWriter = in == list.replayed ? event.txn : list.lastWriter;
        list.events.add(in, event);
        list.replayed++;
        rowCount++;
    }

    // ---------------------------------------------------------------- sealing

    /** @param appendsTo appends up to here are removed */
    void seal(long upTo, long appendsTo) {
        watermark = upTo;
        lists.int2ObjectEntrySet().fastForEach(entry -> {
            if (!entry.getValue().events.isEmpty()) {
                seal(entry.getIntKey(), entry.getValue(), appendsTo);
            }
        });
    }

    /** Resumes after a watermark up to which another check has sealed. */
    void resume(long sealedTo) {
        watermark = sealedTo;
    }

    private void seal(int key, OneList list, long appendsTo) {
        List<Event> events = list.events;
        while (list.replayed < events.size() && events.get(list.replayed).at <= watermark) {
            replay(key, list, events.get(list.replayed));
            list.replayed++;
        }
        int kept = 0;
        for (Event event : events.subList(0, list.replayed)) {
            if (event.isAppend() && event.at > appendsTo) {
                events.set(kept++, event);
            } else if (event.isAppend()) {
                list.leftTo = event.at;
                list.leftWriter = event.txn;
            }
        }
        rowCount -= list.replayed - kept;
        events.subList(kept, list.replayed).clear();
        list.replayed = kept;
    }

    private void replay(int key, OneList list, Event event) {
        if (!event.isAppend()) {
            check(key, list, event, list.log.size(), list.lastWriter);
            return;
        }
        if (bySnapshots && !event.isBackward()) {
            findConflicts(key, list, event);
        }
        list.log.addElements(list.log.size(), event.elements);
        list.lastWriter = event.txn;
    }

    /** Initializes a list: its log begins with its initial state. */
    private OneList begin(OneList list, int key) {
        long[] initial = keys.initials().list(key);
        if (initial != null) {
            list.log.addElements(0, initial);
            list.isInitialKnown = true;
        }
        return list;
    }

    /** Learns the initial state of a list from its first read: the elements before all appended ones. */
    private void learn(int key, OneList list, Event read) {
        if (keys.initials().list(key) == null) {
            long[] elements = read.elements;
            int more = elements.length - list.log.size();
            boolean endsAlike = more >= 0;
            for (int at = 0; endsAlike && at < list.log.size(); at++) {
                endsAlike = elements[more + at] == list.log.getLong(at);
            }
            for (long element : elements) {
                keys.hold(element);
            }
            keys.initials().learnList(key, endsAlike ? Arrays.copyOf(elements, more) : new long[0]);
        }
        begin(list, key);
    }

    /** Compares a read with the log up to a length, at which the given writer's append ends. */
    private void check(int key, OneList list, Event read, int logLength, @Nullable OnlineTxn writer) {
        boolean mayLearn = keys.initials().isLearning() && read.kind != LaneOp.READ_LIST_LOOSE;
        boolean learns = mayLearn && !list.isInitialKnown;
        if (list.isUnknown || learns && logLength < list.log.size()) {
            findings.leaveToSegment(read.txn.commitTs());
            return;
        }
        int length = logLength;
        if (learns) {
            int before = list.log.size();
            learn(key, list, read);
            length += list.log.size() - before;
        }
        long[] elements = read.elements;
        boolean fits = read.kind == LaneOp.READ_LIST_LOOSE ? elements.length >= length : elements.length == length;
        fits &= read.kind != LaneOp.READ_NOTHING || writer == null && length == 0;
        for (int i = 0; fits && i < length; i++) {
            fits = elements[i] == list.log.getLong(i);
        }
        if (!fits) {
            findings.addFinal(new OnlineFinding(
                    level,
                    Anomaly.EXT,
                    keys.keyText(key),
                    new OnlineFinding.Parties(read.txn, writer, null),
                    new OnlineFinding.Reading(text(list.log.subList(0, length).toLongArray()), text(elements)),
                    read.arrived,
                    0));
        }
    }

    private @Nullable String text(long[] elements) {
        return elements.length == 0 ? null : ListText.of(elements.length, at -> keys.valueText(elements[at]));
    }

    private void findConflicts(int key, OneList list, Event append) {
        long start = append.txn.startTs();
        if (list.leftTo > start || list.leftTo == append.at) {
            findings.leaveToSegment(append.txn.commitTs());
        }
        for (int i = list.replayed - 1; i >= 0 && list.events.get(i).at >= start; i--) {
            Event earlier = list.events.get(i);
            boolean overlaps = earlier.at > start || earlier.at == append.at;
            if (earlier.isAppend() && overlaps && !earlier.isBackward()) {
                findings.addFinal(new OnlineFinding(
                        level,
                        Anomaly.NOCONFLICT,
                        keys.keyText(key),
                        new OnlineFinding.Parties(earlier.txn, append.txn, null),
                        OnlineFinding.Reading.NONE,
                        Math.max(earlier.arrived, append.arrived),
                        0));
            }
        }
    }

    /** Discards a key that is no longer checked. */
    void drop(int key) {
        OneList list = lists.remove(key);
        rowCount -= list == null ? 0 : list.events.size();
    }

    // ---------------------------------------------------------------- state

    /** Returns the content of a list after all sealed rows. */
    long[] content(int key) {
        OneList list = lists.get(key);
        return list == null ? new long[0] : list.log.toLongArray();
    }

    /** Writes the log of a list, and its events. */
    void writeKey(int key, ByteWriter to) {
        OneList list = lists.get(key);
        to.putByte(list == null ? 0 : 1);
        if (list == null) {
            return;
        }
        writeElements(list.log.toLongArray(), to);
        OnlineTxnCodec.putTxn(list.lastWriter, to);
        to.putSigned(list.leftTo);
        OnlineTxnCodec.putTxn(list.leftWriter, to);
        to.putByte(list.isUnknown ? 1 : 0);
        to.putVarint(list.replayed);
        to.putVarint(list.events.size());
        for (Event event : list.events) {
            to.putSigned(event.at);
            to.putByte(event.rowClass);
            to.putByte(event.kind);
            OnlineTxnCodec.putTxn(event.txn, to);
            to.putSigned(event.arrived);
            writeElements(event.elements, to);
        }
    }

    private void writeElements(long[] elements, ByteWriter to) {
        to.putVarint(elements.length);
        for (long element : elements) {
            keys.writeValue(element, to);
        }
    }

    void readKey(int key, ByteReader from) {
        if (from.getByte() == 0) {
            return;
        }
        OneList list = new OneList();
        lists.put(key, list);
        list.isInitialKnown = keys.initials().list(key) != null;
        list.log.addElements(0, readElements(from));
        list.lastWriter = OnlineTxnCodec.getTxn(from);
        list.leftTo = from.getSigned();
        list.leftWriter = OnlineTxnCodec.getTxn(from);
        list.isUnknown = from.getByte() == 1;
        list.replayed = from.getCount();
        for (int count = from.getCount(); count > 0; count--) {
            long at = from.getSigned();
            int rowClass = from.getByte();
            byte kind = (byte) from.getByte();
            OnlineTxn txn = OnlineTxnCodec.getOneTxn(from);
            list.events.add(new Event(at, rowClass, kind, txn, from.getSigned(), readElements(from)));
            rowCount++;
        }
    }

    private long[] readElements(ByteReader from) {
        long[] elements = new long[from.getCount()];
        for (int at = 0; at < elements.length; at++) {
            elements[at] = keys.readValue(from);
        }
        return elements;
    }
}
