package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of predicate reads that {@code generate} injects: a check reports exactly the faults in the side file. */
class GeneratedPredicateFaultsTest {

    private static final String AT_ALL_STORES = "row-left-out=2,row-too-many=2,stale-row=2,phantom=2,wrong-aggregate=2";

    @TempDir
    private Path folder;

    private Path generated(String store, String faults, int seed) {
        Path file = folder.resolve(store + seed + (seed % 2 == 0 ? ".jsonl" : ".parquet"));
        List<String> args =
                new ArrayList<>(List.of("generate", file.toString(), "--workload", "ranges", "--store", store));
        args.addAll(List.of("--transactions", "600", "--keys", "40", "--ops", "5", "--sessions", "8", "--quiet"));
        args.addAll(List.of("--seed", String.valueOf(seed)));
        if (faults != null) {
            args.addAll(List.of("--fault", faults));
        }
        CommandRun run = CommandRun.of(args.toArray(new String[0]));
        assertThat(run.code()).as(run.err()).isZero();
        return file;
    }

    private static Map<String, Object> checked(Path file, String levels, String evidence) {
        CommandRun run = CommandRun.of(
                "check", file.toString(), "--json", "--lake", "none", "--level", levels, "--evidence", evidence);
        assertThat(run.err()).isEmpty();
        return JsonTree.object(run.out());
    }

    private static List<String> found(Map<String, Object> result) {
        List<String> found = new ArrayList<>();
        for (Map<String, Object> anomaly : JsonTree.<List<Map<String, Object>>>at(result, "anomalies")) {
            List<Object> txns = JsonTree.at(anomaly, "transactions");
            found.add(anomaly.get("type") + " " + anomaly.get("level") + " " + txns.get(0) + " " + anomaly.get("key"));
        }
        return found;
    }

    private static List<String> listed(Path file, String level) throws IOException {
        List<String> listed = new ArrayList<>();
        for (Map<String, Object> fault : JsonTree.lines(Files.readString(Path.of(file + ".faults.jsonl")))) {
            assertThat(JsonTree.<List<Object>>at(fault, "changes")).isNotEmpty();
            for (Map<String, Object> anomaly : JsonTree.<List<Map<String, Object>>>at(fault, "expected")) {
                List<Object> txns = JsonTree.at(anomaly, "transactions");
                if (anomaly.get("level").equals(level)) {
                    listed.add(anomaly.get("type") + " " + level + " " + txns.get(0) + " " + anomaly.get("key"));
                }
            }
        }
        return listed;
    }

    @ParameterizedTest
    @CsvSource({"si, 1", "si, 2", "ser, 1", "ser, 2"})
    void onlyPlantedFaultsAreReported(String store, int seed) throws IOException {
        Path file = generated(store, AT_ALL_STORES + (store.equals("ser") ? ",predicate-write-skew=2" : ""), seed);

        assertThat(listed(file, "snapshot-isolation")).hasSize(10);
        assertThat(found(checked(file, "si", "timestamps")))
                .containsExactlyInAnyOrderElementsOf(listed(file, "snapshot-isolation"));
        if (store.equals("ser")) {
            assertThat(listed(file, "commit-order-serializable")).hasSize(12);
            assertThat(found(checked(file, "cser", "timestamps")))
                    .containsExactlyInAnyOrderElementsOf(listed(file, "commit-order-serializable"));
        }
    }

    /** The verdict of the graph of versions for a history with one fault. */
    @ParameterizedTest
    @CsvSource({
        "stale-row, violated",
        "phantom, violated G-single phantom",
        "predicate-write-skew, violated G2 phantom",
        "row-too-many, violated garbage-read",
        "row-left-out, undecided",
        "wrong-aggregate, undecided",
    })
    void eachIsNamedByTheGraphOfVersions(String fault, String expected) throws IOException {
        for (int seed = 3; seed <= 4; seed++) {
            Map<String, Object> result = checked(generated("ser", fault + "=1", seed), "PL-3", "versions");
            StringBuilder text = new StringBuilder(String.valueOf(result.get("verdict")));
            for (Map<String, Object> anomaly : JsonTree.<List<Map<String, Object>>>at(result, "anomalies")) {
                Object pattern = anomaly.get("pattern");
                text.append(' ').append(anomaly.get("type")).append(pattern == null ? "" : " " + pattern);
            }
            assertThat(text.toString()).as("seed=%d", seed).startsWith(expected);
        }
    }

    @Test
    void cleanHistoriesAreClean() {
        for (int seed = 5; seed <= 6; seed++) {
            assertThat(checked(generated("ser", null, seed), "si,ser,PL-3", "auto")
                            .get("verdict"))
                    .isEqualTo("holds");
            assertThat(checked(generated("si", null, seed), "si", "auto").get("verdict"))
                    .isEqualTo("holds");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ranges  | ser | stale-read=1           | fault of another workload: fault=stale-read workload=ranges expected=default",
                "default | ser | phantom=1              | fault of another workload: fault=phantom workload=default expected=ranges",
                "ranges  | si  | predicate-write-skew=1 | snapshot isolation allows it: fault=predicate-write-skew store=si expected=ser",
                "ranges  | ser | phantom=9999           | too few sites for a fault: fault=phantom asked=9999",
            })
    void faultsThatHaveNoPlaceAreRefused(String workload, String store, String fault, String message) {
        Path file = folder.resolve("refused.parquet");
        CommandRun run = CommandRun.of(
                "generate",
                file.toString(),
                "--workload",
                workload,
                "--store",
                store,
                "--fault",
                fault,
                "--transactions",
                "50");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains(message);
        assertThat(file).doesNotExist();
    }
}
