package io.nightjar.datasets.inject;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations where a fault could be planted, with all that it would change and cause. */
final class FaultSite {

    static final @Nullable String NO_KEY = null;

    final Fault fault;
    final @Nullable String key;

    /** The transactions involved, the victim first. */
    final List<Long> transactions = new ArrayList<>();

    /** Transactions that no other fault may touch, beyond those involved. */
    final List<Long> bystanders = new ArrayList<>();

    final List<TxnEdit> edits = new ArrayList<>();
    final List<TableEdit> tableEdits = new ArrayList<>();
    final List<ExpectedAnomaly> expected = new ArrayList<>();

    /** The span of timestamps in which no other fault may move a transaction; empty if this fault moves none. */
    long windowFirst = 1;

    long windowLast = 0;

    /** A commit timestamp moved to here; readers of its writes that started later spoil the site. */
    long movedCommit;

    /** Set when a later row shows that the fault would cause more anomalies than it declares. */
    boolean isSpoiled;

    /** Better sites are chosen first. */
    boolean isSecondChoice;

    FaultSite(Fault fault, @Nullable String key, long victim) {
        this.fault = fault;
        this.key = key;
        this.transactions.add(victim);
    }

    boolean movesTimestamps() {
        return windowFirst <= windowLast;
    }

    long windowLength() {
        return windowLast - windowFirst;
    }

    long victim() {
        return transactions.get(0);
    }
}
