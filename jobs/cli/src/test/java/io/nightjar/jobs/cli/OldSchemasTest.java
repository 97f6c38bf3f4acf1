package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.Lake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lakes and histories that older releases wrote are read by the current release. */
class OldSchemasTest {

    private static final Path SAMPLES = Path.of("src/test/resources/samples").toAbsolutePath();

    @TempDir
    private Path folder;

    static Stream<Path> schemas() {
        return LongStream.rangeClosed(1, Lake.SCHEMA_VERSION).mapToObj(version -> SAMPLES.resolve("schema-" + version));
    }

    static Stream<Path> histories() {
        return schemas().flatMap(schema -> Stream.of("parquet", "arrow", "jsonl", "txt")
                .map(end -> schema.resolve("history." + end)));
    }

    @ParameterizedTest
    @MethodSource("histories")
    void aHistoryGivesTheVerdictsOfTheStoredRun(Path history) throws IOException {
        Path stored = history.resolveSibling("lake");
        CommandRun run = CommandRun.check(history, folder.resolve("lake"), "--level", "all");

        assertThat(run.code()).isEqualTo(1);
        CommandRun verdict = CommandRun.of("verdict", "" + stored, "--run", "sample", "--json");
        assertThat(verdict.code()).isEqualTo(1);
        Map<String, Object> levels = JsonTree.at(JsonTree.object(run.out()), "levels");
        Map<String, Object> storedLevels = JsonTree.at(JsonTree.object(verdict.out()), "levels");
        assertThat(comparable(levels)).isEqualTo(comparable(storedLevels));
    }

    /**
     * Returns the verdicts without columns that older runs do not store, and without serializable, whose definition
     * changed.
     */
    private static Map<String, Object> comparable(Map<String, Object> levels) {
        Map<String, Object> kept = new TreeMap<>(levels);
        kept.remove("serializable");
        kept.replaceAll((level, answer) -> {
            Map<String, Object> columns = new TreeMap<>(JsonTree.<Map<String, Object>>at(levels, level));
            columns.remove("exact");
            return columns;
        });
        return kept;
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void everyTableOfALakeIsRead(Path schema) {
        Path lake = schema.resolve("lake");
        for (String table : List.of("runs", "level_verdicts", "anomalies", "anomaly_txns", "anomaly_edges", "stages")) {
            assertThat(CommandRun.rows(lake, "FROM " + table)).as(table).isNotEmpty();
        }
        String id = (String) CommandRun.rows(lake, "SELECT anomaly_id FROM anomalies WHERE anomaly_type = 'EXT'")
                .get(0)
                .get("anomaly_id");
        assertThat(CommandRun.of("explain", "" + lake, id).out()).contains("T3 read x=1");
    }

    @Test
    void aNewRunIsComparedWithAnOldOne() throws IOException {
        Path lake = folder.resolve("lake");
        Path old = SAMPLES.resolve("schema-1");
        try (Stream<Path> files = Files.walk(old.resolve("lake"))) {
            for (Path file : files.toList()) {
                Files.copy(
                        file, lake.resolve(old.resolve("lake").relativize(file).toString()));
            }
        }

        CommandRun run = CommandRun.check(
                old.resolve("history.txt"), lake, "--level", "all", "--baseline", "sample", "--fail-on", "new");

        assertThat(JsonTree.object(run.out())).containsEntry("new_anomalies", 0L);
    }
}
