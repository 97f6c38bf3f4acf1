package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Search for dependencies that go back in the order of positions, while transactions are added in commit order. */
final class PositionSweep {

    /*
     * Definitions. A transaction misses a version that committed before it if it read an older version of the key. Its
     * position is its commit; just before the first version missed, if any; just after the start of a read-only
     * transaction all of whose reads are from its snapshot. Dependencies are wr, ww and rw. A dependency goes back if
     * it leads from a later position to an earlier one.
     *
     * Layout. A key is a line of eight longs:
     *
     *   meta   value commit   value commit   value commit   reader
     *          newest                        third
     *
     *   meta:    63 .. 5    4               3              2         1 0
     *            ring       WROTE_INITIAL   READ_INITIAL   DROPPED   versions
     *   reader   latest position that read the newest version, or the initial state if the key has no version
     *
     * Algorithm. If all reads of a transaction return the newest versions, its position is its commit, and no
     * dependency between it and earlier transactions goes back. Otherwise the version that each read returned is
     * determined: that of the snapshot if it has the value, else the newest with the value. Then the position is
     * compared with the positions of the writers it read from, of the next versions, and, for each of its writes, of
     * the newest version's writer and latest reader. A case without such a position (a list, a dropped version, a read
     * older than the snapshot, a tie of a transaction that missed a version) ends the sweep.
     *
     * Invariant. A transaction that starts no earlier than its session predecessor committed has a later position than
     * the predecessor, since the first version missed is no older than its start. The caller checks the starts.
     *
     * Cost. Linear time; 64 bytes per key, 24 per transaction that missed a version.
     */

    private static final int META = 0;
    private static final int NEWEST = 1;
    private static final int SECOND = 3;
    private static final int THIRD = 5;
    private static final int COMMIT = 1; // offset from the value
    private static final int READER = 7;

    private static final long VERSIONS = 3;
    private static final long DROPPED = 4;
    private static final long READ_INITIAL = 8; // a read returned the value that represents the initial state
    private static final long WROTE_INITIAL = 16; // a transaction wrote that value, so that it represents nothing
    private static final int RING_SHIFT = 5;

    private static final int INITIAL = 0; // a read returned the initial state
    private static final int HELD = 1; // it returned a version that is held
    private static final int NOT_HELD = 2; // it returned neither

    private static final long NEVER = Long.MIN_VALUE;
    private static final int BYTES_OF_ENTRY = 24;

    private final KeyLines lines = new KeyLines();
    private final VersionRings rings;
    private final Long2LongOpenHashMap positionOfCommit =
            new Long2LongOpenHashMap(); // of writers that missed something
    private final Positions.Builder positions = new Positions.Builder();
    private int readyKeys; // keys with an initialized line
    private boolean hasInitial;
    private long initialValue;
    private boolean hasTie;
    private long tiedCommit;
    private @Nullable String doubt;

    // of the version found last
    private long commitFound;
    private boolean hasNext;
    private long nextCommit;

    /** @param maxRingBytes memory limit of the versions beyond three per key */
    PositionSweep(long maxRingBytes) {
        rings = new VersionRings(maxRingBytes);
    }

    /** Sets the value that a read of a key without versions returns. */
    void initialValueIs(long value) {
        hasInitial = true;
        initialValue = value;
    }

    void expectKeys(int count) {
        lines.expectKeys(count);
        for (; readyKeys < count; readyKeys++) {
            lines.segment(readyKeys)[KeyLines.at(readyKeys) + READER] = NEVER;
        }
    }

    long byteSize() {
        return lines.byteSize()
                + rings.byteSize()
                + (long) BYTES_OF_ENTRY * positionOfCommit.size()
                + positions.byteSize();
    }

    /** Ends the sweep without positions. */
    void doubt(String reason) {
        doubt = doubt == null ? reason : doubt;
    }

    /** Returns why it ended without a result; null if it did not. */
    @Nullable
    String doubt() {
        return doubt;
    }

    /** Returns the positions and the dependencies that go back, once all transactions were added. */
    Positions positions() {
        return positions.build();
    }

    /** Notes that a transaction commits together with another one. */
    void tie(LaneChunk chunk, int txn) {
        hasTie = true;
        tiedCommit = chunk.commitTs[txn];
        if ((chunk.flags[txn] & LaneChunk.WROTE) != 0 && chunk.startTs[txn] == tiedCommit) {
            doubt("a transaction starts and commits when another one commits");
        }
    }

    // ---------------------------------------------------------------- one transaction

