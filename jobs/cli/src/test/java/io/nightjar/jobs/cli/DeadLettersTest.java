package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed rows within the limit: reported, skipped as a whole, and never the reason why a level holds. */
class DeadLettersTest {

    @TempDir
    private Path folder;

    private Path lake;

    @BeforeEach
    void nameTheLake() {
        lake = folder.resolve("lake");
    }

    @Test
    void badRowsThatAreAllowedAreSetAsideAndNoLevelHolds() throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.jsonl"),
                SmallFiles.GOOD_ROW + "{\"txn\":2,\"session\":1,\"ops\":[[\"q\",\"x\",1]]}\nnot json\n"
                        + "{\"txn\":3,\"session\":2,\"start\":3,\"commit\":4,\"ops\":[[\"r\",\"x\",1]]}\n");

        CommandRun run = check(file, "--max-dead-letters", "2");

        Map<String, Object> result = JsonTree.object(run.out());
        assertThat(run.code()).as("%s", run).isEqualTo(2);
        assertThat(result).containsEntry("transactions", 2L);
        for (String level : List.of("snapshot-isolation", "serializable")) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict")).isEqualTo("undecided");
            assertThat(JsonTree.<String>at(result, "levels", level, "reason"))
                    .isEqualTo("2 malformed rows could not be read");
        }
        List<Map<String, Object>> letters = CommandRun.rows(
                lake, "SELECT source_file, source_row, reason, raw_text FROM dead_letters ORDER BY source_row");
        assertThat(letters).extracting(row -> row.get("source_row")).containsExactly(2L, 3L);
        assertThat(letters).extracting(row -> row.get("source_file")).containsOnly(file.toString());
        assertThat(letters.get(1)).containsEntry("raw_text", "not json");
        assertThat(letters.get(0).get("reason")).asString().contains("unknown operation kind: kind=q");
    }

    @Test
    void oneBadRowMoreThanAllowedRejectsTheHistory() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.jsonl"), SmallFiles.GOOD_ROW + "not json\n".repeat(3));

        CommandRun run = check(file, "--max-dead-letters", "2");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err())
                .startsWith("nightjar: [" + file + " ")
                .contains("; more bad rows than allowed: max-dead-letters=2");
        assertThat(lake).doesNotExist();
    }

    @Test
    void aBadRowOfParquetIsSetAsideToo() {
        Path file = folder.resolve("bad.parquet");
        SmallFiles.parquet(
                file,
                SmallFiles.parquetRow("1::BIGINT AS txn_id") + " UNION ALL "
                        + SmallFiles.parquetRow("2::BIGINT AS txn_id, 1::BIGINT AS session_id, 'maybe' AS status"));

        CommandRun run = check(file, "--max-dead-letters", "1");

        assertThat(run.code()).as("%s", run).isEqualTo(2);
        assertThat(JsonTree.object(run.out())).containsEntry("transactions", 1L);
        assertThat(CommandRun.rows(lake, "SELECT source_row FROM dead_letters"))
                .containsExactly(Map.of("source_row", 2L));
    }

    @Test
    void deadLettersDoNotHideViolation() throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.jsonl"),
                SmallFiles.GOOD_ROW + "not json\n"
                        + "{\"txn\":3,\"session\":2,\"start\":3,\"commit\":4,\"ops\":[[\"r\",\"x\",9]]}\n");

        assertThat(check(file, "--max-dead-letters", "1").code()).isEqualTo(1);
    }

    /**
     * The columns that show it are read once; the order in sessions is checked, and findings are replayed, without
     * them.
     */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"timestamps", "values"})
    void aRowThatWasSetAsideTakesNoPartInLaterPasses(String evidence) {
        Path file = folder.resolve("one bad row.parquet");
        SmallFiles.parquet(
                file,
                "SELECT * FROM (VALUES" // rows out of the order of their session have it checked by a separate pass
                        + " (2, 0, 1, 'committed', 11, 12, 5::UBIGINT, 6::UBIGINT, [{'kind': 'r', 'key': 1, 'value': 1}]),"
                        + " (3, 0, 2, 'committed', 3, 4, 9223372036854775813, 7, [{'kind': 'r', 'key': 1, 'value': 2}]),"
                        + " (1, 0, 0, 'committed', 1, 2, 1, 2, [{'kind': 'w', 'key': 1, 'value': 1}]))"
                        + " t(txn_id, session_id, session_seq, status, start_ts, commit_ts, invoke_ns, complete_ns, ops)");

        for (String engine : List.of("local", "flink")) {
            CommandRun run = check(
                    file, "--max-dead-letters", "1", "--evidence", evidence, "--engine", engine, "--run-id", engine);

            assertThat(run.code()).as("%s", run).isEqualTo(2); // not 1: rows that are missing prove nothing
            assertThat(CommandRun.rows(lake, "SELECT count(*) AS n FROM dead_letters WHERE run_id = '" + engine + "'"))
                    .containsExactly(Map.of("n", 1L));
        }
    }

    /** Of two levels the first is decided by timestamps, without a check of versions, and the other one not. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "null"})
    void rowWithMalformedVersionIsReported(String startTs) {
        Path file = folder.resolve("one bad version.parquet");
        SmallFiles.parquet(
                file,
                "SELECT * FROM (VALUES (1, 0, 0, 'committed', " + startTs
                        + ", 2, [{'kind': 'w', 'key': 1, 'value': 1, 'version': 1::UBIGINT}]),"
                        + " (2, 0, 1, 'committed', 3, 4,"
                        + " [{'kind': 'r', 'key': 1, 'value': 1, 'version': 9223372036854775813::UBIGINT}]))"
                        + " t(txn_id, session_id, session_seq, status, start_ts, commit_ts, ops)");

        for (String engine : List.of("local", "flink")) {
            assertThat(check(file, "--level", "si,rc", "--engine", engine).code())
                    .isEqualTo(3);

            CommandRun run =
                    check(file, "--level", "si,rc", "--max-dead-letters", "1", "--engine", engine, "--run-id", engine);

            assertThat(run.code()).as("%s", run).isEqualTo(2);
            assertThat(CommandRun.rows(lake, "SELECT count(*) AS n FROM dead_letters WHERE run_id = '" + engine + "'"))
                    .containsExactly(Map.of("n", 1L));
        }
    }

    private CommandRun check(Path history, String... more) {
        return CommandRun.check(history, lake, more);
    }
}
