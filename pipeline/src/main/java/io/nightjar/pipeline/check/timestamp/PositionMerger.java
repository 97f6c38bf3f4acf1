package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Determines positions from the facts of all lanes; all misses must be added before the first dependency. */
public final class PositionMerger implements LaneDependencies.Sink {

    private static final int NONE = -1;
    private static final long BYTES_OF_ENTRY = 100; // with that of Positions, and spare capacity

    private final Long2IntOpenHashMap entryOf = new Long2IntOpenHashMap(); // by id
    private long[] startOf = new long[64];
    private long[] commitOf = new long[64];
    private long[] missedOf = new long[64];
    private byte[] marksOf = new byte[64];
    private byte[] readOnlyOf = new byte[64];
    private final long maxBytes;
    private final Positions.Builder positions = new Positions.Builder();
    private boolean arePlaced;
    private boolean isInDoubt;

    public PositionMerger(long maxBytes) {
        this.maxBytes = maxBytes;
        entryOf.defaultReturnValue(NONE);
    }

    /** Notes that the facts of a lane are incomplete: positions are not determined. */
    public void doubt() {
        isInDoubt = true;
    }

    @Override
    public void misses(long txnId, boolean isReadOnly, long start, long commit, long firstMissed, int marks) {
        int entry = entryOf.get(txnId);
        if (entry == NONE) {
            entry = entryOf.size();
            isInDoubt |= (entry + 1) * BYTES_OF_ENTRY > maxBytes;
            if (isInDoubt) {
                return;
            }
            entryOf.put(txnId, entry);
            if (entry == startOf.length) {
                startOf = Arrays.copyOf(startOf, 2 * entry);
                commitOf = Arrays.copyOf(commitOf, 2 * entry);
                missedOf = Arrays.copyOf(missedOf, 2 * entry);
                marksOf = Arrays.copyOf(marksOf, 2 * entry);
                readOnlyOf = Arrays.copyOf(readOnlyOf, 2 * entry);
            }
            startOf[entry] = start;
            commitOf[entry] = commit;
            missedOf[entry] = firstMissed;
            readOnlyOf[entry] = (byte) (isReadOnly ? 1 : 0);
        }
        missedOf[entry] = Math.min(missedOf[entry], firstMissed);
        marksOf[entry] |= (byte) marks;
    }

    private void place() {
        arePlaced = true;
        entryOf.forEach((id, entry) -> {
            isInDoubt |= isMisser(entry) && (missedOf[entry] <= startOf[entry] || missedOf[entry] == Long.MAX_VALUE);
            if (isMisser(entry)) {
                positions.foundMisser();
            }
            if (!isAtStart(entry) && (isMisser(entry) || readOnlyOf[entry] == 1)) {
                positions.put(id, position(entry));
            }
        });
    }

    private boolean isMisser(int entry) {
        return (marksOf[entry] & LaneDependencies.NOT_CURRENT) != 0;
    }

    private boolean isAtStart(int entry) {
        int mark = isMisser(entry) ? LaneDependencies.NOT_OF_SNAPSHOT : LaneDependencies.AFTER_START;
        return readOnlyOf[entry] == 1 && (marksOf[entry] & mark) == 0;
    }

    private long position(int entry) {
        if (isAtStart(entry)) {
            return Positions.after(startOf[entry]);
        }
        return isMisser(entry) ? Positions.before(missedOf[entry]) : Positions.at(commitOf[entry]);
    }

    @Override
    public void depends(long fromId, long from, long toId, long to, boolean isMissed) {
        if (!arePlaced) {
            place();
        }
        int source = entryOf.get(fromId);
        if (isInDoubt || isMissed && (source == NONE || !isMisser(source))) {
            return;
        }
        int target = entryOf.get(toId);
        long later = source == NONE ? from : position(source);
        long earlier = target == NONE ? to : position(target);
        if (later > earlier || isMissed && later == earlier) {
            positions.goesBack(earlier, later);
        }
    }

    /** Returns the positions and the dependencies that go back; null if they are not determined. */
    public @Nullable Positions positions() {
        if (!arePlaced) {
            place();
        }
        return isInDoubt ? null : positions.build();
    }
}
