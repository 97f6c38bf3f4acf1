package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The last versions of each key, against which transactions are checked as they commit. */
final class RecentVersions {

    /*
     * Layout. A key is a line of eight longs, so that an operation touches one cache line:
     *
     *   meta   value commit   value commit   value commit   older
     *          newest                        third
     *
     *   meta:   63  ..  6      5           4             3          2       1   0
     *           operations  DROPPED  WROTE_INITIAL  READ_INITIAL  SUSPECT  versions
     *
     * Field older is the number of a ring of still older versions, 0 without a ring; only keys that are written more
     * often than transactions end have one.
     *
     * Algorithm. Transactions arrive in commit order. So a read at a snapshot returns the newest version with a commit
     * not after the start, and a writer conflicts if the commit of the newest version is after its start. A version is
     * dropped when no later transaction is expected to have started before the next version. An operation that needs a
     * dropped version, cannot be checked by these rules or violates them makes the key suspect.
     *
     * Invariant. The sweep decides nothing about a suspect key, which must be checked with all its operations.
     */

    private static final int META = 0;
    private static final int NEWEST = 1;
    private static final int SECOND = 3;
    private static final int THIRD = 5;
    private static final int COMMIT = 1; // offset from the value
    private static final int OLDER = 7;

    private static final long VERSIONS = 3;
    private static final long SUSPECT = 4;
    private static final long READ_INITIAL = 8;
    private static final long WROTE_INITIAL = 16;
    private static final long DROPPED = 32;
    private static final int OPS_SHIFT = 6;
    private static final long ONE_OP = 1L << OPS_SHIFT;

    private final boolean atSnapshots;
    private final boolean inSerialOrder;
    private final KeyLines lines = new KeyLines();

    private final VersionRings rings;

    private boolean hasInitial;
    private long initialValue;
    private long touched; // means nothing; without it nothing would be touched
    private long suspectKeys;
    private long suspectOps;

    /**
     * @param atSnapshots whether snapshot isolation is requested
     * @param inSerialOrder whether serializability is
     * @param maxRingBytes memory limit of the versions beyond three per key
     */
    RecentVersions(boolean atSnapshots, boolean inSerialOrder, long maxRingBytes) {
        this.atSnapshots = atSnapshots;
        this.inSerialOrder = inSerialOrder;
        this.rings = new VersionRings(maxRingBytes);
    }

    /** Sets the value that is read where nothing was written, unless a transaction writes it. */
    void initialValueIs(long value) {
        hasInitial = true;
        initialValue = value;
    }

    /** Allocates lines for the given number of keys. */
    void expectKeys(int count) {
        lines.expectKeys(count);
    }

    /** Returns the suspect keys. */
    BitSet suspects() {
        BitSet suspects = new BitSet(lines.keyCount());
        for (int key = 0; key < lines.keyCount(); key++) {
            if ((lines.segment(key)[KeyLines.at(key) + META] & SUSPECT) != 0) {
                suspects.set(key);
            }
        }
        return suspects;
    }

    long suspectKeys() {
        return suspectKeys;
    }

    /** Operations on suspect keys, as far as they were counted. */
    long suspectOps() {
        return suspectOps;
    }

    long byteSize() {
        return lines.byteSize() + rings.byteSize();
    }

    /** Counts an operation that is not checked. */
    void count(int key) {
        long[] segment = lines.segment(key);
        int at = KeyLines.at(key);
        segment[at + META] += ONE_OP;
        if ((segment[at + META] & SUSPECT) != 0) {
            suspectOps++;
        }
    }

    /** Marks a key as suspect. */
    void suspect(int key) {
        suspect(lines.segment(key), KeyLines.at(key));
    }

    private void suspect(long[] segment, int at) {
        if ((segment[at + META] & SUSPECT) == 0) {
            segment[at + META] |= SUSPECT;
            suspectKeys++;
            suspectOps += segment[at + META] >>> OPS_SHIFT;
        }
    }

