package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.InitialValue;
import io.nightjar.pipeline.partition.KeyFilter;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.LongOrdinals;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Streaming check of a history whose rows are nearly in commit order: it stores a window of transactions and a few
 * versions of each key, instead of all operations.
 *
 * <p>It determines which keys have no anomaly. All others are suspect and are decided by {@link LaneCheck}: a lane with
 * all operations on a key finds all anomalies of the key.
 */
@SuppressWarnings("NullAway") // names are there where keys or values are texts
public final class InOrderSweep {

    /*
     * Definitions. A key is suspect as soon as it cannot be shown that LaneCheck would find nothing on it:
     *
     *   a read does not agree with the version at its position, or that version was dropped
     *   a writer overlaps another one, or two commit at one timestamp
     *   a row arrives so late that rows which it should precede, or which commit when it does, have left the window
     *   its transaction starts and commits at one timestamp, writes, and others commit at it too: there the snapshots' order
     *     of ties is not the serial one
     *   it is a list, set or counter, or a read disagrees with its own transaction
     *   an unknown transaction touches it, since its promotion depends on all reads of its writes
     *
     * Cost. If many operations are on suspect keys, the sweep is useless: isGivenUp() becomes true, and no level holds
     * by it.
     */

    /** Rows of a stretch, whose longest duration is used until the end of the next one: more than a window contains. */
    private static final long STRETCH = 1 << 21;

    private static final long MAX_NAME_BYTES = 1 << 28;
    private static final int NONE = -1;

    private final @Nullable String initialText;
    private final long memoryBytes;
    private final RecentVersions versions;
    private final @Nullable PositionSweep positions; // null unless positions are requested
    private final CommitWindow window;
    private final boolean atSnapshots;
    private final SuspectShare share;

    private ValueType keyType = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private final LongOrdinals numberKeys = new LongOrdinals();
    private @Nullable StringPool keyNames;
    private @Nullable StringPool valueNames;
    private long valueNamesAfterLastScan;
    private int[] keyOfName = new int[0];
    private int[] valueOfName = new int[0];

    private boolean isJudging = true;
    private @Nullable String whyGivenUp;
    private long sharedSuspectOps; // operations reported to the share
    private long sharedKeys;
    private long sharedSuspectKeys;
    private long maxDuration; // from start to commit, in this stretch of rows
    private long maxDurationBefore; // in the previous stretch
    private long stretch;

    /**
     * @param axioms axioms of each requested level
     * @param initialValue the text of the value that means the initial state as null does, or null
     * @param memoryBytes memory limit of the whole sweep
     */
    public InOrderSweep(Map<IsolationLevel, Set<Axiom>> axioms, @Nullable String initialValue, long memoryBytes) {
        this(axioms, false, initialValue, memoryBytes, CommitWindow.FIRST_LENGTH, new SuspectShare());
    }

    /**
     * @param findsPositions whether a serial order is searched too; the sweep then covers all keys
     * @param windowLength initial number of buffered transactions
     * @param share shared count of suspect keys and operations of the whole history, to which other sweeps contribute
     */
    InOrderSweep(
            Map<IsolationLevel, Set<Axiom>> axioms,
            boolean findsPositions,
            @Nullable String initialValue,
            long memoryBytes,
            int windowLength,
            SuspectShare share) {
        this.share = share;
        this.positions = findsPositions ? new PositionSweep(memoryBytes / 8) : null;
        this.initialText = initialValue;
        this.memoryBytes = memoryBytes;
        this.atSnapshots = axioms.containsKey(IsolationLevel.SNAPSHOT_ISOLATION);
        this.versions = new RecentVersions(
                atSnapshots, axioms.containsKey(IsolationLevel.COMMIT_ORDER_SERIALIZABLE), memoryBytes / 4);
        this.window = new CommitWindow(new Checking(), memoryBytes / 8, windowLength);
    }

    private final class Checking implements CommitWindow.Taker {

        @Override
        public void tie(LaneChunk chunk, int txn) {
            boolean writes = (chunk.flags[txn] & LaneChunk.WROTE) != 0;
            if (atSnapshots && writes && chunk.startTs[txn] == chunk.commitTs[txn]) {
                versions.suspectAll(chunk, txn);
            }
            if (positions != null) {
                positions.tie(chunk, txn);
            }
        }

        @Override
        public void take(LaneChunk chunk, int txn) {
            long horizon = horizon(chunk.commitTs[txn]);
            versions.commit(chunk, txn, horizon);
            if (positions != null) {
                positions.commit(chunk, txn, horizon);
            }
        }

        @Override
        public void takeLate(LaneChunk chunk, int txn) {
            leaveToLanes(chunk, txn);
            doubtPositions("rows come too late for the order of commits");
        }
    }

    // ---------------------------------------------------------------- rows

