package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Checks transactions by their timestamps as they arrive, in any order. */
public final class OnlineCheck {

    /*
     * A slice is scanned as for the check of a whole history. Anomalies of one transaction (INT, TIMESTAMP-ORDER) are final at
     * once. Operations on registers wait until they are sealed; then writes are placed on the timeline of their key, one per
     * level, and each read is compared with the version before it. If provisional verdicts are requested, both are placed on
     * arrival, and a timeline checks again the rows that a new row affects. Sessions and lists have timelines too.
     *
     * The use of a key is discovered over time. A key with null reads only is a register until it is used as a list. One
     * used as both, as a set or as a counter is dropped, and its findings are withdrawn.
     *
     * Transactions with unknown outcome are omitted.
     *
     * Sealed rows are removed. If the verdict of a late row, or its effect on other verdicts, depends on removed rows, only its
     * time is recorded here, and a batch check of its segment decides.
     */

    /** The start of a transaction of which only the commit is known. */
    static final long NO_TIME = HistorySlice.NONE;

    /** Number of keys brought into the cache together. */
    static final int TOUCHED_TOGETHER = 16;

    private final List<IsolationLevel> levels;
    private final TransactionScan scan;
    private final WindowTxns txns = new WindowTxns();
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final Map<IsolationLevel, RegisterTimelines> registers = new EnumMap<>(IsolationLevel.class);
    private final Map<IsolationLevel, ListTimelines> lists = new EnumMap<>(IsolationLevel.class);
    private final SessionTimelines sessions;
    private final RegisterTimelines[] registerLevels;
    private final ListTimelines[] listLevels;
    private final InternalReadCheck ownReads;
    private final ChunkIngest placing;

    private long watermark = Long.MIN_VALUE;
    private long txnCount;
    private long opCount;
    private long lateCount;
    private boolean hasLate; // a row before the watermark is not sealed yet
    private long unplacedCount;
    private long unknownCount;
    private int unjudgedBefore; // of the check that this one resumes

    /**
     * @param levels snapshot isolation, serializability, or both
     * @param initialValue the text of the value that means the initial state as null does, or null
     * @param keyCache where the last version of each register is known
     */
    public OnlineCheck(
            Collection<IsolationLevel> levels,
            @Nullable String initialValue,
            KeyPageCache keyCache,
            OnlineListener listener) {
        this.levels = List.copyOf(levels);
        this.scan = new TransactionScan(1, initialValue);
        this.keys = new OnlineKeys(initialValue);
        this.findings = new OnlineFindings(listener);
        for (IsolationLevel level : levels) {
            registers.put(level, new RegisterTimelines(level, txns, keys, findings, keyCache));
            lists.put(level, new ListTimelines(level, keys, findings));
        }
        this.sessions = new SessionTimelines(this.levels, txns, findings);
        this.registerLevels = registers.values().toArray(new RegisterTimelines[0]);
        this.listLevels = lists.values().toArray(new ListTimelines[0]);
        this.ownReads = new InternalReadCheck(this.levels, txns, keys, findings, registerLevels);
        this.placing = new ChunkIngest(txns, keys, findings, ownReads, registerLevels, listLevels);
    }

    // ---------------------------------------------------------------- before the first arrival

    /** Learns what a key held before anything arrived from its first sealed read. */
    public void learnInitial() {
        keys.initials().learn();
    }

    /** Begins where another check ended, which knows all of a history, has sealed it and has the same first level. */
    public void startFrom(OnlineCheck history) {
        startFrom(history, 0, 1);
    }

    /** Begins a check of the keys of one lane among a number of lanes, which is a power of two. */
    public void startFrom(OnlineCheck history, int lane, int laneCount) {
        keys.takeTypes(history.keys);
        for (int key = 0; key < history.keys.count(); key++) {
            if (KeyHash.lane(history.keys.hash(key), laneCount) != lane) {
                continue;
            }
            int own = keys.keyOf(history.keys, key);
            if (history.registerLevels[0].hasBase(key)) {
                keys.initials().give(own, keys.valueOf(history.keys, history.registerLevels[0].baseValue(key)));
            }
            long[] list = history.listLevels[0].content(key);
            if (list.length > 0) {
                keys.initials()
                        .giveList(
                                own,
                                LongStream.of(list)
                                        .map(element -> keys.valueOf(history.keys, element))
                                        .toArray());
            }
        }
    }

