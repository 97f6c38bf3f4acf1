package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.command.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchCommandTest {

    private static final String WRITE =
            "{\"txn\":1,\"session\":0,\"seq\":0,\"start\":10,\"commit\":12,\"ops\":[[\"w\",\"x\",1]]}\n";
    private static final String RIGHT_READ =
            "{\"txn\":2,\"session\":1,\"seq\":0,\"start\":13,\"commit\":15,\"ops\":[[\"r\",\"x\",1]]}\n";
    private static final String WRONG_READ =
            "{\"txn\":3,\"session\":1,\"seq\":1,\"start\":16,\"commit\":18,\"ops\":[[\"r\",\"x\",2]]}\n";

    @TempDir
    private Path folder;

    @Test
    void aStreamThatHoldsEndsWithItsEnd() {
        CommandRun run = stdin(WRITE + RIGHT_READ, "watch", "-", "--lake", "none");

        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
        assertThat(run.out()).contains("HOLDS").contains("snapshot-isolation").contains("serializable");
    }

    @Test
    void theLastLineOfJsonIsTheVerdictAndTheOthersAreChanges() {
        CommandRun run = stdin(WRITE + WRONG_READ, "watch", "-", "--lake", "none", "--json", "--level", "si");

        List<Map<String, Object>> lines = JsonTree.lines(run.out());
        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .containsEntry("schema", 1L)
                .containsEntry("change", "final")
                .containsEntry("anomaly_type", "EXT")
                .containsEntry("level", "snapshot-isolation")
                .containsEntry("txn_id", 3L)
                .containsEntry("object_key", "x")
                .containsEntry("expected_value", "1")
                .containsEntry("observed_value", "2");
        assertThat(lines.get(1)).containsEntry("history", "-").containsEntry("verdict", "violated");
        assertThat(run.out().lines().toList().get(1))
                .contains((String) lines.get(0).get("anomaly_id"));
    }

    @Test
    void provisionalChangesAreReportedOnRequest() {
        CommandRun run = stdin(
                RIGHT_READ + WRITE, "watch", "-", "--lake", "none", "--json", "--level", "si", "--changes", "all");

        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
    }

    @Test
    void aFileIsReadToWhereItEndsNow() throws IOException {
        Path file = write("h.jsonl", WRITE + WRONG_READ.strip());

        CommandRun run = CommandRun.of("watch", file.toString(), "--until-end", "--lake", "none");

        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out())
                .contains("final wrong read (EXT) level=snapshot-isolation txn=3 key=x expected=1 observed=2");
    }

    @Test
    void filesOfADirectoryAreOneHistoryInWhateverFormat() throws IOException {
        Path all = write("all.jsonl", WRITE + RIGHT_READ);
        Path parts = Files.createDirectory(folder.resolve("parts"));
        assertThat(CommandRun.of(
                                "convert",
                                all.toString(),
                                parts.resolve("a.parquet").toString())
                        .code())
                .isZero();
        Files.writeString(parts.resolve("b.jsonl"), WRONG_READ);
        Files.writeString(parts.resolve("_manifest.json"), "{}");

        CommandRun run = CommandRun.of("watch", parts.toString(), "--until-end", "--lake", "none", "--json");

        Map<String, Object> verdict = last(run);
        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(verdict).containsEntry("transactions", 3L);
    }

    /** A part is renamed when it is complete. */
    @Test
    void filesOfOtherNamesInADirectoryArePassedOver() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.jsonl"), WRITE);
        Files.writeString(parts.resolve("b.jsonl.tmp"), WRONG_READ);
        Files.writeString(parts.resolve("c.parquet.tmp"), "PAR1 and more");
        Files.writeString(parts.resolve("README"), "nothing of the kind");

        CommandRun run = CommandRun.of("watch", parts.toString(), "--until-end", "--lake", "none", "--json");

        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
        assertThat(last(run)).containsEntry("transactions", 1L);
        assertThat(run.err()).containsOnlyOnce("passed over");
    }

    /** A value is certainly never written only if all rows are there, from the beginning to the end. */
    @Test
    void nobodyEverWroteAValueOnlyWhereAllThatWasWrittenIsThere() throws IOException {
        String initial = write("initial.jsonl", WRITE).toString();

        assertThat(origins(WRITE + WRONG_READ, "without an archive")).containsExactly("null");
        assertThat(origins(
                        WRITE + WRONG_READ,
                        "kept",
                        "--archive",
                        folder.resolve("kept").toString()))
                .containsExactly("never");
        assertThat(origins(
                        WRITE + WRONG_READ + "nonsense\n",
                        "a row is set aside",
                        "--archive",
                        folder.resolve("letters").toString()))
                .containsExactly("null");
        assertThat(origins(
                        WRONG_READ,
                        "something was there before",
                        "--initial",
                        initial,
                        "--archive",
                        folder.resolve("later").toString()))
                .containsExactly("null");
    }

    private List<String> origins(String rows, String name, String... more) {
        Path lake = folder.resolve("lake of " + name);
        List<String> args = new ArrayList<>(List.of("watch", "-", "--level", "si", "--lake", lake.toString()));
        args.addAll(List.of(more));
        CommandRun run = stdin(rows, args.toArray(new String[0]));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.VIOLATED);
        return CommandRun.rows(lake, "select observed_origin, explanation from anomalies").stream()
                .peek(row -> assertThat((String) row.get("explanation"))
                        .contains(
                                row.get("observed_origin") == null
                                        ? "The writer of that value is unknown"
                                        : "No transaction wrote that value"))
                .map(row -> String.valueOf(row.get("observed_origin")))
                .toList();
    }

    @Test
    void aCompleteFileOfAnyFormatIsReadAsAWhole() throws IOException {
        Path notation = write("h.txt", "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,2)\n");
        Path damaged = write("h.parquet", "PAR1 and then nothing");

        assertThat(CommandRun.of("watch", notation.toString(), "--until-end", "--lake", "none")
                        .code())
                .isEqualTo(ExitCode.VIOLATED);
        assertThat(CommandRun.of("watch", damaged.toString(), "--until-end", "--lake", "none")
                        .code())
                .isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void aBadRowIsSetAsideAndThenNothingHolds() {
        CommandRun run = stdin("nonsense\n" + WRITE + RIGHT_READ, "watch", "-", "--lake", "none", "--json");

        assertThat(run.code()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(last(run)).containsEntry("verdict", "undecided").containsEntry("transactions", 2L);
        assertThat(run.err()).contains("[- line=1] first bad row: ");
    }

    @Test
    void moreBadRowsThanAllowedRejectTheHistory() {
        CommandRun run = stdin("nonsense\n" + WRITE, "watch", "-", "--lake", "none", "--max-dead-letters", "0");

        assertThat(run.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(run.err()).contains("[- line=1]");
    }

    @Test
    void aTransactionDeliveredTwiceIsTakenOnceUnlessItDiffers() {
        assertThat(stdin(WRITE + RIGHT_READ + WRITE, "watch", "-", "--lake", "none")
                        .code())
                .isEqualTo(ExitCode.HOLDS);

        CommandRun other = stdin(WRITE + WRITE.replace("\"x\",1", "\"x\",7"), "watch", "-", "--lake", "none");

        assertThat(other.code()).isEqualTo(ExitCode.UNDECIDED);

        String counted = WRITE.replace("\"seq\":0,", "");
        assertThat(stdin(counted + RIGHT_READ + counted, "watch", "-", "--lake", "none", "--max-dead-letters", "0")
                        .code())
                .isEqualTo(ExitCode.HOLDS);
    }

    @Test
    void whatIsNoHistoryIsRejectedOnALine() {
        CommandRun bad = stdin("{\"txn\":1}x\n", "watch", "-", "--json", "--lake", "none", "--max-dead-letters", "0");

        assertThat(bad.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(JsonTree.lines(bad.out())).singleElement().satisfies(line -> assertThat(line)
                .containsEntry("verdict", "rejected")
                .containsEntry("history", "-")
                .containsEntry("row", 1L));
    }

    @Test
    void watchWithoutRowsEndsUndecided() {
        CommandRun run = stdin("", "watch", "-", "--json", "--lake", "none");

        assertThat(run.code()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(JsonTree.lines(run.out())).singleElement().satisfies(line -> assertThat(line)
                .containsEntry("verdict", "undecided")
                .containsEntry("transactions", 0L)
                .containsEntry("history", "-"));
        assertThat(run.out()).contains("no committed transaction yet");
    }

    @Test
    void evidenceIsTimestampsWhateverWasSealed() {
        CommandRun run = stdin(
                WRITE.replace("\"ops\"", "\"status\":\"aborted\",\"ops\""), "watch", "-", "--json", "--lake", "none");

        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
        assertThat(JsonTree.lines(run.out()).get(0)).containsEntry("evidence", "timestamps");
    }

    @Test
    void tablesHoldWhatWasFoundAndTheArchiveIsAHistory() {
        Path lake = folder.resolve("lake");
        Path archive = folder.resolve("kept");

        CommandRun run = stdin(
                WRITE + WRONG_READ,
                "watch",
                "-",
                "--lake",
                lake.toString(),
                "--archive",
                archive.toString(),
                "--level",
                "si,cser",
                "--run-id",
                "night");

        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(CommandRun.rows(lake, "select anomaly_type from anomalies where run_id = 'night'"))
                .hasSize(2);
        assertThat(CommandRun.rows(lake, "select anomaly_id from v_live_anomalies where stands order by 1"))
                .isEqualTo(CommandRun.rows(lake, "select anomaly_id from anomalies order by 1"));
        assertThat(CommandRun.rows(lake, "select transactions, final, is_complete from v_live_runs"))
                .containsExactly(Map.of("transactions", 2L, "final", 2L, "is_complete", true));
        assertThat(CommandRun.of("check", archive.toString(), "--lake", "none").code())
                .isEqualTo(ExitCode.VIOLATED);
        assertThat(stdin(WRITE, "watch", "-", "--lake", "none", "--archive", archive.toString())
                        .code())
                .as("rows of two watches in one archive")
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void anInitialHistoryMustBeWhole() throws IOException {
        String initial = write("initial.jsonl", WRITE + "nonsense\n").toString();

        CommandRun run = stdin(RIGHT_READ, "watch", "-", "--initial", initial, "--lake", "none");

        assertThat(run.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(run.err()).contains(initial + " line=2]");
    }

    @Test
    void anAddressThatIsTakenIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            for (String[] call : new String[][] {
                {"watch", "-", "--http", address, "--lake", "none"},
                {"watch", "tcp://" + address, "--lake", "none"},
                {"watch", "http://" + address, "--lake", "none"}
            }) {
                CommandRun run = stdin(WRITE, call);

                assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.STORAGE);
                assertThat(run.err()).contains("cannot listen: address=" + address + " reason=");
            }
        }
    }

    @Test
    void whatCannotBeWatchedIsWrongUsage() {
        for (List<String> wrong : List.of(
                List.of("watch"),
                List.of("watch", "no-such-file.jsonl"),
                List.of("watch", "-", "--level", "causal"),
                List.of("watch", "-", "--lateness", "soon"),
                List.of("watch", "-", "--changes", "some"),
                List.of("watch", "-", "--engine", "spark"),
                List.of("watch", "-", "-"),
                List.of("watch", "gopher://here"))) {
            CommandRun run = stdin(WRITE, wrong.toArray(new String[0]));

            assertThat(run.code()).as("%s", wrong).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).as("%s", wrong).startsWith("nightjar: ").doesNotContain("\tat ");
        }
    }

    /** Rows that are not all read by the same reader cannot be counted: each must state its numbers itself. */
    @Test
    void rowsWithoutNumbersAreCountedOnlyWhereOneReaderSeesAll() throws IOException {
        String first = "{\"txn\":1,\"session\":1,\"start\":1,\"commit\":2,\"ops\":[[\"w\",\"x\",1]]}\n";
        String others = "{\"txn\":2,\"session\":1,\"start\":3,\"commit\":4,\"ops\":[[\"w\",\"x\",2]]}\n"
                + "{\"session\":2,\"seq\":0,\"start\":5,\"commit\":6,\"ops\":[[\"r\",\"x\",2]]}\n";
        String all = write("all.jsonl", first + others).toString();
        Path parts = Files.createDirectory(folder.resolve("numberless"));
        Files.writeString(parts.resolve("a.jsonl"), first);
        Files.writeString(parts.resolve("b.jsonl"), others);
        Path packed = Files.createDirectory(folder.resolve("packed"));
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed.resolve("a.jsonl.gz")))) {
            gzip.write(others.lines().toList().get(1).getBytes(StandardCharsets.UTF_8));
        }
        String a = parts.resolve("a.jsonl").toString();

        assertThat(stdin(first + others, "watch", "-", "--lake", "none").code()).isEqualTo(ExitCode.HOLDS);
        assertThat(CommandRun.of("watch", all, "--until-end", "--lake", "none").code())
                .isEqualTo(ExitCode.HOLDS);
        assertRefused(CommandRun.of("watch", parts.toString(), "--until-end", "--lake", "none"), "line=1] seq missing");
        assertRefused(
                CommandRun.of("watch", packed.toString(), "--until-end", "--lake", "none"), "line=1] txn missing");
        assertRefused(stdin(WRITE, "watch", "-", a, "--until-end", "--lake", "none"), a + " line=1] seq missing");
        assertRefused(
                stdin(
                        first,
                        "watch",
                        "-",
                        "--lake",
                        "none",
                        "--checkpoint",
                        folder.resolve("c").toString()),
                "[- line=1] seq missing");
        assertRefused(
                CommandRun.of(
                        "watch",
                        parts.toString(),
                        "--until-end",
                        "--lake",
                        "none",
                        "--engine",
                        "flink",
                        "--initial",
                        "empty"),
                "line=1] seq missing");
    }

    private static void assertRefused(CommandRun run, String why) {
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.REJECTED);
        assertThat(run.err()).contains(why).contains("give each transaction its txn, and its seq");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Map<String, Object> last(CommandRun run) {
        List<Map<String, Object>> lines = JsonTree.lines(run.out());
        return lines.get(lines.size() - 1);
    }

    private static CommandRun stdin(String text, String... args) {
        InputStream stdin = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            return CommandRun.of(args);
        } finally {
            System.setIn(stdin);
        }
    }
}
