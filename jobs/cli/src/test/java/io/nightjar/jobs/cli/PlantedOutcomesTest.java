package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResultJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One fault in a thousand transactions is found from values, unless another order explains it. */
@Tag(Seeds.TAG)
class PlantedOutcomesTest {

    private static final int HISTORIES = 60;

    private static final List<String> CHECK = List.of(
            "check", "--budget", "20s", "--evidence", "values", "--lake", "none", "--json", "--level", "si,ser,sser");

    @TempDir
    private Path directory;

    /** @param si minimum share of the histories that violate snapshot isolation, in percent, and likewise of the others */
    @ParameterizedTest
    @CsvSource({
        "ranges, 500, row-left-out, 45, 45, 93",
        "ranges, 500, predicate-write-skew, 0, 60, 61",
        "ranges, 500, stale-row, 65, 70, 93",
        "counters, 300, lost-increment, 80, 80, 80",
        "cas, 300, double-cas, 85, 85, 95",
        "kv, 300, resurrected-row, 65, 70, 85",
        "sets, 60, left-over-element, 75, 78, 85",
    })
    void faultIsFound(String workload, String keys, String fault, int si, int ser, int sser) {
        List<String> arguments = new ArrayList<>(CHECK);
        long[] seeds = Seeds.upTo(HISTORIES);
        for (long seed : seeds) {
            String history = directory.resolve("h" + seed + ".jsonl").toString();
            List<String> generate = new ArrayList<>(List.of("generate", history, "--workload", workload));
            generate.addAll(List.of("--transactions", "1000", "--sessions", "20", "--ops", "8", "--store", "ser"));
            generate.addAll(List.of("--keys", keys, "--fault", fault + "=1", "--seed", Long.toString(seed)));
            assertThat(CommandRun.of(generate.toArray(String[]::new)).code()).isZero();
            arguments.add(history);
        }
        Map<IsolationLevel, Integer> violated = new EnumMap<>(IsolationLevel.class);
        for (String line :
                CommandRun.of(arguments.toArray(String[]::new)).out().lines().toList()) {
            RunResultJson.read(line)
                    .levels()
                    .forEach((level, found) ->
                            violated.merge(level, found.verdict() == Verdict.VIOLATED ? 100 : 0, Integer::sum));
        }

        assertThat(violated).hasSize(3);
        if (seeds.length >= HISTORIES / 3) {
            assertThat(violated.get(IsolationLevel.SNAPSHOT_ISOLATION)).isGreaterThanOrEqualTo(si * seeds.length);
            assertThat(violated.get(IsolationLevel.SERIALIZABLE)).isGreaterThanOrEqualTo(ser * seeds.length);
            assertThat(violated.get(IsolationLevel.STRICT_SERIALIZABLE)).isGreaterThanOrEqualTo(sser * seeds.length);
        }
    }
}