    /** Notes which keys' states {@link OnlineCheckCodec#writeNewInitials} is to tell. */
    public void noteInitials() {
        keys.initials().noteNews();
    }

    /** Remembers the texts of all values, which a check that begins behind it needs. */
    public void retainValueTexts() {
        keys.holdAll();
    }

    /** Keys whose state was learned, but for those that were empty. */
    public long learnedKeys() {
        return keys.initials().learnedCount();
    }

    /**
     * Returns what keys held that something arrived of, as transactions that write it.
     *
     * @param at before all that arrived
     * @param nextId gives ids that no other transaction has; they name sessions as well
     * @return empty if all of them held nothing
     */
    public List<HistorySlice> initialState(long at, LongSupplier nextId) {
        return InitialRows.of(keys, at, nextId);
    }

    /** Whether values are compared by hashes of their texts. */
    public boolean areValuesHashed() {
        return keys.areValuesHashed();
    }

    // ---------------------------------------------------------------- arrivals

    /** Whether a slice's keys and values are of the types of those before. */
    public boolean hasSameTypesAs(HistorySlice slice) {
        return keys.agreesWith(slice.keyType, slice.valueType);
    }

    /** Whether keys and values of a chunk have the types of what came before. */
    public boolean hasSameTypesAs(LaneChunk chunk) {
        return keys.agreesWith(chunk.keyType, chunk.valueType);
    }

    /**
     * Takes transactions.
     *
     * @param arrived when they arrived, in any unit
     */
    public void add(HistorySlice slice, long arrived) {
        buffer(slice, arrived);
        placeBuffered();
    }

