package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks transactions by their timestamps as they arrive, in any order. */
public final class OnlineCheck {

    /*
     * Definitions. A timeline contains the operations on one key, or the transactions of one session, in the order of
     * time for one level.
     *
     * Algorithm. A slice is scanned as for the check of a whole history. Anomalies of one transaction (INT,
     * TIMESTAMP-ORDER) are final at once. Operations on registers wait until they are sealed; then writes are placed on
     * the timeline of their key, and each read is compared with the version before it. If provisional verdicts are
     * requested, writes are placed on arrival, and reads checked then and after each version before them. A list is a
     * register with the length of its log of elements as its value, checked when it is sealed. Sessions have timelines
     * too. Transactions with unknown outcome are omitted.
     *
     * The use of a key is discovered over time. A key with null reads only is a register until it is used as a list. A
     * key used as both, as a set or as a counter is dropped, and its findings are withdrawn.
     *
     * Invariant. Sealed rows are removed. If the verdict of a late row, or its effect on other verdicts, depends on
     * removed rows, only its time is recorded here, and a batch check of its segment decides.
     */

    /** The start of a transaction of which only the commit is known. */
    static final long NO_TIME = HistorySlice.NONE;

    /** Ids of transactions and sessions from here to {@link #LAST_INITIAL_ID} belong to the initial state. */
    static final long FIRST_INITIAL_ID = Long.MIN_VALUE + 1;

    public static final long LAST_INITIAL_ID = FIRST_INITIAL_ID + (1 << 20);

    private final List<IsolationLevel> levels;
    private final TransactionScan scan;
    private final SessionPositionPartitioner positions = new SessionPositionPartitioner(0);
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final RegisterTimelines registers;
    private final SessionTimelines sessions;
    private final InternalReadCheck ownReads;
    private final ChunkIngest placing;

    private long watermark = Long.MIN_VALUE;
    private long txnCount;
    private long opCount;
    private long committedCount;
    private long lateCount;
    private boolean hasLate; // whether a row before the watermark is not sealed yet
    private long unplacedCount;
    private long unknownCount;
    private int unjudgedBefore; // in the check that is resumed

    /**
     * @param levels snapshot isolation, serializability, or both
     * @param initialValue the text of the value that means the initial state as null does, or null
     */
    public OnlineCheck(Collection<IsolationLevel> levels, @Nullable String initialValue, OnlineListener listener) {
        this.levels = List.copyOf(levels);
        this.scan = new TransactionScan(1, initialValue);
        this.keys = new OnlineKeys(initialValue);
        this.findings = new OnlineFindings(listener);
        this.registers = new RegisterTimelines(this.levels, keys, findings);
        this.sessions = new SessionTimelines(this.levels, findings);
        ProvisionalReads provisional = new ProvisionalReads(registers);
        this.ownReads = new InternalReadCheck(this.levels, keys, findings, provisional);
        this.placing = new ChunkIngest(keys, findings, ownReads, registers, provisional);
    }

    // ---------------------------------------------------------------- before the first arrival

    /** Determines the initial state of a key from its first sealed read. */
    public void learnInitial() {
        keys.initials().learn();
    }

    /** Starts from the end state of another check, which has sealed a whole history and has the same first level. */
    public void startFrom(OnlineCheck history) {
        for (ByteWriter block : OnlineCheckCodec.writeEnd(history, 1)) {
            OnlineCheckCodec.readKeys(new ByteReader(block.bytes(), 0, block.size()), this);
        }
    }

    /** Turns the last version of a key into its initial state, as if it had not been used. */
    void endAsInitial(int key) {
        long[] list = registers.lists().content(key);
        if (list.length > 0) {
            keys.initials().giveList(key, list);
        } else if (registers.hasVersion(key)) {
            keys.initials().give(key, registers.lastValue(key));
        }
        keys.forgetUse(key);
    }

    /** Starts recording the keys that {@link OnlineCheckCodec#writeNewInitials} writes. */
    public void recordInitials() {
        keys.initials().recordNews();
    }

    /** Retains the texts of all values, for a check that starts from this check's end state. */
    public void retainValueTexts() {
        keys.holdAll();
    }

    /** Returns the number of keys with a learned state, except empty ones. */
    public long learnedKeys() {
        return keys.initials().learnedCount();
    }

