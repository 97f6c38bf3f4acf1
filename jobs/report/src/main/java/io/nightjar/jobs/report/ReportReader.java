package io.nightjar.jobs.report;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.LevelDefinitions;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.report.AnomalyGroup.Often;
import io.nightjar.jobs.report.RunReport.Baseline;
import io.nightjar.jobs.report.RunReport.SmallTables;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredRows;
import io.nightjar.pipeline.validate.LintRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reader of a lake for reports, with limits that bound the size of the page. Not thread-safe. */
public final class ReportReader {

    /** Maximum number of runs shown in full on one page. */
    static final int MAX_RUNS = 12;

    /** Maximum number of histories in the overview. */
    static final int MAX_HISTORIES = 500;

    static final int MAX_TREND_RUNS = 30;
    static final int MAX_GROUPS = 40;

    /** Maximum number of anomalies shown in full, of a group and of all groups of a run. */
    static final int MAX_SHOWN_OF_GROUP = 1;

    static final int MAX_SHOWN = 20;

    /** Maximum number of listed anomalies of a group: its example and ten more. */
    static final int MAX_LISTED_OF_GROUP = 11;

    /** Levels from weak to strong; an anomaly of a weaker level is worse. */
    private static final String WEAK_TO_STRONG = Arrays.stream(IsolationLevel.values())
            .map(level -> "'" + level.longName() + "'")
            .collect(Collectors.joining(", ", "[", "]"));

    /** Selects the first report of each anomaly that rules out a level, without related reports and lint findings. */
    private static final String IS_FAULT = "related_anomaly_id IS NULL AND level_violated IS NOT NULL";

    private static final int MAX_GONE = 10;
    private static final int MAX_OFTEN = 5;
    private static final int MAX_DEAD_LETTERS = 20;
    private static final int MAX_COMPONENTS = 10;

    /**
     * Orders new anomalies first, then first reports, then anomalies with few transactions, which are easier to read.
     */
    private static final String EASIEST_FIRST = ", is_new DESC, related_anomaly_id IS NOT NULL, txn_count, anomaly_id";

    private final Lake lake;
    private final SqlSession session;
    private final String version;
    private final boolean looksAtHistories;

    /**
     * @param version version of the program that creates the page
     * @param looksAtHistories whether histories are read again, for plots
     */
    public ReportReader(Lake lake, SqlSession session, String version, boolean looksAtHistories) {
        this.lake = lake;
        this.session = session;
        this.version = version;
        this.looksAtHistories = looksAtHistories;
    }

    /**
     * Reads the report of one run.
     *
     * @param baseline the run to compare with; null for the previous run of the same history
     * @throws UsageException if the run does not exist
     */
    public Report run(String runId, @Nullable String baseline) {
        StoredRun run = completed(runId);
        String before = baseline == null ? runBefore(run) : completed(baseline).runId();
        return new Report(lake.root(), Instant.now(), version, List.of(), List.of(read(run, before, trendOf(run))));
    }

    private HistoryTrend trendOf(StoredRun run) {
        Map<String, List<RunLine>> byHistory = runsByHistory();
        byHistory.keySet().retainAll(Set.of(run.historyId()));
        return trends(byHistory, List.of()).get(0);
    }

    /**
     * Reads the whole lake: the runs of all histories, and the latest run of each up to a limit, worst first.
     *
     * @param baseline the run to compare with, where the lake has one history; null for the previous run
     * @throws UsageException if the lake has no complete run
     */
    public Report lake(@Nullable String baseline) {
        Map<String, List<RunLine>> byHistory = runsByHistory();
        if (byHistory.isEmpty()) {
            throw new UsageException("no complete run: lake=" + lake.root() + "; "
                    + CommandHint.of("check", "--lake", lake.root(), "HISTORY") + " writes one");
        }
        if (baseline != null && byHistory.size() > 1) {
            throw new UsageException("one baseline for several histories: baseline=" + baseline + " histories="
                    + byHistory.size() + "; name the run to compare with --run");
        }
        List<String> shown = chooseShown(byHistory);
        boolean isOfOneRun = byHistory.values().stream().mapToInt(List::size).sum() == 1;
        if (isOfOneRun) {
            return run(shown.get(0), baseline);
        }
        List<HistoryTrend> trends = trends(byHistory, shown);
        List<RunReport> reports = new ArrayList<>();
        for (String runId : shown) {
            StoredRun run = completed(runId);
            reports.add(read(
                    run, baseline == null ? runBefore(run) : completed(baseline).runId(), null));
        }
        return new Report(lake.root(), Instant.now(), version, trends, reports);
    }

