package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys and values with line ends and other control characters: tables and JSON preserve them, text for people escapes
 * them.
 */
class ControlCharactersTest {

    private static final String STALE_READ =
            """
            {"txn":1,"session":0,"seq":0,"start":1,"commit":2,"ops":[["w","a\\nb","v\\n1"]]}
            {"txn":2,"session":1,"seq":0,"start":3,"commit":4,"ops":[["w","a\\nb","v\\u001b2"]]}
            {"txn":3,"session":2,"seq":0,"start":5,"commit":6,"ops":[["w","x\\ty","1"],["r","a\\nb","v\\n1"]]}
            """;
    private static final String WRITE_SKEW =
            """
            {"txn":1,"session":0,"seq":0,"ops":[["append","a\\nb","v\\n1"],["r","c\\u0001",null]]}
            {"txn":2,"session":1,"seq":0,"ops":[["append","c\\u0001","v\\n2"],["r","a\\nb",null]]}
            {"txn":3,"session":2,"seq":0,"ops":[["r","a\\nb",["v\\n1"]],["r","c\\u0001",["v\\n2"]]]}
            """;

    @TempDir
    private Path folder;

    private Path staleRead;
    private Path writeSkew;
    private Path lake;

    @BeforeEach
    void writeHistories() throws IOException {
        staleRead = Files.writeString(folder.resolve("stale.jsonl"), STALE_READ);
        writeSkew = Files.writeString(folder.resolve("skew.jsonl"), WRITE_SKEW);
        lake = folder.resolve("lake");
    }

    @Test
    void theExplanationIsTheSentenceThatItIsWithoutThem() {
        Map<String, Object> anomaly = anomaly(staleRead, "si");

        assertThat(anomaly.get("key")).isEqualTo("a\nb");
        assertThat(anomaly.get("explanation"))
                .isEqualTo(
                        "T3 read a\\nb=v\\n1, but its snapshot at 5 shows a\\nb=v\\u001b2, committed by T2 at 4."
                                + " The value it read is stale: T1 committed it at 2. A snapshot 2 earlier would have been right.");
    }

    @Test
    void aCycleHasALineForEachStep() {
        String explanation = (String) anomaly(writeSkew, "ser").get("explanation");

        assertThat(explanation.lines())
                .hasSize(6)
                .contains("Let:", "  T1 = append(a\\nb,v\\n1) r(c\\u0001,_)", "Then:")
                .anyMatch(line -> line.endsWith(": a contradiction!"));
    }

    @Test
    void thePageOfAnAnomalyIsWhole() {
        String id = (String) anomaly(staleRead, "si").get("id");

        assertThat(CommandRun.of("explain", lake.toString(), id).out().lines())
                .contains("      w(x\\ty,1) »r(a\\nb,v\\n1)«")
                .contains("read  expected v\\u001b2 of T2, observed v\\n1 of T1 (stale)")
                .anyMatch(line -> line.startsWith(id + "  stale read (EXT) on key a\\nb rules out"))
                .anyMatch(line -> line.startsWith("why   T3 read a\\nb=v\\n1, but its snapshot"))
                .anyMatch(line -> line.endsWith("would have been right."));
    }

    @Test
    void drawingsShowThem() {
        String id = (String) anomaly(staleRead, "si").get("id");

        assertThat(CommandRun.of("explain", lake.toString(), id, "--svg", "-").out())
                .contains("on a\\nb</text>", "font-weight=\"bold\" fill=\"#b3261e\">r(a\\nb,v\\n1)</text>");
    }

    @Test
    void artifactsHaveOneLineForATransaction() throws IOException {
        Path artifacts = folder.resolve("artifacts");
        CommandRun.of(
                "check", writeSkew.toString(), "--level", "ser", "--lake", "none", "--artifacts", artifacts.toString());

        try (Stream<Path> files = Files.walk(artifacts)) {
            List<Path> texts =
                    files.filter(file -> file.toString().endsWith("1.txt")).toList();
            assertThat(texts).hasSize(1);
            assertThat(Files.readString(texts.get(0))).contains("  T1 = append(a\\nb,v\\n1) r(c\\u0001,_)\n");
        }
    }

    @Test
    void annotationsOfBuildsShowThem() throws IOException {
        Path named = Files.writeString(folder.resolve("e\u001b[31m.jsonl"), STALE_READ.replace("x\\ty", "x\\u001b"));
        String key = Files.writeString(folder.resolve("key.jsonl"), STALE_READ.replace("a\\nb", "a\\u001b[31m"))
                .toString();
        CommandRun run = CommandRun.of(
                "check", named.toString(), key, "--level", "si", "--lake", lake.toString(), "--ci", "github");

        assertThat(run.out())
                .contains("::error ", "a\\u001b[31m", "e\\u001b[31m.jsonl")
                .doesNotContain("\u001b");
    }

    @Test
    void pagesShowStatementsOnlyIfTheyCanBeRun() throws IOException {
        Path named = Files.writeString(folder.resolve("e\u001b[31m.jsonl"), STALE_READ);
        String id = (String) anomaly(named, "si").get("id");

        assertThat(CommandRun.of("explain", lake.toString(), id).out())
                .contains("FROM anomaly_txns")
                .doesNotContain("\u001b");
    }

    @Test
    void changesOfAWatchShowThem() {
        assertThat(CommandRun.of("watch", staleRead.toString(), "--until-end", "--lake", "none")
                        .out())
                .contains("key=a\\nb expected=v\\u001b2 observed=v\\n1")
                .doesNotContain("\u001b");
    }

    @Test
    void lintNamesAPlaceOnOneLine() throws IOException {
        Path garbage = Files.writeString(
                folder.resolve("garbage.jsonl"),
                """
                {"txn":1,"session":0,"seq":0,"ops":[["r","a\\nb","v\\n1"]]}
                """);

        assertThat(CommandRun.of("inspect", garbage.toString()).out().lines())
                .anyMatch(line -> line.endsWith("txn_id=1 key=a\\nb value=v\\n1"));
    }

    @Test
    void tablesKeepThem() {
        anomaly(staleRead, "si");

        CommandRun run = CommandRun.of(
                "sql", "--lake", lake.toString(), "--json", "SELECT object_key, expected_value FROM anomalies");

        assertThat(JsonTree.object(run.out().strip()))
                .containsEntry("object_key", "a\nb")
                .containsEntry("expected_value", "v\u001b2");
    }

    private Map<String, Object> anomaly(Path history, String level) {
        CommandRun run =
                CommandRun.of("check", history.toString(), "--level", level, "--lake", lake.toString(), "--json");
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        List<Map<String, Object>> anomalies = JsonTree.at(JsonTree.object(run.out()), "anomalies");
        return anomalies.get(0);
    }
}
