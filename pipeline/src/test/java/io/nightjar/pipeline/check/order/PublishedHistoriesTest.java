package io.nightjar.pipeline.check.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.source.Histories;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What other tools agree on about histories of real databases. */
class PublishedHistoriesTest {

    private static final Path CASES = Path.of("../../shared/cases"); // from the module's folder
    private static final Pattern CASE =
            Pattern.compile("\"path\": \"([^\"]+)\",\\s*\"format\": \"([^\"]+)\",\\s*\"verdict\": \\{([^}]*)\\}");
    private static final Pattern LEVEL = Pattern.compile("\"(pc|si|ser)\": (true|false)");
    private static final Map<String, String> FORMATS = Map.of(
            "dbcop-bincode-2019", "dbcop",
            "plume", "plume",
            "awdit-test", "awdit",
            "dbcop-hist", "hist",
            "cobra", "cobra",
            "see files", "dbcop");

    @Test
    void verdictsAreThoseOfOtherTools() throws IOException {
        assumeThat(CASES.resolve("verdicts.json"))
                .as("shared cases are missing")
                .exists();
        Matcher cases = CASE.matcher(Files.readString(CASES.resolve("verdicts.json")));
        List<String> differences = new ArrayList<>();
        int compared = 0;
        while (cases.find()) {
            String format = FORMATS.get(cases.group(2));
            Map<IsolationLevel, Boolean> expected = new TreeMap<>();
            Matcher levels = LEVEL.matcher(cases.group(3));
            while (levels.find()) {
                expected.put(IsolationLevel.byName(levels.group(1)), Boolean.valueOf(levels.group(2)));
            }
            if (format != null && !expected.isEmpty()) {
                compare(CASES.resolve(cases.group(1)), format, expected, differences);
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
            boolean holds = inference.faultCounts().isEmpty() && answer.verdict() == Verdict.HOLDS;
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
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, EnumSet.allOf(Column.class), BadRows.REJECT)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        log.add(slice);
                    }
                }
            }
            return new ReadInference(log.build(), true, false, 100).run();
        }
    }
}