    /** Reads a summary of every history's runs, without any run in full; empty for a lake without runs. */
    public Report overview() {
        return new Report(lake.root(), Instant.now(), version, trends(runsByHistory(), List.of()), List.of());
    }

    /** A run in the overview. */
    private record RunLine(
            String runId, String historyId, String historyUri, String verdict, String finishedAt, String startedAt) {}

    /** A name and its number of occurrences. */
    private record Count(String name, long n) {}

    /** Returns the complete runs of each history, oldest first. */
    private Map<String, List<RunLine>> runsByHistory() {
        session.restrictTo((Set<String>) null);
        Map<String, List<RunLine>> byHistory = new LinkedHashMap<>();
        for (RunLine run : StoredRows.read(
                session,
                RunLine.class,
                "SELECT run_id, history_id, history_uri, verdict, finished_at, started_at FROM runs"
                        + " ORDER BY started_at, run_id")) {
            byHistory
                    .computeIfAbsent(run.historyId(), absent -> new ArrayList<>())
                    .add(run);
        }
        return byHistory;
    }

    /** Returns the histories, worst first, then latest first. */
    private List<HistoryTrend> trends(Map<String, List<RunLine>> byHistory, List<String> shown) {
        Map<String, Long> anomaliesOf = anomaliesOf(byHistory);
        Map<String, Long> newOf = newOf(byHistory);
        List<HistoryTrend> trends = new ArrayList<>();
        byHistory.forEach((historyId, ofHistory) -> trends.add(trend(historyId, ofHistory, anomaliesOf, newOf, shown)));
        trends.sort((one, other) -> {
            int worse = Integer.compare(
                    badness(other.latest().verdict()), badness(one.latest().verdict()));
            return worse != 0
                    ? worse
                    : other.latest().finishedAt().compareTo(one.latest().finishedAt());
        });
        return trends.subList(0, Math.min(MAX_HISTORIES, trends.size()));
    }

    private StoredRun completed(String runId) {
        return lake.completedRun(runId)
                .orElseThrow(() -> new UsageException("no such run: run-id=" + runId + " lake=" + lake.root()));
    }

    /** Returns the previous run of the same history, or null. */
    private @Nullable String runBefore(StoredRun run) {
        session.restrictTo((Set<String>) null);
        List<String> before = session.strings("SELECT run_id FROM runs WHERE history_id = "
                + AnomalyLookup.literal(run.historyId()) + " AND (started_at, run_id) < (SELECT (started_at, run_id)"
                + " FROM runs WHERE run_id = " + AnomalyLookup.literal(run.runId())
                + ") ORDER BY started_at DESC, run_id DESC LIMIT 1");
        return before.isEmpty() ? null : before.get(0);
    }

    /** Returns the number of anomalies of each run in the overview; the count of a level if the tables lack some. */
    private Map<String, Long> anomaliesOf(Map<String, List<RunLine>> byHistory) {
        Set<String> counted = new HashSet<>();
        byHistory.values().stream().limit(MAX_HISTORIES).forEach(ofHistory -> ofHistory
                .subList(Math.max(0, ofHistory.size() - MAX_TREND_RUNS), ofHistory.size())
                .forEach(run -> counted.add(run.runId())));
        session.restrictTo(counted);
        return counts("SELECT run_id AS name, max(n) AS n FROM ("
                + "SELECT run_id, count(*) FILTER (" + IS_FAULT + ") AS n FROM anomalies GROUP BY run_id"
                + " UNION ALL SELECT run_id, max(anomaly_count) FROM level_verdicts WHERE run_id IN"
                + " (SELECT run_id FROM lint_findings WHERE rule_id = '" + LintRule.TABLE_CUT.id()
                + "') GROUP BY run_id)"
                + " GROUP BY run_id");
    }

    /** Returns the number of new anomalies in each history's latest run, where a previous run exists. */
    private Map<String, Long> newOf(Map<String, List<RunLine>> byHistory) {
        Set<String> lastTwo = new HashSet<>();
        byHistory.values().forEach(ofHistory -> ofHistory
                .subList(Math.max(0, ofHistory.size() - 2), ofHistory.size())
                .forEach(run -> lastTwo.add(run.runId())));
        session.restrictTo(lastTwo);
        return counts(
                "SELECT latest.run_id AS name, (SELECT count(*) FROM v_new_anomalies n WHERE n.run_id = latest.run_id) AS n"
                        + " FROM v_latest_run latest WHERE (SELECT count(*) FROM runs r WHERE r.history_id ="
                        + " latest.history_id) > 1");
    }

