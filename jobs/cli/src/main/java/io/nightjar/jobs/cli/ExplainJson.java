package io.nightjar.jobs.cli;

import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.CellText;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** The facts of {@link ExplainPage}, uncut, as one JSON object on one line. */
final class ExplainJson {

    private ExplainJson() {}

    static String write(StoredAnomaly anomaly) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("schema", 1L);
        facts.putAll(StoredRows.cells(anomaly.row()));
        facts.put("history_uri", anomaly.history());
        facts.put("finished_at", anomaly.finishedAt());
        facts.put("run_count", anomaly.runCount());
        facts.put("title", anomaly.row().title());
        facts.put("rule", anomaly.rule());
        facts.put("definition", anomaly.definition());
        facts.put(
                "transactions",
                anomaly.txns().stream().map(txn -> cells(anomaly, txn)).toList());
        facts.put("edges", anomaly.edges().stream().map(StoredRows::cells).toList());
        facts.put("sql", anomaly.tableQuery());
        facts.put("history_sql", anomaly.historyQuery());
        return CellText.text(facts);
    }

    private static Map<String, Object> cells(StoredAnomaly anomaly, LakeRow.AnomalyTxn txn) {
        Map<String, Object> cells = new LinkedHashMap<>(StoredRows.cells(txn));
        cells.put("at_fault", anomaly.row().blames(txn));
        return cells;
    }
}