    /** Takes transactions; {@link #placeBuffered} must follow before anything is sealed. */
    public void buffer(HistorySlice slice, long arrived) {
        refuseTables(slice);
        scan.scan(slice);
        bufferLane(scan.chunk(0), arrived);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            placeInSession(slice, txn, arrived);
        }
        txnCount += slice.txnCount;
        opCount += slice.opCount;
    }

    /** Ends arrivals of a moment: they are placed in commit order if provisional verdicts are requested. */
    public void placeBuffered() {
        placing.place();
    }

    /** Places all operations, which may report findings; {@link OnlineCheckCodec} writes those on timelines only. */
    public void placeAll() {
        placing.placeAll();
    }

    boolean isAllPlaced() {
        return placing.isAllPlaced();
    }

    /** Returns whether register operations are checked only when they are sealed. */
    public boolean checksWhenSealed() {
        return placing.waits();
    }

    /** @throws MalformedHistoryException where rows are of tables */
    public static void refuseTables(HistorySlice slice) {
        if (slice.isRelational()) {
            throw new MalformedHistoryException(
                    slice.placeOf(slice.firstRelationalTxn()),
                    InputError.of("predicate reads and deletions are not checked as they arrive")
                            .advise("use check"));
        }
    }

    /** Takes what transactions did to the keys of one lane, and nothing of their sessions. */
    public void addLane(LaneChunk chunk, long arrived) {
        bufferLane(chunk, arrived);
        placeBuffered();
    }

    /** Takes the same; what was done to registers waits for {@link #placeBuffered}. */
    public void bufferLane(LaneChunk chunk, long arrived) {
        for (int txn = 0; !hasLate && txn < chunk.txnCount; txn++) {
            hasLate = isBeforeWatermark(chunk.startTs[txn]) || isBeforeWatermark(chunk.commitTs[txn]);
        }
        placing.take(chunk, arrived);
    }

    /**
     * Takes the places of transactions in their sessions, and nothing of what they did.
     *
     * @param places transactions with one operation each, whose key is the session and whose value the position
     */
    public void addSessionPositions(LaneChunk places, long arrived) {
        for (int txn = 0; txn < places.txnCount; txn++) {
            int op = places.firstOpOf[txn];
            if (!LaneChunk.isCommitted(places.flags[txn])) {
                unknownCount += (places.flags[txn] & LaneChunk.STATUS_MASK) == TxnStatus.UNKNOWN ? 1 : 0;
                continue;
            }
            boolean isReadOnly = (places.flags[txn] & LaneChunk.WROTE) == 0;
            long start = places.startTs[txn];
            long commit = places.commitTs[txn];
            if (start == NO_TIME || commit == NO_TIME) {
                unplacedCount++;
            } else {
                placeInSession(
                        places.key[op],
                        places.value[op],
                        txns.open(places.txnId[txn], start, commit, arrived),
                        isReadOnly);
            }
        }
    }

    // ---------------------------------------------------------------- sessions

    private void placeInSession(HistorySlice slice, int txn, long arrived) {
        if (slice.status[txn] != TxnStatus.COMMITTED) {
            unknownCount += slice.status[txn] == TxnStatus.UNKNOWN ? 1 : 0;
            return;
        }
        long start = startOf(slice, txn);
        long commit = slice.commitTsOf(txn);
        if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
            unplacedCount++;
            return;
        }
        placeInSession(
                slice.sessionId[txn],
                slice.sessionSeq[txn],
                txns.open(slice.txnId[txn], start, commit, arrived),
                slice.isReadOnly(txn));
    }

    private boolean isBeforeWatermark(long at) {
        return at <= watermark && at != NO_TIME;
    }

    private void placeInSession(long session, long seq, int slot, boolean isReadOnly) {
        if (txns.commit(slot) <= watermark) {
            lateCount++;
            hasLate = true;
        }
        if (txns.start(slot) > txns.commit(slot) && registers.containsKey(IsolationLevel.SNAPSHOT_ISOLATION)) {
            findings.addFinal(new OnlineFinding(
                    IsolationLevel.SNAPSHOT_ISOLATION,
                    Anomaly.TIMESTAMP_ORDER,
                    null,
                    new OnlineFinding.Parties(txns.participant(slot), null, null),
                    OnlineFinding.Reading.NONE,
                    txns.arrived(slot),
                    0));
        }
        sessions.add(session, seq, slot, isReadOnly);
        txns.release(slot);
    }

    static long startOf(HistorySlice slice, int txn) {
        return slice.startTs == null ? NO_TIME : slice.startTs[txn];
    }

    // ---------------------------------------------------------------- sealing

    /** Seals all rows, since everything has arrived. */
    public void sealAll() {
        seal(Long.MAX_VALUE);
    }

    /** Releases all rows; counts remain, and nothing may be added or sealed afterwards. */
    public void letGo() {
        for (RegisterTimelines level : registerLevels) {
            level.letGo();
        }
        sessions.letGo();
        placing.release();
        txns.letGo();
    }

    /** Makes verdicts up to a time final: all commits up to there have arrived, except late ones. */
    public void seal(long upTo) {
        placing.seal(Math.max(watermark, upTo));
        watermark = Math.max(watermark, upTo);
        hasLate = false;
        long lag = watermark == Long.MAX_VALUE ? 0 : placing.lag();
        long appendsTo = watermark < Long.MIN_VALUE + lag ? Long.MIN_VALUE : watermark - lag;
        for (int level = 0; level < levels.size(); level++) {
            registerLevels[level].seal(watermark, lag);
            listLevels[level].seal(watermark, appendsTo);
        }
        sessions.seal(watermark);
    }

    public long watermark() {
        return watermark;
    }

    /** Whether something came before the watermark that has no final verdict before it is sealed up to there once more. */
    public boolean hasLate() {
        return hasLate;
    }

    // ---------------------------------------------------------------- left to segments

    /** Returns how often the verdict on a row, or its effect on other verdicts, was left to a check of its segment. */
    public long leftToSegments() {
        return findings.leftCount();
    }

    /** Whether something up to the watermark was left to a check of segments that has not begun. */
    public boolean needsSegmentCheck() {
        return findings.leftFrom() <= watermark && findings.leftFrom() != OnlineFindings.NOTHING;
    }

    /** Notes that a check of segments begins that has all rows up to the watermark. */
    public void beginSegmentCheck() {
        findings.takeLeft(watermark);
    }

    // ---------------------------------------------------------------- what was found

    /** Reads that are wrong by what is known so far. */
    public long provisional() {
        return findings.provisional();
    }

    /** How often the verdict on a read has turned before it was final. */
    public long flips() {
        return findings.flips();
    }

    /** Transactions that committed before the watermark of their time. */
    public long lateCount() {
        return lateCount;
    }

    /** Committed transactions without the timestamps they need. */
    public long unplacedCount() {
        return unplacedCount;
    }

    public long unknownCount() {
        return unknownCount;
    }

    /** Keys that timestamps cannot judge. */
    public int unjudgedKeys() {
        return unjudgedBefore + placing.unjudgedKeys();
    }

    public int keyCount() {
        return keys.count();
    }

    /** The number of the key of an operation, from 0 on. */
    public int keyNumber(HistorySlice slice, int op) {
        return keys.number(slice, op);
    }

    /** Transactions that are not sealed, where sessions are judged. */
    public int openTxns() {
        return sessions.openTxns();
    }

    /** Rows that wait for the watermark. */
    long openRows() {
        long rows = 0;
        for (RegisterTimelines level : registerLevels) {
            rows += level.rowCount();
        }
        return rows;
    }

    /** Bytes of what is not sealed; they come back when it is. */
    public long openByteSize() {
        long events = 0;
        for (ListTimelines level : listLevels) {
            events += level.rowCount();
        }
        long rows = 0;
        for (RegisterTimelines level : registerLevels) {
            rows += level.rowByteSize();
        }
        return rows
                + placing.byteSize()
                + sessions.rowByteSize()
                + txns.usedByteSize()
                + ListTimelines.BYTES_OF_EVENT * events;
    }

    /** Bytes held for transactions and not in use, which are used before more is asked for. */
    public long freeByteSize() {
        return txns.byteSize() - txns.usedByteSize();
    }

    /** Bytes held, for memory accounting. */
    public long byteSize() {
        long bytes = txns.byteSize() + keys.byteSize() + sessions.byteSize() + placing.byteSize();
        for (RegisterTimelines level : registerLevels) {
            bytes += level.byteSize();
        }
        for (ListTimelines level : listLevels) {
            bytes += level.byteSize();
        }
        return bytes;
    }

    // ---------------------------------------------------------------- state

    OnlineKeys keys() {
        return keys;
    }

    SessionTimelines sessions() {
        return sessions;
    }

    OnlineFindings findings() {
        return findings;
    }

    void writeCounters(ByteWriter to) {
        to.putSigned(watermark);
        to.putVarint(lateCount);
        to.putVarint(unplacedCount);
        to.putVarint(unknownCount);
        to.putVarint(unjudgedKeys());
        findings.writeCounters(to);
    }

    void readCounters(ByteReader from) {
        long sealed = from.getSigned();
        watermark = watermark == Long.MIN_VALUE ? sealed : Math.min(watermark, sealed);
        hasLate = true; // unknown
        lateCount += from.getVarint();
        unplacedCount += from.getVarint();
        unknownCount += from.getVarint();
        unjudgedBefore += from.getCount();
        findings.readCounters(from);
    }

    /** Whether more is known of a key than its base. */
    boolean isOpen(int key) {
        boolean isOpen = ownReads.isOpen(key);
        for (int level = 0; level < levels.size(); level++) {
            isOpen |= registerLevels[level].isOpen(key) || listLevels[level].isThere(key);
        }
        return isOpen;
    }

    void writeBase(int key, ByteWriter to) {
        for (RegisterTimelines level : registerLevels) {
            level.writeBase(key, to);
        }
    }

    void readBase(int key, ByteReader from) {
        for (RegisterTimelines level : registerLevels) {
            level.readBase(key, from);
        }
    }

    void writeKey(int key, ByteWriter to) {
        for (int level = 0; level < levels.size(); level++) {
            registerLevels[level].writeKey(key, to);
            listLevels[level].writeKey(key, to);
        }
        ownReads.write(key, to);
    }

    void readKey(int key, ByteReader from) {
        for (int level = 0; level < levels.size(); level++) {
            registerLevels[level].readKey(key, from);
            listLevels[level].readKey(key, from);
        }
        ownReads.read(key, from);
    }

    /** Continues after a watermark up to which the checks that wrote this state have sealed. */
    public void resume(long sealedTo) {
        watermark = sealedTo;
        for (int level = 0; level < levels.size(); level++) {
            registerLevels[level].resume(sealedTo);
            listLevels[level].resume(sealedTo);
        }
    }
}
