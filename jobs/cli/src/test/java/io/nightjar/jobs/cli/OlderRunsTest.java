package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that another version stored are neither returned nor compared at levels that it defined otherwise. */
class OlderRunsTest {

    private static final String SERIAL =
            """
            s1 T1 [1,2]: w(x,1)
            s2 T2 [3,4]: r(x,1)
            """;
    private static final String WRITE_SKEW =
            """
            s1 T1 [1,2]: w(x,0) w(y,0)
            s2 T2 [3,6]: r(x,0) w(y,1)
            s3 T3 [4,5]: r(y,0) w(x,1)
            """;

    @TempDir
    private Path directory;

    private Path lake;

    @BeforeEach
    void name() {
        lake = directory.resolve("lake");
    }

    @Test
    void storedRunIsReturnedToItsOwnVersionOnly() throws IOException {
        Path history = Files.writeString(directory.resolve("h.txt"), SERIAL);
        checked(history, "1.0");

        assertThat(checked(history, "1.0").runId()).isEqualTo("night");
        assertThatThrownBy(() -> checked(history, "1.1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("run-id=night version=1.0 this=1.1; choose another --run-id");
    }

    private RunResult checked(Path history, String version) throws IOException {
        CheckOptions options = CheckOptions.of(List.of(IsolationLevel.SERIALIZABLE))
                .lake(lake)
                .runId("night")
                .spillParent(directory)
                .build();
        try (HistorySource source = Histories.open(history, null)) {
            return new LocalEngine(options, version, ProgressListener.NONE).check(source, history);
        }
    }

    @Test
    void anomalyIsNewAgainstRunOfTheSameDefinition() throws IOException {
        baseline();

        CommandRun run = againstBaseline();

        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.err()).doesNotContain("definition");
        assertThat(CommandRun.of("diff", "before", "after", "--lake", lake.toString())
                        .code())
                .isEqualTo(1);
    }

    @Test
    void nothingIsNewAtLevelThatTheBaselineDefinedOtherwise() throws IOException {
        Path stored = baseline();
        String json = Files.readString(stored);
        assertThat(json).contains("\"definitions\":\"serializable:2\",");
        Files.writeString(stored, json.replace("\"definitions\":\"serializable:2\",", ""));

        CommandRun run = againstBaseline();

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.HOLDS);
        assertThat(run.err())
                .contains("the definition of levels has changed since before, so their anomalies are not compared:"
                        + " levels=serializable");
        CommandRun diff = CommandRun.of("diff", "before", "after", "--lake", lake.toString());
        assertThat(diff.code()).as(diff.out()).isZero();
        assertThat(diff.out()).contains("0 new");
    }

    /** Returns the file of the run. */
    private Path baseline() throws IOException {
        Path history = Files.writeString(directory.resolve("before.txt"), SERIAL);
        CommandRun run = CommandRun.check(history, lake, "--level", "ser", "--run-id", "before");
        assertThat(run.code()).as(run.err()).isZero();
        return lake.resolve("_runs").resolve("before").resolve("run.json");
    }

    private CommandRun againstBaseline() throws IOException {
        Path history = Files.writeString(directory.resolve("after.txt"), WRITE_SKEW);
        return CommandRun.check(
                history, lake, "--level", "ser", "--run-id", "after", "--baseline", "before", "--fail-on", "new");
    }
}
