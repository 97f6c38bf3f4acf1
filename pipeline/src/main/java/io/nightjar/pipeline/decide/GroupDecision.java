package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.LevelLattice.ProvedBy;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.decide.ValueVerdicts.Refutation;
import io.nightjar.pipeline.explain.ContradictionFindings;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.explain.DependencyFindings;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.ElementKeys;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.NamedWriters;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OutsideLists;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.RealTimeEdges;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.partition.Component;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decision by values for one group of sessions, which may be the whole history: infer, partition and check stages.
 *
 * <pre>
 *   GroupDecision decision = new GroupDecision(log, question, budget, watch);
 *   for (PendingComponents open = decision.next(); open != null; open = decision.next()) {
 *       decision.accept(answers of open.how() for each of open.components(), by number);
 *   }
 *   ValueOutcome outcome = decision.outcome();
 * </pre>
 */
public final class GroupDecision {

    /** The steps of a decision, of which the next one is kept; components being searched belong to the step before. */
    private enum Step {
        WITH_SESSIONS,
        WITHOUT_SESSIONS,
        IN_REAL_TIME,
        NOTHING
    }

    /** Name of the algorithm reported for faulty reads. */
    private static final String READ_COMMITTED = "read-committed";

    private final OperationLog log;
    private final ValueCheckRequest question;
    private final int limit;
    private final Budget budget;
    private final StageListener watch;

