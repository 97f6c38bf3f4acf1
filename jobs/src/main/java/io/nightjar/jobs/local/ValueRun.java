package io.nightjar.jobs.local;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.LevelLattice.ProvedBy;
import io.nightjar.formats.level.RuledOut;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.DecidedLevels;
import io.nightjar.pipeline.decide.DecidedLevels.Answer;
import io.nightjar.pipeline.decide.DecidedLevels.Refutation;
import io.nightjar.pipeline.decide.LevelDecision;
import io.nightjar.pipeline.explain.ContradictionFindings;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadFault;
import io.nightjar.pipeline.infer.ReadFindings;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.VersionSource;
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

    /** What one component may take, for so many transactions each, where nothing else was said. */
    private static final long COMPONENT_NANOS = 60_000_000_000L;

    private static final int TXNS_PER_BUDGET = 200_000;

    private static final double SHARE_FOR_OPERATIONS = 0.4;

    private final HistoryRows rows;
    private final String initialValue;
    private final CheckOptions options;
    private final int limit;
    private final Stages stages;

    private OperationLog log;
    private boolean fits;
    private Set<IsolationLevel> asked;
    private Set<IsolationLevel> six;
    private ReadInference inference;
    private final KnownFindings known = new KnownFindings();
    private CycleRun cyclesOfSix;
    private CycleRun cyclesOfOthers;
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

    /**
     * Decides levels; afterwards everything below can be asked.
     *
     * @param levels some of the six, and levels that only cycles decide
     */
    Findings check(Set<IsolationLevel> levels) throws IOException {
        asked = levels;
        Findings findings = new Findings(limit);
        Budget budget = Budget.ofNanos(options.search().budgetNanos());
        six = EnumSet.copyOf(asked);
        six.retainAll(IsolationLevel.all());
        Set<IsolationLevel> others = EnumSet.copyOf(asked);
        others.removeAll(six);
        Set<IsolationLevel> searched = EnumSet.copyOf(six);
        if (six.isEmpty()) {
            findCyclesOfOthers(others, findings, budget);
            searched.addAll(proving(openAmong(others)));
        } else {
            searched.addAll(proving(others));
        }
        infer(searched);
        if (!searched.isEmpty()) {
            addReadFaults(findings);
            boolean hasMoreThanRegisters = inference.history().knowsVersionOrders() || inference.unjudgedKeys() > 0;
            if (hasMoreThanRegisters && !six.isEmpty()) {
                findCyclesOfSix(findings, budget);
            }
            decide(searched, budget);
            addRefutations(findings);
            if (cyclesOfSix == null && !isEveryLevelProved()) {
                findCyclesOfSix(
                        findings, budget); // they have names that people know, and may decide what search did not
            }
        }
        if (!six.isEmpty()) {
            findCyclesOfOthers(others, findings, budget);
        }
        return findings;
    }

    /** The levels that cycles neither rule out nor prove. */
    private Set<IsolationLevel> openAmong(Set<IsolationLevel> others) {
        Set<IsolationLevel> open = EnumSet.copyOf(others);
        open.removeAll(cyclesOfOthers.ruledOut());
        open.removeIf(level -> cyclesOfOthers.doubt(level) == null);
        return open;
    }

    /** The levels among the six that prove some of the others if they hold. */
    private static Set<IsolationLevel> proving(Set<IsolationLevel> others) {
        Set<IsolationLevel> proving = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel other : others) {
            for (IsolationLevel level : IsolationLevel.all()) {
                if (LevelLattice.implies(level, other)) {
                    proving.add(level);
                    break;
                }
            }
            if (LevelLattice.implies(other, IsolationLevel.SERIALIZABLE)) {
                proving.add(IsolationLevel.SERIALIZABLE);
            }
        }
        return proving;
    }

    private void infer(Set<IsolationLevel> searched) {
        boolean needsSeen = searched.contains(IsolationLevel.READ_COMMITTED)
                || searched.contains(IsolationLevel.READ_ATOMIC)
                || searched.contains(IsolationLevel.CAUSAL);
        try (Stages.Stage stage = stages.begin("infer", -1, log.opCount)) {
            inference = new ReadInference(log, needsSeen, trustsVersions(), limit).run();
            stage.found(inference.history().readCount);
        }
    }

    /** Whether version numbers of the source are taken for the order of versions. */
    boolean trustsVersions() {
        boolean mayUse = options.evidence() == CheckOptions.Evidence.AUTO
                || options.evidence() == CheckOptions.Evidence.VERSIONS;
        return mayUse && log.version != null;
    }

    // ---------------------------------------------------------------- dependencies

    /** Orders of versions that follow from commit order, so that cycles on them rule out the six. */
    private void findCyclesOfSix(Findings findings, Budget budget) {
        Set<VersionSource> sources = EnumSet.of(VersionSource.WRITES_FOLLOW_READS);
        if (trustsVersions()) {
            sources.add(VersionSource.VERSION);
        }
        Set<IsolationLevel> others = EnumSet.copyOf(asked);
        others.removeAll(six);
        cyclesOfSix = new CycleRun(log, six, others, sources);
        cyclesOfSix.check(stages, budget);
        cyclesOfSix.addTo(findings, known, limit);
    }

    private void findCyclesOfOthers(Set<IsolationLevel> others, Findings findings, Budget budget) {
        if (!others.isEmpty()) {
            cyclesOfOthers = new CycleRun(log, others, Set.of(), sourcesOfOthers());
            cyclesOfOthers.check(stages, budget);
            cyclesOfOthers.addTo(findings, known, limit);
        }
    }

    private Set<VersionSource> sourcesOfOthers() {
        Set<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        sources.addAll(options.versionOrders());
        if (trustsVersions()) {
            sources.add(VersionSource.VERSION);
        }
        boolean mayUseTimestamps = options.evidence() == CheckOptions.Evidence.AUTO
                || options.evidence() == CheckOptions.Evidence.TIMESTAMPS;
        if (mayUseTimestamps && log.commitTs != null) {
            sources.add(VersionSource.TIMESTAMP);
        }
        return sources;
    }

    // ---------------------------------------------------------------- the six levels

    private void decide(Set<IsolationLevel> searched, Budget budget) throws IOException {
        Set<IsolationLevel> open = EnumSet.copyOf(searched);
        if (cyclesOfSix != null) {
            open.removeAll(cyclesOfSix.ruledOut());
        }
        if (open.isEmpty()) {
            return;
        }
        LevelDecision decision = new LevelDecision(
                inference.history(),
                open,
                hasFaults(),
                componentNanos(),
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

    private long componentNanos() {
        long given = options.search().componentBudgetNanos();
        return given > 0 ? given : COMPONENT_NANOS * Math.max(1, log.txnCount / TXNS_PER_BUDGET);
    }

    private boolean hasFaults() {
        return inference.faultCounts().keySet().stream().anyMatch(ValueRun::rulesOutAll);
    }

    /** A value written twice only makes its reads ambiguous; every other fault of a read breaks even the weakest level. */
    private static boolean rulesOutAll(Anomaly anomaly) {
        return anomaly != Anomaly.DUPLICATE_WRITE;
    }

    private boolean isEveryLevelProved() {
        return six.isEmpty()
                || decided.answers().values().stream().allMatch(answer -> answer.verdict() == Verdict.HOLDS);
    }

    // ---------------------------------------------------------------- findings

    private void addReadFaults(Findings findings) {
        if (six.isEmpty()) {
            return;
        }
        IsolationLevel weakest = six.iterator().next();
        ReadFindings maker = new ReadFindings(log, inference, anomaly -> rulesOutAll(anomaly) ? weakest : null);
        for (ReadFault fault : inference.faults()) {
            known.keepIfNew(maker.of(fault), findings);
        }
        inference.faultCounts().forEach((anomaly, count) -> {
            if (rulesOutAll(anomaly)) {
                known.count(findings, anomaly, count, level -> true, six);
            } else {
                findings.countRows(count);
            }
        });
    }

    private void addRefutations(Findings findings) {
        if (decided == null) {
            return;
        }
        List<Ruling> rulings = new ArrayList<>();
        for (Refutation refutation : decided.refutations()) {
            Contradiction contradiction = refutation.contradiction();
            IsolationLevel weakest = null;
            for (IsolationLevel level : asked) {
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
        for (Finding finding : ContradictionFindings.of(rulings.subList(0, Math.min(limit, rulings.size())), log)) {
            known.keepIfNew(finding, findings);
        }
    }

    // ---------------------------------------------------------------- what came out

    OperationLog log() {
        return log;
    }

    ReadInference inference() {
        return inference;
    }

    /** Null if nothing had to be searched. */
    DecidedLevels decided() {
        return decided;
    }

    /** Whether an order was found that explains every read; one that leaves reads out proves nothing. */
    boolean hasWitness() {
        return decided != null && decided.witness() != null && isEverythingJudged();
    }

    /** What anomalies say about Elle's levels; null if they were not looked for. */
    RuledOut ruledOut() {
        if (cyclesOfSix == null && cyclesOfOthers == null) {
            return null;
        }
        Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
        if (cyclesOfSix != null) {
            found.addAll(cyclesOfSix.found());
        }
        if (cyclesOfOthers != null) {
            found.addAll(cyclesOfOthers.found());
        }
        Map<IsolationLevel, Set<Anomaly>> refuted = new EnumMap<>(IsolationLevel.class);
        for (Refutation refutation : decided == null ? List.<Refutation>of() : decided.refutations()) {
            Contradiction contradiction = refutation.contradiction();
            refuted.computeIfAbsent(contradiction.level(), level -> EnumSet.noneOf(Anomaly.class))
                    .add(contradiction.anomaly());
        }
        return LevelLattice.ruledOut(found, refuted);
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
        for (CycleRun cycles : Arrays.asList(cyclesOfSix, cyclesOfOthers)) {
            if (cycles != null) {
                cycles.addPromoted(ids);
            }
        }
        return ids;
    }

    /** Why a level that nothing rules out does not hold either; null if there is no doubt. */
    String doubt(IsolationLevel level) {
        return six.contains(level) ? doubtOfSix(level) : doubtOfOther(level);
    }

    private String doubtOfSix(IsolationLevel level) {
        Answer answer = decided.answers().get(level);
        if (answer.verdict() == Verdict.UNDECIDED) {
            return answer.reason();
        }
        if (answer.verdict() == Verdict.VIOLATED) {
            throw new AssertionError("cannot happen: violated without a finding: level=" + level.longName());
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

    /** A level that no anomaly proves holds where a stronger one does. */
    private String doubtOfOther(IsolationLevel level) {
        String doubt = cyclesOfOthers.doubt(level);
        boolean isOutOfReach = LevelLattice.provedBy(level) == ProvedBy.NOTHING;
        if (doubt == null || isOutOfReach || decided == null || hasFaults()) {
            return doubt;
        }
        if (LevelLattice.implies(IsolationLevel.STRICT_SERIALIZABLE, level) && isProvedInRealTime()) {
            return null;
        }
        for (IsolationLevel stronger : decided.answers().keySet()) {
            boolean holds = decided.answers().get(stronger).verdict() == Verdict.HOLDS && isEverythingJudged();
            if (holds && LevelLattice.implies(stronger, level)) {
                return null;
            }
        }
        return doubt;
    }

    /** Whether the serial order that was found also keeps the order of the clients' clocks. */
    private boolean isProvedInRealTime() {
        return hasWitness()
                && decided.witnessLevel() == IsolationLevel.SERIALIZABLE
                && RealTimeWitness.keepsRealTime(log, inference, decided.witness());
    }

    private boolean isEverythingJudged() {
        return inference.ambiguousReads() == 0 && inference.unjudgedKeys() == 0;
    }
}
