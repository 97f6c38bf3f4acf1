package io.nightjar.pipeline.check.commitorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.registry.Histories;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What other tools agree on about histories of real databases. */
class PublishedHistoriesTest {

    private static final Map<String, String> FORMATS = Map.of(
            "dbcop-bincode-2019", "dbcop",
            "plume", "plume",
            "awdit-test", "awdit",
            "dbcop-hist", "hist",
            "cobra", "cobra",
            "see files", "dbcop");

    @Test
    void verdictsAreThoseOfOtherTools() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
            String format = FORMATS.get(JsonTree.<String>at(known, "format"));
            Map<String, Boolean> verdicts = JsonTree.at(known, "verdict");
            Map<IsolationLevel, Boolean> expected = new TreeMap<>();
            for (String level : List.of("pc", "si", "ser")) {
                if (verdicts.containsKey(level)) {
                    expected.put(IsolationLevel.byName(level), verdicts.get(level));
                }
            }
            if (format != null && !expected.isEmpty()) {
                compare(PublishedCases.at(JsonTree.at(known, "path")), format, expected, differences);
                compared++;
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(100);
    }

    private static void compare(
            Path path, String format, Map<IsolationLevel, Boolean> expected, List<String> differences)
            throws IOException {
        ReadInference inference = read(path, format);
        ClientHistory history = inference.history();
        for (Map.Entry<IsolationLevel, Boolean> level : expected.entrySet()) {
            LevelAnswer answer = new OrderChecker(history, Budget.unlimited(), false).decide(level.getKey());
            boolean holds = inference.faultyReads() == 0 && answer.verdict() == Verdict.HOLDS;
            if (holds != level.getValue()) {
                differences.add(path + " " + level + " " + answer.verdict());
            }
            if (answer.verdict() == Verdict.HOLDS) {
                assertThat(WitnessAxioms.fault(history, level.getKey(), answer.witness()))
                        .as("%s %s", path, level)
                        .isNull();
            }
        }
    }

    static ReadInference read(Path path, String format) throws IOException {
        try (HistorySource source = Histories.open(path, format)) {
            OperationLogBuilder log = new OperationLogBuilder(source.impliedInitialValue());
            HistoryRows.slices(source, BadRowHandler.REJECT).forEach(log::add);
            return new ReadInference(ReadResolution.of(log.build()), true, false).run();
        }
    }
}
