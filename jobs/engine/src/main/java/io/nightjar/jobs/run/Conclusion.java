package io.nightjar.jobs.run;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.validate.CountFormat;
import io.nightjar.pipeline.validate.LintFinding;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What follows from all that was found out about a history, whichever engine did: the levels' verdicts and their reasons. */
public final class Conclusion {

    private final CheckOptions options;
    private LongSet leftOut = LongSets.EMPTY_SET;
    private HistorySummary history;
    private final @Nullable TimestampOutcome timestamps;
    private final @Nullable ValueOutcome values;
    private final SerialProof serialProof;
    private final @Nullable String valuesUnfit;
    private final long keyCount;
    private final long deadLetterCount;
    private final double checkSeconds;
    private final MemoryAdvice advice;
    private final @Nullable TableOutcome tables;

    private final EvidenceChoice choice;
    private final Findings findings;
    private @Nullable String doubtOfAll;
    private final Set<IsolationLevel> withdrawnAt = EnumSet.noneOf(IsolationLevel.class);
    private final Set<Finding> withdrawn = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean isConfirmed;
    private boolean mayLackWriters;

    /**
     * @param timestamps what they say; null if they were not looked at
     * @param values what they say, or those parts of them that fit; null if they were not asked
     * @param serialProof how serializability was decided if timestamps do not prove it by the order of commits
     * @param valuesUnfit why values that were asked could not answer; null otherwise
     * @param deadLetterCount bad rows that were set aside
     * @param checkSeconds how long the check took, without reading and explaining
     * @param advice what to say where memory did not suffice
     * @param tables what the history says as one of tables; null if it is none
     */
    public Conclusion(
            CheckOptions options,
            HistorySummary history,
            @Nullable TimestampOutcome timestamps,
            @Nullable ValueOutcome values,
            SerialProof serialProof,
            @Nullable String valuesUnfit,
            long keyCount,
            long deadLetterCount,
            double checkSeconds,
            MemoryAdvice advice,
            @Nullable TableOutcome tables) {
        this.tables = tables;
        this.options = options;
        this.history = history;
        this.timestamps = timestamps;
        this.values = values;
        this.serialProof = serialProof;
        this.valuesUnfit = valuesUnfit;
        this.keyCount = keyCount;
        this.deadLetterCount = deadLetterCount;
        this.checkSeconds = checkSeconds;
        this.advice = advice;
        choice = new EvidenceChoice(options);
        findings = new Findings(options.findingLimit());
        if (tables != null) {
            findings.merge(tables.findings());
        }
        if (history.deletionCount() > 0) {
            return; // what a read of nothing means is not known to checks of items
        }
        if (timestamps != null && options.levels().contains(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            findings.merge(timestamps.findings());
        } else if (timestamps
                != null) { // of the order of commits nothing is told but whether it proves serializability
            findings.mergeOnly(IsolationLevel.SNAPSHOT_ISOLATION, timestamps.findings());
        }
        if (values != null) {
            findings.merge(values.findings());
        }
        ValueOutcome dependencies = dependencies();
        if (dependencies != null) {
            findings.merge(dependencies.findings());
        }
    }

    /**
     * Leaves transactions out of counts and out of what is told: they stand for what was there before the history.
     *
     * @param txns each committed, with timestamps, and a session of its own
     * @param ops how many operations they have, all of them writes
     */
    public void leaveOut(LongSet txns, long ops) {
        leftOut = txns;
        history = history.without(txns.size(), ops);
    }

    /** Notes that rows of writers may be missing, so that no value can be said to be never written. */
    public void mayLackWriters() {
        mayLackWriters = true;
    }

    /** A finding as it is told. */
    public Finding told(Finding finding) {
        Finding named = leftOut.isEmpty() ? finding : finding.without(leftOut::contains);
        boolean isGuess = mayLackWriters
                && named.expectation() != null
                && named.expectation().origin() == Origin.NEVER;
        return isGuess ? named.withoutOrigin() : named;
    }

    /** Withdraws a finding that no replay confirmed within the budget; the levels that it ruled out are open. */
    void withdraw(Finding finding) {
        withdrawn.add(finding);
        withdrawnAt.addAll(findings.withdraw(finding));
    }

    boolean isWithdrawn(Finding finding) {
        return withdrawn.contains(finding);
    }

    /** Says that all findings were replayed where they were found. */
    public void confirmed() {
        isConfirmed = true;
    }

    boolean isConfirmed() {
        return isConfirmed;
    }

    /** Returns what timestamps say; null if they were not looked at. */
    public @Nullable TimestampOutcome timestamps() {
        return timestamps;
    }

    /** Sets a reason for which no level holds, even if nothing rules it out; null for none. */
    public void doubt(@Nullable String reason) {
        doubtOfAll = reason;
    }

    public CheckOptions options() {
        return options;
    }

    public HistorySummary history() {
        return history;
    }

    /** Returns what values say; null if nothing was decided from them. */
    public @Nullable ValueOutcome values() {
        return values;
    }

    /** The version that two transactions wrote, for which a level is left open; null if there is none. */
    public @Nullable SharedVersion sharedVersion() {
        SharedVersion shared = SharedVersion.firstOf(
                values == null ? null : values.basis().shared(), tables == null ? null : tables.shared());
        boolean isOpen = levels().values().stream().anyMatch(level -> level.verdict() == Verdict.UNDECIDED);
        return isOpen ? shared : null;
    }

    public Findings findings() {
        return findings;
    }

    /** Whether a level of a history of tables is for checks of items to decide. */
    public static boolean isLeftToItems(
            IsolationLevel level, TableOutcome tables, HistorySummary history, CheckOptions options) {
        boolean needsPredicates = history.predicateCount() > 0 && LevelLattice.implies(level, IsolationLevel.PL_3);
        if (history.deletionCount() > 0 || options.evidence() == Evidence.TIMESTAMPS || needsPredicates) {
            return false;
        }
        TableOutcome.Answer answer = tables.answers().get(level);
        boolean isKnownToItems =
                !history.areVersionsComplete() || IsolationLevel.all().contains(level);
        boolean isOpen = answer == null || answer.doubt() != null && answer.isForItems() && isKnownToItems;
        return isOpen && tables.findings().counts(level).isEmpty();
    }

    /**
     * Whether items may yet settle a level of a history of tables that these leave in doubt: what they rule out by themselves is
     * ruled out.
     */
    public static boolean mayBeSettledByItems(
            IsolationLevel level, TableOutcome tables, HistorySummary history, CheckOptions options) {
        if (history.deletionCount() > 0 || options.evidence() == Evidence.TIMESTAMPS || tables.malformed() != null) {
            return false;
        }
        TableOutcome.Answer answer = tables.answers().get(level);
        boolean isOpen = answer == null || answer.doubt() != null && !answer.isByTimestamps();
        boolean isKnownToItems =
                !history.areVersionsComplete() || IsolationLevel.all().contains(level);
        return isOpen && isKnownToItems && tables.findings().counts(level).isEmpty();
    }

    /** Whether predicate reads or deletions were left out of the answer for a level. */
    public boolean leavesPredicatesOut() {
        if (history.relationalCount() == 0) {
            return false;
        }
        return options.levels().stream().anyMatch(level -> tableAnswer(level) == null);
    }

    /** Returns what the tables say of a level; null if others answer for it. */
    private TableOutcome.@Nullable Answer tableAnswer(IsolationLevel level) {
        if (tables == null || isLeftToItems(level, tables, history, options) && values != null) {
            return null;
        }
        if (isRuledOutByItems(level)) {
            return null;
        }
        return tables.answers().get(level);
    }

    private boolean isRuledOutByItems(IsolationLevel level) {
        return values != null
                && tables != null
                && history.deletionCount() == 0
                && tables.findings().counts(level).isEmpty()
                && !values.findings().counts(level).isEmpty();
    }

    /** Unknown transactions that count as committed at a level where timestamps are the evidence. */
    public LongSet promotedByTimestamps(IsolationLevel level) {
        return unknownByTimestamps(level, PromotedTxns::counted);
    }

    /** Unknown transactions that count as committed at such a level, and in whose place others may have committed. */
    LongSet interchangeableByTimestamps(IsolationLevel level) {
        return unknownByTimestamps(level, PromotedTxns::chosen);
    }

    private LongSet unknownByTimestamps(IsolationLevel level, BiFunction<PromotedTxns, IsolationLevel, LongSet> which) {
        IsolationLevel timed = CheckOptions.timedLevel(level);
        return timestamps == null || timed == null ? LongSets.EMPTY_SET : which.apply(timestamps.unknown(), timed);
    }

    /** The unknown transactions that values count as committed. */
    public LongSet promotedByValues() {
        ValueOutcome dependencies = dependencies();
        if (dependencies != null && values == null) {
            return dependencies.basis().promoted();
        }
        return values == null ? LongSets.EMPTY_SET : values.basis().promoted();
    }

    /** Returns what anomalies say about Elle's levels; null if they were not looked for. */
    public @Nullable ElleRuledOutLevels ruledOut() {
        return values == null ? null : values.ruledOut();
    }

    /** Ids of the transactions of a history of tables in an order that proves it serializable; null if none is known. */
    public long @Nullable [] serialOrderOfTables() {
        return tables == null || deadLetterCount > 0 ? null : tables.serialOrder();
    }

    /** Whether an order of commits is the proof that a level holds; an order of some bins is none. */
    public boolean isProvedByWitness() {
        boolean isWhole = valuesUnfit == null && deadLetterCount == 0;
        boolean isOfAllReads = history.predicateCount() == 0; // it knows rows only
        return values != null && isWhole && isOfAllReads && values.orders().areChecked() && values.hasWitness();
    }

    /** Returns the order of commits that proves a level; null if none is known. */
    public @Nullable Witness witness() {
        ValueOutcome dependencies = dependencies();
        boolean isWhole = deadLetterCount == 0 && history.predicateCount() == 0;
        if (dependencies != null && isWhole && dependencies.orders().areChecked()) {
            return dependencies.witness();
        }
        return isProvedByWitness() ? requireNonNull(values).witness() : null;
    }

    /** The answer for each level asked for, in their order. */
    public Map<IsolationLevel, LevelResult> levels() {
        Map<IsolationLevel, LevelResult> levels = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            Map<String, Long> types = new LinkedHashMap<>();
            long count = 0;
            for (Map.Entry<Anomaly, Long> type : findings.counts(level).entrySet()) {
                types.put(type.getKey().spelling(), type.getValue());
                count += type.getValue();
            }
            String reason = count > 0 ? leftOut(level) : doubt(level);
            Verdict verdict = count > 0 ? Verdict.VIOLATED : reason == null ? Verdict.HOLDS : Verdict.UNDECIDED;
            boolean isExact = verdict == Verdict.VIOLATED && findings.isExact(level) && doubtOfCounts(level) == null;
            reason = verdict == Verdict.HOLDS ? proof(level) : reason;
            levels.put(
                    level,
                    new LevelResult(verdict, evidenceOf(level).word(), reason, count, types, isExact, checkSeconds));
        }
        return levels;
    }