    /**
     * Places a committed transaction.
     *
     * @param chunk with ordinals for keys
     * @param horizon no later transaction is expected to have started before
     */
    void commit(LaneChunk chunk, int txn, long horizon) {
        if (doubt != null) {
            return;
        }
        long start = chunk.startTs[txn];
        long commit = chunk.commitTs[txn];
        boolean isReadOnly = (chunk.flags[txn] & LaneChunk.WROTE) == 0;
        if (!Positions.fits(start) || !Positions.fits(commit) || start > commit) {
            doubt("a transaction has timestamps that cannot be placed");
            return;
        }
        boolean isCurrent = true;
        boolean isOfSnapshot = true;
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            byte kind = chunk.kind[op];
            if (LaneOp.isExternalRead(kind) && !LaneOp.holdsList(kind)) {
                long[] line = lines.segment((int) chunk.key[op]);
                int at = KeyLines.at((int) chunk.key[op]);
                boolean isNewest = isNewest(line, at, kind, chunk.value[op]);
                isCurrent &= isNewest;
                isOfSnapshot &= (line[at + META] & VERSIONS) == 0 || line[at + NEWEST + COMMIT] <= start;
            } else if (kind != LaneOp.WRITE && kind != LaneOp.INTERMEDIATE_WRITE && kind != LaneOp.MENTION) {
                doubt("an operation is neither a plain read nor a plain write");
                return;
            }
        }
        long position;
        if (isCurrent) {
            position = isReadOnly && isOfSnapshot ? Positions.after(start) : Positions.at(commit);
            if (isReadOnly && !isOfSnapshot) {
                positions.put(chunk.txnId[txn], position);
            }
        } else {
            position = positionOfMisser(chunk, txn, start, commit, isReadOnly);
        }
        if (doubt == null) {
            write(chunk, txn, commit, position, horizon);
        }
    }

    private boolean isNewest(long[] line, int at, byte kind, long value) {
        if ((line[at + META] & VERSIONS) == 0) {
            return readsInitial(line, at, kind, value);
        }
        return kind == LaneOp.READ && line[at + NEWEST] == value;
    }

    private boolean readsInitial(long[] line, int at, byte kind, long value) {
        if (kind == LaneOp.READ_NOTHING) {
            return true;
        }
        if (!hasInitial || value != initialValue || (line[at + META] & WROTE_INITIAL) != 0) {
            return false;
        }
        line[at + META] |= READ_INITIAL; // right unless a transaction writes that value later
        return true;
    }

    private long positionOfMisser(LaneChunk chunk, int txn, long start, long commit, boolean isReadOnly) {
        boolean isOfSnapshot = true;
        long missed = Long.MAX_VALUE;
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            if (LaneOp.isExternalRead(chunk.kind[op])) {
                int found = find(chunk, op, start);
                if (found == NOT_HELD) {
                    doubt("a read returned a version that is not held");
                    return 0;
                }
                isOfSnapshot &= (found == INITIAL || commitFound <= start) && (!hasNext || nextCommit > start);
                missed = hasNext ? Math.min(missed, nextCommit) : missed;
            }
        }
        if (missed <= start || hasTie && tiedCommit == commit) {
            doubt("a transaction missed a version older than its snapshot, or committed with another");
            return 0;
        }
        positions.foundMisser();
        long position = isReadOnly && isOfSnapshot ? Positions.after(start) : Positions.before(missed);
        if (!(isReadOnly && isOfSnapshot)) {
            positions.put(chunk.txnId[txn], position);
        }
        if (!isReadOnly) {
            positionOfCommit.put(commit, position);
        }
        compare(chunk, txn, start, position);
        return position;
    }

    /**
     * Compares a transaction that missed a version with the transactions that its dependencies relate it to, which all
     * precede it.
     */
    private void compare(LaneChunk chunk, int txn, long start, long position) {
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            long[] line = lines.segment((int) chunk.key[op]);
            int at = KeyLines.at((int) chunk.key[op]);
            if (LaneOp.isExternalRead(chunk.kind[op])) {
                if (find(chunk, op, start) == HELD) {
                    from(positionOf(commitFound), position);
                }
                if (hasNext && positionOf(nextCommit) <= position) {
                    positions.goesBack(positionOf(nextCommit), position);
                }
            } else if (chunk.kind[op] == LaneOp.WRITE) {
                if ((line[at + META] & VERSIONS) != 0) {
                    from(positionOf(line[at + NEWEST + COMMIT]), position);
                }
                from(line[at + READER], position);
            }
        }
    }

    /** Records a dependency from an earlier commit to the current transaction if it goes back. */
    private void from(long other, long position) {
        if (other > position) {
            positions.goesBack(position, other);
        }
    }

    private long positionOf(long commit) {
        return positionOfCommit.getOrDefault(commit, Positions.at(commit));
    }

    /** Makes the writes of a transaction the newest versions, and records it as a reader of the versions it read. */
    private void write(LaneChunk chunk, int txn, long commit, long position, long horizon) {
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            long[] line = lines.segment((int) chunk.key[op]);
            int at = KeyLines.at((int) chunk.key[op]);
            byte kind = chunk.kind[op];
            if (kind == LaneOp.WRITE || kind == LaneOp.INTERMEDIATE_WRITE) {
                noteInitial(line, at, chunk.value[op]);
            }
            if (kind == LaneOp.WRITE) {
                push(line, at, chunk.value[op], commit, horizon);
            } else if (LaneOp.isExternalRead(kind) && isNewest(line, at, kind, chunk.value[op])) {
                line[at + READER] = Math.max(line[at + READER], position);
            }
        }
    }

    private void noteInitial(long[] line, int at, long value) {
        if (hasInitial && value == initialValue) {
            line[at + META] |= WROTE_INITIAL;
            if ((line[at + META] & READ_INITIAL) != 0) {
                doubt("a transaction wrote the value that another one read as the initial state");
            }
        }
    }

    private void push(long[] line, int at, long value, long commit, long horizon) {
        if ((line[at + META] & VERSIONS) < 3) {
            line[at + META]++;
        } else {
            long ring = rings.add(
                    line[at + META] >> RING_SHIFT,
                    line[at + THIRD],
                    line[at + THIRD + COMMIT],
                    line[at + SECOND + COMMIT],
                    horizon);
            long marks = line[at + META] & (DROPPED | READ_INITIAL | WROTE_INITIAL) | (ring & 1) * DROPPED;
            line[at + META] = ring >> 1 << RING_SHIFT | marks | 3;
        }
        line[at + THIRD] = line[at + SECOND];
        line[at + THIRD + COMMIT] = line[at + SECOND + COMMIT];
        line[at + SECOND] = line[at + NEWEST];
        line[at + SECOND + COMMIT] = line[at + NEWEST + COMMIT];
        line[at + NEWEST] = value;
        line[at + NEWEST + COMMIT] = commit;
        line[at + READER] = NEVER;
    }

    // ---------------------------------------------------------------- versions

    /**
     * Finds the version that a read returned; sets its commit, whether a next version exists, and the commit of that
     * next version.
     */
    private int find(LaneChunk chunk, int op, long start) {
        long[] line = lines.segment((int) chunk.key[op]);
        int at = KeyLines.at((int) chunk.key[op]);
        long value = chunk.value[op];
        boolean isValue = chunk.kind[op] == LaneOp.READ;
        int versions = (int) (line[at + META] & VERSIONS);
        OlderVersions ring = rings.ring(line[at + META] >> RING_SHIFT);
        int older = ring == null ? 0 : ring.count();
        int match = -1; // 0 is the newest
        hasNext = false;
        for (int age = 0; age < versions + older && isValue; age++) {
            boolean isMatch = valueAt(line, at, ring, age) == value;
            boolean isSnapshot = commitAt(line, at, ring, age) <= start;
            if (isMatch && (match < 0 || isSnapshot)) {
                match = age;
            }
            if (isSnapshot && match >= 0) {
                break;
            }
        }
        if (match >= 0) {
            commitFound = commitAt(line, at, ring, match);
            hasNext = match > 0;
            nextCommit = hasNext ? commitAt(line, at, ring, match - 1) : 0;
            return HELD;
        }
        if ((line[at + META] & DROPPED) != 0 || !readsInitial(line, at, chunk.kind[op], value)) {
            return NOT_HELD;
        }
        hasNext = versions > 0;
        nextCommit = hasNext ? commitAt(line, at, ring, versions + older - 1) : 0;
        return INITIAL;
    }

    private static long valueAt(long[] line, int at, @Nullable OlderVersions ring, int age) {
        return ring == null || age < 3 ? line[at + NEWEST + 2 * age] : ring.value(ring.count() - 1 - (age - 3));
    }

    private static long commitAt(long[] line, int at, @Nullable OlderVersions ring, int age) {
        return ring == null || age < 3
                ? line[at + NEWEST + 2 * age + COMMIT]
                : ring.commit(ring.count() - 1 - (age - 3));
    }

    /** Replaces the number of every value that is held. */
    void renumberValues(LongUnaryOperator renumber) {
        for (int key = 0; key < lines.keyCount(); key++) {
            long[] line = lines.segment(key);
            int at = KeyLines.at(key);
            for (int version = 0; version < (line[at + META] & VERSIONS); version++) {
                int slot = at + NEWEST + 2 * version;
                line[slot] = renumber.applyAsLong(line[slot]);
            }
        }
        rings.renumberValues(renumber);
    }
}
