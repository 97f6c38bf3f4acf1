package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {

    @TempDir
    Path folder;

    @BeforeEach
    void liveInTheCheckout() {
        System.setProperty(
                "nightjar.home",
                Path.of(System.getProperty("basedir", "."), "..", "..")
                        .toAbsolutePath()
                        .normalize()
                        .toString());
    }

    @AfterEach
    void moveOut() {
        System.clearProperty("nightjar.home");
    }

    @Test
    void withoutAPlanThePlansAreListed() {
        CommandRun run = CommandRun.of("bench");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("smoke", "chronos-transactions").contains("A minute of everything");
    }

    @Test
    void aPlanThatIsMeantIsSuggested() {
        CommandRun run = CommandRun.of("bench", "smokee");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("did you mean smoke?");
    }

    @Test
    void resultsThatAreNotThereAreWrongUsage() {
        CommandRun run = CommandRun.of("bench", "compare", folder.toString(), folder.toString());

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("no results there");
    }

    @Test
    void twoFoldersAreCompared() throws Exception {
        CommandRun run = compared(5);

        assertThat(run.code()).as("something is slower").isEqualTo(1);
        assertThat(run.out()).contains("\"ratio\":2.0").contains("\"answer\":\"slower\"");
    }

    @Test
    void comparisonOfSingleRunsStatesMissingRuns() throws Exception {
        CommandRun run = compared(1);

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("\"runs\":1").contains("\"answer\":\"unknown\"");
        assertThat(run.err()).contains("points=1 of=1", "--runs 5");
    }

    @Test
    void resultsAreRowsOfCsv() throws Exception {
        compared(2);

        CommandRun both = CommandRun.of("bench", "csv", folder.toString());
        assertThat(both.code()).as("%s", both).isZero();
        assertThat(both.out().lines())
                .hasSize(5)
                .startsWith("plan,point,x,panel,series,checker,round,status,verdict,wall_s,cpu_s,peak_rss_bytes,"
                        + "exit_code,load_before,load_after,commit,message,settings")
                .contains("p,1/x,1,\"\",x,nightjar,2,ok,holds,1.0,2.0,1,0,,,\"\",\"\",{}");
        assertThat(CommandRun.of("bench", "csv", folder.resolve("b").toString())
                        .out()
                        .lines())
                .hasSize(3);
        assertThat(CommandRun.of("bench", "csv", folder.resolve("nothing").toString())
                        .code())
                .isEqualTo(64);
    }

    private CommandRun compared(int rounds) throws Exception {
        for (String side : new String[] {"a", "b"}) {
            StringBuilder lines = new StringBuilder();
            for (int round = 1; round <= rounds; round++) {
                lines.append(String.format(
                        "{\"kind\":\"run\",\"plan\":\"p\",\"point\":\"1/x\",\"x\":\"1\",\"series\":\"x\",\"checker\":\"nightjar\","
                                + "\"round\":%d,\"status\":\"ok\",\"verdict\":\"holds\",\"wall_s\":1,\"cpu_s\":%s,\"peak_rss_bytes\":1}%n",
                        round, side.equals("a") ? "1.0" : "2.0"));
            }
            Files.createDirectories(folder.resolve(side));
            Files.writeString(folder.resolve(side).resolve("results.jsonl"), lines);
        }

        return CommandRun.of(
                "bench",
                "compare",
                folder.resolve("a").toString(),
                folder.resolve("b").toString(),
                "--json");
    }
}
