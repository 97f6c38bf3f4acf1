package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

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

/** The appends and reads of every list for one level, judged when they are sealed. */
final class ListTimelines {

    /*
     * Events of a key stand in the order of RegisterTimelines. Those up to the watermark have been replayed against the log
     * of everything appended; a read that agreed keeps the length of what it saw only. An event that arrives among the
     * replayed ones has the whole key replayed with the next seal, and what then differs is corrected. Replayed events
     * leave memory when they are forgotten; what they appended stays in the log.
     */

    static final long BYTES_OF_EVENT = 160;
    private static final long BYTES_OF_LIST = 200;

    private final IsolationLevel level;
    private final boolean bySnapshots;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final Int2ObjectOpenHashMap<OneList> lists = new Int2ObjectOpenHashMap<>();
    private long rowCount;
    private long sealedEvents;
    private long forgottenEvents;

    ListTimelines(IsolationLevel level, OnlineKeys keys, OnlineFindings findings) {
        this.level = level;
        this.bySnapshots = level == IsolationLevel.SNAPSHOT_ISOLATION;
        this.keys = keys;
        this.findings = findings;
    }

    /** What one transaction appended to a list, or what it read from it first. */
    private static final class Event {
        private final long at;
        private final int rowClass;
        private final byte kind;
        private final OnlineTxn txn;
        private final long arrived;
        private long @Nullable [] elements; // null if they are the first of the log
        private int length;
        private boolean isSealed;
        private List<OnlineFinding> found = List.of();

        Event(long at, int rowClass, byte kind, OnlineTxn txn, long arrived, long[] elements) {
            this.at = at;
            this.rowClass = rowClass;
            this.kind = kind;
            this.txn = txn;
            this.arrived = arrived;
            this.elements = elements;
            this.length = elements.length;
        }

        boolean isAppend() {
            return kind == LaneOp.APPEND;
        }