    /** Marks all keys that a transaction touches as suspect. */
    void suspectAll(LaneChunk chunk, int txn) {
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            suspect((int) chunk.key[op]);
        }
    }

    // ---------------------------------------------------------------- one transaction

    /**
     * Checks a committed transaction's reads and writes and makes its writes the newest versions.
     *
     * @param chunk with ordinals for keys
     * @param horizon no transaction to come is expected to have started before
     */
    void commit(LaneChunk chunk, int txn, long horizon) {
        long start = chunk.startTs[txn];
        long commit = chunk.commitTs[txn];
        boolean judgesSnapshot = atSnapshots && start <= commit;
        int end = chunk.firstOpOf[txn + 1];
        touch(chunk, txn);
        for (int op = chunk.firstOpOf[txn]; op < end; op++) {
            int key = (int) chunk.key[op];
            long[] segment = lines.segment(key);
            int at = KeyLines.at(key);
            long meta = segment[at + META] + ONE_OP;
            segment[at + META] = meta;
            if ((meta & SUSPECT) != 0) {
                suspectOps++;
                continue;
            }
            switch (chunk.kind[op]) {
                case LaneOp.READ -> read(segment, at, chunk.value[op], start, judgesSnapshot);
                case LaneOp.READ_NOTHING -> readNothing(segment, at, start, judgesSnapshot);
                case LaneOp.WRITE -> write(segment, at, chunk.value[op], start, commit, judgesSnapshot, horizon);
                case LaneOp.INTERMEDIATE_WRITE -> recordInitial(segment, at, chunk.value[op]);
                case LaneOp.MENTION -> {}
                default -> suspect(segment, at); // lists, sets, counters, reads that contradict their transaction
            }
        }
    }

    /** Brings the lines of a transaction's keys into the cache, all at a time, before any of them is waited for. */
    private void touch(LaneChunk chunk, int txn) {
        long sum = 0;
        for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
            int key = (int) chunk.key[op];
            sum += lines.segment(key)[KeyLines.at(key)];
        }
        touched = sum;
    }

    private void read(long[] segment, int at, long value, long start, boolean judgesSnapshot) {
        if ((segment[at + META] & VERSIONS) == 0) {
            if ((inSerialOrder || judgesSnapshot) && !readsInitial(segment, at, value)) {
                suspect(segment, at);
            }
            return;
        }
        boolean isNewest = segment[at + NEWEST] == value;
        boolean agrees = isNewest || !inSerialOrder;
        if (agrees && judgesSnapshot) {
            agrees = segment[at + NEWEST + COMMIT] <= start ? isNewest : readsOlder(segment, at, value, start);
        }
        if (!agrees) {
            suspect(segment, at);
        }
    }

    private boolean readsInitial(long[] segment, int at, long value) {
        if (!hasInitial || value != initialValue || (segment[at + META] & WROTE_INITIAL) != 0) {
            return false;
        }
        segment[at + META] |= READ_INITIAL; // right unless a transaction writes that value later
        return true;
    }

    private boolean readsOlder(long[] segment, int at, long value, long start) {
        int versions = (int) (segment[at + META] & VERSIONS);
        if (versions >= 2 && segment[at + SECOND + COMMIT] <= start) {
            return segment[at + SECOND] == value;
        }
        if (versions >= 3 && segment[at + THIRD + COMMIT] <= start) {
            return segment[at + THIRD] == value;
        }
        OlderVersions ring = ring(segment, at);
        int older = ring == null ? -1 : ring.lastUpTo(start);
        if (ring != null && older >= 0) {
            return ring.value(older) == value;
        }
        return (segment[at + META] & DROPPED) == 0 && readsInitial(segment, at, value);
    }

    private void readNothing(long[] segment, int at, long start, boolean judgesSnapshot) {
        long meta = segment[at + META];
        int versions = (int) (meta & VERSIONS);
        if (versions == 0) {
            return;
        }
        if (inSerialOrder || judgesSnapshot && !isBeforeAll(segment, at, versions, start)) {
            suspect(segment, at);
        }
    }

    private boolean isBeforeAll(long[] segment, int at, int versions, long start) {
        if ((segment[at + META] & DROPPED) != 0 || segment[at + NEWEST + 2 * (versions - 1) + COMMIT] <= start) {
            return false;
        }
        OlderVersions ring = ring(segment, at);
        return ring == null || ring.lastUpTo(start) < 0;
    }

    private void write(
            long[] segment, int at, long value, long start, long commit, boolean judgesSnapshot, long horizon) {
        recordInitial(segment, at, value);
        long meta = segment[at + META];
        if ((meta & VERSIONS) != 0) {
            long newest = segment[at + NEWEST + COMMIT];
            if (judgesSnapshot && newest > start || atSnapshots && newest == commit) {
                suspect(segment, at);
                return;
            }
        }
        if ((meta & VERSIONS) == 3) {
            putAside(segment, at, horizon);
        } else {
            segment[at + META]++;
        }
        segment[at + THIRD] = segment[at + SECOND];
        segment[at + THIRD + COMMIT] = segment[at + SECOND + COMMIT];
        segment[at + SECOND] = segment[at + NEWEST];
        segment[at + SECOND + COMMIT] = segment[at + NEWEST + COMMIT];
        segment[at + NEWEST] = value;
        segment[at + NEWEST + COMMIT] = commit;
    }

    private void recordInitial(long[] segment, int at, long value) {
        if (hasInitial && value == initialValue) {
            segment[at + META] |= WROTE_INITIAL;
            if ((segment[at + META] & READ_INITIAL) != 0) {
                suspect(segment, at);
            }
        }
    }

    // ---------------------------------------------------------------- versions before the last three

    /** Moves the third version to the ring, for a newer version. */
    private void putAside(long[] segment, int at, long horizon) {
        long ring = rings.add(
                segment[at + OLDER],
                segment[at + THIRD],
                segment[at + THIRD + COMMIT],
                segment[at + SECOND + COMMIT],
                horizon);
        segment[at + OLDER] = ring >> 1;
        segment[at + META] |= (ring & 1) * DROPPED;
    }

    private @Nullable OlderVersions ring(long[] segment, int at) {
        return rings.ring(segment[at + OLDER]);
    }

    /** Gives every value that is held another number. */
    void renumberValues(LongUnaryOperator renumber) {
        for (int key = 0; key < lines.keyCount(); key++) {
            long[] segment = lines.segment(key);
            int at = KeyLines.at(key);
            for (int version = 0; version < (segment[at + META] & VERSIONS); version++) {
                int slot = at + NEWEST + 2 * version;
                segment[slot] = renumber.applyAsLong(segment[slot]);
            }
        }
        rings.renumberValues(renumber);
    }
}
