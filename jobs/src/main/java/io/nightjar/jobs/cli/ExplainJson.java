package io.nightjar.jobs.cli;

import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.AnomalyLookup.Evidence;
import io.nightjar.jobs.sql.RowJson;
import io.nightjar.jobs.sql.StoredFinding;
import java.util.LinkedHashMap;
import java.util.Map;

/** The facts of {@link ExplainPage}, uncut, as one JSON object on one line. */
final class ExplainJson {

    private ExplainJson() {}

    static String write(Evidence evidence) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("schema", 1L);
        facts.putAll(evidence.anomaly());
        facts.put("history_uri", evidence.history());
        facts.put("finished_at", evidence.finishedAt());
        facts.put("run_count", evidence.runCount());
        facts.put("rule", StoredFinding.ruleOf(evidence));
        facts.put("transactions", evidence.txns());
        facts.put("edges", evidence.edges());
        facts.put("sql", AnomalyLookup.tableQuery(evidence));
        facts.put("history_sql", AnomalyLookup.historyQuery(evidence));
        return RowJson.write(facts);
    }
}
