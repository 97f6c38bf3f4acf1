package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.RunWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs of a lake are listed and deleted. */
class LakeCommandTest {

    @TempDir
    private Path folder;

    private Path history;
    private Path other;
    private Path lake;

    @BeforeEach
    void checkSomeTimes() throws IOException {
        history = Files.writeString(folder.resolve("history.txt"), "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,7)\n");
        other = Files.writeString(folder.resolve("other.txt"), "s1 T1 [1,2]: w(x,1)\n");
        lake = folder.resolve("lake");
        for (String run : List.of("a", "b", "c")) {
            CommandRun.check(history, lake, "--run-id", run);
        }
        CommandRun.check(other, lake, "--run-id", "o");
    }

    @Test
    void runsAreListedWithTheirSizes() {
        CommandRun run = CommandRun.of("lake", "" + lake, "--json");

        assertThat(run.code()).isZero();
        List<Map<String, Object>> runs = JsonTree.lines(run.out());
        assertThat(runs).extracting(row -> row.get("run_id")).containsExactly("a", "b", "c", "o");
        assertThat(runs).allSatisfy(row -> assertThat((Long) row.get("bytes")).isGreaterThan(1_000));
        assertThat(CommandRun.of("lake", "" + lake).out())
                .contains("history.txt")
                .contains("4 runs, ");
    }

    @Test
    void aDeletedRunIsGoneFromAllTables() {
        assertThat(CommandRun.of("lake", "" + lake, "delete", "b").code()).isZero();

        assertThat(runs()).containsExactly("a", "c", "o");
        assertThat(CommandRun.rows(lake, "FROM anomalies")).hasSize(4);
        assertThat(lake.resolve("_runs/b")).doesNotExist();
        assertThat(CommandRun.of("lake", "" + lake, "delete", "b").code()).isEqualTo(64);
    }

    @Test
    void lastRunsOfEachHistoryAreKept() {
        assertThat(CommandRun.of("lake", "" + lake, "--keep-last", "1", "--dry-run")
                        .out())
                .contains("would delete a", "would delete b", "2 kept");
        assertThat(runs()).hasSize(4);

        assertThat(CommandRun.of("lake", "retain", "" + lake, "--keep-last", "1")
                        .code())
                .isZero();
        assertThat(runs()).containsExactly("c", "o");
    }

    @Test
    void runsThatAreNotOldEnoughAreKept() {
        CommandRun.of("lake", "" + lake, "retain", "--older-than", "30d");
        assertThat(runs()).hasSize(4);

        CommandRun.of("lake", "" + lake, "retain", "--older-than", "30d", "--keep-last", "0");
        assertThat(runs()).hasSize(4);

        CommandRun.of("lake", "" + lake, "retain", "--older-than", "0s");
        assertThat(runs()).isEmpty();
    }

    @Test
    void aRunThatIsBeingWrittenIsNotTouched() {
        Lake opened = Lake.open(lake);
        try (RunWriter writer = opened.begin("being-written", "h-history")) {
            assertThat(CommandRun.of("lake", "" + lake).out()).contains("being-written", "1 not complete");
            CommandRun.of("lake", "" + lake, "--keep-last", "0");
            assertThat(CommandRun.of("lake", "" + lake, "delete", writer.runId())
                            .code())
                    .isEqualTo(64);
            assertThat(lake.resolve("_runs/.locks/being-written")).exists();
        }
        assertThat(runs()).isEmpty();
    }

    @Test
    void wrongWordsAreWrongUsage() {
        assertThat(CommandRun.of("lake", "" + lake, "shrink").code()).isEqualTo(64);
        assertThat(CommandRun.of("lake", "" + lake, "retain").code()).isEqualTo(64);
        assertThat(CommandRun.of("lake", "" + lake, "delete").code()).isEqualTo(64);
        assertThat(CommandRun.of("lake", "" + lake, "list", "--keep-last", "1").code())
                .isEqualTo(64);
        assertThat(CommandRun.of("lake", "" + lake, "--keep-last", "-1").code()).isEqualTo(64);
        assertThat(CommandRun.of("lake", "" + folder.resolve("nowhere")).code()).isEqualTo(64);
        assertThat(runs()).hasSize(4);
    }

    private List<String> runs() {
        return List.copyOf(Lake.open(lake).completeRuns()).stream().sorted().toList();
    }
}
