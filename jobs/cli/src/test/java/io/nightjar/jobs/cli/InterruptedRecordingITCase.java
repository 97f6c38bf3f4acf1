package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recordings in separate processes that end prematurely. */
@Tag("slow")
class InterruptedRecordingITCase {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137"})
    void interruptedRecordingIsHistoryMarkedIncomplete(String signal, int code) throws Exception {
        Path out = directory.resolve("h.parquet");
        Process process = record(out, "jdbc:sqlite:" + directory.resolve("db") + "?synchronous=OFF");
        awaitParts(out, 3);
        send(signal, process);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
        RunResult result = checked(out);
        Map<String, Object> manifest = JsonTree.object(Files.readString(out.resolve("_manifest.json")));
        assertThat(manifest).containsEntry("complete", false);
        assertThat(((Number) manifest.get("transactions")).longValue()).isBetween(1L, result.transactions());
        if (!signal.equals("KILL")) {
            assertThat(directory.resolve("log"))
                    .content()
                    .containsPattern("\\{\"schema\":1,.*\"transactions\":" + result.transactions()
                            + ",.*\"complete\":false,\"error\":\"stopped.*}");
        }
        assertThat(result.verdict().word()).isEqualTo("holds");
        assertThat(result.transactions()).isPositive();
        assertThat(result.lint()).extracting(RunResult.Lint::ruleId).contains("L30");
    }

    @Test
    void nextRecordingRecreatesTablesOfKilledOne() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("db") + "?synchronous=OFF";
        Path out = directory.resolve("h.parquet");
        Process process = record(out, url);
        awaitParts(out, 1);
        process.destroyForcibly().waitFor();

        CommandRun run =
                CommandRun.of("record", "" + directory.resolve("next.parquet"), "--jdbc", url, "--transactions", "50");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(checked(directory.resolve("next.parquet")).verdict().word()).isEqualTo("holds");
    }

    private Process record(Path out, String url) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "record",
                out.toString(),
                "--jdbc",
                url,
                "--duration",
                "10m",
                "--sessions",
                "4",
                "--rate",
                "500",
                "--json"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitParts(Path out, int count) throws IOException, InterruptedException {
        Path last = out.resolve("part-%05d.parquet".formatted(count - 1));
        for (int attempt = 0; attempt < 1_200 && !Files.exists(last); attempt++) {
            Thread.sleep(50);
        }
        assertThat(last).as("%s", Files.readString(directory.resolve("log"))).exists();
    }

    private static void send(String signal, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, "" + process.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    private static RunResult checked(Path history) {
        CommandRun run = CommandRun.of("check", "" + history, "--level", "si,ser", "--lake", "none", "--json");
        assertThat(run.code()).as(run.err()).isZero();
        return RunResultJson.read(run.out());
    }
}
