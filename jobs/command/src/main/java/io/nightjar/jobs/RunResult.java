package io.nightjar.jobs;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of one history: the object that {@code check --json} prints and {@code run.json} stores.
 *
 * @param levels in the order from weak to strong
 */
public record RunResult(
        String history, Verdict verdict, Size size, How how, Map<IsolationLevel, LevelResult> levels, Report report) {

    /** The size of the checked history; every row counts, the initial state does not. */
    public record Size(long transactions, long operations, long sessions, long keys) {}

    /**
     * The execution of a check: the evidence, the run and the duration.
     *
     * @param evidence the evidence of the levels, mixed if they differ
     * @param runId null if no tables were written
     */
    public record How(String evidence, String engine, @Nullable String runId, double seconds) {}

    /**
     * The report besides the verdicts: anomalies and lint findings of the history.
     *
     * @param anomalies findings, the most readable first, up to the requested number
     * @param anomalyCount the number of findings, listed or not
     * @param lint the lint findings, the most severe first
     * @param ruledOut Elle's levels that dependency cycles and wrong reads rule out; null if these were not checked
     */
    public record Report(
            List<ListedAnomaly> anomalies,
            long anomalyCount,
            Faults faults,
            List<Lint> lint,
            @Nullable ElleRuledOutLevels ruledOut) {}

    /**
     * The number of faults that rule out a level: findings that report the same fault, at several levels or by several
     * names, count once.
     *
     * @param isExact whether that is all; else the count is a lower bound
     */
    public record Faults(long count, boolean isExact) {

        public static final Faults NONE = new Faults(0, true);

        /** Returns the words before the count; empty where it is exact. */
        public String bound() {
            return isExact ? "" : "at least ";
        }

        /** Returns words to follow a verdict, such as {@code " by at least 3 anomalies"}; empty for none. */
        public String suffix() {
            return count == 0 ? "" : " by %s%,d %s".formatted(bound(), count, count == 1 ? "anomaly" : "anomalies");
        }

        /** Returns the sum of two counts. */
        public Faults plus(Faults added) {
            return new Faults(count + added.count, isExact && added.isExact);
        }
    }

    /** Returns a copy as if no tables had been written. */
    public RunResult withoutRun() {
        return new RunResult(
                history, verdict, size, new How(how.evidence, how.engine, null, how.seconds), levels, report);
    }

    public long transactions() {
        return size.transactions();
    }

    public long operations() {
        return size.operations();
    }

    public long sessions() {
        return size.sessions();
    }

    public long keys() {
        return size.keys();
    }

    public String evidence() {
        return how.evidence();
    }

    public String engine() {
        return how.engine();
    }

    public @Nullable String runId() {
        return how.runId();
    }

    public double seconds() {
        return how.seconds();
    }

    /** Returns the levels that are undecided, or only counted in part. */
    public List<IsolationLevel> partlyKnown() {
        return levels.entrySet().stream()
                .filter(level -> !level.getValue().isWhole())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the anomaly to inspect before all others, on the command line and in reports; null if none is listed. */
    public @Nullable ListedAnomaly firstAnomaly() {
        return report.anomalies().isEmpty() ? null : report.anomalies().get(0);
    }

    public List<ListedAnomaly> anomalies() {
        return report.anomalies();
    }

    public List<Lint> lint() {
        return report.lint();
    }

    public @Nullable ElleRuledOutLevels ruledOut() {
        return report.ruledOut();
    }

    /**
     * The verdict of one level.
     *
     * @param reason the undecided reason, or why the count may be incomplete; null otherwise
     * @param anomalies count of findings that rule the level out
     * @param types the same by type, in the order of first mention
     * @param isExact whether every finding was counted; else the counts of a violated level are lower bounds
     */
    public record LevelResult(
            Verdict verdict,
            String evidence,
            @Nullable String reason,
            long anomalies,
            Map<String, Long> types,
            boolean isExact,
            double seconds) {

        /**
         * Returns whether the result for the level is complete: the level holds, or all findings that rule it out were
         * counted.
         */
        public boolean isWhole() {
            return verdict == Verdict.VIOLATED ? isExact : verdict == Verdict.HOLDS;
        }

        /** Returns the words before a count that is a lower bound; empty where it is exact. */
        public String bound() {
            return verdict == Verdict.VIOLATED && !isExact ? "at least " : "";
        }
    }

    /** A lint rule that applies. */
    public record Lint(String ruleId, String severity, long count, String message) {}

    /**
     * One finding in short.
     *
     * @param level null if the finding only makes reads ambiguous
     */
    public record ListedAnomaly(
            String id,
            String type,
            @Nullable String pattern,
            @Nullable IsolationLevel level,
            List<Long> transactions,
            @Nullable String key,
            String explanation,
            Tellings tellings) {

        public ListedAnomaly(
                String id,
                String type,
                @Nullable String pattern,
                @Nullable IsolationLevel level,
                List<Long> transactions,
                @Nullable String key,
                String explanation) {
            this(id, type, pattern, level, transactions, key, explanation, Tellings.ALONE);
        }

        /** Returns the name that people read. */
        public String title() {
            return AnomalyTitle.of(type, pattern, tellings.origin());
        }

        /** Returns a copy with other forms of the fault. */
        public ListedAnomaly withTellings(Tellings otherwise) {
            return new ListedAnomaly(id, type, pattern, level, transactions, key, explanation, otherwise);
        }
    }

    /**
     * The forms in which one fault is reported.
     *
     * @param origin the origin of the value that was read, as tables spell it; null if no read is involved
     * @param relatedTo the anomaly that this anomaly reports in another form; null if it is the first
     * @param also the types of its other forms, a word for each; empty if it is not the first
     */
    public record Tellings(@Nullable String origin, @Nullable String relatedTo, List<String> also) {

        /** The value for a fault with a single form that is no read. */
        public static final Tellings ALONE = new Tellings(null, null, List.of());
    }
}
