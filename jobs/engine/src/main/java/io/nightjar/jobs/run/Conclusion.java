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

/** The conclusion of a check, for every engine: the verdict of each level and its reason. */
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
     * @param timestamps their outcome; null if they were not checked
     * @param values their outcome, or that of the part that fits; null if values were not checked
     * @param serialProof the decision of serializability if timestamps do not prove it by the order of commits
     * @param valuesUnfit the reason why values could not be checked although they were requested; null otherwise
     * @param deadLetterCount number of malformed rows that were skipped
     * @param checkSeconds duration of the check, without reading and explaining
     * @param advice the remedies to report if memory did not suffice
     * @param tables the outcome of the history as one of tables; null if it is none
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
        choice = new EvidenceChoice(options);
        boolean isReplaced = values != null
                && serialProof.replaces(values)
                && choice.byValues(history.areTimestampsComplete(), history.hasConditions())
                        .isEmpty();
        this.values = isReplaced ? null : values;
        this.serialProof = serialProof;
        this.valuesUnfit = valuesUnfit;
        this.keyCount = keyCount;
        this.deadLetterCount = deadLetterCount;
        this.checkSeconds = checkSeconds;
        this.advice = advice;
        findings = new Findings(options.findingLimit());
        if (tables != null) {
            findings.merge(tables.findings());
        }
        boolean areItemsChecked = options.levels().stream().anyMatch(level -> tableAnswer(level) == null);
        if (history.deletionCount() > 0 && (leavesDeletionsOpen(history, options) || !areItemsChecked)) {
            return;
        }
        if (timestamps != null && options.levels().contains(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            findings.merge(timestamps.findings());
        } else if (timestamps != null) {
            // The result reports of the commit order only whether it proves serializability.
            findings.mergeOnly(IsolationLevel.SNAPSHOT_ISOLATION, timestamps.findings());
        }
        if (this.values != null && isDecidedByTimestamps(IsolationLevel.SERIALIZABLE)) {
            // Values were checked in advance, but do not decide this level.
            findings.mergeWithout(IsolationLevel.SERIALIZABLE, this.values.findings());
        } else if (this.values != null) {
            findings.merge(this.values.findings());
        }
        ValueOutcome dependencies = dependencies();
        if (dependencies != null) {
            findings.merge(dependencies.findings());
        }
    }

    /**
     * Excludes transactions from counts and reports: they represent the initial state before the history.
     *
     * @param txns each committed, with timestamps, and in a separate session
     * @param ops number of their operations, all of them writes
     */
    public void leaveOut(LongSet txns, long ops) {
        leftOut = txns;
        history = history.without(txns.size(), ops);
    }

    /** Records that rows of writers may be missing, so that no read value can be reported as never written. */
    public void mayLackWriters() {
        mayLackWriters = true;
    }

    /** Returns a finding in the form in which it is reported. */
    public Finding reported(Finding finding) {
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

    /** Records that all findings were replayed where they were detected. */
    public void confirmed() {
        isConfirmed = true;
    }

    boolean isConfirmed() {
        return isConfirmed;
    }

    /** Returns the outcome of timestamps; null if they were not checked. */
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

    /** Returns the outcome of values; null if nothing was decided from them. */
    public @Nullable ValueOutcome values() {
        return values;
    }

    /** Returns why commit timestamps are no order of versions; null if they are, or were not used. */
    public @Nullable String timestampDoubt() {
        ValueOutcome dependencies = serialProof.dependencies();
        return dependencies == null ? null : dependencies.basis().timestampDoubt();
    }

    /** Returns the version that two transactions wrote and that leaves a level undecided; null if none does. */
    public @Nullable SharedVersion sharedVersion() {
        SharedVersion shared = SharedVersion.firstOf(
                values == null ? null : values.basis().shared(), tables == null ? null : tables.shared());
        boolean isOpen = levels().values().stream().anyMatch(level -> level.verdict() == Verdict.UNDECIDED);
        return isOpen ? shared : null;
    }

    public Findings findings() {
        return findings;
    }

    /**
     * Returns whether timestamps would decide deletions of items: their checks do not define the meaning of a read
     * without a value.
     */
    private static boolean leavesDeletionsOpen(HistorySummary history, CheckOptions options) {
        return history.deletionCount() > 0 && history.areTimestampsComplete() && options.evidence() != Evidence.VALUES;
    }

    /** Returns whether checks of items decide a level of a history of tables. */
    public static boolean isLeftToItems(
            IsolationLevel level, TableOutcome tables, HistorySummary history, CheckOptions options) {
        boolean needsPredicates = history.predicateCount() > 0 && LevelLattice.implies(level, IsolationLevel.PL_3);
        if (leavesDeletionsOpen(history, options) || options.evidence() == Evidence.TIMESTAMPS || needsPredicates) {
            return false;
        }
        TableOutcome.Answer answer = tables.answers().get(level);
        boolean isKnownToItems =
                !history.areVersionsComplete() || IsolationLevel.all().contains(level);
        boolean isOpen = answer == null || answer.doubt() != null && answer.isForItems() && isKnownToItems;
        return isOpen && tables.findings().counts(level).isEmpty();
    }

    /**
     * Returns whether items may still decide a level that the tables leave undecided: a level that the tables rule out
     * alone stays ruled out.
     */
    public static boolean mayBeSettledByItems(
            IsolationLevel level, TableOutcome tables, HistorySummary history, CheckOptions options) {
        if (leavesDeletionsOpen(history, options)
                || options.evidence() == Evidence.TIMESTAMPS
                || tables.malformed() != null) {
            return false;
        }
        TableOutcome.Answer answer = tables.answers().get(level);
        boolean isOpen = answer == null || answer.doubt() != null && !answer.isByTimestamps();
        boolean isKnownToItems =
                !history.areVersionsComplete() || IsolationLevel.all().contains(level);
        return isOpen && isKnownToItems && tables.findings().counts(level).isEmpty();
    }

    /** Returns whether predicate reads or deletions were not considered for the verdict of a level. */
    public boolean leavesPredicatesOut() {
        if (history.relationalCount() == 0) {
            return false;
        }
        return options.levels().stream().anyMatch(level -> tableAnswer(level) == null);
    }

    /** Returns the tables' answer for a level; null if other evidence decides it. */
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
                && !leavesDeletionsOpen(history, options)
                && tables.findings().counts(level).isEmpty()
                && !values.findings().counts(level).isEmpty();
    }

    /** Returns unknown transactions that count as committed at a level where timestamps are the evidence. */
    public LongSet promotedByTimestamps(IsolationLevel level) {
        return unknownByTimestamps(level, PromotedTxns::counted);
    }

    /**
     * Returns the unknown transactions that count as committed at such a level, and instead of which others may have
     * committed.
     */
    LongSet interchangeableByTimestamps(IsolationLevel level) {
        return unknownByTimestamps(level, PromotedTxns::chosen);
    }

    private LongSet unknownByTimestamps(IsolationLevel level, BiFunction<PromotedTxns, IsolationLevel, LongSet> which) {
        IsolationLevel timed = CheckOptions.timedLevel(level);
        return timestamps == null || timed == null ? LongSets.EMPTY_SET : which.apply(timestamps.unknown(), timed);
    }

    /** Returns the unknown transactions that values count as committed. */
    public LongSet promotedByValues() {
        ValueOutcome dependencies = dependencies();
        if (dependencies != null && values == null) {
            return dependencies.basis().promoted();
        }
        return values == null ? LongSets.EMPTY_SET : values.basis().promoted();
    }

    /** Returns Elle's levels that the anomalies rule out; null if they were not checked. */
    public @Nullable ElleRuledOutLevels ruledOut() {
        return values == null ? null : values.ruledOut();
    }

    /**
     * Returns the ids of the transactions of a history of tables in an order that proves it serializable; null if none
     * was found.
     */
    public long @Nullable [] serialOrderOfTables() {
        return tables == null || deadLetterCount > 0 ? null : tables.serialOrder();
    }

    /** Returns whether an order of commits is the proof that a level holds; an order of some bins is none. */
    public boolean isProvedByWitness() {
        boolean isWhole = valuesUnfit == null && deadLetterCount == 0;
        boolean isOfAllReads = history.predicateCount() == 0; // the check covers rows only
        return values != null && isWhole && isOfAllReads && values.orders().areChecked() && values.hasWitness();
    }

    /** Returns the order of commits that proves a level; null if none was found. */
    public @Nullable Witness witness() {
        ValueOutcome dependencies = dependencies();
        boolean isWhole = deadLetterCount == 0 && history.predicateCount() == 0;
        if (dependencies != null && isWhole && dependencies.orders().areChecked()) {
            return dependencies.witness();
        }
        return isProvedByWitness() ? requireNonNull(values).witness() : null;
    }

    /** Returns the verdict for each requested level, in their order. */
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
     * Returns the result that is printed and stored.
     *
     * @param uri location of the history
     * @param engine name of the checking engine
     * @param runId null if no tables were written
     * @param listed the findings to list
     * @param faults number of faults that the findings report
     * @param lint all lint findings of the history
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
                new RunResult.Report(listed, findings.total(), faults, worstFirst(lint), ruledOut()));
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

    /** Returns whether versions or values decide a level since timestamps do not prove it. */
    private boolean isLeftToValues(IsolationLevel level) {
        boolean leavesConditions = history.hasConditions()
                && choice.mayLeaveConditions(level)
                && timestamps != null
                && timestamps.unjudgedKeys() > 0
                && timestamps.findings().counts(level).isEmpty();
        return leavesConditions
                || level == IsolationLevel.SERIALIZABLE && serialProof.kind() == SerialProof.Kind.VALUES;
    }

    /**
     * Returns the dependencies that decide serializability in the order of versions that commit timestamps give; null
     * if none do.
     */
    private @Nullable ValueOutcome dependencies() {
        return serialProof.kind() == SerialProof.Kind.DEPENDENCIES ? serialProof.dependencies() : null;
    }

    private boolean isProvedByCommits() {
        if (serialProof.kind() != SerialProof.Kind.NONE) {
            return serialProof.kind() == SerialProof.Kind.COMMITS;
        }
        return timestamps != null
                && history.areTimestampsComplete()
                && timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    }

    /** Returns the kind of serial order that proves serializability by timestamps; null for the default kind. */
    private @Nullable String proof(IsolationLevel level) {
        boolean isReported = level == IsolationLevel.SERIALIZABLE
                && history.committedCount() > 0
                && evidenceOf(level) == Evidence.TIMESTAMPS;
        if (!isReported) {
            return null;
        }
        if (tableAnswer(level) != null) {
            return "an order of all transactions explains every read, predicates included";
        }
        return switch (serialProof.kind()) {
            case POSITIONS ->
                "an order that moves transactions in front of versions that they missed explains every read";
            case DEPENDENCIES ->
                "session order and dependencies have no cycle in the order of versions that "
                        + (timestampDoubt() == null ? "commit timestamps give" : "reads allow");
            case ACYCLIC -> // parts of the history were decided alone, some perhaps against their timestamps
                "session order and dependencies have no cycle in the order of versions that timestamps or reads give";
            default -> "commit-order-serializable holds: the order of commit timestamps explains every read";
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
            return ofTables.isByTimestamps()
                    ? Evidence.TIMESTAMPS
                    : ofTables.isByValues() ? Evidence.VALUES : Evidence.VERSIONS;
        }
        if (isDecidedByTimestamps(level)) {
            return Evidence.TIMESTAMPS;
        }
        if (values != null && values.basis().byTimestamps().contains(level) && history.areTimestampsComplete()) {
            return Evidence.TIMESTAMPS;
        }
        boolean byVersions = values != null && values.basis().trustsVersions();
        boolean lacksVersions = options.evidence() == Evidence.VERSIONS
                && findings.counts(level).isEmpty();
        return byVersions || lacksVersions ? Evidence.VERSIONS : Evidence.VALUES;
    }

    /** Returns the undecided reason of a level that nothing rules out; null if it has none. */
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

    /**
     * Returns why a level may have more anomalies than were counted, with or without counted ones; null if it cannot.
     */
    private @Nullable String doubtOfCounts(IsolationLevel level) {
        if (doubtOfAll != null) {
            return doubtOfAll;
        }
        if (deadLetterCount > 0) {
            return CountFormat.of(deadLetterCount, "malformed row") + " could not be read";
        }
        if (withdrawnAt.contains(level)) {
            return "the transactions that seem to rule the level out were too many, or the time too short, to replay them";
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
        if (leavesDeletionsOpen(history, options)) {
            return CountFormat.of(history.deletionCount(), "deletion") + " of rows not checked";
        }
        boolean concernsPredicates = isDecidedByTimestamps(level)
                || level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                || LevelLattice.implies(level, IsolationLevel.PL_3);
        if (history.predicateCount() > 0 && concernsPredicates) {
            return CountFormat.of(history.predicateCount(), "predicate read")
                    + " not checked; only their rows were, as reads of items";
        }
        if (isDecidedByTimestamps(level)) {
            return level == IsolationLevel.SERIALIZABLE ? serialDoubt() : timestampDoubt(level);
        }
        if (valuesUnfit != null) {
            return valuesUnfit;
        }
        if (values == null) {
            return "only anomalies from timestamps were counted";
        }
        if (options.evidence() == Evidence.VERSIONS && !values.basis().trustsVersions()) {
            return "no operation carries a version; --evidence values needs none";
        }
        return values.doubt(level);
    }

    /** Returns whether only an order can prove a level, or an order may have proved it. */
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

    /** Returns why a level may have more anomalies than were counted; null if nothing was omitted. */
    private @Nullable String leftOut(IsolationLevel level) {
        String assumed = assumed(level);
        if (assumed != null) {
            return assumed;
        }
        if (timestamps == null || !isDecidedByTimestamps(level) || timestamps.unfitKeys() == 0) {
            return null;
        }
        return "counts omit " + CountFormat.of(timestamps.unfitKeys(), "key")
                + " whose operations do not fit into " + timestamps.memoryBytes() + " bytes of memory; "
                + advice.byTimestamps();
    }

    /**
     * Returns the orders of versions that were assumed for a level, so that a weaker level may be violated although a
     * stronger one holds.
     */
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
        boolean isProvedByOrder =
                serialProof.kind() == SerialProof.Kind.POSITIONS || serialProof.kind() == SerialProof.Kind.ACYCLIC;
        if (isProvedByOrder || isProvedByCommits()) {
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
            return "the commit time is undetermined for "
                    + CountFormat.of(timestamps.unknown().unplaceable(), "unknown transaction")
                    + " with a committed reader";
        }
        long openChoices = timestamps.openChoices().getOrDefault(level, 0L);
        if (openChoices > 0) {
            return CountFormat.of(openChoices, "read")
                    + " may have seen several unknown transactions, and it depends on which of them committed";
        }
        if (timestamps.unjudgedKeys() > 0) {
            return "timestamps cannot decide sets, counters, keys used in two ways, and conditions that did not hold: "
                    + CountFormat.of(timestamps.unjudgedKeys(), "key");
        }
        return null;
    }
}
