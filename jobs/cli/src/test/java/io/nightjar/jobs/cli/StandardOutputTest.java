package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output to standard output or into a pipe goes there and nowhere else. Each call is a separate process. */
class StandardOutputTest {

    private static final String ROW =
            "{\"txn\":1,\"session\":0,\"seq\":0,\"start\":1,\"commit\":2,\"ops\":[[\"w\",\"x\",1]]}\n";

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeTheHistory() throws IOException {
        file = Files.writeString(folder.resolve("h.jsonl"), ROW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/stdout"})
    void convertWritesJsonLinesToRedirectedOutput(String out) throws Exception {
        Path target = Files.writeString(folder.resolve("target"), "what was there before\n");
        Object number = Files.getAttribute(target, "unix:ino");
        ProcessBuilder.Redirect append = ProcessBuilder.Redirect.appendTo(target.toFile());

        int code = start(append, "convert", file.toString(), out).waitFor();

        assertThat(code).isZero();
        assertThat(target).hasContent("what was there before\n" + expected());
        assertThat(Files.getAttribute(target, "unix:ino")).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "arrow", "edn"})
    void otherFormatsGoThroughAPipeToo(String format) throws Exception {
        Process convert = start(ProcessBuilder.Redirect.PIPE, "convert", file.toString(), "-", "--to", format);
        Path received = folder.resolve("received");
        try (InputStream out = convert.getInputStream()) {
            Files.copy(out, received);
        }

        assertThat(convert.waitFor()).isZero();
        CommandRun run = CommandRun.of("check", received.toString(), "--level", "ser", "--lake", "none");
        assertThat(run.code()).as("%s", run).isZero();
    }

    @Test
    void aReaderThatGoesAwayEndsTheCommandQuietly() throws Exception {
        Files.writeString(file, rows(20_000));
        ProcessBuilder builder = builder("convert", file.toString(), "-");
        Path complaints = folder.resolve("complaints");
        Process convert = builder.redirectError(complaints.toFile()).start();
        try (InputStream out = convert.getInputStream()) {
            assertThat(out.read()).isEqualTo('{');
        }

        assertThat(convert.waitFor()).isEqualTo(ExitCode.BROKEN_PIPE);
        assertThat(complaints).isEmptyFile();
    }

    @Test
    void aNamedPipeIsWrittenIntoAndStays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Callable<String> reader = () -> Files.readString(pipe);
        FutureTask<String> received = new FutureTask<>(reader);
        Thread thread = new Thread(received);
        thread.setDaemon(true);
        thread.start();

        CommandRun run = CommandRun.of("convert", file.toString(), pipe.toString());

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(received.get()).isEqualTo(expected());
        assertThat(Files.isRegularFile(pipe)).isFalse();
    }

    @Test
    void generateWritesToStandardOutput() throws Exception {
        Process generate =
                start(ProcessBuilder.Redirect.PIPE, "generate", "-", "--transactions", "50", "--fault", "stale-read=1");
        String rows;
        try (InputStream out = generate.getInputStream()) {
            rows = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(generate.waitFor()).isZero();
        assertThat(rows.lines()).hasSize(50).allMatch(row -> row.startsWith("{\"txn\":"));
    }

    private static String rows(int count) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < count; i++) {
            rows.append("{\"txn\":")
                    .append(i)
                    .append(",\"session\":0,\"ops\":[[\"w\",\"x\",")
                    .append(i)
                    .append("]]}\n");
        }
        return rows.toString();
    }

    private String expected() throws IOException {
        Path direct = folder.resolve("direct.jsonl");
        assertThat(CommandRun.of("convert", file.toString(), direct.toString()).code())
                .isZero();
        return Files.readString(direct);
    }

    private static Process start(ProcessBuilder.Redirect out, String... args) throws IOException {
        return builder(args).redirectOutput(out).start();
    }

    private static ProcessBuilder builder(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    }
}
