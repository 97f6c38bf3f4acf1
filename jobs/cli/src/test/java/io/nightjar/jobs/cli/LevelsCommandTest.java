package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Levels of both families requested on the command line, and the tables of their anomalies. */
class LevelsCommandTest {

    @TempDir
    private Path folder;

    private Path circular;
    private Path clean;

    @BeforeEach
    void writeHistories() throws IOException {
        circular = Files.writeString(
                folder.resolve("circular.txt"),
                """
                s1 T1: append(x,1) r(y,[1])
                s2 T2: append(y,1) r(x,[1])
                """);
        clean = Files.writeString(
                folder.resolve("clean.txt"),
                """
                s1 T1: append(x,1)
                s2 T2: r(x,[1]) append(x,2)
                s1 T3: r(x,[1,2])
                """);
    }

    @Test
    void circularInformationFlowViolatesCausal() {
        RunResult result = check(circular, "causal");

        assertThat(result.levels().get(IsolationLevel.CAUSAL).verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void levelsThatNothingDecidesAreUndecidedWhateverTheHistory() {
        String levels = "sequential,linearizable,PRAM,1SR,view-serializable,session-serializable,read-your-writes,"
                + "monotonic-reads,monotonic-writes,writes-follow-reads";

        for (Path history : new Path[] {circular, clean}) {
            RunResult result = check(history, levels);

            assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
            assertThat(result.levels()).hasSize(10);
            result.levels().values().forEach(level -> {
                assertThat(level.verdict()).isEqualTo(Verdict.UNDECIDED);
                assertThat(level.reason()).isNotBlank();
            });
        }
    }

    @Test
    void ruledOutLevelsHaveElleNames() {
        RunResult result = check(circular, "PL-3");

        assertThat(result.ruledOut().not()).containsExactly("read-committed");
        assertThat(result.ruledOut().alsoNot()).hasSize(21).contains("serializable", "causal-cerone");
        assertThat(result.ruledOut().because().get("read-committed")).containsExactly("G1c");
    }

    @Test
    void levelsHoldWhereTheOrderOfAllVersionsIsKnown() {
        RunResult result = check(clean, "PL-1,PL-2,PL-2.99,PL-SI,PL-3,strong-session-serializable,ser,si");

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.levels()).hasSize(8);
    }

    @Test
    void levelsThatForbidMoreHoldThroughStrongerOnes() {
        RunResult result = check(clean, "monotonic-view,cursor-stability,update-serializable,causal-cerone");

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void levelsViolatedOnlyBySessionOrderHoldWithoutIt() throws IOException {
        Path stale = Files.writeString(
                folder.resolve("stale.txt"),
                """
                s0 T1: w(x,1)
                s0 T2: r(x,_)
                s1 T3: w(x,2)
                s2 T4: r(x,1)
                """);

        RunResult result = check(stale, "ser,PL-2,PL-2+,PL-2.99,PL-SI,PL-3,causal-cerone");

        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.levels().values().stream().filter(level -> level.verdict() == Verdict.HOLDS))
                .hasSize(6);
    }

    @Test
    void registersThatNothingOrdersViolateLevelsWithoutSessionOrder() throws IOException {
        Path torn = Files.writeString(
                folder.resolve("torn.txt"),
                """
                s0 T1: w(x,1) w(y,1)
                s1 T2: w(x,2) w(y,2)
                s2 T3: r(x,1) r(y,2)
                s3 T4: r(x,2) r(y,1)
                """);

        RunResult result = check(torn, "PL-2,update-atomic,PL-2+,PL-2.99,PL-SI,PL-3,causal-cerone,ra");

        assertThat(result.levels().remove(IsolationLevel.PL_2).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.levels().values())
                .hasSize(7)
                .allMatch(level -> level.types().keySet().equals(Set.of("commit-order-cycle")));
        assertThat(result.anomalies()).extracting(ListedAnomaly::level).containsOnly(IsolationLevel.CONSISTENT_VIEW);
        assertThat(result.ruledOut().not()).containsExactly("consistent-view", "read-atomic", "repeatable-read");
    }

    @Test
    void namesOfOneLevelAreOneLevel() {
        assertThat(check(clean, "repeatable-read,PL-2.99,pl-2.99").levels().keySet())
                .containsExactly(IsolationLevel.PL_2_99);
    }

    @Test
    void anUnknownLevelIsWrongUsage() {
        CommandRun run = CommandRun.of("check", clean.toString(), "--level", "serialisable", "--lake", "none");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("unknown level: level=serialisable nearest=serializable|");
    }

    @Test
    void artifactsAreWrittenForEachHistory() throws IOException {
        Path artifacts = folder.resolve("artifacts");

        CommandRun.of(
                "check",
                circular.toString(),
                clean.toString(),
                "--level",
                "PL-3",
                "--lake",
                "none",
                "--artifacts",
                artifacts.toString());

        try (Stream<Path> files = Files.walk(artifacts)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> artifacts.relativize(file).toString().replaceAll("-[0-9a-f]{8}/", "/")))
                    .containsExactlyInAnyOrder(
                            "h-circular/index.txt",
                            "h-circular/G1c/1.txt",
                            "h-circular/G1c/1.svg",
                            "h-clean/index.txt");
        }
    }

    private static RunResult check(Path history, String levels) {
        CommandRun run = CommandRun.of("check", history.toString(), "--level", levels, "--lake", "none", "--json");
        return RunResultJson.read(run.out());
    }
}
