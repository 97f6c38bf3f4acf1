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

/** One fault in about a thousand committed transactions is found from values, unless another order explains it. */
@Tag(Seeds.TAG)
class PlantedOutcomesTest {

    private static final int HISTORIES = 60;

    private static final List<String> CHECK = List.of(
            "check", "--budget", "20s", "--evidence", "values", "--lake", "none", "--json", "--level", "si,ser,sser");

    @TempDir
    private Path directory;

    /**
     * The histories in which a fault is not found hold: an order was replayed that explains it.
     *
     * @param more further options of the generator
     * @param si minimum share of the histories that violate snapshot isolation, in percent, and likewise of the others
     */
    @ParameterizedTest
    @CsvSource({
        "ranges, 500, --transactions 3000 --values 50, row-left-out, 90, 93, 93",
        "ranges, 500, --transactions 3000 --values 50, predicate-write-skew, 0, 60, 61",
        "ranges, 500, --transactions 3000 --values 50, stale-row, 82, 88, 93",
        "counters, 300, --transactions 1000, lost-increment, 80, 80, 80",
        "cas, 100, --transactions 1000, double-cas, 90, 93, 96",
        "kv, 300, --transactions 1000, resurrected-row, 75, 78, 85",
        "sets, 60, --transactions 1000, left-over-element, 80, 85, 90",
    })
    void faultIsFound(String workload, String keys, String more, String fault, int si, int ser, int sser) {
        List<String> arguments = new ArrayList<>(CHECK);
        long[] seeds = Seeds.upTo(HISTORIES);
        for (long seed : seeds) {
            String history = directory.resolve("h" + seed + ".jsonl").toString();
            List<String> generate = new ArrayList<>(List.of("generate", history, "--workload", workload));
            generate.addAll(List.of("--sessions", "20", "--ops", "8", "--store", "ser"));
            generate.addAll(List.of(more.split(" ")));
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
