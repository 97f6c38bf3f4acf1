package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of the objects and tables that a transaction accessed, to determine whether its order relative to others
 * matters.
 */
final class TxnAccessSet {

    private static final class Touched {

        /** Transactions that it has read from. */
        private final LongOpenHashSet sources = new LongOpenHashSet();

        private final Set<String> written = new HashSet<>();
        private final Set<String> spacesWritten = new HashSet<>();

        /**
         * Objects read in their last committed state; unlike a choice among versions, such a read depends on the
         * transaction order.
         */
        private final Set<String> firm = new HashSet<>();

        private final Set<String> spacesFirm = new HashSet<>();

        private boolean isSame(Touched other) {
            return written.equals(other.written)
                    && spacesWritten.equals(other.spacesWritten)
                    && firm.equals(other.firm)
                    && spacesFirm.equals(other.spacesFirm);
        }

        private boolean dependsOn(Touched earlier, boolean areWritesOrdered) {
            return areWritesOrdered && meet(written, earlier.written)
                    || meet(firm, earlier.written)
                    || meet(written, earlier.firm)
                    || meet(spacesFirm, earlier.spacesWritten)
                    || meet(spacesWritten, earlier.spacesFirm);
        }
    }

    /** Null where no caller needs it. */
    private final @Nullable Touched touched;

    private boolean isBarrier;

    /** @param isKept whether accesses are recorded; if not, only barriers are */
    TxnAccessSet(boolean isKept) {
        this.touched = isKept ? new Touched() : null;
    }

    /** Returns the recorded accesses; requires {@code isKept}. */
    private Touched touched() {
        return Objects.requireNonNull(touched);
    }

    void read(@Nullable RowVersion version) {
        if (touched != null && version != null) {
            touched.sources.add(version.txnId());
        }
    }

    void write(RowObject object, ObjectSpace space) {
        if (touched != null) {
            touched.written.add(object.name());
            touched.spacesWritten.add(space.name());
        }
    }

    void readFirmly(RowObject object) {
        if (touched != null) {
            touched.firm.add(object.name());
        }
    }

    void scanFirmly(ObjectSpace space) {
        if (touched != null) {
            touched.spacesFirm.add(space.name());
        }
    }

    /** Records that it may depend on all earlier transactions and affect all later ones. */
    void makeBarrier() {
        isBarrier = true;
    }

    boolean isBarrier() {
        return isBarrier;
    }

    /** Returns the transactions that it has read from so far. */
    LongSet sources() {
        return touched().sources;
    }

    /** Returns whether both accessed the same objects and tables, regardless of their sources. */
    boolean touchesSame(TxnAccessSet other) {
        return isBarrier == other.isBarrier && touched().isSame(other.touched());
    }

    /**
     * Returns whether moving a transaction with these accesses before an earlier one would matter.
     *
     * @param readFrom the transactions that it has read from
     */
    boolean dependsOn(TxnAccessSet earlier, long earlierId, LongSet readFrom, boolean areWritesOrdered) {
        return isBarrier
                || earlier.isBarrier
                || readFrom.contains(earlierId)
                || touched().dependsOn(earlier.touched(), areWritesOrdered);
    }

    private static boolean meet(Set<String> one, Set<String> other) {
        return !Collections.disjoint(one, other);
    }
}