    private Map<String, Long> counts(String sql) {
        Map<String, Long> counts = new HashMap<>();
        StoredRows.read(session, Count.class, sql).forEach(count -> counts.put(count.name(), count.n()));
        return counts;
    }

    /** Returns the latest run of each history, worst first, then latest first. */
    private static List<String> chooseShown(Map<String, List<RunLine>> byHistory) {
        return byHistory.values().stream()
                .map(ofHistory -> ofHistory.get(ofHistory.size() - 1))
                .sorted((one, other) -> {
                    int worse = Integer.compare(badness(other.verdict()), badness(one.verdict()));
                    return worse != 0 ? worse : other.startedAt().compareTo(one.startedAt());
                })
                .limit(MAX_RUNS)
                .map(RunLine::runId)
                .toList();
    }

    private static int badness(String verdict) {
        return verdict.equals("violated") ? 2 : verdict.equals("holds") ? 0 : 1;
    }

    private static HistoryTrend trend(
            String historyId,
            List<RunLine> runs,
            Map<String, Long> anomaliesOf,
            Map<String, Long> newOf,
            List<String> shown) {
        List<HistoryTrend.Run> latest = new ArrayList<>();
        for (RunLine run : runs.subList(Math.max(0, runs.size() - MAX_TREND_RUNS), runs.size())) {
            latest.add(new HistoryTrend.Run(
                    run.runId(), run.verdict(), run.finishedAt(), anomaliesOf.getOrDefault(run.runId(), 0L)));
        }
        String last = latest.get(latest.size() - 1).runId();
        return new HistoryTrend(
                historyId,
                runs.get(runs.size() - 1).historyUri(),
                latest,
                runs.size(),
                newOf.get(last),
                shown.contains(last));
    }

    // ---------------------------------------------------------------- one run

    /**
     * Numbers of anomalies of a kind.
     *
     * @param firstN number of first reports that rule out a level
     * @param newFirstN number of new anomalies among the first reports
     */
    private record RowCounts(long n, long newN, long firstN, long newFirstN) {}

    /** Anomalies of one type, pattern and level. */
    private record Kind(
            String anomalyType,
            @Nullable String pattern,
            @Nullable String observedOrigin,
            @Nullable String levelViolated,
            RowCounts counts,
            long keys,
            AnomalyGroup.Span span) {

        /** Returns the condition that selects the rows of this kind. */
        String condition() {
            return " WHERE anomaly_type = " + AnomalyLookup.literal(anomalyType) + same("pattern", pattern)
                    + same("observed_origin", observedOrigin) + same("level_violated", levelViolated);
        }

        private static String same(String column, @Nullable String value) {
            return " AND " + column + (value == null ? " IS NULL" : " = " + AnomalyLookup.literal(value));
        }
    }

