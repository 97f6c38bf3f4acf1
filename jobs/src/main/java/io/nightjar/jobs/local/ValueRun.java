package io.nightjar.jobs.local;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.DecidedLevels;
import io.nightjar.pipeline.decide.DecidedLevels.Refutation;
import io.nightjar.pipeline.decide.LevelDecision;
import io.nightjar.pipeline.explain.ContradictionFindings;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadFault;
import io.nightjar.pipeline.infer.ReadFindings;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.split.Component;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Stations 1 to 5 for values: one pass gathers the operations, then reads are resolved and the six levels decided. */
final class ValueRun {

    /** Most of what a check holds of each operation while it runs, apart from what a level's own search needs. */
    private static final int BYTES_PER_OP = 60;

    private static final double SHARE_FOR_OPERATIONS = 0.4;

    private final HistoryRows rows;
    private final String initialValue;
    private final CheckOptions options;
    private final int limit;
    private final Stages stages;

    private OperationLog log;
    private boolean fits;
    private ReadInference inference;
    private DecidedLevels decided;
    private List<ComponentAnswer> components = List.of();

    /** @param limit how many findings are kept */
    ValueRun(HistoryRows rows, String initialValue, CheckOptions options, int limit, Stages stages) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.limit = limit;
        this.stages = stages;
    }

    /** Reads everything once; returns false if it does not fit into memory. */
    boolean read(BadRows badRows) throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue);
        fits = expect(builder);
        long most = (long) (options.memoryBytes() * SHARE_FOR_OPERATIONS);
        Set<Column> columns = EnumSet.complementOf(EnumSet.of(Column.EXTRA));
        rows.beginFirstPass();
        try (Stages.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(columns, badRows, Function::identity, slice -> {
                rows.validate(slice);
                if (fits) {
                    builder.add(slice);
                    fits = builder.byteSize() <= most;
                }
                stage.advance(slice.txnCount);
            });
        }
        rows.endFirstPass();
        log = fits ? builder.build() : null;
        return fits;
    }

    /** Returns false if the source tells beforehand that it is too large. */
    private boolean expect(OperationLogBuilder builder) {
        long txns = 0;
        long ops = 0;
        for (Split split : rows.source().splits()) {
            if (split.opCount() < 0 || split.txnCount() < 0) {
                return true;
            }
            txns += split.txnCount();
            ops += split.opCount();
        }
        if (ops * BYTES_PER_OP > options.memoryBytes() || ops > Integer.MAX_VALUE - 8) {
            return false;
        }
        builder.expect((int) txns + 1, (int) ops);
        return true;
    }

    /** Decides some of the six levels; afterwards everything below can be asked. */
    Findings check(Set<IsolationLevel> wanted) throws IOException {
        Findings findings = new Findings(limit);
        Budget budget = Budget.ofNanos(options.search().budgetNanos());
        boolean needsSeen = wanted.contains(IsolationLevel.READ_COMMITTED)
                || wanted.contains(IsolationLevel.READ_ATOMIC)
                || wanted.contains(IsolationLevel.CAUSAL);
        try (Stages.Stage stage = stages.begin("infer", -1, log.opCount)) {
            inference = new ReadInference(log, needsSeen, trustsVersions(), limit).run();
            stage.found(inference.history().readCount);
        }
        decide(wanted, budget);
        addReadFaults(findings, wanted);
        addRefutations(findings, wanted);
        return findings;
    }

    /** Whether version numbers of the source are taken for the order of versions. */
    boolean trustsVersions() {
        boolean mayUse = options.evidence() == CheckOptions.Evidence.AUTO
                || options.evidence() == CheckOptions.Evidence.VERSIONS;
        return mayUse && log.version != null;
    }

    private void decide(Set<IsolationLevel> wanted, Budget budget) throws IOException {
        LevelDecision decision = new LevelDecision(
                inference.history(),
                wanted,
                hasFaults(),
                options.search().componentBudgetNanos(),
                options.search().crossChecks());
        List<Component> parts;
        try (Stages.Stage stage = stages.begin("split", -1, log.txnCount)) {
            parts = decision.begin(budget);
            stage.found(parts.size());
        }
        ComponentAnswer[] answers = new ComponentAnswer[parts.size()];
        try (Stages.Stage stage = stages.begin("check", parts.size(), log.txnCount)) {
            int threads = Math.min(options.threadCount(), Math.max(1, parts.size()));
            LaneThreads.run(threads, parts.size(), number -> {
                answers[number] = decision.decide(number, budget);
                stage.advance(1);
            });
            components = Arrays.asList(answers);
            decided = decision.finish(components);
            stage.found(decided.refutations().size());
        }
    }

    private boolean hasFaults() {
        return inference.faultCounts().keySet().stream().anyMatch(ValueRun::rulesOutAll);
    }

    /** A value written twice only makes its reads ambiguous; every other fault of a read breaks even the weakest level. */
    private static boolean rulesOutAll(Anomaly anomaly) {
        return anomaly != Anomaly.DUPLICATE_WRITE;
    }

    // ---------------------------------------------------------------- findings

    private void addReadFaults(Findings findings, Set<IsolationLevel> wanted) {
        IsolationLevel weakest = wanted.iterator().next();
        ReadFindings maker = new ReadFindings(log, inference, anomaly -> rulesOutAll(anomaly) ? weakest : null);
        for (ReadFault fault : inference.faults()) {
            findings.keep(fault.txn(), maker.of(fault));
        }
        inference.faultCounts().forEach((anomaly, count) -> {
            findings.countRows(count);
            for (IsolationLevel level : wanted) {
                findings.count(level, anomaly, rulesOutAll(anomaly) ? count : 0);
            }
        });
    }

    private void addRefutations(Findings findings, Set<IsolationLevel> wanted) {
        List<Ruling> rulings = new ArrayList<>();
        for (Refutation refutation : decided.refutations()) {
            Contradiction contradiction = refutation.contradiction();
            IsolationLevel weakest = null;
            for (IsolationLevel level : wanted) {
                if (LevelLattice.implies(level, contradiction.level())) {
                    findings.count(level, contradiction.anomaly(), 1);
                    weakest = weakest == null ? level : weakest;
                }
            }
            if (weakest != null) {
                rulings.add(new Ruling(contradiction, refutation.history(), weakest));
            }
        }
        findings.countRows(rulings.size());
        List<Ruling> kept = rulings.subList(0, Math.min(limit, rulings.size()));
        int at = log.txnCount;
        for (Finding finding : ContradictionFindings.of(kept, log)) {
            findings.keep(at++, finding);
        }
    }

    // ---------------------------------------------------------------- what came out

    OperationLog log() {
        return log;
    }

    ReadInference inference() {
        return inference;
    }

    DecidedLevels decided() {
        return decided;
    }

    List<ComponentAnswer> components() {
        return Collections.unmodifiableList(components);
    }

    /** Unknown transactions that count as committed. */
    LongSet promoted() {
        LongSet ids = new LongOpenHashSet();
        for (int row = 0; row < log.txnCount && inference.promotedCount() > 0; row++) {
            if (inference.isPromoted(row)) {
                ids.add(log.txnId[row]);
            }
        }
        return ids;
    }

    /** Answers by level, without what makes them doubtful: values that were written twice, sets, counters. */
    Map<IsolationLevel, DecidedLevels.Answer> answers() {
        return new EnumMap<>(decided.answers());
    }

    /** Why a level that nothing rules out does not hold either; null if there is no doubt. */
    String doubt(IsolationLevel level) {
        DecidedLevels.Answer answer = decided.answers().get(level);
        if (answer.verdict() == Verdict.UNDECIDED) {
            return answer.reason();
        }
        if (inference.ambiguousReads() > 0) {
            return "values that several transactions wrote to a key were read: reads=" + inference.ambiguousReads()
                    + "; nobody can tell from whom";
        }
        if (inference.unjudgedKeys() > 0) {
            return "values cannot judge sets, counters and keys used in two ways: keys=" + inference.unjudgedKeys();
        }
        return null;
    }
}
