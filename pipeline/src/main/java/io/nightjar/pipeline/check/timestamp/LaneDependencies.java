package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The contribution of one lane to the positions of transactions ({@link PositionSweep}): the versions that transactions
 * missed, and the dependencies that may go back in the order of positions.
 */
public final class LaneDependencies extends LaneVersions {

    /*
     * Algorithm. A transaction has a position after its start and up to its commit. So a dependency can go back only if
     * its source commits after its target starts; no other is reported. The readers of the newest version of a key form a
     * list, the last one first. A writer follows it to the first reader that committed before the writer started.
     *
     * A lane contains only some operations of a transaction. Whether all its reads are current is known after the facts
     * of all lanes are merged (PositionMerger).
     *
     * Cost. Linear in operations and reported dependencies.
     */

    /** A read did not return the newest version. */
    static final int NOT_CURRENT = 1;

    /** A read did not return the snapshot's version. */
    static final int NOT_OF_SNAPSHOT = 2;

    /** A key that was read has a version that committed after the start. */
    static final int AFTER_START = 4;

    /** Receiver of the facts of lanes. */
    public interface Sink {

        /**
         * Processes a transaction that may have missed a version.
         *
         * @param firstMissed commit of the first version missed; {@code Long.MAX_VALUE} if none
         * @param marks bits that hold for some of its reads
         */
        void misses(long txnId, boolean isReadOnly, long start, long commit, long firstMissed, int marks);

        /**
         * Processes a dependency.
         *
         * @param from position of the source unless it missed a version
         * @param to position of the target unless it missed a version
         * @param isMissed whether the source missed a version of the target, if it missed any
         */
        void depends(long fromId, long from, long toId, long to, boolean isMissed);
    }

    private static final int JUST_WRITTEN = -2; // by the current transaction

    private final Sink sink;
    private final boolean hasInitial;
    private final long initialValue;
    private final boolean[] wroteInitial; // by key
    private final int[] lastReaderOf; // by key, of its newest version: a place in readers
    private final IntColumn readers = new IntColumn(); // transactions
    private final IntColumn readerBefore = new IntColumn(); // places in readers
    private final LongColumn readerCommit = new LongColumn();
    private boolean isInDoubt;

    // of the current transaction
    private final IntArrayList keysReadCurrent = new IntArrayList();
    private final IntArrayList keysWritten = new IntArrayList();
    private long firstMissed = Long.MAX_VALUE;
    private int marks;

    private LaneDependencies(Lane lane, @Nullable String initialText, Sink sink) {
        super(lane);
        this.sink = sink;
        hasInitial = initialText != null && lane.knowsInitialValue(initialText);
        initialValue = initialText != null && hasInitial ? lane.initialValue(initialText) : 0;
        wroteInitial = hasInitial ? lane.findWritersOf(initialValue) : new boolean[0];
        lastReaderOf = new int[lane.keyCount()];
        Arrays.fill(lastReaderOf, NONE);
    }

    /**
     * Reports the facts of a lane.
     *
     * @param initialText text of the value that represents the initial state as null does
     * @return false if a transaction of the lane cannot be placed, so that positions are not determined
     */
    public static boolean find(Lane lane, @Nullable String initialText, Sink sink) {
        if (!isPlain(lane)) {
            return false;
        }
        LaneDependencies dependencies = new LaneDependencies(lane, initialText, sink);
        dependencies.run();
        return !dependencies.isInDoubt;
    }

    /** Returns whether all operations are plain reads and writes, at times that can be placed. */
    private static boolean isPlain(Lane lane) {
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.status(txn) != TxnStatus.COMMITTED) {
                continue;
            }
            long start = lane.startTs().get(txn);
            long commit = lane.commitTs().get(txn);
            if (!Positions.fits(start) || !Positions.fits(commit) || start > commit) {
                return false;
            }
            for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                byte kind = lane.kind().get(op);
                boolean isPlain = kind == LaneOp.READ
                        || kind == LaneOp.READ_NOTHING
                        || kind == LaneOp.WRITE
                        || kind == LaneOp.INTERMEDIATE_WRITE
                        || kind == LaneOp.MENTION;
                if (!isPlain) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    void read(int txn, int op, int version, boolean isCurrent, boolean isOfSnapshot) {
        int key = lane.key().get(op);
        int newest = newest(key);
        isInDoubt |= version > newest || !isVersion(version, key) && !readsInitial(op);
        if (isInDoubt) {
            return;
        }
        marks |= (isCurrent ? 0 : NOT_CURRENT)
                | (isOfSnapshot ? 0 : NOT_OF_SNAPSHOT)
                | (isAfterStart(newest, key) ? AFTER_START : 0);
        if (isCurrent) {
            keysReadCurrent.add(key);
        }
        if (isAfterStart(version, key)) {
            depends(txnOf(version), txn, false);
        }
        isInDoubt |= isVersion(newest, key) && commitOf(newest) == commit && !lane.isReadOnly(txn);
        if (version < newest) {
            long missed = commitOf(version + 1);
            isInDoubt |= missed == commit;
            firstMissed = Math.min(firstMissed, missed);
            depends(txn, txnOf(version + 1), true);
        }
    }

    @Override
    boolean readsInitial(int op) {
        return super.readsInitial(op)
                || hasInitial
                        && lane.value().get(op) == initialValue
                        && !wroteInitial[lane.key().get(op)];
    }

    @Override
    void write(int txn, int key) {
        int newest = newest(key);
        if (isAfterStart(newest, key)) {
            isInDoubt |= commitOf(newest) == commit;
            depends(txnOf(newest), txn, false);
        }
        for (int place = lastReaderOf[key]; place >= 0; place = readerBefore.get(place)) {
            int reader = readers.get(place);
            if (readerCommit.get(place) <= start) {
                break;
            }
            isInDoubt |= readerCommit.get(place) == commit;
            depends(reader, txn, false);
        }
        lastReaderOf[key] = JUST_WRITTEN;
        keysWritten.add(key);
    }

    @Override
    void end(int txn) {
        for (int i = 0; i < keysReadCurrent.size(); i++) {
            int key = keysReadCurrent.getInt(i);
            if (lastReaderOf[key] != JUST_WRITTEN) {
                readerBefore.add(lastReaderOf[key]);
                lastReaderOf[key] = readers.size();
                readers.add(txn);
                readerCommit.add(commit);
            }
        }
        for (int i = 0; i < keysWritten.size(); i++) {
            lastReaderOf[keysWritten.getInt(i)] = NONE;
        }
        if (marks != 0 && (lane.isReadOnly(txn) || marks != AFTER_START) || firstMissed < Long.MAX_VALUE) {
            sink.misses(lane.txnId().get(txn), lane.isReadOnly(txn), start, commit, firstMissed, marks);
        }
        keysReadCurrent.clear();
        keysWritten.clear();
        firstMissed = Long.MAX_VALUE;
        marks = 0;
    }

    private void depends(int from, int to, boolean isMissed) {
        sink.depends(lane.txnId().get(from), position(from), lane.txnId().get(to), position(to), isMissed);
    }

    private long position(int txn) {
        return lane.isReadOnly(txn)
                ? Positions.after(lane.startTs().get(txn))
                : Positions.at(lane.commitTs().get(txn));
    }
}
