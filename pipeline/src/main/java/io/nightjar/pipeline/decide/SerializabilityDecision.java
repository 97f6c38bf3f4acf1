package io.nightjar.pipeline.decide;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.NamedWriters;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OutsideLists;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.TxnOutcomes;
import io.nightjar.pipeline.infer.VersionSource;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decision of serializability from the dependencies of a whole history in which commit timestamps order the versions of a key. */
public final class SerializabilityDecision {

    /*
     * Values name the writer of each version read; timestamps are trusted for the order of versions only.
     *
     * No cycle of session, wr, ww and rw edges: each topological order explains every read and respects sessions, even
     * if timestamps are wrong. A cycle: no serial order explains the reads, respects sessions and writes each key in
     * the order of commit timestamps. Lists determine the order of their elements; timestamps order the appends that no
     * transaction read. If the reads of a key contradict the timestamps, only the reads order its versions.
     *
     * Versions of one commit timestamp, and versions of unknown transactions without one, are in no order: a cycle that
     * needs one is no violation. In any order of them, no cycle is a proof. So it is with reads of a value that several
     * transactions wrote, and the writers that timestamps suggest.
     */

    private static final Set<IsolationLevel> SERIALIZABLE = EnumSet.of(IsolationLevel.SERIALIZABLE);

    private SerializabilityDecision() {}

    /**
     * Decides serializability. The outcome has a witness if it holds.
     *
     * @param log all transactions, with timestamps
     * @param known positions in the history that the log is a part of; null if it is whole
     * @param findingLimit maximum number of findings to keep
     * @return null if a key is neither a register nor a list
     */
    public static @Nullable ValueOutcome decide(
            OperationLog log,
            DependencyChecker.@Nullable KnownPositions known,
            int findingLimit,
            Budget budget,
            StageListener listener) {
        ReadResolution reads = ReadResolution.of(OutsideLists.of(log), budget.helpers());
        KeyUse use = reads.use();
        if (use.count(KeyUse.SET) + use.count(KeyUse.COUNTER) + use.count(KeyUse.MIXED) > 0) {
            return null;
        }
        CycleDecision cycles = new CycleDecision(
                reads, SERIALIZABLE, Set.of(), EnumSet.of(VersionSource.TIMESTAMP), "cycle", true, known);
        cycles.check(listener, budget);
        Findings findings = new Findings(findingLimit);
        FindingDeduplicator found = new FindingDeduplicator();
        cycles.addTo(findings, found, findingLimit);
        Findings reported = new Findings(findingLimit);
        found.giveTo(reported);
        reported.forEachKept((number, finding) -> {
            if (finding.level() != null) { // others only make reads ambiguous
                // The time does not depend on which segments are decided together.
                findings.keep(finding.participants().get(0).commitTs(), finding);
            }
        });
        int[] assumed = cycles.isOpenForRepeatedValues()
                ? orderOfSuggestedWriters(reads, listener, budget)
                : cycles.assumedOrder();
        String doubt = assumed == null ? cycles.doubt(IsolationLevel.SERIALIZABLE) : null;
        boolean isViolated = !findings.counts(IsolationLevel.SERIALIZABLE).isEmpty();
        if (doubt != null) {
            findings.countPartly(IsolationLevel.SERIALIZABLE);
        }
        if (cycles.areCyclesCounted()) {
            findings.countAllCycles(IsolationLevel.SERIALIZABLE);
        }
        int[] order = assumed == null ? cycles.serialOrder() : assumed;
        return new ValueOutcome(
                1,
                log.recordedKeyCount,
                findings,
                new ValueOutcome.Basis(
                        false,
                        null,
                        promoted(reads),
                        isViolated && (isAnyObserved(findings) || hasObservedCycle(reads)),
                        assumed == null ? cycles.timestampDoubt() : null,
                        Set.of(IsolationLevel.SERIALIZABLE)),
                new ValueOutcome.Refuted(cycles.found(), Map.of(), Map.of(), cycles.readFaults()),
                isViolated || doubt == null ? Map.of() : Map.of(IsolationLevel.SERIALIZABLE, new Doubt(doubt, 0, 1)),
                List.of(),
                new ValueOutcome.Orders(order == null ? List.of() : List.of(witness(reads, order)), false));
    }

    /**
     * Returns an order that explains every read if reads of repeated values are from the writers that timestamps
     * suggest; null if none is found.
     */
    private static int @Nullable [] orderOfSuggestedWriters(
            ReadResolution reads, StageListener listener, Budget budget) {
        OperationLog view = NamedWriters.suggested(reads);
        if (view == reads.log) {
            return null;
        }
        CycleDecision cycles = new CycleDecision(
                ReadResolution.ofView(view, reads),
                SERIALIZABLE,
                Set.of(),
                EnumSet.of(VersionSource.TIMESTAMP),
                "cycle",
                true,
                null);
        cycles.check(listener, budget);
        int[] order = cycles.serialOrder();
        return order == null ? cycles.assumedOrder() : order;
    }

    /** Returns whether a cycle was found that depends on no commit timestamp. */
    private static boolean isAnyObserved(Findings findings) {
        return findings.inTime().stream()
                .map(Finding::edges)
                .anyMatch(edges -> edges.size() > 1
                        && edges.get(edges.size() - 1).toTxnId() == edges.get(0).fromTxnId()
                        && edges.stream().noneMatch(edge -> edge.evidence() == EdgeEvidence.TIMESTAMP));
    }

    private static boolean hasObservedCycle(ReadResolution reads) {
        return DependencyChecker.hasCycle(reads, EnumSet.of(VersionSource.WRITES_FOLLOW_READS));
    }

    private static Witness witness(ReadResolution reads, int[] order) {
        TxnOutcomes outcomes = reads.outcomes();
        int count = 0;
        for (int txn : order) {
            count += outcomes.isCounted(txn) ? 1 : 0;
        }
        long[] txnIds = new long[count];
        int[] positionOf = new int[count];
        int position = 0;
        for (int txn : order) {
            if (outcomes.isCounted(txn)) {
                txnIds[position] = reads.log.txnId[txn];
                positionOf[position] = position++;
            }
        }
        return new Witness(IsolationLevel.SERIALIZABLE, 0, txnIds, positionOf, positionOf);
    }

    private static LongSet promoted(ReadResolution reads) {
        LongSet ids = new LongOpenHashSet(0);
        for (int txn = 0; txn < reads.log.txnCount; txn++) {
            if (reads.outcomes().isPromoted(txn)) {
                ids.add(reads.log.txnId[txn]);
            }
        }
        return ids;
    }
}