    /**
     * The result as it is printed and kept.
     *
     * @param uri where the history lies
     * @param engine the name of who checked it
     * @param runId null if no tables were written
     * @param listed the findings to list
     * @param faults how many faults the findings report
     * @param lint all that is odd about the history
     */
    public RunResult result(
            String uri,
            String engine,
            @Nullable String runId,
            double seconds,
            List<ListedAnomaly> listed,
            RunResult.Faults faults,
            List<LintFinding> lint) {
        Map<IsolationLevel, LevelResult> levels = VerdictGuard.checked(levels(), findings.inTime());
        Verdict worst = Verdict.HOLDS;
        String evidence = null;
        for (LevelResult level : levels.values()) {
            worst = worst.worse(level.verdict());
            evidence = evidence == null || evidence.equals(level.evidence()) ? level.evidence() : "mixed";
        }
        return new RunResult(
                uri,
                worst,
                new RunResult.Size(history.txnCount(), history.opCount(), history.sessionCount(), keyCount),
                new RunResult.How(requireNonNull(evidence), engine, runId, seconds),
                levels,
                new RunResult.Told(listed, findings.total(), faults, worstFirst(lint), ruledOut()));
    }

    private static List<RunResult.Lint> worstFirst(List<LintFinding> lint) {
        List<LintFinding> sorted = new ArrayList<>(lint);
        sorted.sort(Comparator.comparing(LintFinding::severity));
        return sorted.stream()
                .map(finding -> new RunResult.Lint(
                        finding.ruleId(), finding.severity().word(), finding.count(), finding.message()))
                .toList();
    }

