package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a command as a separate process, with a limit of time and of resident memory, and measures its cost.
 *
 * <p>Seconds are measured by the shell's {@code time}, which counts all children; resident memory is sampled every few
 * milliseconds, and the kernel's own high-water mark covers the time between samples.
 */
final class ProcessMeter {

    private static final long SAMPLE_MS = 10;
    private static final String SCRIPT =
            """
            TIMEFORMAT='%3R %3U %3S'
            base=$1
            shift
            { time "$@" >"$base.out" 2>"$base.err" </dev/null; } 2>"$base.time"
            """;

    private final Path folder;
    private final long timeoutSeconds;
    private final long memoryCap;

    /** The ending of a process. */
    enum Ending {
        EXITED,
        OUT_OF_TIME,
        OUT_OF_MEMORY
    }

    /** The cost and output of a process. */
    record Reading(
            Ending ending,
            int exitCode,
            double wallSeconds,
            double cpuSeconds,
            long peakBytes,
            String out,
            String err) {}

    ProcessMeter(Path folder, long timeoutSeconds, long memoryCap) {
        this.folder = folder;
        this.timeoutSeconds = timeoutSeconds;
        this.memoryCap = memoryCap;
    }

    Reading run(List<String> command) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path base = folder.resolve("process");
        List<String> line = new ArrayList<>(List.of("bash", "-c", SCRIPT, "measured", base.toString()));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("LC_ALL", "C.UTF-8");
        long startNs = System.nanoTime();
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("process.shell").toFile())
                .start();
        Ending ending = Ending.EXITED;
        long peak = 0;
        Thread atOurEnd = new Thread(() -> kill(process), "end-measured"); // stopping a plan stops its process
        Runtime.getRuntime().addShutdownHook(atOurEnd);
        try {
            while (!process.waitFor(SAMPLE_MS, TimeUnit.MILLISECONDS)) {
                long[] now = residentBytes(process);
                peak = Math.max(peak, now[1]);
                if (now[0] > memoryCap) {
                    ending = Ending.OUT_OF_MEMORY;
                } else if (System.nanoTime() - startNs > timeoutSeconds * 1_000_000_000L) {
                    ending = Ending.OUT_OF_TIME;
                }
                if (ending != Ending.EXITED) {
                    kill(process);
                    process.waitFor();
                    break;
                }
            }
        } finally {
            kill(process);
            forget(atOurEnd);
        }
        double wall = (System.nanoTime() - startNs) / 1e9;
        double[] times = ending == Ending.EXITED ? times(base) : new double[] {wall, Double.NaN};
        return new Reading(
                ending, process.exitValue(), times[0], times[1], peak, text(base, ".out"), text(base, ".err"));
    }

    private static void forget(Thread atOurEnd) {
        try {
            Runtime.getRuntime().removeShutdownHook(atOurEnd);
        } catch (IllegalStateException isShuttingDown) {
            return; // it runs
        }
    }

    private static void kill(Process process) {
        try (Stream<ProcessHandle> below = process.descendants()) {
            below.forEach(ProcessHandle::destroyForcibly);
        }
        process.destroyForcibly();
    }

    private static double[] times(Path base) throws IOException {
        String[] words = text(base, ".time").strip().split("\\s+");
        int last = words.length;
        try {
            return new double[] {
                Double.parseDouble(words[last - 3]),
                Double.parseDouble(words[last - 2]) + Double.parseDouble(words[last - 1])
            };
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notTimes) {
            throw new IOException("the shell returned no times: " + String.join(" ", words), notTimes);
        }
    }

    private static String text(Path base, String extension) throws IOException {
        try {
            return new String(Files.readAllBytes(Path.of(base + extension)), StandardCharsets.UTF_8);
        } catch (NoSuchFileException neverBegan) {
            return "";
        }
    }

    /** Returns the resident bytes of a process and all its descendants: now, and the maximum so far. */
    private static long[] residentBytes(Process process) {
        long now = 0;
        long max = 0;
        try (Stream<ProcessHandle> below = process.descendants()) {
            for (ProcessHandle handle : below.toList()) {
                long[] one = status(handle.pid());
                now += one[0];
                max += one[1];
            }
        }
        return new long[] {now, Math.max(now, max)};
    }

    private static long[] status(long pid) {
        long now = 0;
        long max = 0;
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith("VmRSS:")) {
                    now = kilobytes(line);
                } else if (line.startsWith("VmHWM:")) {
                    max = kilobytes(line);
                }
            }
        } catch (IOException gone) {
            return new long[2]; // it ended before it was read, or this is no Linux
        }
        return new long[] {now, max};
    }

    private static long kilobytes(String line) {
        return 1024 * Long.parseLong(line.replaceAll("[^0-9]", "").toLowerCase(Locale.ROOT));
    }
}
