package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Record, in a cluster's directory, of the process that runs the cluster.
 *
 * @param pid the process that started the others
 * @param startedAt distinguishes the process from a later one with the same number
 * @param address host and port where the cluster accepts jobs
 */
public record RunningCluster(long pid, Instant startedAt, String address) {

    private static final String FILE = "running";
    private static final long GOODBYE_SECONDS = 30;

    /** Records that this process runs a cluster in a directory. */
    public static void record(Path dir, String address) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        Files.writeString(dir.resolve(FILE), self.pid() + " " + startOf(self) + " " + address + "\n");
    }

    /** Removes the record. */
    public static void forget(Path dir) throws IOException {
        Files.deleteIfExists(dir.resolve(FILE));
    }

    /** Returns the cluster of this directory, if its process is alive. */
    public static Optional<RunningCluster> find(Path dir) throws IOException {
        try {
            String[] words = Files.readString(dir.resolve(FILE)).strip().split(" ");
            RunningCluster found = new RunningCluster(Long.parseLong(words[0]), Instant.parse(words[1]), words[2]);
            return found.process().map(alive -> found);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (RuntimeException garbled) {
            throw new ClusterException(
                    "[" + dir.resolve(FILE) + "] cannot be read: reason=" + garbled.getMessage()
                            + "; end the cluster by hand and remove the file",
                    garbled);
        }
    }

    private Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(process -> process.isAlive() && startOf(process).equals(startedAt));
    }

    private static Instant startOf(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH);
    }

    /** Asks it to end, and waits until it has. */
    public void stop() throws InterruptedException {
        Optional<ProcessHandle> process = process();
        if (process.isEmpty()) {
            return;
        }
        process.get().destroy();
        try {
            process.get().onExit().get(GOODBYE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException stubborn) {
            throw new ClusterException("cluster does not end: pid=" + pid, stubborn);
        }
    }
}
