package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** What a transaction has touched, as far as it matters whether another one comes before or after it. */
final class TxnFootprint {

    /** The transactions that it has read from. */
    private final LongOpenHashSet sources;

    private final Set<RowObject> written;
    private final Set<ObjectSpace> spacesWritten;

    /** What it looked at as it was last committed; a choice among versions does not depend on who comes first, this does. */
    private final Set<RowObject> firm;

    private final Set<ObjectSpace> spacesFirm;
    private final boolean isKept;
    private boolean isBarrier;

    /** @param isKept whether anybody asks; if not, nothing but barriers is noted */
    TxnFootprint(boolean isKept) {
        this.isKept = isKept;
        this.sources = isKept ? new LongOpenHashSet() : null;
        this.written = isKept ? new HashSet<>() : null;
        this.spacesWritten = isKept ? new HashSet<>() : null;
        this.firm = isKept ? new HashSet<>() : null;
        this.spacesFirm = isKept ? new HashSet<>() : null;
    }

    void read(RowVersion version) {
        if (isKept && version != null) {
            sources.add(version.txnId());
        }
    }

    void write(RowObject object, ObjectSpace space) {
        if (isKept) {
            written.add(object);
            spacesWritten.add(space);
        }
    }

    void readFirmly(RowObject object) {
        if (isKept) {
            firm.add(object);
        }
    }

    void scanFirmly(ObjectSpace space) {
        if (isKept) {
            spacesFirm.add(space);
        }
    }

    /** What it did may depend on all that came before, and matter to all that comes after. */
    void makeBarrier() {
        isBarrier = true;
    }

    boolean isBarrier() {
        return isBarrier;
    }

    /** Whether it would matter if this transaction came before an earlier one. */
    boolean dependsOn(TxnFootprint earlier, long earlierId, boolean areWritesOrdered) {
        return isBarrier
                || earlier.isBarrier
                || sources.contains(earlierId)
                || areWritesOrdered && meet(written, earlier.written)
                || meet(firm, earlier.written)
                || meet(written, earlier.firm)
                || meet(spacesFirm, earlier.spacesWritten)
                || meet(spacesWritten, earlier.spacesFirm);
    }

    private static <T> boolean meet(Set<T> one, Set<T> other) {
        return !Collections.disjoint(one, other);
    }
}