    /** Takes the next chunk, of all keys, in the order of the rows; it belongs to the sweep from now on. */
    public void add(LaneChunk chunk) {
        if (whyGivenUp != null) {
            return;
        }
        if (isJudging && !window.fits(chunk) || byteSize() + bytesToAdd(chunk) > memoryBytes) {
            whyGivenUp = "keys, values and the rows that wait do not fit into memory";
            return;
        }
        mapKeys(chunk);
        beginStretch(chunk.txnCount);
        if (!isJudging) {
            return;
        }
        mapValues(chunk);
        dropNames(chunk);
        for (int txn = 0; txn < chunk.txnCount && isJudging; txn++) {
            observe(chunk, txn);
        }
        if (!isJudging) {
            return;
        }
        int ops = chunk.opCount;
        window.add(chunk);
        whyGivenUp = shareText(ops);
        if (whyGivenUp == null && positions != null) {
            whyGivenUp = positions.doubt();
        }
    }

    private void doubtPositions(String reason) {
        if (positions != null) {
            positions.doubt(reason);
        }
    }

    private String shareText(int ops) {
        String tooMuch = share.add(
                ops,
                versions.suspectOps() - sharedSuspectOps,
                keyCount() - sharedKeys,
                versions.suspectKeys() - sharedSuspectKeys);
        sharedSuspectOps = versions.suspectOps();
        sharedKeys = keyCount();
        sharedSuspectKeys = versions.suspectKeys();
        return tooMuch;
    }

    /** Ends the input. */
    public void finish() {
        if (isJudging && whyGivenUp == null) {
            window.finish();
        }
        if (positions != null && whyGivenUp == null) {
            whyGivenUp = positions.doubt();
        }
    }

    /** Returns positions, once all rows were added and the sweep did not end early; null unless requested. */
    public @Nullable Positions positions() {
        return positions == null ? null : positions.positions();
    }

    /** Returns a chunk to be filled again, for any thread. */
    public LaneChunk emptyChunk() {
        LaneChunk spent = window.pollSpent();
        return spent == null ? new LaneChunk() : spent;
    }

