package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.VersionOrders;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Result of a dependency check: the anomalies found, and the anomalies whose absence is not proved. */
public final class DependencyAnswer {

    private final DirectFindings direct;
    private final CycleSearch search;
    private final EnumSet<Anomaly> unproved;
    private final @Nullable String reason;
    private final int unorderedKeys;
    private final int keyCount;
    private final boolean isAmbiguous;
    private final boolean isOnlyUnordered;
    private final VersionOrders orders;

    DependencyAnswer(
            DirectFindings direct,
            CycleSearch search,
            EnumSet<Anomaly> unproved,
            @Nullable String reason,
            int unorderedKeys,
            int keyCount,
            boolean isAmbiguous,
            boolean isOnlyUnordered,
            VersionOrders orders) {
        this.isAmbiguous = isAmbiguous;
        this.isOnlyUnordered = isOnlyUnordered;
        this.direct = direct;
        this.search = search;
        this.unproved = unproved;
        this.reason = reason;
        this.unorderedKeys = unorderedKeys;
        this.keyCount = keyCount;
        this.orders = orders;
    }

    /** Returns the number of occurrences of an anomaly. */
    public long count(Anomaly anomaly) {
        return anomaly == Anomaly.CYCLIC_VERSIONS
                ? orders.cyclicVersions().size()
                : direct.count(anomaly) + search.count(anomaly);
    }

    /** Returns the number of internal reads that do not return their own transaction's write. */
    public long missedOwnCount() {
        return direct.missedOwnCount();
    }

    /** Returns the anomalies that were found. */
    public Set<Anomaly> found() {
        EnumSet<Anomaly> found = EnumSet.noneOf(Anomaly.class);
        for (Anomaly anomaly : Anomaly.values()) {
            if (count(anomaly) > 0) {
                found.add(anomaly);
            }
        }
        return found;
    }

    /**
     * Returns the anomalies that may occur although they were not found: a level that forbids one of them is undecided
     * at best.
     *
     * <p>An anomaly that is neither in this set nor found is proved to be absent.
     */
    public Set<Anomaly> unproved() {
        return unproved;
    }

    /** Returns why {@link #unproved} is not empty, as the reason of an undecided level; null if it is empty. */
    public @Nullable String reason() {
        return reason;
    }

    /** Returns the number of keys whose versions admit several orders that would matter. */
    public int unorderedKeys() {
        return unorderedKeys;
    }

    /** Returns whether several transactions wrote the value that some read returned. */
    public boolean isAmbiguous() {
        return isAmbiguous;
    }

    /** Returns whether each read has one writer and only the order of some versions is unknown. */
    public boolean isOnlyUnordered() {
        return isOnlyUnordered;
    }

    /** Returns whether all searches finished, so that anomalies not found are absent. */
    public boolean isExhausted() {
        return search.cutShort().isEmpty();
    }

    /** Returns whether all dependencies between transactions of one component that go back were counted. */
    public boolean areCyclesCounted() {
        return search.areCyclesCounted();
    }

    /** Returns the number of strongly connected components, each of which has some cycle. */
    public int components() {
        return search.components();
    }

    /** Returns the cycles found, the gravest anomaly first. */
    public List<DependencyCycle> cycles() {
        return search.cycles();
    }

    /**
     * Returns the anomalies of single reads and pairs of transactions; like cycles, at most a million are listed, all
     * are counted.
     */
    public List<DirectAnomaly> direct() {
        return direct.found();
    }

    /**
     * Returns the transactions of the log in an order that keeps every dependency; null if the dependencies have a
     * cycle.
     */
    public int @Nullable [] serialOrder() {
        return search.serialOrder();
    }

    /** Returns the known order of versions. */
    public VersionOrders orders() {
        return orders;
    }
}
