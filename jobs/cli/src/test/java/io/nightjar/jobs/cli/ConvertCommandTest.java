package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertCommandTest {

    private static final String HISTORY =
            """
            {"txn":1,"session":0,"seq":0,"status":"committed","start":10,"commit":12,"ops":[["w","x",1],["r","y",null]]}
            {"txn":2,"session":1,"seq":0,"status":"aborted","start":11,"commit":15,"ops":[["w","x",2]]}
            """;

    @TempDir
    private Path directory;

    private Path in;

    @BeforeEach
    void writeHistory() throws IOException {
        in = directory.resolve("in.jsonl");
        Files.writeString(in, HISTORY);
    }

    @Test
    void thereAndBackGivesTheSameBytes() throws IOException {
        Path there = directory.resolve("there.jsonl.gz");
        Path back = directory.resolve("back.jsonl");

        assertThat(convert(in, there).code()).isZero();
        assertThat(convert(there, back).code()).isZero();

        Path direct = directory.resolve("direct.jsonl");
        convert(in, direct);
        assertThat(back).hasSameTextualContentAs(direct);
    }

    @Test
    void summaryIsPrintedWithResults() {
        CommandRun run = convert(in, directory.resolve("out.jsonl"));

        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("wrote " + directory.resolve("out.jsonl") + ": transactions=2 operations=3\n");
    }

    @Test
    void committedOnlyLeavesOutTheOthersAndCountsThem() throws IOException {
        Files.writeString(in, HISTORY.replace("\"x\"", "7").replace("\"y\"", "8"));
        Path out = directory.resolve("out.json");

        assertThat(convert(in, out).err()).contains("status=aborted", "--committed-only");
        CommandRun run = convert(in, out, "--committed-only", "--json");

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("transactions=1 operations=2 leftOutAborted=1 leftOutUnknown=0");
        assertThat(run.out()).contains("\"transactions\":1", "\"left_out_aborted\":1", "\"left_out_unknown\":0");
        assertThat(out).content().contains("\"tid\":1").doesNotContain("\"tid\":2");
    }

    @Test
    void notesBesideAHistoryOfDbcopsArePassedOver() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("published"));
        Files.writeString(in, HISTORY.replace("\"x\"", "7").replace("\"y\"", "8"));
        convert(in, folder.resolve("history.bincode"), "--committed-only");
        Files.writeString(folder.resolve("x.txt"), "how it was made");

        assertThat(CommandRun.of("check", folder.toString(), "--lake", "none").code())
                .isZero();
    }

    @Test
    void quietSaysNothing() {
        CommandRun run = convert(in, directory.resolve("out.jsonl"), "--quiet");

        assertThat(run).isEqualTo(new CommandRun(0, "", ""));
    }

    /** For a copy without it, the level would be reported to hold. */
    @ParameterizedTest
    @ValueSource(strings = {"out.jsonl", "out.jsonl.gz", "out.parquet", "out.arrow", "out.txt"})
    void whatLeavesLevelsOpenIsInTheCopyToo(String name) throws IOException {
        Files.writeString(in, HISTORY + "{\"doubt\":\"the log lost its end\"}\n");
        Path out = directory.resolve(name);

        CommandRun run = convert(in, out);

        assertThat(run.code()).isZero();
        assertThat(run.err()).doesNotContain("no room");
        CommandRun checked = CommandRun.of("check", out.toString(), "--lake", "none");
        assertThat(checked.code()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(checked.out()).contains("the log lost its end");
    }

    @Test
    void formatWithoutUndecidedReasonsIsReported() throws IOException {
        Files.writeString(in, HISTORY + "{\"doubt\":\"the log lost its end\"}\n");

        assertThat(convert(in, directory.resolve("out.csv")).err())
                .contains("this format cannot store the reasons that leave levels undecided")
                .contains("the log lost its end");
    }

    @Test
    void anOlderOutputIsReplaced() throws IOException {
        Path out = directory.resolve("out.jsonl");
        Files.writeString(out, "what was here");

        assertThat(convert(in, out).code()).isZero();
        assertThat(out).content().doesNotContain("what was here");
    }

    @Test
    void aFailureLeavesTheOlderOutputAndNothingElse() throws IOException {
        Path out = directory.resolve("out.jsonl");
        Files.writeString(out, "what was here");
        Files.writeString(in, HISTORY + "no row\n");

        CommandRun run = convert(in, out);

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("nightjar: [").contains("in.jsonl line=3]");
        assertThat(out).hasContent("what was here");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void badRowsAreSetAsideWhenAllowed() throws IOException {
        Files.writeString(in, HISTORY + "no row\n");

        CommandRun run = convert(in, directory.resolve("out.jsonl"), "--max-dead-letters", "1");

        assertThat(run.code()).isZero();
        assertThat(run.err())
                .contains("skipped: unexpected text")
                .contains("transactions=2")
                .contains("deadLetters=1");
    }

    @Test
    void theOutputMayNotBeTheInput() {
        assertThat(convert(in, in).code()).isEqualTo(64);
        assertThat(in).hasContent(HISTORY);
    }

    @Test
    void theOutputMayNotBeADirectory() {
        assertThat(convert(in, directory).code()).isEqualTo(64);
    }

    @Test
    void aMissingInputIsRejected() {
        CommandRun run = convert(directory.resolve("missing.jsonl"), directory.resolve("out.jsonl"));

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err())
                .isEqualTo("nightjar: [" + directory.resolve("missing.jsonl") + "] no such file or directory\n");
    }

    @Test
    void unknownFormatsAreWrongUsage() {
        assertThat(convert(in, directory.resolve("out.jsonl"), "--from", "xml").code())
                .isEqualTo(64);
        assertThat(convert(in, directory.resolve("out.jsonl"), "--to", "xml").code())
                .isEqualTo(64);
        assertThat(convert(in, directory.resolve("out.xml")).code()).isEqualTo(64);
    }

    private static CommandRun convert(Path in, Path out, String... options) {
        String[] arguments = new String[3 + options.length];
        arguments[0] = "convert";
        arguments[1] = in.toString();
        arguments[2] = out.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return CommandRun.of(arguments);
    }
}
