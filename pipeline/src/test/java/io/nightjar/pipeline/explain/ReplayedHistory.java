package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.check.weak.WeakLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.OutsideLists;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.TxnOutcomes;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import io.nightjar.pipeline.verify.SievedReplay;
import io.nightjar.pipeline.verify.SubHistory;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A small history that was read, inferred from and checked, so that what came out can be replayed against its rows. */
final class ReplayedHistory {

    private static final Set<Anomaly> OF_READS = EnumSet.of(
            Anomaly.G1A,
            Anomaly.G1B,
            Anomaly.GARBAGE_READ,
            Anomaly.INTERNAL,
            Anomaly.FUTURE_READ,
            Anomaly.DUPLICATE_WRITE,
            Anomaly.DUPLICATE_ELEMENTS,
            Anomaly.INCOMPATIBLE_ORDER);

    final SmallHistory small;
    final OperationLog log;
    final ReadInference inference;
    private final List<HistorySlice> slices;
    private final LongOpenHashSet countedByDependencies = new LongOpenHashSet();

    ReplayedHistory(SmallHistory small) {
        this.small = small;
        this.slices = small.slices(2);
        OperationLogBuilder builder = new OperationLogBuilder(small.initialValue());
        slices.forEach(builder::add);
        this.log = builder.build();
        this.inference = new ReadInference(ReadResolution.of(OutsideLists.of(log)), true, false).run();
    }

    static ReplayedHistory parse(String... lines) {
        return new ReplayedHistory(SmallHistory.parse(String.join("\n", lines)));
    }

    ClientHistory history() {
        return inference.history();
    }

    List<Finding> readFindings() {
        List<Finding> findings = new ArrayList<>(dependencyFindings(IsolationLevel.all()));
        findings.removeIf(finding -> !OF_READS.contains(finding.anomaly()));
        return findings;
    }

    /** Findings of the search for an order of commits; at read atomic, of the rule of that level. */
    List<Finding> orderFindings(IsolationLevel... levels) {
        OrderChecker checker = new OrderChecker(history(), Budget.unlimited());
        List<Finding> findings = new ArrayList<>();
        for (IsolationLevel level : levels) {
            LevelAnswer answer = level == IsolationLevel.READ_ATOMIC
                    ? new WeakLevels(history(), Budget.unlimited()).readAtomic()
                    : checker.decide(level);
            findings.addAll(ContradictionFindings.of(answer.contradictions(), history(), OutsideLists.of(log)));
        }
        return findings;
    }

    /** What the dependencies between transactions show of some levels, which are among the six or are others. */
    List<Finding> dependencyFindings(Collection<IsolationLevel> levels, VersionSource... sources) {
        OperationLog judged = IsolationLevel.all().containsAll(levels) ? OutsideLists.of(log) : log;
        DependencyAnswer answer = DependencyChecker.check(
                ReadResolution.of(judged),
                new DependencyChecker.Options(Set.of(sources), true, true),
                Budget.unlimited());
        for (int row = 0; row < log.txnCount; row++) {
            TxnOutcomes outcomes = answer.orders().outcomes();
            if (outcomes.isUnknown(row) && outcomes.isCounted(row)) {
                countedByDependencies.add(log.txnId[row]);
            }
        }
        return DependencyFindings.of(judged, answer, levels, 1000);
    }

    List<RefutedFinding> refuted(List<Finding> findings) {
        LongOpenHashSet promoted = new LongOpenHashSet(countedByDependencies);
        for (int row = 0; row < log.txnCount; row++) {
            if (inference.isPromoted(row)) {
                promoted.add(log.txnId[row]);
            }
        }
        return SievedReplay.refuted(
                findings,
                small.initialValue(),
                slices,
                () -> new FindingReplay(
                        findings,
                        small.initialValue(),
                        level -> promoted,
                        level -> LongSets.EMPTY_SET,
                        promoted,
                        null));
    }

    /** Returns findings that are left open, none being refuted. */
    List<Finding> open(List<Finding> findings, BooleanSupplier isTimeOver) {
        FindingReplay replay = new FindingReplay(
                findings,
                small.initialValue(),
                level -> LongSets.EMPTY_SET,
                level -> LongSets.EMPTY_SET,
                LongSets.EMPTY_SET,
                null);
        replay.endWhen(isTimeOver);
        do {
            slices.forEach(replay::observe);
        } while (replay.endOfPass());
        assertThat(replay.refuted()).isEmpty();
        return replay.open();
    }

    /** The history as the verifier's search sees it, without rows in between. */
    SubHistory part() {
        ClientHistory history = history();
        SubHistory part = new SubHistory();
        for (int txn = 0; txn < history.txnCount; txn++) {
            part.txn(history.sessionOf[txn], history.positionOf(txn));
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                part.write(txn, history.keyOfWrite[write]);
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                part.read(txn, read, history.keyOfRead[read], history.writerOf[read]);
            }
        }
        return part;
    }
}