    /** Returns the initial states of keys that arrivals used, as transactions before all others; empty if all are empty. */
    public List<HistorySlice> initialState() {
        return InitialRows.of(keys);
    }

    /** Returns whether values are compared by hashes of their texts. */
    public boolean areValuesHashed() {
        return keys.areValuesHashed();
    }

    // ---------------------------------------------------------------- arrivals

    /** Returns whether a slice's keys and values have the types of earlier rows. */
    public boolean hasSameTypesAs(HistorySlice slice) {
        return keys.agreesWith(slice.keyType, slice.valueType);
    }

    /** Returns whether a chunk's keys and values have the types of earlier rows. */
    public boolean hasSameTypesAs(LaneChunk chunk) {
        return keys.agreesWith(chunk.keyType, chunk.valueType);
    }

    /**
     * Adds transactions.
     *
     * @param arrived time of arrival, in any unit
     */
    public void add(HistorySlice slice, long arrived) {
        buffer(slice, arrived);
        placeBuffered();
    }

    /** Adds transactions; {@link #placeBuffered} must precede the next seal. */
    public void buffer(HistorySlice slice, long arrived) {
        refuseTables(slice);
        scan.scan(slice);
        bufferLane(scan.chunk(0), arrived);
        positions.partition(slice);
        addSessionPositions(positions.chunk(0), arrived);
    }

    /** Ends a group of arrivals: they are checked together if provisional verdicts are requested. */
    public void placeBuffered() {
        placing.place();
    }

    /** Returns whether register operations are checked only when they are sealed. */
    public boolean checksWhenSealed() {
        return placing.waits();
    }

    /** @throws MalformedHistoryException if rows have operations on tables, or conditional writes */
    public static void refuseTables(HistorySlice slice) {
        if (slice.isRelational() || slice.isConditional()) {
            String kinds = slice.isRelational() ? "predicate reads and deletions" : "conditional writes";
            throw new MalformedHistoryException(
                    slice.locationOf(slice.firstTxnBeyondItems()),
                    InputError.of(kinds + " are not checked as they arrive").advise("use check"));
        }
    }

    /** Adds the operations of transactions on the keys of one lane, without session positions. */
    public void addLane(LaneChunk chunk, long arrived) {
        bufferLane(chunk, arrived);
        placeBuffered();
    }

    /** Adds the same; operations on registers wait for {@link #placeBuffered}. */
    public void bufferLane(LaneChunk chunk, long arrived) {
        for (int txn = 0; !hasLate && txn < chunk.txnCount; txn++) {
            hasLate = isBeforeWatermark(chunk.startTs[txn]) || isBeforeWatermark(chunk.commitTs[txn]);
        }
        placing.take(chunk, arrived);
    }

