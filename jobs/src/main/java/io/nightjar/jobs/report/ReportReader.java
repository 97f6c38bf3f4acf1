package io.nightjar.jobs.report;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.report.AnomalyGroup.Often;
import io.nightjar.jobs.report.HistoryTrend.Night;
import io.nightjar.jobs.report.RunReport.Baseline;
import io.nightjar.jobs.report.RunReport.SmallTables;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.RowJson;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads from a lake what a page shows, within bounds that keep the page small. One thread at a time. */
public final class ReportReader {

    /** Runs that are shown in full on one page. */
    static final int MAX_RUNS = 12;

    /** Histories of the overview. */
    static final int MAX_HISTORIES = 500;

    static final int MAX_NIGHTS = 30;
    static final int MAX_GROUPS = 40;

    /** Anomalies of a group that are told in full, and of a run. */
    static final int MAX_TOLD_OF_GROUP = 4;

    static final int MAX_TOLD = 48;

    /** Rows of the list of a group, and of a run. */
    static final int MAX_LISTED_OF_GROUP = 250;

    static final int MAX_LISTED = 1_000;

    /** What rules out a weaker level is worse. */
    private static final String WEAK_TO_STRONG = Arrays.stream(IsolationLevel.values())
            .map(level -> "'" + level.longName() + "'")
            .collect(Collectors.joining(", ", "[", "]"));

    private static final int MAX_OFTEN = 5;
    private static final int MAX_DEAD_LETTERS = 20;
    private static final int MAX_COMPONENTS = 10;

    /** Two accounts of one fault are one thing to look at, and the shortest is the easiest to read. */
    private static final String EASIEST_FIRST =
            " ORDER BY is_new DESC, related_anomaly_id IS NOT NULL, txn_count, anomaly_id";

    private final Lake lake;
    private final SqlSession session;
    private final String version;
    private final boolean looksAtHistories;

    /**
     * @param version of who makes the page
     * @param looksAtHistories whether histories are read once more, for plots
     */
    public ReportReader(Lake lake, SqlSession session, String version, boolean looksAtHistories) {
        this.lake = lake;
        this.session = session;
        this.version = version;
        this.looksAtHistories = looksAtHistories;
    }

    /**
     * One run.
     *
     * @param baseline the run to compare it with; null for the one before of the same history
     * @throws UsageException if there is no such run
     */
    public Report run(String runId, String baseline) {
        StoredRun run = completed(runId);
        String before = baseline == null ? runBefore(run) : completed(baseline).runId();
        return new Report(lake.root(), Instant.now(), version, List.of(), List.of(read(run, before)));
    }