    // ---------------------------------------------------------------- evidence and doubts

    private boolean isDecidedByTimestamps(IsolationLevel level) {
        return choice.isDecidedByTimestamps(level, timestamps != null && history.areTimestampsComplete())
                && !isLeftToValues(level);
    }

    /** Whether versions or values decide a level since timestamps do not prove it. */
    private boolean isLeftToValues(IsolationLevel level) {
        return level == IsolationLevel.SERIALIZABLE && serialProof.kind() == SerialProof.Kind.VALUES;
    }

    /** Returns the dependencies that decide serializability in the order of versions that commit timestamps give; null if none do. */
    private @Nullable ValueOutcome dependencies() {
        return serialProof.kind() == SerialProof.Kind.DEPENDENCIES ? serialProof.dependencies() : null;
    }

    private boolean isProvedByCommits() {
        return timestamps != null
                && history.areTimestampsComplete()
                && timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    }

    /** Returns which serial order proves serializability by timestamps; null for what needs no saying. */
    private @Nullable String proof(IsolationLevel level) {
        boolean isSaid = level == IsolationLevel.SERIALIZABLE
                && history.committedCount() > 0
                && evidenceOf(level) == Evidence.TIMESTAMPS;
        if (!isSaid) {
            return null;
        }
        return switch (serialProof.kind()) {
            case POSITIONS ->
                "an order that moves transactions in front of versions that they missed explains every read";
            case DEPENDENCIES ->
                "session order and dependencies have no cycle in the order of versions that commit timestamps give";
            default -> "the order of commit timestamps explains every read";
        };
    }