    /**
     * Adds the session positions of transactions, without their operations.
     *
     * @param chunk transactions with two operations each, whose key is the session; the first value is the position,
     *     the second one the number of operations
     */
    public void addSessionPositions(LaneChunk chunk, long arrived) {
        txnCount += chunk.txnCount;
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            int op = chunk.firstOpOf[txn];
            opCount += chunk.value[op + 1];
            int session = sessions.ordinal(chunk.key[op]);
            if (!LaneChunk.isCommitted(chunk.flags[txn])) {
                unknownCount += (chunk.flags[txn] & LaneChunk.STATUS_MASK) == TxnStatus.UNKNOWN ? 1 : 0;
                continue;
            }
            committedCount++;
            boolean isReadOnly = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
            long start = chunk.startTs[txn];
            long commit = chunk.commitTs[txn];
            if (start == NO_TIME || commit == NO_TIME) {
                unplacedCount++;
            } else {
                placeInSession(
                        session, chunk.value[op], new OnlineTxn(chunk.txnId[txn], start, commit), arrived, isReadOnly);
            }
        }
    }

    // ---------------------------------------------------------------- sessions

    private boolean isBeforeWatermark(long at) {
        return at <= watermark && at != NO_TIME;
    }

    private void placeInSession(int session, long seq, OnlineTxn txn, long arrived, boolean isReadOnly) {
        if (txn.commitTs() <= watermark) {
            lateCount++;
            hasLate = true;
        }
        if (txn.startTs() > txn.commitTs() && levels.contains(IsolationLevel.SNAPSHOT_ISOLATION)) {
            findings.addFinal(new OnlineFinding(
                    IsolationLevel.SNAPSHOT_ISOLATION,
                    Anomaly.TIMESTAMP_ORDER,
                    null,
                    new OnlineFinding.Parties(txn, null, null),
                    OnlineFinding.Reading.NONE,
                    arrived,
                    0));
        }
        sessions.add(session, seq, txn, arrived, isReadOnly);
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
    public void close() {
        registers.release();
        sessions.release();
        placing.release();
    }

    /** Makes verdicts up to a time final: all commits up to there have arrived, except late ones. */
    public void seal(long upTo) {
        placing.seal(Math.max(watermark, upTo));
        watermark = Math.max(watermark, upTo);
        hasLate = false;
        long lag = watermark == Long.MAX_VALUE ? 0 : placing.lag();
        registers.seal(watermark, lag);
        sessions.seal(watermark);
    }

    public long watermark() {
        return watermark;
    }

    /** Returns whether a row before the watermark arrived that needs another seal up to there for its final verdict. */
    public boolean hasLate() {
        return hasLate;
    }

    // ---------------------------------------------------------------- left to segments

    /** Returns how often the verdict on a row, or its effect on other verdicts, was left to a check of its segment. */
    public long leftToSegments() {
        return findings.leftCount();
    }

    /** Returns whether rows up to the watermark were left to a check of segments that has not begun. */
    public boolean needsSegmentCheck() {
        return findings.leftFrom() <= watermark && findings.leftFrom() != OnlineFindings.NOTHING;
    }

    /** Records that a check of segments begins with all rows up to the watermark. */
    public void beginSegmentCheck() {
        findings.takeLeft(watermark);
    }

    // ---------------------------------------------------------------- counts

    /** Returns the number of reads that are wrong according to the rows so far. */
    public long provisional() {
        return findings.provisional();
    }

    /** Returns how often verdicts on reads flipped before they were final. */
    public long flips() {
        return findings.flips();
    }

    /** Returns the number of transactions that arrived after the watermark had passed their commits. */
    public long lateCount() {
        return lateCount;
    }

    /** Returns the number of committed transactions without the required timestamps. */
    public long unplacedCount() {
        return unplacedCount;
    }

    public long unknownCount() {
        return unknownCount;
    }

    /** Returns the number of keys that timestamps cannot decide. */
    public int unjudgedKeys() {
        return unjudgedBefore + placing.unjudgedKeys();
    }

    /** Returns the number of transactions, including those before this check resumed. */
    public long txnCount() {
        return txnCount;
    }

    /** Returns the number of operations of these transactions. */
    public long opCount() {
        return opCount;
    }

    public long committedCount() {
        return committedCount;
    }

    /** Returns the number of sessions of these transactions. */
    public int sessionCount() {
        return sessions.sessionCount();
    }

    public int keyCount() {
        return keys.count();
    }

    /** Returns the number of transactions that are not sealed, if sessions are checked. */
    public int openTxns() {
        return sessions.openTxns();
    }

    /** Returns the bytes of rows that are not sealed, which sealing releases. */
    public long openByteSize() {
        return placing.byteSize() + sessions.rowByteSize();
    }

    /** Returns the used bytes of memory. */
    public long byteSize() {
        return registers.byteSize() + keys.byteSize() + sessions.byteSize() + placing.byteSize();
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
        to.putVarint(txnCount);
        to.putVarint(opCount);
        to.putVarint(committedCount);
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
        txnCount += from.getVarint();
        opCount += from.getVarint();
        committedCount += from.getVarint();
        lateCount += from.getVarint();
        unplacedCount += from.getVarint();
        unknownCount += from.getVarint();
        unjudgedBefore += from.getCount();
        findings.readCounters(from);
    }

    ChunkIngest placing() {
        return placing;
    }

    void writeKey(int key, ByteWriter to) {
        registers.write(key, to);
    }

    void readKey(int key, ByteReader from) {
        registers.read(key, from);
    }

    /** Resumes after a watermark up to which the checks that wrote this state have sealed. */
    public void resume(long sealedTo) {
        watermark = sealedTo;
        registers.seal(sealedTo, placing.lag());
    }
}