    /**
     * The whole lake: every history over the nights, and the latest run of each as far as there is room, the worst first.
     *
     * @param baseline the run to compare with, where there is one history; null for the one before
     * @throws UsageException if the lake has no complete run
     */
    public Report lake(String baseline) {
        Map<String, List<Map<String, Object>>> byHistory = runsByHistory();
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
                    run, baseline == null ? runBefore(run) : completed(baseline).runId()));
        }
        return new Report(lake.root(), Instant.now(), version, trends, reports);
    }

    /** Every history over the nights, and no run in full; of a lake without runs nothing. */
    public Report overview() {
        return new Report(lake.root(), Instant.now(), version, trends(runsByHistory(), List.of()), List.of());
    }

    /** The complete runs of each history, the oldest first. */
    private Map<String, List<Map<String, Object>>> runsByHistory() {
        session.restrictTo((Set<String>) null);
        Map<String, List<Map<String, Object>>> byHistory = new LinkedHashMap<>();
        for (Map<String, Object> run :
                session.rows("SELECT run_id, history_id, history_uri, verdict, finished_at, started_at FROM runs"
                        + " ORDER BY started_at, run_id")) {
            byHistory
                    .computeIfAbsent(text(run, "history_id"), absent -> new ArrayList<>())
                    .add(run);
        }
        return byHistory;
    }

    /** The worst first, then the latest. */
    private List<HistoryTrend> trends(Map<String, List<Map<String, Object>>> byHistory, List<String> shown) {
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

    /** The one before of the same history, or null. */
    private String runBefore(StoredRun run) {
        session.restrictTo((Set<String>) null);
        List<Map<String, Object>> before = session.rows("SELECT run_id FROM runs WHERE history_id = "
                + AnomalyLookup.literal(run.historyId()) + " AND (started_at, run_id) < (SELECT (started_at, run_id)"
                + " FROM runs WHERE run_id = " + AnomalyLookup.literal(run.runId())
                + ") ORDER BY started_at DESC, run_id DESC LIMIT 1");
        return before.isEmpty() ? null : text(before.get(0), "run_id");
    }

    /** How many anomalies the runs have that the overview shows. */
    private Map<String, Long> anomaliesOf(Map<String, List<Map<String, Object>>> byHistory) {
        Set<String> nights = new HashSet<>();
        byHistory.values().stream().limit(MAX_HISTORIES).forEach(ofHistory -> ofHistory
                .subList(Math.max(0, ofHistory.size() - MAX_NIGHTS), ofHistory.size())
                .forEach(run -> nights.add(text(run, "run_id"))));
        session.restrictTo(nights);
        return counts("SELECT run_id AS name, count(*) AS n FROM anomalies GROUP BY run_id");
    }

    /** How many anomalies of each history's latest run are new, where there was one before. */
    private Map<String, Long> newOf(Map<String, List<Map<String, Object>>> byHistory) {
        Set<String> lastTwo = new HashSet<>();
        byHistory.values().forEach(ofHistory -> ofHistory
                .subList(Math.max(0, ofHistory.size() - 2), ofHistory.size())
                .forEach(run -> lastTwo.add(text(run, "run_id"))));
        session.restrictTo(lastTwo);
        Map<String, Long> counts = new HashMap<>();
        for (Map<String, Object> row : session.rows(
                "SELECT latest.run_id AS name, (SELECT count(*) FROM v_new_anomalies n WHERE n.run_id = latest.run_id) AS n"
                        + " FROM v_latest_run latest WHERE (SELECT count(*) FROM runs r WHERE r.history_id ="
                        + " latest.history_id) > 1")) {
            counts.put(text(row, "name"), number(row, "n"));
        }
        return counts;
    }

    private Map<String, Long> counts(String sql) {
        Map<String, Long> counts = new HashMap<>();
        for (Map<String, Object> row : session.rows(sql)) {
            counts.put(text(row, "name"), number(row, "n"));
        }
        return counts;
    }

    /** The latest run of each history, the worst first, then the latest. */
    private static List<String> chooseShown(Map<String, List<Map<String, Object>>> byHistory) {
        return byHistory.values().stream()
                .map(ofHistory -> ofHistory.get(ofHistory.size() - 1))
                .sorted((one, other) -> {
                    int worse = Integer.compare(badness(text(other, "verdict")), badness(text(one, "verdict")));
                    return worse != 0 ? worse : text(other, "started_at").compareTo(text(one, "started_at"));
                })
                .limit(MAX_RUNS)
                .map(run -> text(run, "run_id"))
                .toList();
    }

    private static int badness(String verdict) {
        return verdict.equals("violated") ? 2 : verdict.equals("holds") ? 0 : 1;
    }

    private static HistoryTrend trend(
            String historyId,
            List<Map<String, Object>> runs,
            Map<String, Long> anomaliesOf,
            Map<String, Long> newOf,
            List<String> shown) {
        List<Night> nights = new ArrayList<>();
        for (Map<String, Object> run : runs.subList(Math.max(0, runs.size() - MAX_NIGHTS), runs.size())) {
            String runId = text(run, "run_id");
            nights.add(new Night(
                    runId, text(run, "verdict"), text(run, "finished_at"), anomaliesOf.getOrDefault(runId, 0L)));
        }
        String latest = nights.get(nights.size() - 1).runId();
        return new HistoryTrend(
                historyId,
                text(runs.get(runs.size() - 1), "history_uri"),
                nights,
                runs.size(),
                newOf.get(latest),
                shown.contains(latest));
    }

    // ---------------------------------------------------------------- one run

    private RunReport read(StoredRun run, String baseline) {
        Set<String> both = new HashSet<>(Set.of(run.runId()));
        if (baseline != null) {
            both.add(baseline);
        }
        session.restrictTo(both);
        String here = "run_id = " + AnomalyLookup.literal(run.runId());
        String isNew = baseline == null
                ? "false"
                : "(fingerprint IS NOT NULL AND fingerprint NOT IN (SELECT fingerprint FROM anomalies WHERE"
                        + " fingerprint IS NOT NULL AND run_id = " + AnomalyLookup.literal(baseline) + "))";
        String anomalies = "(SELECT *, " + isNew + " AS is_new FROM anomalies WHERE " + here + ")";
        List<Map<String, Object>> kinds = session.rows(
                "SELECT anomaly_type, pattern, level_violated, count(*) AS n, count(*) FILTER (is_new) AS new_n,"
                        + " min(txn_count) AS smallest, count(*) FILTER (related_anomaly_id IS NULL) AS first_n"
                        + " FROM " + anomalies
                        + " GROUP BY anomaly_type, pattern, level_violated ORDER BY level_violated IS NULL, first_n = 0, new_n = 0,"
                        + " list_position(" + WEAK_TO_STRONG + ", level_violated), n DESC, anomaly_type, pattern");
        Baseline before = baseline == null ? null : baseline(run, baseline);
        long count = kinds.stream().mapToLong(kind -> number(kind, "n")).sum();
        long newCount = kinds.stream().mapToLong(kind -> number(kind, "new_n")).sum();
        List<AnomalyGroup> groups = new ArrayList<>();
        int told = 0;
        int listed = 0;
        for (Map<String, Object> kind : kinds.subList(0, Math.min(MAX_GROUPS, kinds.size()))) {
            AnomalyGroup group = group(
                    run,
                    kind,
                    before != null,
                    anomalies,
                    Math.min(MAX_TOLD_OF_GROUP, Math.max(1, MAX_TOLD - told)),
                    Math.min(MAX_LISTED_OF_GROUP, Math.max(MAX_TOLD_OF_GROUP, MAX_LISTED - listed)));
            told += group.told().size();
            listed += group.listed().size();
            groups.add(group);
        }
        SmallTables rows = smallTables(here);
        HistoryLook look =
                looksAtHistories ? HistoryLook.at(run) : HistoryLook.without("The history was not looked at again.");
        return new RunReport(run, before, count, before == null ? null : newCount, groups, rows, look);
    }

    private Baseline baseline(StoredRun run, String baseline) {
        Map<String, Object> row = session.rows("SELECT finished_at, (SELECT count(DISTINCT fingerprint) FROM anomalies"
                        + " WHERE run_id = " + AnomalyLookup.literal(baseline)
                        + " AND fingerprint NOT IN (SELECT fingerprint FROM anomalies WHERE fingerprint IS NOT NULL AND"
                        + " run_id = " + AnomalyLookup.literal(run.runId()) + ")) AS gone FROM runs WHERE run_id = "
                        + AnomalyLookup.literal(baseline))
                .get(0);
        RunResult before = completed(baseline).result();
        boolean isAlike = before.levels().keySet().equals(run.result().levels().keySet())
                && String.valueOf(before.evidence()).equals(run.result().evidence());
        return new Baseline(baseline, text(row, "finished_at"), number(row, "gone"), isAlike);
    }

    private AnomalyGroup group(
            StoredRun run, Map<String, Object> kind, boolean isCompared, String anomalies, int maxTold, int maxListed) {
        String of = " WHERE anomaly_type = " + AnomalyLookup.literal(text(kind, "anomaly_type")) + same("pattern", kind)
                + same("level_violated", kind);
        List<LakeRow.Anomaly> listed = new ArrayList<>();
        Set<String> newIds = new HashSet<>();
        for (Map<String, Object> row :
                session.rows("SELECT * FROM " + anomalies + of + EASIEST_FIRST + " LIMIT " + maxListed)) {
            listed.add(StoredRows.of(LakeRow.Anomaly.class, row));
            if (Boolean.TRUE.equals(row.get("is_new"))) {
                newIds.add(text(row, "anomaly_id"));
            }
        }
        List<LakeRow.Anomaly> first = listed.subList(0, Math.min(maxTold, listed.size()));
        String ids = first.stream()
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
        List<StoredAnomaly> told = new ArrayList<>();
        for (LakeRow.Anomaly row : first) {
            String id = row.id().anomalyId();
            told.add(new StoredAnomaly(
                    row,
                    txns.getOrDefault(id, List.of()),
                    edges.getOrDefault(id, List.of()),
                    run.facts().historyUri(),
                    run.facts().finishedAt().toString(),
                    1));
        }
        long count = number(kind, "n");
        return new AnomalyGroup(
                text(kind, "anomaly_type"),
                text(kind, "pattern"),
                text(kind, "level_violated"),
                count,
                isCompared ? number(kind, "new_n") : null,
                often("SELECT object_key AS name, count(*) AS n FROM " + anomalies + of
                        + " AND object_key IS NOT NULL GROUP BY object_key ORDER BY n DESC, name LIMIT " + MAX_OFTEN),
                often("SELECT t.session_id AS name, count(DISTINCT t.anomaly_id) AS n FROM anomaly_txns t WHERE"
                        + " t.run_id = " + AnomalyLookup.literal(run.runId()) + " AND t.session_id IS NOT NULL AND"
                        + " t.anomaly_id IN (SELECT anomaly_id FROM " + anomalies + of
                        + ") GROUP BY t.session_id ORDER BY n DESC, name LIMIT " + MAX_OFTEN),
                told,
                listed,
                newIds);
    }

    private static String same(String column, Map<String, Object> kind) {
        String value = text(kind, column);
        return " AND " + column + (value == null ? " IS NULL" : " = " + AnomalyLookup.literal(value));
    }

    private List<Often> often(String sql) {
        List<Often> often = new ArrayList<>();
        for (Map<String, Object> row : session.rows(sql)) {
            often.add(new Often(text(row, "name"), number(row, "n")));
        }
        return often;
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
        return number(
                session.rows("SELECT count(*) AS n FROM " + table + " WHERE " + here)
                        .get(0),
                "n");
    }

    private static String text(Map<String, Object> row, String column) {
        return RowJson.text(row.get(column));
    }

    private static long number(Map<String, Object> row, String column) {
        return row.get(column) == null ? 0 : ((Number) row.get(column)).longValue();
    }
}