    private RunReport read(StoredRun run, @Nullable String baseline, @Nullable HistoryTrend trend) {
        Set<String> both = new HashSet<>(Set.of(run.runId()));
        if (baseline != null) {
            both.add(baseline);
        }
        session.restrictTo(both);
        String here = "run_id = " + AnomalyLookup.literal(run.runId());
        String isNew = baseline == null
                ? "false"
                : "(" + isComparable(changedSince(run, baseline))
                        + " AND fingerprint IS NOT NULL AND fingerprint NOT IN (SELECT fingerprint FROM anomalies WHERE"
                        + " fingerprint IS NOT NULL AND run_id = " + AnomalyLookup.literal(baseline) + "))";
        String anomalies = "(SELECT *, " + isNew + " AS is_new FROM anomalies WHERE " + here + ")";
        RunResult.ListedAnomaly firstAnomaly = run.result().firstAnomaly();
        String first = firstAnomaly == null ? "''" : AnomalyLookup.literal(firstAnomaly.id());
        List<Kind> kinds = StoredRows.read(
                session,
                Kind.class,
                "SELECT anomaly_type, pattern, observed_origin, level_violated, count(*) AS n, count(*) FILTER (is_new) AS new_n,"
                        + " count(*) FILTER (" + IS_FAULT + ") AS first_n,"
                        + " count(*) FILTER (is_new AND " + IS_FAULT + ") AS new_first_n,"
                        + " count(DISTINCT object_key) AS keys, min(min_commit_ts) AS first,"
                        + " max(max_commit_ts) AS last FROM " + anomalies
                        + " GROUP BY anomaly_type, pattern, observed_origin, level_violated ORDER BY count(*) FILTER (anomaly_id = "
                        + first + ") = 0,"
                        + " level_violated IS NULL, first_n = 0, new_n = 0,"
                        + " list_position(" + WEAK_TO_STRONG
                        + ", level_violated), n DESC, anomaly_type, pattern, observed_origin");
        Baseline before = baseline == null ? null : baseline(run, baseline);
        long rows = kinds.stream().mapToLong(kind -> kind.counts().n()).sum();
        long faults = kinds.stream().mapToLong(kind -> kind.counts().firstN()).sum();
        long newFaults =
                kinds.stream().mapToLong(kind -> kind.counts().newFirstN()).sum();
        AnomalyGroup.Counts counts = new AnomalyGroup.Counts(rows, faults, before == null ? null : newFaults);
        List<AnomalyGroup> groups = new ArrayList<>();
        int shown = 0;
        for (Kind kind : kinds.subList(0, Math.min(MAX_GROUPS, kinds.size()))) {
            AnomalyGroup group =
                    group(run, kind, before != null, anomalies, first, Math.min(MAX_SHOWN_OF_GROUP, MAX_SHOWN - shown));
            shown += group.shown().shown().size();
            groups.add(group);
        }
        SmallTables smallTables = smallTables(here);
        HistoryView view =
                looksAtHistories ? HistoryView.at(run) : HistoryView.without("The history was not read again.");
        AnomalyMap map = AnomalyMap.read(session, run.runId(), view.shape());
        return new RunReport(run, before, counts, groups, smallTables, view, map, trend);
    }

    /** Returns the levels for which a run and its baseline used different definitions. */
    private Set<IsolationLevel> changedSince(StoredRun run, String baseline) {
        return LevelDefinitions.changedBetween(List.of(completed(baseline)), List.of(run));
    }

    private static String isComparable(Set<IsolationLevel> changed) {
        StringJoiner names = new StringJoiner(",", "(level_violated IS NULL OR level_violated NOT IN (", "))");
        names.add("''");
        changed.forEach(level -> names.add("'" + level.longName() + "'"));
        return names.toString();
    }

    private Baseline baseline(StoredRun run, String baseline) {
        String gone = " FROM anomalies WHERE " + IS_FAULT + " AND " + isComparable(changedSince(run, baseline))
                + " AND run_id = "
                + AnomalyLookup.literal(baseline)
                + " AND fingerprint NOT IN (SELECT fingerprint FROM anomalies WHERE fingerprint IS NOT NULL AND run_id = "
                + AnomalyLookup.literal(run.runId()) + ")";
        long goneCount = StoredRows.read(
                        session, Count.class, "SELECT NULL AS name, count(DISTINCT fingerprint) AS n" + gone)
                .get(0)
                .n();
        List<LakeRow.Anomaly> listed = StoredRows.read(
                session,
                LakeRow.Anomaly.class,
                "SELECT *" + gone
                        + " QUALIFY row_number() OVER (PARTITION BY fingerprint ORDER BY anomaly_id) = 1 ORDER BY list_position("
                        + WEAK_TO_STRONG + ", level_violated), anomaly_type, object_key, anomaly_id LIMIT " + MAX_GONE);
        RunResult before = completed(baseline).result();
        boolean isAlike = before.levels().keySet().equals(run.result().levels().keySet())
                && String.valueOf(before.evidence()).equals(run.result().evidence())
                && changedSince(run, baseline).isEmpty();
        return new Baseline(baseline, completed(baseline).facts().finishedAt().toString(), goneCount, listed, isAlike);
    }

    private record Listed(LakeRow.Anomaly anomaly, boolean isNew) {}

