package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are inserted and deleted while they are selected, in real databases and in generated histories. */
class RecordedDeletionsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite::memory:, serializable, 'si,ser', ''",
        "'jdbc:hsqldb:mem:d;hsqldb.tx=mvcc', repeatable-read, si, ''",
        // two may insert a row one after the other and both commit, if it was deleted in between
        "'jdbc:h2:mem:;OPTIMIZE_REUSE_RESULTS=0', snapshot, si, NOCONFLICT",
    })
    void readsOfDeletedRowsFitSnapshots(String url, String isolation, String levels, String allowed)
            throws IOException {
        Path history = directory.resolve("h.jsonl");
        CommandRun run = CommandRun.of(
                "record",
                "" + history,
                "--jdbc",
                url,
                "--workload",
                "deletes",
                "--isolation",
                isolation,
                "--transactions",
                "400",
                "--keys",
                "20",
                "--sessions",
                "6",
                "--timeout",
                "60s");
        assertThat(run.code()).as(run.err()).isZero();

        assertThat(Files.readString(history)).contains("[\"d\",\"guest/", "[\"p\",\"day >= ?", "[\"r\",\"guest/");
        RunResult result = checked(history, levels);
        Set<String> found =
                result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).types().keySet();
        assertThat(found).isSubsetOf(allowed);
        assertThat(result.evidence()).isEqualTo("timestamps");
        if (allowed.isEmpty()) {
            assertThat(result.verdict().word()).isEqualTo("holds");
        }
    }

    @Test
    void generatedOnesKeepTheLevelOfTheirStore() {
        for (String level : Set.of("si", "ser")) {
            Path history = directory.resolve(level + ".parquet");
            String[] generate = {
                "generate",
                "" + history,
                "--workload",
                "deletes",
                "--store",
                level,
                "--transactions",
                "500",
                "--keys",
                "9"
            };
            assertThat(CommandRun.of(generate).code()).isZero();

            assertThat(checked(history, level).verdict().word()).as(level).isEqualTo("holds");
        }
    }

    /** A transaction that reads before it writes would be refused by every other writer in between. */
    @Test
    void possibleSqliteWriterBeginsAsWriter() throws IOException {
        Path history = directory.resolve("h.jsonl");
        String url = "jdbc:sqlite:" + directory.resolve("db") + "?journal_mode=WAL&synchronous=OFF";
        String[] record = {
            "record", "" + history, "--jdbc", url, "--workload", "write-skew", "--transactions", "300", "--keys", "4"
        };
        assertThat(CommandRun.of(record).code()).isZero();

        assertThat(Files.readString(history)).doesNotContain("SQLITE_BUSY");
    }

    private static RunResult checked(Path history, String levels) {
        return RunResultJson.read(CommandRun.of("check", "" + history, "--level", levels, "--lake", "none", "--json")
                .out());
    }
}