    private void observe(LaneChunk chunk, int txn) {
        if (!LaneChunk.isCommitted(chunk.flags[txn])) {
            for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
                versions.count((int) chunk.key[op]);
            }
            if ((chunk.flags[txn] & LaneChunk.STATUS_MASK) == TxnStatus.UNKNOWN) {
                // positions need it only where a read returns its version, which no line holds: the sweep then ends
                versions.suspectAll(chunk, txn);
            }
        } else if (!CommitWindow.isPlaced(chunk, txn)) {
            isJudging = false; // timestamps are no evidence for this history
            doubtPositions("a transaction has no timestamps");
        } else {
            long commit = chunk.commitTs[txn];
            long lasted = commit - chunk.startTs[txn];
            maxDuration = Math.max(maxDuration, lasted < 0 && commit > chunk.startTs[txn] ? Long.MAX_VALUE : lasted);
        }
    }

    private void beginStretch(int txns) {
        stretch += txns;
        if (stretch > STRETCH) {
            maxDurationBefore = maxDuration;
            maxDuration = 0;
            stretch = 0;
        }
    }

    private void leaveToLanes(LaneChunk chunk, int txn) {
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            versions.count((int) chunk.key[op]);
        }
        versions.suspectAll(chunk, txn);
    }

    /**
     * Returns a time before which no later transaction is expected to have started, unless its duration exceeds twice
     * the recent maximum.
     */
    private long horizon(long commit) {
        long maxDurationOfBoth = Math.max(maxDuration, maxDurationBefore);
        long twice = maxDurationOfBoth > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * maxDurationOfBoth;
        return commit < Long.MIN_VALUE + twice ? Long.MIN_VALUE : commit - twice;
    }

    // ---------------------------------------------------------------- names

    private void mapKeys(LaneChunk chunk) {
        if (keyType == ValueType.NONE && chunk.keyType != ValueType.NONE) {
            keyType = chunk.keyType;
            keyNames = keyType == ValueType.STRING ? new StringPool() : null;
        }
        if (chunk.keyType == ValueType.STRING) {
            keyOfName = unmapped(keyOfName, chunk.keyNames.size());
            for (int op = 0; op < chunk.opCount; op++) {
                int name = (int) chunk.key[op];
                if (keyOfName[name] == NONE) {
                    keyOfName[name] = keyNames.internFrom(chunk.keyNames, name);
                }
                chunk.key[op] = keyOfName[name];
            }
        } else {
            for (int op = 0; op < chunk.opCount; op++) {
                chunk.key[op] = numberKeys.ordinal(chunk.key[op]);
            }
        }
        if (isJudging) {
            versions.expectKeys(intKeyCount());
            if (positions != null) {
                positions.expectKeys(intKeyCount());
            }
        }
    }

    private void mapValues(LaneChunk chunk) {
        if (valueType == ValueType.NONE && chunk.valueType != ValueType.NONE) {
            valueType = chunk.valueType;
            valueNames = valueType == ValueType.STRING ? newValueNames() : null;
            if (InitialValue.isKnown(valueType, valueNames, initialText)) {
                long initial = InitialValue.asLong(valueType, valueNames, initialText);
                versions.initialValueIs(initial);
                if (positions != null) {
                    positions.initialValueIs(initial);
                }
            }
        }
        if (chunk.valueType != ValueType.STRING) {
            return;
        }
        forgetUnusedValues();
        valueOfName = unmapped(valueOfName, chunk.valueNames.size());
        for (int op = 0; op < chunk.opCount; op++) {
            if (LaneOp.holdsValue(chunk.kind[op])) {
                int name = (int) chunk.value[op];
                if (valueOfName[name] == NONE) {
                    valueOfName[name] = valueNames.internFrom(chunk.valueNames, name);
                }
                chunk.value[op] = valueOfName[name];
            }
        }
    }

    /** Returns an empty table of values, with the initial value first if one is defined. */
    private StringPool newValueNames() {
        StringPool names = new StringPool();
        if (initialText != null) {
            names.intern(initialText);
        }
        return names;
    }

    /** Discards the values that are no longer stored, from time to time: most are written once and soon replaced. */
    private void forgetUnusedValues() {
        boolean isWorthIt = valueNames.byteSize()
                > Math.max(Math.min(memoryBytes / 16, MAX_NAME_BYTES), 2 * valueNamesAfterLastScan);
        if (!isWorthIt) {
            return;
        }
        StringPool all = valueNames;
        StringPool held = newValueNames();
        versions.renumberValues(value -> held.internFrom(all, (int) value));
        if (positions != null) {
            positions.renumberValues(value -> held.internFrom(all, (int) value));
        }
        window.renumberValues(value -> held.internFrom(all, (int) value));
        valueNames = held;
        valueNamesAfterLastScan = held.byteSize();
    }

    /** Discards the names of a chunk that waits in the window: it needs the sweep's ordinals alone. */
    private static void dropNames(LaneChunk chunk) {
        chunk.keyNames = null;
        chunk.valueNames = null;
        chunk.lists = null;
    }

    private static int[] unmapped(int[] scratch, int count) {
        int[] map = scratch.length >= count ? scratch : new int[count];
        Arrays.fill(map, 0, count, NONE);
        return map;
    }

    private int intKeyCount() {
        return keyType == ValueType.STRING ? keyNames.size() : numberKeys.size();
    }

    /**
     * Returns the additional memory for a chunk's names: a full table is copied to one half as large again, and the
     * table of stored values is filled while the table of all values still exists.
     */
    private long bytesToAdd(LaneChunk chunk) {
        long keys = byteSize(keyNames) + byteSize(chunk.keyNames);
        long values = isJudging ? byteSize(valueNames) + byteSize(chunk.valueNames) : 0;
        return Math.max(keys, values * 5 / 2);
    }

    private static long byteSize(@Nullable StringPool names) {
        return names == null ? 0 : names.byteSize();
    }

    private long byteSize() {
        return versions.byteSize()
                + (positions == null ? 0 : positions.byteSize())
                + window.byteSize()
                + numberKeys.byteSize()
                + byteSize(keyNames)
                + byteSize(valueNames);
    }

    // ---------------------------------------------------------------- results

    /** Returns whether it ended without a result, so that all must be checked otherwise. */
    public boolean isGivenUp() {
        return whyGivenUp != null;
    }

    /** Returns whether some key has to be checked otherwise. */
    public boolean isInDoubt() {
        return isGivenUp() || !isJudging || suspectKeys() > 0;
    }

    /** Returns the reason why the sweep ended early; null if it did not. */
    public @Nullable String abandonReason() {
        return whyGivenUp;
    }

    public long keyCount() {
        return intKeyCount();
    }

    long valueNameBytes() {
        return valueNames.byteSize();
    }

    /** Returns the number of suspect keys, which lanes must check. */
    public long suspectKeys() {
        return versions.suspectKeys();
    }

    /** Returns the number of operations on suspect keys. */
    public long suspectOps() {
        return versions.suspectOps();
    }

    /** Returns the suspect keys, which lanes must check, for any number of threads; valid once all rows were added. */
    public KeyFilter suspects() {
        return new Suspects(numberKeys, keyNames, versions.suspects());
    }

    /** Keys by their ordinals. */
    private record Suspects(LongOrdinals numbers, @Nullable StringPool names, BitSet ordinals) implements KeyFilter {

        @Override
        public boolean holds(long key) {
            int ordinal = numbers.find(key);
            return ordinal >= 0 && ordinals.get(ordinal);
        }

        @Override
        public boolean holds(StringPool of, int name) {
            int ordinal = names.find(of.bytes(), of.firstByte(name), of.length(name));
            return ordinal >= 0 && ordinals.get(ordinal);
        }
    }
}
