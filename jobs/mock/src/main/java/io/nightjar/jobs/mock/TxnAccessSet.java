package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a transaction has touched, by name, as far as it matters whether another one comes before or after it. */
final class TxnAccessSet {

    private static final class Touched {

        /** The transactions that it has read from. */
        private final LongOpenHashSet sources = new LongOpenHashSet();

        private final Set<String> written = new HashSet<>();
        private final Set<String> spacesWritten = new HashSet<>();

        /** What it looked at as it was last committed; a choice among versions does not depend on who comes first, this does. */
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

    /** Null where nobody asks. */
    private final @Nullable Touched touched;

    private boolean isBarrier;

    /** @param isKept whether it is asked for; if not, nothing but barriers is noted */
    TxnAccessSet(boolean isKept) {
        this.touched = isKept ? new Touched() : null;
    }

    /** What it has touched, for those who ask: it is kept then. */
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

    /** Notes that it may depend on all that came before, and matter to all that comes after. */
    void makeBarrier() {
        isBarrier = true;
    }

    boolean isBarrier() {
        return isBarrier;
    }

    /** The transactions that it has read from so far. */
    LongSet sources() {
        return touched().sources;
    }

    /** Whether both have touched the same, whomever they have read from. */
    boolean touchesSame(TxnAccessSet other) {
        return isBarrier == other.isBarrier && touched().isSame(other.touched());
    }

    /**
     * Whether it would matter if a transaction that has touched this came before an earlier one.
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
