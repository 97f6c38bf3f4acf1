package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a transaction has touched, by name, as far as it matters whether another one comes before or after it. */
final class TxnFootprint {

    /** The transactions that it has read from. */
    private final @Nullable LongOpenHashSet sources;

    private final @Nullable Set<String> written;
    private final @Nullable Set<String> spacesWritten;

    /** What it looked at as it was last committed; a choice among versions does not depend on who comes first, this does. */
    private final @Nullable Set<String> firm;

    private final @Nullable Set<String> spacesFirm;
    private final boolean isKept;
    private boolean isBarrier;

    /** @param isKept whether it is asked for; if not, nothing but barriers is noted */
    TxnFootprint(boolean isKept) {
        this.isKept = isKept;
        this.sources = isKept ? new LongOpenHashSet() : null;
        this.written = isKept ? new HashSet<>() : null;
        this.spacesWritten = isKept ? new HashSet<>() : null;
        this.firm = isKept ? new HashSet<>() : null;
        this.spacesFirm = isKept ? new HashSet<>() : null;
    }

    void read(@Nullable RowVersion version) {
        if (isKept && version != null) {
            sources.add(version.txnId());
        }
    }

    void write(RowObject object, ObjectSpace space) {
        if (isKept) {
            written.add(object.name());
            spacesWritten.add(space.name());
        }
    }

    void readFirmly(RowObject object) {
        if (isKept) {
            firm.add(object.name());
        }
    }

    void scanFirmly(ObjectSpace space) {
        if (isKept) {
            spacesFirm.add(space.name());
        }
    }

    /** Notes that it may depend on all that came before, and matter to all that comes after. */
    void makeBarrier() {
        isBarrier = true;
    }

    boolean isBarrier() {
        return isBarrier;
    }

    /** The transactions that it has read from so far. */
    LongSet sources() {
        return sources;
    }

    /** Whether both have touched the same, whomever they have read from. */
    boolean touchesSame(TxnFootprint other) {
        return isBarrier == other.isBarrier
                && written.equals(other.written)
                && spacesWritten.equals(other.spacesWritten)
                && firm.equals(other.firm)
                && spacesFirm.equals(other.spacesFirm);
    }

    /**
     * Whether it would matter if a transaction that has touched this came before an earlier one.
     *
     * @param readFrom the transactions that it has read from
     */
    boolean dependsOn(TxnFootprint earlier, long earlierId, LongSet readFrom, boolean areWritesOrdered) {
        return isBarrier
                || earlier.isBarrier
                || readFrom.contains(earlierId)
                || areWritesOrdered && meet(written, earlier.written)
                || meet(firm, earlier.written)
                || meet(written, earlier.firm)
                || meet(spacesFirm, earlier.spacesWritten)
                || meet(spacesWritten, earlier.spacesFirm);
    }

    private static boolean meet(Set<String> one, Set<String> other) {
        return !Collections.disjoint(one, other);
    }
}