    private Evidence evidenceOf(IsolationLevel level) {
        if (history.committedCount() == 0) {
            return options.evidence() == Evidence.TIMESTAMPS
                    ? Evidence.TIMESTAMPS
                    : Evidence.VALUES; // nothing was read
        }
        TableOutcome.Answer ofTables = tableAnswer(level);
        if (ofTables != null) {
            return ofTables.isByTimestamps() ? Evidence.TIMESTAMPS : Evidence.VERSIONS;
        }
        if (isDecidedByTimestamps(level)) {
            return Evidence.TIMESTAMPS;
        }
        boolean byVersions = values != null && values.basis().trustsVersions();
        boolean lacksVersions = options.evidence() == Evidence.VERSIONS
                && findings.counts(level).isEmpty();
        return byVersions || lacksVersions ? Evidence.VERSIONS : Evidence.VALUES;
    }

    /** Returns why a level that nothing rules out cannot be said to hold either; null if there is no doubt. */
    private @Nullable String doubt(IsolationLevel level) {
        String doubt = doubtOfCounts(level);
        if (doubt == null && (isProvedByOrder(level) || isProvedByUncheckedDependencies(level))) {
            return "the order that was found could not be checked, since the operations on a key do not fit into "
                    + options.memoryBytes() + " bytes of memory; " + advice.byValues();
        }
        return doubt;
    }

    /** Returns whether a level would hold by an order that was not replayed. */
    private boolean isProvedByOrder(IsolationLevel level) {
        boolean isByValues =
                history.committedCount() > 0 && tableAnswer(level) == null && !isDecidedByTimestamps(level);
        return isByValues
                && values != null
                && restsOnWitness(values, level)
                && !values.orders().areChecked();
    }

    /** Returns whether serializability would hold by dependencies whose topological order was not replayed. */
    private boolean isProvedByUncheckedDependencies(IsolationLevel level) {
        ValueOutcome dependencies = dependencies();
        return level == IsolationLevel.SERIALIZABLE
                && dependencies != null
                && !dependencies.orders().areChecked();
    }

    /** Returns why more may rule a level out than was counted, whether anything was; null if there is no doubt. */
    private @Nullable String doubtOfCounts(IsolationLevel level) {
        if (doubtOfAll != null) {
            return doubtOfAll;
        }
        if (deadLetterCount > 0) {
            return CountFormat.of(deadLetterCount, "malformed row") + " could not be read";
        }
        if (withdrawnAt.contains(level)) {
            return "the time budget ran out before transactions that seem to rule the level out were replayed";
        }
        if (history.committedCount() == 0) {
            return null;
        }
        if (history.sourceDoubt() != null) {
            return history.sourceDoubt();
        }
        if (tables != null && tables.malformed() != null) {
            return tables.malformed();
        }
        if (tables != null && tables.contradicted() != null && !tables.isReplayed(level)) {
            return tables.contradicted();
        }
        TableOutcome.Answer ofTables = tableAnswer(level);
        if (ofTables != null) {
            return ofTables.doubt();
        }
        if (valuesUnfit != null && history.relationalCount() > 0) {
            return valuesUnfit;
        }
        if (tables != null && values == null && !isDecidedByTimestamps(level)) {
            return "neither versions nor timestamps decide this level";
        }
        if (history.deletionCount() > 0) {
            return CountFormat.of(history.deletionCount(), "deletion") + " of rows not judged";
        }
        boolean concernsPredicates = isDecidedByTimestamps(level)
                || level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                || LevelLattice.implies(level, IsolationLevel.PL_3);
        if (history.predicateCount() > 0 && concernsPredicates) {
            return CountFormat.of(history.predicateCount(), "predicate read")
                    + " not judged; only their rows were, as reads of items";
        }
        if (isDecidedByTimestamps(level)) {
            return level == IsolationLevel.SERIALIZABLE ? serialDoubt() : timestampDoubt(level);
        }
        if (valuesUnfit != null) {
            return valuesUnfit;
        }
        if (values == null) {
            return "only what timestamps show was counted";
        }
        if (options.evidence() == Evidence.VERSIONS && !values.basis().trustsVersions()) {
            return "no operation carries a version; --evidence values needs none";
        }
        return values.doubt(level);
    }

