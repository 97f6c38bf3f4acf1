package io.nightjar.jobs.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code nightjar check} in a separate process. */
final class CheckProcess implements AutoCloseable {

    /** For processes that end before better code would pay. */
    static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1");

    private static final long PATIENCE_SECONDS = 180;

    private final Process process;
    private final Path out;
    private final Path err;

    private CheckProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** @param folder of its output */
    static CheckProcess start(Path folder, String... arguments) throws IOException {
        Path out = Files.createTempFile(folder, "check-", ".out");
        Path err = Files.createTempFile(folder, "check-", ".err");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
        command.addAll(SHORT_LIVED);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.nightjar.jobs.cli.Main", "check", "--json"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new CheckProcess(process, out, err);
    }

    /** Waits for its end and returns its exit code. */
    int code() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("check does not end: " + this);
        }
        return process.exitValue();
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Terminates it as Ctrl-C does, except for the signal: some parents make their children ignore SIGINT. */
    void terminate() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        try {
            return "pid=" + process.pid() + " out=" + out() + " err=" + err();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
