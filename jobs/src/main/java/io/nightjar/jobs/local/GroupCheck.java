package io.nightjar.jobs.local;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.local.GroupSearch.Searched;
import io.nightjar.jobs.local.ValueOutcome.Doubt;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.DecidedLevels;
import io.nightjar.pipeline.decide.DecidedLevels.Refutation;
import io.nightjar.pipeline.decide.LevelDecision;
import io.nightjar.pipeline.explain.ContradictionFindings;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stations 3 to 5 for values: resolves the reads of one group of sessions, which may be the whole history, and decides. */
final class GroupCheck {

    /** What one component may take, for so many transactions each, where nothing else was said. */
    private static final long COMPONENT_NANOS = 60_000_000_000L;

    private static final int TXNS_PER_BUDGET = 200_000;

    private final OperationLog log;
    private final CheckOptions options;
    private final int limit;
    private final int threadCount;
    private final Budget budget;
    private final Stages stages;

    private final Set<IsolationLevel> asked;
    private final Set<IsolationLevel> six;
    private final Set<IsolationLevel> others;
    private final Findings findings;
    private final KnownFindings known = new KnownFindings();
    private ReadInference inference;
    private CycleRun cyclesOfSix;
    private CycleRun cyclesOfOthers;
    private DecidedLevels decided;
    private List<ComponentAnswer> components = List.of();

    /**
     * @param levels some of the six, and levels that only cycles decide
     * @param limit how many findings are kept
     * @param threadCount how many components may be searched at once
     */
    GroupCheck(
            OperationLog log,
            Set<IsolationLevel> levels,
            CheckOptions options,
            int limit,
            int threadCount,
            Budget budget,
            Stages stages) {
        this.log = log;
        this.asked = levels;
        this.options = options;
        this.limit = limit;
        this.threadCount = threadCount;
        this.budget = budget;
        this.stages = stages;
        six = EnumSet.copyOf(asked);
        six.retainAll(IsolationLevel.all());
        others = EnumSet.copyOf(asked);
        others.removeAll(six);
        findings = new Findings(limit);
    }

    /**
     * Decides; once.
     *
     * @param elsewhere who searches components; null for the threads of this check
     * @return null if the group is concluded elsewhere
     */
    ValueOutcome run(GroupSearch elsewhere) throws IOException {
        Set<IsolationLevel> searched = EnumSet.copyOf(six);
        if (six.isEmpty()) {
            findCyclesOfOthers();
            searched.addAll(proving(openAmongOthers()));
        } else {
            searched.addAll(proving(others));
        }
        infer(searched);
        if (!searched.isEmpty()) {
            addReadFaults();
            boolean hasMoreThanRegisters = inference.history().knowsVersionOrders() || inference.unjudgedKeys() > 0;
            if (hasMoreThanRegisters && !six.isEmpty()) {
                findCyclesOfSix();
            }
            if (!decide(searched, elsewhere)) {
                return null;
            }
            addRefutations();
            if (cyclesOfSix == null && !isEveryLevelProved()) {
                findCyclesOfSix(); // they have names that people know, and may decide what search did not
            }
        }
        if (!six.isEmpty()) {
            findCyclesOfOthers();
        }
        known.giveTo(findings);
        return outcome();
    }