    /** Whether nothing but an order can prove a level, or one may have proved it. */
    private static boolean restsOnWitness(ValueOutcome values, IsolationLevel level) {
        if (level.compareTo(IsolationLevel.CAUSAL) <= 0) {
            return false;
        }
        if (IsolationLevel.all().contains(level) && !values.hasWitness()) {
            throw new AssertionError(
                    "bug: a level without a doubt and without an order that proves it: level=" + level.longName());
        }
        return !values.orders().witnesses().isEmpty();
    }

    /** Returns why more may be wrong than was counted; null if nothing was left out. */
    private @Nullable String leftOut(IsolationLevel level) {
        String assumed = assumed(level);
        if (assumed != null) {
            return assumed;
        }
        if (timestamps == null || !isDecidedByTimestamps(level) || timestamps.unfitKeys() == 0) {
            return null;
        }
        return "counts leave out " + CountFormat.of(timestamps.unfitKeys(), "key")
                + " whose operations do not fit into " + timestamps.memoryBytes() + " bytes of memory; "
                + advice.byTimestamps();
    }

    /** The orders of versions that were assumed for a level, so that a weaker one may be violated where a stronger holds. */
    private @Nullable String assumed(IsolationLevel level) {
        Set<VersionSource> assumed = EnumSet.of(VersionSource.SESSION, VersionSource.REALTIME);
        assumed.retainAll(options.versionOrders());
        if (assumed.isEmpty() || IsolationLevel.all().contains(level) || isDecidedByTimestamps(level)) {
            return null;
        }
        StringJoiner names = new StringJoiner(",");
        assumed.forEach(source -> names.add(source.evidence().word()));
        return "--version-order " + names + " is assumed for this level, and not for read-committed to serializable";
    }

    /** Returns why timestamps do not prove serializability; null if they do. */
    private @Nullable String serialDoubt() {
        if (serialProof.kind() == SerialProof.Kind.POSITIONS || isProvedByCommits()) {
            return null;
        }
        ValueOutcome dependencies = dependencies();
        if (dependencies != null) {
            return dependencies.doubt(IsolationLevel.SERIALIZABLE);
        }
        String doubt = timestampDoubt(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        if (doubt == null && serialProof.kind() == SerialProof.Kind.UNFIT) {
            return "dependencies do not fit into memory: " + history.opCount() + " operations have "
                    + options.memoryBytes() + " bytes; " + advice.byValues();
        }
        return doubt != null
                ? doubt
                : "neither the order of commit timestamps nor one that moves transactions in front of versions that they"
                        + " missed explains every read; --evidence auto searches for another order";
    }

    private @Nullable String timestampDoubt(IsolationLevel level) {
        if (!history.areTimestampsComplete()) {
            long missing = history.committedCount() - history.counts().timestamped();
            return missing + " of " + CountFormat.of(history.committedCount(), "committed transaction")
                    + " without start or commit timestamp";
        }
        TimestampOutcome timestamps = requireNonNull(this.timestamps);
        if (timestamps.unfitKeys() > 0) {
            return "the operations on " + CountFormat.of(timestamps.unfitKeys(), "key") + " do not fit into "
                    + timestamps.memoryBytes() + " bytes of memory; " + advice.byTimestamps();
        }
        if (timestamps.unknown().unplaceable() > 0) {
            return "nobody can say when "
                    + CountFormat.of(timestamps.unknown().unplaceable(), "unknown transaction")
                    + " committed that somebody read from";
        }
        long openChoices = timestamps.openChoices().getOrDefault(level, 0L);
        if (openChoices > 0) {
            return CountFormat.of(openChoices, "read")
                    + " may have seen several unknown transactions, and it depends on which of them committed";
        }
        if (timestamps.unjudgedKeys() > 0) {
            return "timestamps cannot judge sets, counters and keys used in two ways: "
                    + CountFormat.of(timestamps.unjudgedKeys(), "key");
        }
        return null;
    }
}