    private final Set<IsolationLevel> asked;
    private final Set<IsolationLevel> six;
    private final Set<IsolationLevel> others;
    private final Findings findings;
    private final FindingDeduplicator known = new FindingDeduplicator();
    private @Nullable ReadResolution reads; // of the log without own appends at the end of lists
    private @Nullable ReadResolution readsOfOthers;
    private ReadInference inference;
    private @Nullable Optional<SharedVersion> shared; // null until requested
    private @Nullable CycleDecision cyclesOfSix;
    private @Nullable CycleDecision cyclesOfOthers;
    private boolean areCyclesTimed; // commit timestamps order versions in cyclesOfOthers
    private @Nullable CycleDecision cyclesByTimestamps; // null if commit timestamps rule out no further level
    private final Set<IsolationLevel> heldByValues = EnumSet.noneOf(IsolationLevel.class); // despite these cycles
    private Step step = Step.WITH_SESSIONS;
    private final Set<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class); // that orders are to decide
    private LevelDecision searched; // whose components are being searched
    private @Nullable ValueVerdicts decided;
    private @Nullable ValueVerdicts decidedWithoutSessions;
    private @Nullable ValueVerdicts decidedInRealTime;
    private final List<Refutation> refutationsWithoutSessions = new ArrayList<>();
    private final List<ComponentAnswer> components = new ArrayList<>();
    private final Map<Proof, Set<IsolationLevel>> reportedAt = new HashMap<>();

    /** Contradictions of the same transactions are one, however it was come by. */
    private record Proof(Anomaly anomaly, Set<Long> txnIds) {

        static Proof of(Refutation refutation) {
            Set<Long> txnIds = new HashSet<>();
            for (int txn : refutation.contradiction().txns()) {
                txnIds.add(refutation.history().txnIdOf[txn]);
            }
            return new Proof(refutation.contradiction().anomaly(), txnIds);
        }
    }

    /** @param budget for the whole decision; its memory limit applies to each search */
    public GroupDecision(OperationLog log, ValueCheckRequest question, Budget budget, StageListener watch) {
        this.log = log;
        this.question = question;
        this.limit = question.findingLimit();
        this.budget = budget;
        this.watch = watch;
        asked = question.levels();
        six = EnumSet.copyOf(asked);
        six.retainAll(IsolationLevel.all());
        others = EnumSet.copyOf(asked);
        others.removeAll(six);
        findings = new Findings(limit);
    }

    /** Continues until components are to be searched; returns them, or null when all levels are decided. */
    public @Nullable PendingComponents next() {
        if (step == Step.WITH_SESSIONS) {
            step = Step.WITHOUT_SESSIONS;
            PendingComponents open = decideWithSessions();
            if (open != null) {
                return open;
            }
        }
        if (step == Step.WITHOUT_SESSIONS) {
            concludeWithSessions();
            boolean hasFaults = UndecidedReasons.hasFaults(inference);
            step = hasFaults ? Step.NOTHING : Step.IN_REAL_TIME;
            PendingComponents open = hasFaults ? null : decideWithoutSessions();
            if (open != null) {
                return open;
            }
        }
        if (step == Step.IN_REAL_TIME) {
            step = Step.NOTHING;
            return decideInRealTime();
        }
        return null;
    }

    /**
     * Adds the answers for the components that {@link #next} returned.
     *
     * @param answers by number
     * @return number of contradictions
     */
    public int accept(List<ComponentAnswer> answers) {
        ValueVerdicts levels = searched.finish(answers);
        components.addAll(answers);
        if (step == Step.WITHOUT_SESSIONS) {
            decided = levels;
        } else if (step == Step.IN_REAL_TIME) {
            decidedWithoutSessions = levels;
            reportSessionlessContradictions(levels.refutations());
        } else {
            decidedInRealTime = levels;
            addRefutations(
                    levels.refutations(),
                    (level, ofSix) -> LevelLattice.implies(level, IsolationLevel.STRICT_SERIALIZABLE));
        }
        return levels.refutations().size();
    }

    /** Returns the outcome; called once, after the last step. */
    public ValueOutcome outcome() {
        addCyclesByTimestamps();
        known.giveTo(findings);
        return outcomeOfFindings();
    }

    /**
     * Returns decisions of the same group, each with supposed outcomes of its unknown transactions, if these leave
     * reads or guards open. A level that holds in one of them holds in the group.
     */
    public Iterator<GroupDecision> supposing() {
        return inference
                .withSupposedOutcomes()
                .map(supposed -> new GroupDecision(supposed, question, budget, watch))
                .iterator();
    }

    /**
     * Returns a decision of the same group about some levels, with all transactions that may have committed. A level that
     * it violates is violated for all outcomes of these; other levels stay open. Null if no outcome is open.
     */
    public @Nullable GroupDecision withOptionalTransactions(Set<IsolationLevel> left) {
        OperationLog all = inference.withOptionalTransactions();
        Set<IsolationLevel> wanted = StrongLevels.among(left);
        return all == null || wanted.isEmpty() || UndecidedReasons.hasFaults(inference)
                ? null
                : new GroupDecision(all, question.fromValues(wanted), budget, watch);
    }

    /** Returns null if nothing is left to search. */
    private @Nullable PendingComponents decideWithSessions() {
        levels.addAll(six);
        if (six.isEmpty()) {
            findCyclesOfOthers();
            levels.addAll(proving(openAmongOthers()));
        } else {
            levels.addAll(proving(others));
        }
        infer();
        if (levels.isEmpty()) {
            return null;
        }
        boolean hasMoreThanRegisters = inference.history().knowsVersionOrders()
                || inference.unjudgedKeys() > 0
                || reads().use().count(KeyUse.SET) > 0;
        if (hasMoreThanRegisters && !six.isEmpty()) {
            findCyclesOfSix();
        }
        Set<IsolationLevel> open = EnumSet.copyOf(levels);
        if (cyclesOfSix != null) {
            open.removeAll(cyclesOfSix.ruledOut());
        }
        return open.isEmpty()
                ? null
                : search(decision(inference.history(), open, UndecidedReasons.hasFaults(inference)));
    }

    private void concludeWithSessions() {
        if (!levels.isEmpty()) {
            addRefutations(refutations(), LevelLattice::implies);
            if (cyclesOfSix == null && (!isEveryLevelProved() || UndecidedReasons.hasFaults(inference))) {
                findCyclesOfSix(); // cycles have familiar names, and may decide levels that the search did not
            }
            if (cyclesOfSix == null && !six.isEmpty()) {
                addRepeatedWrites();
            }
        }
        if (!six.isEmpty()) {
            findCyclesOfOthers();
        }
    }

    /** Returns the levels that cycles neither rule out nor prove. */
    private Set<IsolationLevel> openAmongOthers() {
        Set<IsolationLevel> open = EnumSet.copyOf(others);
        CycleDecision cycles = requireNonNull(cyclesOfOthers);
        open.removeAll(cycles.ruledOut());
        open.removeIf(level -> cycles.doubt(level) == null);
        return open;
    }

    /** Returns the levels among the six that prove some of the others if they hold. */
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

    /**
     * Returns the reads for the six levels and all orders of transactions: a list is the snapshot's list followed by
     * own appends.
     */
    private ReadResolution reads() {
        if (reads == null) {
            reads = ReadResolution.of(OutsideLists.of(log), budget.helpers());
        }
        return reads;
    }

    /** Returns the reads for all orders of transactions: a read of a set that only grows is a read of each element. */
    private ReadResolution readsOfElements() {
        OperationLog ofElements = ElementKeys.ofGrowingSets(reads().log);
        return ofElements == reads().log ? reads() : ReadResolution.of(ofElements, budget.helpers());
    }

    /**
     * Returns the reads for other levels: a list with own appends at its end shows their position in the order of the
     * key, and versions of one value are distinguished by the writers that reads name.
     */
    private ReadResolution readsOfOthers() {
        if (readsOfOthers == null) {
            ReadResolution recorded = reads().log == log ? reads() : ReadResolution.of(log, budget.helpers());
            OperationLog named = NamedWriters.of(recorded);
            readsOfOthers = named == log ? recorded : ReadResolution.ofView(named, recorded);
        }
        return readsOfOthers;
    }

    @SetsFields
    private void infer() {
        Set<IsolationLevel> weak =
                EnumSet.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);
        boolean needsSeen = !Collections.disjoint(weak, levels)
                || !Collections.disjoint(weak, LevelLattice.askedWithoutSessions(others));
        try (StageListener.Work stage = watch.begin("infer", -1, log.opCount)) {
            inference = new ReadInference(readsOfElements(), needsSeen, trustsVersions()).run();
            stage.found(inference.history().readCount);
        }
    }

    /** Returns whether version numbers of the source are used as the order of versions. */
    private boolean trustsVersions() {
        return question.mayUseVersions() && log.version != null;
    }

    /**
     * Returns the version that two transactions wrote, so that versions are no evidence; null if none is, or they are
     * not used.
     */
    private @Nullable SharedVersion shared() {
        if (shared == null) {
            shared = Optional.ofNullable(trustsVersions() ? SharedVersion.first(log, reads().outcomes()) : null);
        }
        return shared.orElse(null);
    }

    // ---------------------------------------------------------------- dependencies

    /** Orders of versions that follow from commit order, so that cycles on them rule out the six. */
    private void findCyclesOfSix() {
        if (log.hasOptional()) {
            return; // an order alone places transactions that need not have committed
        }
        Set<VersionSource> sources = EnumSet.of(VersionSource.WRITES_FOLLOW_READS);
        if (trustsVersions()) {
            sources.add(VersionSource.VERSION);
        }
        cyclesOfSix = new CycleDecision(reads(), six, others, sources, READ_COMMITTED);
        cyclesOfSix.check(watch, budget);
        cyclesOfSix.addTo(findings, known, limit);
    }

    /**
     * Finds the cycles of levels other than the six. No client saw the order of versions that commit timestamps give,
     * so a level that only this order rules out is first decided by values.
     */
    private void findCyclesOfOthers() {
        if (others.isEmpty()) {
            return;
        }
        Set<VersionSource> sources = sourcesOfOthers();
        cyclesOfOthers = cyclesOfOthers(sources);
        areCyclesTimed = sources.remove(VersionSource.TIMESTAMP);
        if (areCyclesTimed && !cyclesOfOthers.ruledOut().isEmpty()) {
            CycleDecision byValues = cyclesOfOthers(sources);
            if (!byValues.ruledOut().equals(cyclesOfOthers.ruledOut())) {
                cyclesByTimestamps = cyclesOfOthers;
                cyclesOfOthers = byValues;
            }
        }
        cyclesOfOthers.addTo(findings, known, limit);
    }

    private CycleDecision cyclesOfOthers(Set<VersionSource> sources) {
        CycleDecision cycles = new CycleDecision(readsOfOthers(), others, Set.of(), sources, "cycle");
        cycles.check(watch, budget);
        return cycles;
    }

    /** Returns whether a level is violated only in the order of commit timestamps, unless values prove it. */
    private boolean isRuledOutByTimestamps(IsolationLevel level) {
        return cyclesByTimestamps != null
                && cyclesByTimestamps.ruledOut().contains(level)
                && !requireNonNull(cyclesOfOthers).ruledOut().contains(level);
    }

    /** Adds the cycles in the order of commit timestamps, unless values prove the level. */
    private void addCyclesByTimestamps() {
        if (cyclesByTimestamps == null) {
            return;
        }
        UndecidedReasons doubts = doubts();
        Set<IsolationLevel> wanted = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : others) {
            boolean isHeld = findings.counts(level).isEmpty() && doubts.doubt(level) == null;
            (isHeld ? heldByValues : wanted).add(level);
        }
        if (!wanted.isEmpty()) {
            cyclesByTimestamps.of(wanted).addTo(findings, known, limit);
            cyclesOfOthers = cyclesByTimestamps;
        }
    }

    private Set<VersionSource> sourcesOfOthers() {
        Set<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        sources.addAll(question.versionOrders());
        if (trustsVersions()) {
            sources.add(VersionSource.VERSION);
        }
        if (question.mayUseTimestamps() && log.commitTs != null) {
            sources.add(VersionSource.TIMESTAMP);
        }
        return sources;
    }

    // ---------------------------------------------------------------- the six levels

    private LevelDecision decision(ClientHistory history, Set<IsolationLevel> open, boolean hasFaults) {
        return new LevelDecision(
                history, open, hasFaults, question.componentNanosOf(log.txnCount), question.crossChecks());
    }

    @SetsFields
    private PendingComponents search(LevelDecision decision) {
        searched = decision;
        try (StageListener.Work stage = watch.begin("split", -1, log.txnCount)) {
            List<Component> found = searched.begin(budget);
            stage.found(found.size());
            return new PendingComponents(searched.search(), found);
        }
    }

    private boolean isEveryLevelProved() {
        return six.isEmpty()
                || requireNonNull(decided).answers().values().stream()
                        .allMatch(answer -> answer.verdict() == Verdict.HOLDS);
    }

    // ---------------------------------------------------------------- levels without session order

    /**
     * Decides the open levels without session order: first by contradictions found with session order that remain
     * without it, and then by a separate search. Returns null if no search is needed.
     */
    private @Nullable PendingComponents decideWithoutSessions() {
        Set<IsolationLevel> wanted = openWithoutSessions();
        if (wanted.isEmpty()) {
            return null;
        }
        reportSessionlessContradictions(SessionlessRefutations.among(refutations(), wanted, limit, budget));
        wanted = openWithoutSessions();
        return wanted.isEmpty() ? null : search(decision(inference.history().withoutSessions(), wanted, false));
    }

    private void reportSessionlessContradictions(List<Refutation> refutations) {
        refutationsWithoutSessions.addAll(refutations);
        addRefutations(refutations, LevelLattice::needsWithoutSessions);
    }

    /** Returns the levels to be decided without sessions, so that levels which nothing decided yet become decided. */
    private Set<IsolationLevel> openWithoutSessions() {
        UndecidedReasons doubts = doubts();
        Set<IsolationLevel> open = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : others) {
            boolean isOpen = findings.counts(level).isEmpty() && doubts.doubt(level) != null;
            if (isOpen && !isHeldBySix(doubts, level) && LevelLattice.provedBy(level) != ProvedBy.NOTHING) {
                open.add(level);
            }
        }
        return LevelLattice.askedWithoutSessions(open);
    }

    /** Returns whether an order that respects sessions satisfies the level, though not every read could be checked. */
    private boolean isHeldBySix(UndecidedReasons doubts, IsolationLevel level) {
        return decided != null
                && decided.answers().entrySet().stream()
                        .anyMatch(answer -> answer.getValue().verdict() == Verdict.HOLDS
                                && doubts.isProof(answer.getKey())
                                && LevelLattice.implies(answer.getKey(), level));
    }

    // ---------------------------------------------------------------- strict serializability

    /**
     * Searches for a serial order that respects the clients' clocks too, if no other check decided whether one exists.
     * Returns null if no search is needed, or the clocks are unknown.
     */
    private @Nullable PendingComponents decideInRealTime() {
        IsolationLevel strict = IsolationLevel.STRICT_SERIALIZABLE;
        boolean isOpen = others.contains(strict) && findings.counts(strict).isEmpty() && doubts().doubt(strict) != null;
        if (!isOpen || !RealTimeEdges.isKnown(log)) {
            return null;
        }
        ClientHistory history = RealTimeEdges.addTo(log, inference);
        return search(decision(history, EnumSet.of(IsolationLevel.SERIALIZABLE), false)
                .undivided());
    }

    // ---------------------------------------------------------------- findings

    /** Returns the refutations found with session order. */
    private List<Refutation> refutations() {
        return decided == null ? List.of() : decided.refutations();
    }

    /** Adds repeated writes, which rule out no level and are reported only without other findings. */
    private void addRepeatedWrites() {
        known.keepNew(DependencyFindings.ofRepeatedWrites(reads(), READ_COMMITTED, limit));
        findings.countRows(reads().repeatedWriteCount());
    }

    /** @param rulesOut whether a contradiction of one of the six rules out a level */
    private void addRefutations(
            Collection<Refutation> refutations, BiPredicate<IsolationLevel, IsolationLevel> rulesOut) {
        List<Ruling> rulings = new ArrayList<>();
        for (Refutation refutation : refutations) {
            Contradiction contradiction = refutation.contradiction();
            Set<IsolationLevel> ruledOut = EnumSet.copyOf(asked);
            ruledOut.removeIf(level -> !rulesOut.test(level, contradiction.level()));
            Set<IsolationLevel> reported =
                    reportedAt.computeIfAbsent(Proof.of(refutation), unseen -> EnumSet.noneOf(IsolationLevel.class));
            if (reported.containsAll(ruledOut) || ruledOut.stream().allMatch(this::isRuledOutByTimestamps)) {
                continue;
            }
            rulings.add(new Ruling(
                    contradiction, refutation.history(), ruledOut.iterator().next()));
            ruledOut.removeAll(reported);
            ruledOut.forEach(level -> findings.count(level, contradiction.anomaly(), 1));
            reported.addAll(ruledOut);
        }
        List<Ruling> kept = rulings.subList(0, Math.min(limit, rulings.size()));
        long newCount = known.keepNew(ContradictionFindings.of(kept, inference.log()));
        findings.countRows(rulings.size() - kept.size() + newCount);
    }

    // ---------------------------------------------------------------- the outcome

    private ValueOutcome outcomeOfFindings() {
        long smallestTxnId = smallest(log.txnId, log.txnCount);
        UndecidedReasons doubtful = doubts();
        Map<IsolationLevel, Doubt> doubts = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : asked) {
            boolean isViolated = !findings.counts(level).isEmpty();
            String reason = isViolated || heldByValues.contains(level) ? null : doubtful.doubt(level);
            if (reason != null) {
                doubts.put(level, new Doubt(reason, smallestTxnId, 1));
            }
            if (reason != null || isViolated && !doubtful.isOtherwiseProved(level)) {
                findings.countPartly(level);
            }
        }
        return new ValueOutcome(
                1,
                log.recordedKeyCount,
                findings,
                new ValueOutcome.Basis(trustsVersions(), shared(), promoted(), false, null, decidedByTimestamps()),
                new ValueOutcome.Refuted(
                        foundCycles(), refuted(refutations()), refuted(refutationsWithoutSessions), faultCounts()),
                doubts,
                components.stream().map(GroupDecision::row).toList(),
                new ValueOutcome.Orders(
                        witnesses(doubtful, smallestTxnId),
                        false,
                        asked.contains(IsolationLevel.STRICT_SERIALIZABLE) && doubtful.isProvedInRealTime()));
    }

    /** Returns the levels that cycles decided in an order of versions to which commit timestamps contributed. */
    private Set<IsolationLevel> decidedByTimestamps() {
        Set<IsolationLevel> timed = EnumSet.noneOf(IsolationLevel.class);
        if (areCyclesTimed) {
            timed.addAll(others);
            timed.removeAll(heldByValues);
        }
        return timed;
    }

    private UndecidedReasons doubts() {
        return new UndecidedReasons(
                log,
                inference,
                decided,
                decidedWithoutSessions,
                decidedInRealTime,
                cyclesOfOthers,
                shared(),
                reads().log != log);
    }

    private List<Witness> witnesses(UndecidedReasons doubtful, long smallestTxnId) {
        List<Witness> witnesses = new ArrayList<>();
        if (doubtful.hasWitness()) {
            boolean isInRealTime = decidedInRealTime != null && decidedInRealTime.witness() != null;
            ValueVerdicts proved = requireNonNull(isInRealTime ? decidedInRealTime : decided); // one that proves more
            witnesses.add(witness(requireNonNull(proved.witnessLevel()), proved, smallestTxnId));
        }
        if (doubtful.hasWitnessWithoutSessions()) {
            ValueVerdicts proved = requireNonNull(decidedWithoutSessions);
            IsolationLevel level =
                    proved.witnessLevel() == IsolationLevel.SERIALIZABLE ? IsolationLevel.PL_3 : IsolationLevel.PL_SI;
            witnesses.add(witness(level, proved, smallestTxnId));
        }
        return witnesses;
    }

    private Witness witness(IsolationLevel level, ValueVerdicts proved, long smallestTxnId) {
        ClientHistory history = inference.history();
        CommitOrder order = requireNonNull(proved.witness());
        return new Witness(
                level,
                smallestTxnId,
                Arrays.copyOf(history.txnIdOf, history.txnCount),
                order.snapshotOf,
                order.commitOf);
    }

    private Map<Anomaly, Long> faultCounts() {
        CycleDecision cycles = cyclesOfSix == null ? cyclesOfOthers : cyclesOfSix;
        if (cycles != null) {
            return cycles.readFaults();
        }
        long repeated = reads().repeatedWriteCount();
        return repeated == 0 ? Map.of() : Map.of(Anomaly.DUPLICATE_WRITE, repeated);
    }

    private @Nullable Set<Anomaly> foundCycles() {
        return ValueOutcome.unionOf(
                cyclesOfSix == null ? null : cyclesOfSix.found(),
                cyclesOfOthers == null ? null : cyclesOfOthers.found());
    }

    private static Map<IsolationLevel, Set<Anomaly>> refuted(List<Refutation> refutations) {
        Map<IsolationLevel, Set<Anomaly>> refuted = new EnumMap<>(IsolationLevel.class);
        for (Refutation refutation : refutations) {
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
        return ids;
    }

    private static ComponentRow row(ComponentAnswer answer) {
        ClientHistory componentHistory = answer.component().history;
        return new ComponentRow(
                componentHistory.sessionCount,
                componentHistory.txnCount,
                componentHistory.keyCount,
                answer.verdict(),
                answer.searchStates(),
                answer.seconds(),
                smallest(componentHistory.txnIdOf, componentHistory.txnCount));
    }

    private static long smallest(long[] ids, int count) {
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            smallest = Math.min(smallest, ids[i]);
        }
        return smallest;
    }
}
