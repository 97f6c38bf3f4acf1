package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts of violated levels: exact where everything was enumerated, lower bounds otherwise, in every output. */
class ExactCountsTest {

    private static final String SKEW =
            """
            s1 T1: w(x,1) w(y,1)
            s2 T2: r(x,1) r(y,1) w(x,2)
            s3 T3: r(x,1) r(y,1) w(y,2)
            """;

    private static final String ABORTED_READ = """
            s1 T1!: w(x,1)
            s2 T2: r(x,1)
            """;

    private static final String STALE_READ =
            """
            s1 T1 [1,2]: w(x,1)
            s1 T2 [5,6]: w(x,2)
            s2 T3 [7,8]: r(x,1)
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void enumeratedFaultsAreExact(String engine) throws IOException {
        assertThat(exactAt(ABORTED_READ, "read-committed", engine)).isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void countsFromTimestampsAreExact(String engine) throws IOException {
        assertThat(exactAt(STALE_READ, "snapshot-isolation", engine)).isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void countsOfASearchAreLowerBounds(String engine) throws IOException {
        assertThat(exactAt(SKEW, "serializable", engine)).isEqualTo(false);
    }

    @Test
    void levelThatWasNotSearchedIsCountedInPart() throws IOException {
        assertThat(exactAt(ABORTED_READ, "serializable", "local")).isEqualTo(false);
    }

    @Test
    void skippedRowsMakeCountsLowerBounds() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.jsonl"),
                """
                {"txn":1,"session":1,"status":"aborted","ops":[["w","x",1]]}
                {"txn":2,"session":2,"ops":[["r","x",1]]}
                {"txn":3,"session":3,"ops":[["q","x",1]]}
                """);
        CommandRun run = CommandRun.of(
                "check", "" + history, "--json", "--lake", "none", "--level", "rc", "--max-dead-letters", "1");

        assertThat(JsonTree.<Boolean>at(JsonTree.lines(run.out()).get(0), "levels", "read-committed", "exact"))
                .isFalse();
    }

    @Test
    void textMarksOnlyLowerBounds() throws IOException {
        String out = CommandRun.of("check", "" + write(SKEW), "--lake", "none", "--level", "all")
                .out();

        assertThat(out).contains("by values  at least G2-item 1  commit-order-cycle 1");
        assertThat(CommandRun.of("check", "" + write(STALE_READ), "--lake", "none", "--level", "si")
                        .out())
                .contains("EXT 1")
                .doesNotContain("at least");
    }

    @Test
    void readWithTwoFaultsIsOneAnomaly() throws IOException {
        Path history = Files.writeString(folder.resolve("own.txt"), "s1 T1 [1,2]: w(z,1) r(z,9)\n");
        String out = CommandRun.of("check", "" + history, "--lake", "none", "--level", "ser")
                .out();

        assertThat(out).contains("VIOLATED by at least 1 anomaly ").contains("garbage-read 1  internal 1");
    }

    @Test
    void tablesStateWhetherCountsAreExact() throws IOException {
        Path lake = folder.resolve("lake");
        CommandRun.check(write(ABORTED_READ), lake, "--level", "rc,ser");

        assertThat(CommandRun.rows(lake, "SELECT level, is_exact FROM level_verdicts ORDER BY level"))
                .containsExactly(
                        Map.of("level", "read-committed", "is_exact", true),
                        Map.of("level", "serializable", "is_exact", false));
    }

    @Test
    void buildOutputMarksLowerBounds() throws IOException {
        Path lake = folder.resolve("lake");
        CommandRun run = CommandRun.of(
                "check", "" + write(SKEW), "--lake", "" + lake, "--run-id", "one", "--ci", "github,junit,sarif");
        Path files = lake.resolve("_runs/one");
        Map<String, Object> summary = JsonTree.object(Files.readString(files.resolve("summary.json")));

        assertThat(run.out()).contains("::notice").contains("counts are lower bounds at serializable");
        assertThat(Files.readString(files.resolve("junit.xml"))).contains("\"at least 2 anomalies: ");
        assertThat(Files.readString(files.resolve("results.sarif")))
                .contains("counts are lower bounds at serializable");
        assertThat(JsonTree.<Boolean>at(summary, "exact")).isFalse();
        assertThat(JsonTree.<Boolean>at(summary, "levels", "serializable", "exact"))
                .isFalse();
    }

    @Test
    void comparisonWithARunThatFoundOnlyPartSaysSo() throws IOException {
        Path lake = folder.resolve("lake");
        Path history = write(SKEW);
        CommandRun.check(history, lake, "--run-id", "one");
        CommandRun run = CommandRun.check(
                history, lake, "--run-id", "two", "--baseline", "latest", "--fail-on", "new", "--ci", "junit");
        Map<String, Object> summary =
                JsonTree.object(Files.readString(lake.resolve("_runs/two").resolve("summary.json")));
        String doubt = "cannot determine the new anomalies, since not all were found: this run at serializable"
                + " and the baseline one at serializable";

        assertThat(run.err().lines().filter(line -> line.contains(doubt))).hasSize(1);
        assertThat(summary).containsEntry("new_anomalies_uncertain", doubt);
    }

    @Test
    void comparisonOfWholeRunsHasNoDoubt() throws IOException {
        Path lake = folder.resolve("lake");
        Path history = write(STALE_READ);
        CommandRun.check(history, lake, "--run-id", "one", "--level", "si");
        CommandRun run = CommandRun.check(
                history, lake, "--run-id", "two", "--level", "si", "--baseline", "latest", "--ci", "junit");
        Map<String, Object> summary =
                JsonTree.object(Files.readString(lake.resolve("_runs/two").resolve("summary.json")));

        assertThat(run.err()).doesNotContain("uncertain");
        assertThat(summary).containsEntry("new_anomalies_uncertain", null);
    }

    @Test
    void faultThatTwoLevelsReportCountsOnce() throws IOException {
        Path lake = folder.resolve("lake");
        String rows = "s1 T1 [1,2]: w(x,1) w(y,1) w(z,1)\ns1 T2 [5,6]: w(x,2) w(y,2) w(z,2)\n"
                + "s2 T3 [7,8]: r(x,1) r(y,1) r(z,1)\n";
        CommandRun.check(write(rows), lake, "--run-id", "one", "--ci", "junit", "--evidence", "timestamps");
        Map<String, Object> summary =
                JsonTree.object(Files.readString(lake.resolve("_runs/one").resolve("summary.json")));

        assertThat(summary).containsEntry("anomalies", 3L);
        Path page = folder.resolve("page.html");
        CommandRun.of("report", "" + lake, "-o", "" + page);
        assertThat(Files.readString(page)).contains("3 stale reads rule out snapshot isolation");
    }

    @Test
    void reportAndCommandLineNameTheSameAnomalyFirst() throws IOException {
        Path lake = folder.resolve("lake");
        String rows = "s1 T1: w(x,1)\ns2 T2: w(x,1)\ns3 T3: w(k,1)\ns4 T4: r(k,1) w(k,2)\ns5 T5: r(k,1) w(k,3)\n"
                + "s6 T6!: w(z,1)\ns7 T7: r(z,1)\n";
        CommandRun run = CommandRun.check(write(rows), lake, "--level", "all");
        List<Map<String, Object>> listed = JsonTree.at(JsonTree.lines(run.out()).get(0), "anomalies");
        Path page = folder.resolve("page.html");
        CommandRun.of("report", "" + lake, "-o", "" + page);
        String text = Files.readString(page);
        int first = text.indexOf("Look first at");

        assertThat(text.substring(text.lastIndexOf("<a href", first), first))
                .contains(listed.get(0).get("id").toString());
        assertThat(listed.get(listed.size() - 1)).containsEntry("type", "duplicate-write");
    }

    private Object exactAt(String rows, String level, String engine) throws IOException {
        CommandRun run = CommandRun.of(
                "check", "" + write(rows), "--json", "--lake", "none", "--level", "all", "--engine", engine);
        assertThat(run.code()).as("%s", run).isEqualTo(1);
        return JsonTree.at(JsonTree.lines(run.out()).get(0), "levels", level, "exact");
    }

    private Path write(String rows) throws IOException {
        return Files.writeString(folder.resolve("h.txt"), rows);
    }
}
