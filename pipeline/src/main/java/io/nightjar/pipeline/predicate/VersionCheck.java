package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.SharedVersion;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Check of levels of a history of tables by the order of versions: cycles, reads that are anomalies alone, and a serial
 * order.
 */
final class VersionCheck {

    private final TableHistory history;
    private final TableVersions versions;
    private final TableFindings made;
    private final Findings findings;
    private final @Nullable OmittedRows leftOut;
    private final UndecidedReasons doubts = new UndecidedReasons();
    private final Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
    private final Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
    private @Nullable TableGraph graph;
    private int @Nullable [] order; // that explains all that was seen; null if none is known

    /** @param leftOut rows that replays by snapshots found to be omitted; null if they were not run */
    VersionCheck(
            TableHistory history,
            TableVersions versions,
            TableFindings made,
            Findings findings,
            @Nullable OmittedRows leftOut) {
        this.history = history;
        this.versions = versions;
        this.made = made;
        this.findings = findings;
        this.leftOut = leftOut;
    }

    /** Returns the types found. */
    Set<Anomaly> anomalies() {
        return anomalies;
    }

    Map<IsolationLevel, TableOutcome.Answer> answers() {
        return answers;
    }

    /**
     * Returns the transactions in an order that keeps sessions and explains all that was seen; null if none is known.
     */
    int @Nullable [] order() {
        return order;
    }

    void check(Set<IsolationLevel> open) {
        SharedVersion shared = versions.shared();
        if (shared != null) {
            for (IsolationLevel level : open) {
                answers.put(level, new TableOutcome.Answer(false, shared.reason(), !isOfPredicates(level)));
            }
            return;
        }
        TableReadFaults faults = new TableReadFaults(history, versions, doubts);
        graph = TableGraph.of(history, versions, doubts, TransactionOrders.bySession(history), faults, leftOut);
        faults.addOwn();
        boolean isAcyclic = TableCycles.isAcyclic(requireNonNull(graph.whole));
        if (!isAcyclic) {
            keepCycles(open, requireNonNull(graph.withoutSessions), false);
            keepCycles(open, requireNonNull(graph.whole), true);
        }
        for (RowFault fault : faults.all()) {
            anomalies.add(fault.anomaly());
            keep(open, fault.anomaly(), fault.txn(), level -> made.of(fault, level, EdgeEvidence.VERSION));
        }
        Digraph ordered = isAcyclic
                ? graph.whole
                : TableCycles.isAcyclic(requireNonNull(graph.withoutSessions)) ? graph.withoutSessions : null;
        boolean isOrdered =
                ordered != null && faults.all().isEmpty(); // in spite of doubts: a replay that finds nothing is a proof
        int[] tried = isOrdered ? graph.order(ordered) : null;
        String unproved = tried == null ? null : replay(tried);
        IsolationLevel proved = tried == null || unproved != null
                ? null
                : isAcyclic ? IsolationLevel.SERIALIZABLE : IsolationLevel.PL_3; // which ignores sessions
        order = proved == IsolationLevel.SERIALIZABLE ? tried : null;
        for (IsolationLevel level : open) {
            answers.put(level, answer(level, proved, unproved));
            if (!doubts.isEmpty()) {
                findings.countPartly(level);
            }
        }
        if (history.hasDeletions && faults.all().isEmpty()) {
            proveWeak();
        }
    }

