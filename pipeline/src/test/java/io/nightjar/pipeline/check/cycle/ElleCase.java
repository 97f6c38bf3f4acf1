package io.nightjar.pipeline.check.cycle;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** A history that Elle has judged: what it was asked and what it answered. */
record ElleCase(
        String file,
        String model,
        String models,
        EnumSet<VersionSource> sources,
        boolean isGivenAnOrder,
        String valid,
        List<String> anomalies) {

    /** Elle's names for levels, where ours mean something else or are spelled differently. */
    private static final Map<String, IsolationLevel> LEVELS = Map.of(
            "read-uncommitted", IsolationLevel.PL_1,
            "read-committed", IsolationLevel.PL_2,
            "repeatable-read", IsolationLevel.PL_2_99,
            "snapshot-isolation", IsolationLevel.PL_SI,
            "serializable", IsolationLevel.PL_3);

    static List<ElleCase> all() throws IOException {
        List<ElleCase> cases = new ArrayList<>();
        for (Map<String, Object> example : PublishedCases.of("elle-verdicts.json")) {
            cases.add(of(example));
        }
        return cases;
    }

    @SuppressWarnings("unchecked")
    private static ElleCase of(Map<String, Object> json) {
        Map<String, Object> options = (Map<String, Object>) json.get("options");
        Map<String, Object> expected = (Map<String, Object>) json.get("expected");
        List<Object> models = (List<Object>) options.get("consistency-models");
        EnumSet<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        if (options.containsKey("wfr-keys?")) {
            sources.add(VersionSource.WRITES_FOLLOW_READS);
        }
        if (options.containsKey("sequential-keys?")) {
            sources.add(VersionSource.SESSION);
        }
        if (options.containsKey("linearizable-keys?")) {
            sources.add(VersionSource.REALTIME);
        }
        return new ElleCase(
                (String) json.get("file"),
                (String) json.get("model"),
                models == null
                        ? options.containsKey("anomalies") ? null : "strict-serializable"
                        : (String) models.get(0),
                sources,
                options.containsKey("transaction-order"),
                String.valueOf(expected.get("valid")),
                strings(expected.get("anomalies")));
    }

    private static List<String> strings(Object list) {
        List<String> strings = new ArrayList<>();
        if (list != null) {
            ((List<?>) list).forEach(item -> strings.add((String) item));
        }
        return strings;
    }

    /** The level that Elle was asked for; null if it was asked for single anomalies. */
    IsolationLevel level() {
        return models == null ? null : LEVELS.getOrDefault(models, IsolationLevel.byName(models));
    }

    OperationLog log() throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(null);
        try (HistorySource source = Histories.open(PublishedCases.at(file), null)) {
            HistoryRows.slices(source, BadRowHandler.REJECT).forEach(builder::add);
        }
        return builder.build();
    }

    @Override
    public String toString() {
        return file + " " + models + " " + sources;
    }
}