    private AnomalyGroup group(
            StoredRun run, Kind kind, boolean isCompared, String anomalies, String firstAnomaly, int maxShown) {
        String of = kind.condition();
        List<LakeRow.Anomaly> listed = new ArrayList<>();
        Set<String> newIds = new HashSet<>();
        for (Listed row : StoredRows.read(
                session,
                Listed.class,
                "SELECT * FROM " + anomalies + of + " ORDER BY anomaly_id <> " + firstAnomaly + EASIEST_FIRST
                        + " LIMIT " + MAX_LISTED_OF_GROUP)) {
            listed.add(row.anomaly());
            if (row.isNew()) {
                newIds.add(row.anomaly().id().anomalyId());
            }
        }
        List<LakeRow.Anomaly> first = listed.subList(0, Math.min(maxShown, listed.size()));
        String ids = first.isEmpty()
                ? "NULL"
                : first.stream()
                        .map(row -> AnomalyLookup.literal(row.id().anomalyId()))
                        .collect(Collectors.joining(", "));
        String where = " WHERE run_id = " + AnomalyLookup.literal(run.runId()) + " AND anomaly_id IN (" + ids + ")";
        Map<String, List<LakeRow.AnomalyTxn>> txns = StoredRows.read(
                        session,
                        LakeRow.AnomalyTxn.class,
                        "SELECT * FROM anomaly_txns" + where + " ORDER BY anomaly_id, txn_seq")
                .stream()
                .collect(Collectors.groupingBy(txn -> txn.anomaly().anomalyId()));
        Map<String, List<LakeRow.AnomalyEdge>> edges = StoredRows.read(
                        session,
                        LakeRow.AnomalyEdge.class,
                        "SELECT * FROM anomaly_edges" + where + " ORDER BY anomaly_id, edge_seq")
                .stream()
                .collect(Collectors.groupingBy(edge -> edge.anomaly().anomalyId()));
        List<StoredAnomaly> shown = new ArrayList<>();
        for (LakeRow.Anomaly row : first) {
            String id = row.id().anomalyId();
            shown.add(new StoredAnomaly(
                    row,
                    txns.getOrDefault(id, List.of()),
                    edges.getOrDefault(id, List.of()),
                    run.facts().historyUri(),
                    run.facts().finishedAt().toString(),
                    1));
        }
        return new AnomalyGroup(
                new AnomalyGroup.Kind(kind.anomalyType(), kind.pattern(), kind.observedOrigin(), kind.levelViolated()),
                new AnomalyGroup.Counts(
                        kind.counts().n(),
                        kind.counts().firstN(),
                        isCompared ? kind.counts().newN() : null),
                often("SELECT object_key AS name, count(*) AS n FROM " + anomalies + of
                        + " AND object_key IS NOT NULL GROUP BY object_key ORDER BY n DESC, name LIMIT " + MAX_OFTEN),
                kind.keys(),
                kind.span(),
                often("SELECT t.session_id AS name, count(DISTINCT t.anomaly_id) AS n FROM anomaly_txns t WHERE"
                        + " t.run_id = " + AnomalyLookup.literal(run.runId()) + " AND t.session_id IS NOT NULL AND"
                        + " t.anomaly_id IN (SELECT anomaly_id FROM " + anomalies + of
                        + ") GROUP BY t.session_id ORDER BY n DESC, name LIMIT " + MAX_OFTEN),
                new AnomalyGroup.Shown(shown, listed, newIds));
    }

    private List<Often> often(String sql) {
        return StoredRows.read(session, Count.class, sql).stream()
                .map(count -> new Often(count.name(), count.n()))
                .toList();
    }

    private SmallTables smallTables(String here) {
        return new SmallTables(
                StoredRows.read(
                        session,
                        LakeRow.LintFinding.class,
                        "SELECT * FROM lint_findings WHERE " + here + " ORDER BY CASE severity WHEN 'error' THEN 0"
                                + " WHEN 'warning' THEN 1 ELSE 2 END, rule_id"),
                StoredRows.read(
                        session,
                        LakeRow.DeadLetter.class,
                        "SELECT * FROM dead_letters WHERE " + here + " ORDER BY source_file, source_row LIMIT "
                                + MAX_DEAD_LETTERS),
                count("dead_letters", here),
                StoredRows.read(
                        session,
                        LakeRow.Component.class,
                        "SELECT * FROM components WHERE " + here + " ORDER BY txn_count DESC, component_id LIMIT "
                                + MAX_COMPONENTS),
                count("components", here),
                StoredRows.read(session, LakeRow.Stage.class, "SELECT * FROM stages WHERE " + here));
    }

    private long count(String table, String here) {
        return StoredRows.read(
                        session, Count.class, "SELECT NULL AS name, count(*) AS n FROM " + table + " WHERE " + here)
                .get(0)
                .n();
    }
}