    /**
     * Proves weak levels: checks of items do not support deletions, so that these levels are proved here, or not at
     * all.
     */
    private void proveWeak() {
        Set<IsolationLevel> weak =
                EnumSet.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);
        weak.removeIf(level -> !answers.containsKey(level)
                || answers.get(level).doubt() == null
                || !findings.counts(level).isEmpty());
        if (!weak.isEmpty()) {
            weak.retainAll(WeakLevelProof.proved(history, versions, TransactionOrders.bySession(history)));
            weak.forEach(level -> answers.put(level, new TableOutcome.Answer(false, null, false)));
        }
    }

    private void keepCycles(Set<IsolationLevel> open, Digraph in, boolean withSessions) {
        for (TableCycles.Cycle cycle : new TableCycles(in).find(withSessions)) {
            anomalies.add(cycle.anomaly());
            keep(
                    open,
                    cycle.anomaly(),
                    in.tailOf(cycle.edges()[0]),
                    level -> made.cycleFinding(cycle, requireNonNull(graph), in, level));
        }
    }

    private void keep(Set<IsolationLevel> open, Anomaly anomaly, int txn, Function<IsolationLevel, Finding> finding) {
        IsolationLevel weakest = LevelLattice.weakestRuledOut(anomaly, open);
        if (weakest == null) {
            return;
        }
        for (IsolationLevel level : open) {
            findings.count(level, anomaly, LevelLattice.rulesOut(anomaly, level) ? 1 : 0);
        }
        findings.countRows(1);
        if (!findings.isPast(txn, anomaly)) {
            findings.keep(txn, finding.apply(weakest));
        }
    }

    /** Returns why an order proves nothing; null if it explains all that was seen. */
    private @Nullable String replay(int[] tried) {
        long[] count = {0};
        UndecidedReasons open = new UndecidedReasons();
        TableReplay.Mismatches counting = new TableReplay.Mismatches() {
            @Override
            public void read(int txn, int op, int expectedSlot, boolean isOwn) {
                count[0]++;
            }

            @Override
            public void repeated(int txn, int op, int before) {
                count[0]++;
            }

            @Override
            public void result(int txn, int op, int key, int expectedSlot, int row) {
                count[0]++;
            }

            @Override
            public void answer(int txn, int op, String expected) {
                count[0]++;
            }
        };
        new TableReplay(history, versions, open, counting).serially(tried);
        if (count[0] > 0) {
            return "the order that versions give does not explain every value read: reads=" + count[0];
        }
        return open.isEmpty() ? brokenNumbers(tried) : open.first();
    }

    /** Returns how an order contradicts the numbers of keys with numbers on only some versions; null if it agrees. */
    private @Nullable String brokenNumbers(int[] tried) {
        long[] lastOf = new long[history.keyCount()]; // by key, the number seen last
        Arrays.fill(lastOf, Long.MIN_VALUE);
        for (int txn : tried) {
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                int slot = versions.slotOfWrite(op);
                long number = history.version(op);
                if (slot < 0 || versions.isOrdered[history.key[op]]) {
                    continue;
                }
                int key = history.key[op];
                if (number != TableHistory.NO_NUMBER && number < lastOf[key]) {
                    return "the order that explains every value read is not that of the version numbers of key "
                            + history.keyName(key);
                }
                lastOf[key] = Math.max(lastOf[key], number == TableHistory.NO_NUMBER ? 1 : number); // after 0 anyway
            }
        }
        return null;
    }

    /** @param proved level proved by a replayed order; null if none */
    private TableOutcome.Answer answer(
            IsolationLevel level, @Nullable IsolationLevel proved, @Nullable String unproved) {
        boolean isForItems = !isOfPredicates(level) && !versions.isAnyMaybeAborted();
        return new TableOutcome.Answer(false, doubt(level, proved, unproved), isForItems);
    }

    /** Returns whether predicate reads of the history bear on a level, so that items alone do not prove it. */
    private boolean isOfPredicates(IsolationLevel level) {
        boolean isOfSnapshots = LevelLattice.implies(level, IsolationLevel.PL_SI);
        boolean isOfCycles = !IsolationLevel.all().contains(level) && LevelLattice.rulesOut(Anomaly.G_SINGLE, level);
        return history.hasPredicates && (isOfSnapshots || isOfCycles);
    }

    /** Returns the undecided reason of a level; null if it holds or is ruled out. */
    private @Nullable String doubt(IsolationLevel level, @Nullable IsolationLevel proved, @Nullable String unproved) {
        boolean isRuledOut = !findings.counts(level).isEmpty();
        if (isRuledOut || proved != null && LevelLattice.implies(proved, level)) {
            return null;
        }
        if (!doubts.isEmpty()) {
            return doubts.first();
        }
        if (unproved != null) {
            return unproved;
        }
        boolean isRealTime =
                LevelLattice.needsRealTime(Set.of(level)) || level.longName().startsWith("strong-snapshot");
        if (isRealTime) {
            return "real-time order is not checked together with predicates";
        }
        if (isOfPredicates(level) && anomalies.contains(Anomaly.PREDICATE_READ_MISS)) {
            return "a predicate read missed a row that was there from the start, and of which every version matches";
        }
        if (isOfPredicates(level) && !versions.areTimestampsComplete) {
            return "predicate reads may have skipped several versions of a row, so that versions prove "
                    + level.longName() + " only with serializability";
        }
        boolean isOneOfSix = IsolationLevel.all().contains(level);
        return !isOneOfSix && LevelLattice.doubt(level) == null
                ? null
                : "no anomaly that rules out " + level.longName()
                        + " was found, and versions prove it only with serializability";
    }
}