        /** The elements of one that was not replayed yet, or is about to be again. */
        long[] elements() {
            return requireNonNull(elements);
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
        private boolean mustReplay;
        private final LongArrayList log = new LongArrayList();
        private @Nullable OnlineTxn lastWriter;
        private boolean isInitialKnown;
        private int forgottenLength; // of the log
        private @Nullable OnlineTxn forgottenWriter;

        private List<OnlineFinding> found() {
            List<OnlineFinding> found = new ArrayList<>();
            events.forEach(event -> found.addAll(event.found));
            return found;
        }
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

    /** Events that were ever sealed. */
    long sealedEvents() {
        return sealedEvents;
    }

    long forgottenEvents() {
        return forgottenEvents;
    }

    // ---------------------------------------------------------------- arrivals

    void append(int key, OnlineTxn txn, long arrived, long[] elements) {
        int rowClass = bySnapshots && txn.startTs() == txn.commitTs() ? 1 : 0;
        add(key, new Event(txn.commitTs(), rowClass, LaneOp.APPEND, txn, arrived, elements));
    }

    /** @param kind how it read; see {@link LaneOp} */
    void read(int key, byte kind, OnlineTxn txn, boolean isReadOnly, long arrived, long[] elements) {
        long at = bySnapshots ? txn.startTs() : txn.commitTs();
        if (bySnapshots && at > txn.commitTs()) {
            return; // which is a fault of its own
        }
        boolean isAtOnce = txn.startTs() == txn.commitTs();
        int rowClass = bySnapshots ? isAtOnce ? 1 : 2 : isReadOnly ? 1 : 0;
        add(key, new Event(at, rowClass, kind, txn, arrived, elements));
    }

    /** Takes a null read over, from when the key was not known to be a list. */
    void takeNullRead(int key, SealedRow row) {
        OnlineTxn txn = new OnlineTxn(row.id, row.start, row.commit);
        int rowClass = RowMeta.rowClass(row.meta);
        Event event = new Event(row.at, rowClass, LaneOp.READ_NOTHING, txn, row.arrived, new long[0]);
        event.isSealed = RegisterTimelines.isSealed(row);
        add(key, event);
    }

    private void add(int key, Event event) {
        OneList list = lists.computeIfAbsent(key, absent -> begin(new OneList(), key));
        rowCount++;
        int in = list.events.size();
        while (in > 0 && event.isBefore(list.events.get(in - 1))) {
            in--;
        }
        list.events.add(in, event);
        list.mustReplay |= in < list.replayed;
    }

    // ---------------------------------------------------------------- sealing

    void seal(long watermark) {
        lists.int2ObjectEntrySet().fastForEach(entry -> seal(entry.getIntKey(), entry.getValue(), watermark));
    }

    private void seal(int key, OneList list, long watermark) {
        if (list.mustReplay) {
            replayAll(key, list, watermark);
            return;
        }
        int from = list.replayed;
        replay(key, list, watermark);
        for (Event event : list.events.subList(from, list.replayed)) {
            event.found.forEach(findings::addFinal);
        }
    }

    private void replayAll(int key, OneList list, long watermark) {
        for (Event event : list.events) {
            if (event.elements == null) {
                event.elements = list.log.subList(0, event.length).toLongArray();
            }
        }
        List<OnlineFinding> before = list.found();
        list.log.size(list.forgottenLength);
        list.lastWriter = list.forgottenWriter;
        list.replayed = 0;
        list.mustReplay = false;
        replay(key, list, watermark);
        List<OnlineFinding> found = list.found();
        for (OnlineFinding old : before) {
            if (found.stream().noneMatch(old::isSameAs)) {
                findings.withdraw(old);
            }
        }
        for (OnlineFinding now : found) {
            boolean isNew = before.stream().noneMatch(now::isSameAs);
            if (isNew) {
                findings.addFinal(now);
            } else if (!before.contains(now)) {
                findings.addCorrected(now, true);
            }
        }
    }

    private void replay(int key, OneList list, long watermark) {
        while (list.replayed < list.events.size() && list.events.get(list.replayed).at <= watermark) {
            Event event = list.events.get(list.replayed);
            List<OnlineFinding> found = new ArrayList<>(0);
            if (event.isAppend()) {
                if (bySnapshots && !event.isBackward()) {
                    findConflicts(key, list, event, found);
                }
                for (long element : event.elements()) {
                    list.log.add(element);
                }
                list.lastWriter = event.txn;
            } else {
                check(key, list, event, found);
            }
            if (!event.isSealed) {
                event.isSealed = true;
                sealedEvents++;
            }
            event.found = found.isEmpty() ? List.of() : found;
            list.replayed++;
        }
    }

    /** Begins a list: what it held before the first append stands in its log. */
    private OneList begin(OneList list, int key) {
        long[] initial = keys.initials().list(key);
        if (initial != null) {
            list.log.addElements(0, initial);
            list.forgottenLength += initial.length;
            list.isInitialKnown = true;
        }
        return list;
    }

    /** Learns of a list's first read what it held: what stands before all that was appended. */
    private void learn(int key, OneList list, Event read) {
        if (keys.initials().list(key) == null) {
            long[] elements = read.elements();
            int more = elements.length - list.log.size();
            boolean endsAlike = more >= 0;
            for (int at = 0; endsAlike && at < list.log.size(); at++) {
                endsAlike = elements[more + at] == list.log.getLong(at);
            }
            for (long element : elements) {
                keys.hold(element);
            }
            keys.initials().learnList(key, endsAlike ? Arrays.copyOf(elements, more) : new long[0]);
            keys.noteChanged(key);
        }
        begin(list, key);
    }

    private void check(int key, OneList list, Event read, List<OnlineFinding> found) {
        boolean mayLearn = keys.initials().isLearning() && read.kind != LaneOp.READ_LIST_LOOSE;
        if (mayLearn && !list.isInitialKnown) {
            learn(key, list, read);
        }
        long[] elements = read.elements();
        int length = list.log.size();
        boolean fits = read.kind == LaneOp.READ_LIST_LOOSE ? read.length >= length : read.length == length;
        fits &= read.kind != LaneOp.READ_NOTHING || list.lastWriter == null && length == 0;
        for (int i = 0; fits && i < length; i++) {
            fits = elements[i] == list.log.getLong(i);
        }
        if (!fits) {
            found.add(new OnlineFinding(
                    level,
                    Anomaly.EXT,
                    keys.keyText(key),
                    new OnlineFinding.Parties(read.txn, list.lastWriter, null),
                    new OnlineFinding.Reading(text(list.log.toLongArray()), text(elements)),
                    read.arrived,
                    0));
        } else if (read.kind == LaneOp.READ_LIST) {
            read.elements = null;
        }
    }

    private @Nullable String text(long[] elements) {
        return elements.length == 0 ? null : ListText.of(elements.length, at -> keys.valueText(elements[at]));
    }

    private void findConflicts(int key, OneList list, Event append, List<OnlineFinding> found) {
        long start = append.txn.startTs();
        for (int i = list.replayed - 1; i >= 0 && list.events.get(i).at >= start; i--) {
            Event earlier = list.events.get(i);
            boolean overlaps = earlier.at > start || earlier.at == append.at;
            if (earlier.isAppend() && overlaps && !earlier.isBackward()) {
                long arrived = Math.max(earlier.arrived, append.arrived);
                found.add(new OnlineFinding(
                        level,
                        Anomaly.NOCONFLICT,
                        keys.keyText(key),
                        new OnlineFinding.Parties(earlier.txn, append.txn, null),
                        OnlineFinding.Reading.NONE,
                        arrived,
                        0));
            }
        }
    }

    /** Forgets the replayed events up to a time, but for those that one that stays may be in conflict with. */
    void forget(long upTo) {
        for (OneList list : lists.values()) {
            int count = forgettable(list, upTo);
            for (Event event : list.events.subList(0, count)) {
                if (event.isAppend()) {
                    list.forgottenLength += event.length;
                    list.forgottenWriter = event.txn;
                }
            }
            list.events.subList(0, count).clear();
            list.replayed -= count;
            rowCount -= count;
            forgottenEvents += count;
        }
    }

    private static int forgettable(OneList list, long upTo) {
        int count = list.replayed;
        long last = upTo;
        for (int stays = list.events.size() - 1; stays >= 0; stays--) {
            Event event = list.events.get(stays);
            if (stays < count && event.at <= last) {
                break;
            }
            count = Math.min(count, stays);
            last = Math.min(last, event.txn.startTs());
        }
        return count;
    }

    /** Forgets a key that is not judged after all. */
    void drop(int key) {
        OneList list = lists.remove(key);
        rowCount -= list == null ? 0 : list.events.size();
    }

    // ---------------------------------------------------------------- state

    /** Returns what a list holds by all that was sealed. */
    long[] content(int key) {
        OneList list = lists.get(key);
        return list == null ? new long[0] : list.log.toLongArray();
    }

    boolean isThere(int key) {
        return lists.containsKey(key);
    }

    /** Writes what has been appended to a list, and those of its events that are not settled. */
    void writeKey(int key, ByteWriter to) {
        OneList list = lists.get(key);
        to.putByte(list == null ? 0 : 1);
        if (list == null) {
            return;
        }
        int settled = list.mustReplay ? 0 : forgettable(list, Long.MAX_VALUE);
        int length = list.forgottenLength;
        OnlineTxn writer = list.forgottenWriter;
        for (Event event : list.events.subList(0, settled)) {
            length += event.isAppend() ? event.length : 0;
            writer = event.isAppend() ? event.txn : writer;
        }
        writeElements(list.log.toLongArray(), to);
        FindingCodec.putTxn(list.lastWriter, to);
        to.putVarint(length);
        FindingCodec.putTxn(writer, to);
        to.putVarint(list.replayed - settled);
        to.putByte(list.mustReplay ? 1 : 0);
        to.putVarint(list.events.size() - settled);
        list.events.subList(settled, list.events.size()).forEach(event -> write(event, to));
    }

    private void write(Event event, ByteWriter to) {
        to.putSigned(event.at);
        to.putByte(event.rowClass);
        to.putByte(event.kind);
        FindingCodec.putTxn(event.txn, to);
        to.putSigned(event.arrived);
        to.putByte((event.isSealed ? 1 : 0) | (event.elements == null ? 2 : 0));
        if (event.elements == null) {
            to.putVarint(event.length);
        } else {
            writeElements(event.elements, to);
        }
        to.putVarint(event.found.size());
        event.found.forEach(finding -> FindingCodec.encode(finding, to));
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
        list.lastWriter = FindingCodec.getTxn(from);
        list.forgottenLength = from.getCount();
        list.forgottenWriter = FindingCodec.getTxn(from);
        list.replayed = from.getCount();
        list.mustReplay = from.getByte() == 1;
        for (int count = from.getCount(); count > 0; count--) {
            list.events.add(readEvent(from));
            rowCount++;
        }
    }

    private Event readEvent(ByteReader from) {
        long at = from.getSigned();
        int rowClass = from.getByte();
        byte kind = (byte) from.getByte();
        OnlineTxn txn = FindingCodec.getOneTxn(from);
        long arrived = from.getSigned();
        int marks = from.getByte();
        boolean isPrefix = (marks & 2) != 0;
        int length = isPrefix ? from.getCount() : 0;
        Event event = new Event(at, rowClass, kind, txn, arrived, isPrefix ? new long[0] : readElements(from));
        if (isPrefix) {
            event.elements = null;
            event.length = length;
        }
        event.isSealed = (marks & 1) != 0;
        List<OnlineFinding> found = new ArrayList<>(0);
        for (int count = from.getCount(); count > 0; count--) {
            found.add(FindingCodec.decode(from));
        }
        event.found = found;
        return event;
    }

    private long[] readElements(ByteReader from) {
        long[] elements = new long[from.getCount()];
        for (int at = 0; at < elements.length; at++) {
            elements[at] = keys.readValue(from);
        }
        return elements;
    }
}