    /** The levels that cycles neither rule out nor prove. */
    private Set<IsolationLevel> openAmongOthers() {
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
    private boolean trustsVersions() {
        boolean mayUse = options.evidence() == CheckOptions.Evidence.AUTO
                || options.evidence() == CheckOptions.Evidence.VERSIONS;
        return mayUse && log.version != null;
    }

    // ---------------------------------------------------------------- dependencies

    /** Orders of versions that follow from commit order, so that cycles on them rule out the six. */
    private void findCyclesOfSix() {
        Set<VersionSource> sources = EnumSet.of(VersionSource.WRITES_FOLLOW_READS);
        if (trustsVersions()) {
            sources.add(VersionSource.VERSION);
        }
        cyclesOfSix = new CycleRun(log, six, others, sources);
        cyclesOfSix.check(stages, budget);
        cyclesOfSix.addTo(findings, known, limit);
    }

    private void findCyclesOfOthers() {
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

    /** Returns false if the group is concluded elsewhere. */
    private boolean decide(Set<IsolationLevel> searched, GroupSearch elsewhere) throws IOException {
        Set<IsolationLevel> open = EnumSet.copyOf(searched);
        if (cyclesOfSix != null) {
            open.removeAll(cyclesOfSix.ruledOut());
        }
        if (open.isEmpty()) {
            return true;
        }
        LevelDecision decision = new LevelDecision(
                inference.history(),
                open,
                GroupDoubts.hasFaults(inference),
                componentNanos(),
                options.search().crossChecks());
        List<Component> parts;
        try (Stages.Stage stage = stages.begin("split", -1, log.txnCount)) {
            parts = decision.begin(budget);
            stage.found(parts.size());
        }
        Searched outcome =
                elsewhere == null || parts.isEmpty() ? Searched.HERE : elsewhere.search(decision.search(), parts);
        if (outcome.isPutAside()) {
            return false;
        }
        try (Stages.Stage stage = stages.begin("check", parts.size(), log.txnCount)) {
            components = outcome.answers() == null ? search(decision, parts.size(), stage) : outcome.answers();
            decided = decision.finish(components);
            stage.found(decided.refutations().size());
        }
        return true;
    }

    private List<ComponentAnswer> search(LevelDecision decision, int count, Stages.Stage stage) throws IOException {
        ComponentAnswer[] answers = new ComponentAnswer[count];
        LaneThreads.run(Math.min(threadCount, Math.max(1, count)), count, number -> {
            answers[number] = decision.decide(number, budget);
            stage.advance(1);
        });
        return Arrays.asList(answers);
    }

    private long componentNanos() {
        long given = options.search().componentBudgetNanos();
        return given > 0 ? given : COMPONENT_NANOS * Math.max(1, log.txnCount / TXNS_PER_BUDGET);
    }

    private boolean isEveryLevelProved() {
        return six.isEmpty()
                || decided.answers().values().stream().allMatch(answer -> answer.verdict() == Verdict.HOLDS);
    }

    // ---------------------------------------------------------------- findings

    private void addReadFaults() {
        if (six.isEmpty()) {
            return;
        }
        IsolationLevel weakest = six.iterator().next();
        ReadFindings maker =
                new ReadFindings(log, inference, anomaly -> GroupDoubts.rulesOutAll(anomaly) ? weakest : null);
        for (ReadFault fault : inference.faults()) {
            known.keepIfNew(maker.of(fault));
        }
        inference.faultCounts().forEach((anomaly, count) -> {
            if (GroupDoubts.rulesOutAll(anomaly)) {
                known.count(findings, anomaly, count, level -> true, six);
            } else {
                findings.countRows(count);
            }
        });
    }

    private void addRefutations() {
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
            known.keepIfNew(finding);
        }
    }

    // ---------------------------------------------------------------- the outcome

    private ValueOutcome outcome() {
        long smallestTxnId = smallest(log.txnId, log.txnCount);
        GroupDoubts doubtful = new GroupDoubts(log, inference, decided, cyclesOfOthers);
        Map<IsolationLevel, Doubt> doubts = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : asked) {
            String reason = findings.counts(level).isEmpty() ? doubtful.doubt(level) : null;
            if (reason != null) {
                doubts.put(level, new Doubt(reason, smallestTxnId, 1));
            }
        }
        return new ValueOutcome(
                1,
                findings,
                log.keyCount,
                trustsVersions(),
                promoted(),
                foundCycles(),
                refuted(),
                faultCounts(),
                doubts,
                components.stream().map(GroupCheck::row).toList(),
                doubtful.hasWitness() ? List.of(witness(smallestTxnId)) : List.of(),
                false);
    }

    private Witness witness(long smallestTxnId) {
        ClientHistory history = inference.history();
        CommitOrder order = decided.witness();
        return new Witness(
                decided.witnessLevel(),
                smallestTxnId,
                Arrays.copyOf(history.txnIdOf, history.txnCount),
                order.snapshotOf,
                order.commitOf);
    }

    private Map<Anomaly, Long> faultCounts() {
        Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);
        counts.putAll(inference.faultCounts());
        return counts;
    }

    private Set<Anomaly> foundCycles() {
        return ValueOutcome.unionOf(
                cyclesOfSix == null ? null : cyclesOfSix.found(),
                cyclesOfOthers == null ? null : cyclesOfOthers.found());
    }

    private Map<IsolationLevel, Set<Anomaly>> refuted() {
        Map<IsolationLevel, Set<Anomaly>> refuted = new EnumMap<>(IsolationLevel.class);
        for (Refutation refutation : decided == null ? List.<Refutation>of() : decided.refutations()) {
            Contradiction contradiction = refutation.contradiction();
            refuted.computeIfAbsent(contradiction.level(), level -> EnumSet.noneOf(Anomaly.class))
                    .add(contradiction.anomaly());
        }
        return refuted;
    }

    private LongSet promoted() {
        LongSet ids = new LongOpenHashSet(0);
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

    private static ComponentRow row(ComponentAnswer answer) {
        ClientHistory part = answer.component().history;
        return new ComponentRow(
                part.sessionCount,
                part.txnCount,
                part.keyCount,
                answer.verdict(),
                answer.searchStates(),
                answer.seconds(),
                smallest(part.txnIdOf, part.txnCount));
    }

    private static long smallest(long[] ids, int count) {
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            smallest = Math.min(smallest, ids[i]);
        }
        return smallest;
    }
}
