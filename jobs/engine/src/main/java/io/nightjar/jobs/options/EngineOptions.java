package io.nightjar.jobs.options;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.Terminal;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select an engine and its resources. */
public final class EngineOptions {

    private static final long BYTES_PER_THREAD = 64L << 20;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            defaultValue = "local",
            completionCandidates = Names.class,
            description = "local: threads of this process. flink: tasks of a Flink cluster. Default: ${DEFAULT-VALUE}.")
    private String engine;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "For --engine local. Default: one for each core, fewer where memory is short.")
    private @Nullable Integer threads;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description =
                    "For --engine flink: tasks of a kind at once. Default: the slots of --cluster, else the cores.")
    private @Nullable Integer parallelism;

    @Option(
            names = "--cluster",
            paramLabel = "HOST:PORT",
            description = "For --engine flink: the REST address of a cluster that sees HISTORY and DIR under the same"
                    + " names. Default: one inside this process.")
    private @Nullable String cluster;

    public boolean isFlink() {
        return engine.equals("flink");
    }

    /** Returns whether another machine may do the work. */
    public boolean isElsewhere() {
        return cluster != null;
    }

    /** @throws UsageException if they do not go together */
    public void check() {
        if (!Names.ALL.contains(engine)) {
            throw new UsageException("unknown engine: engine=" + engine + " expected=" + String.join("|", Names.ALL));
        }
        positive("--threads", threads);
        positive("--parallelism", parallelism);
        if (isFlink() && threads != null) {
            throw new UsageException("--threads is for --engine local: threads=" + threads + "; use --parallelism");
        }
        if (!isFlink() && parallelism != null) {
            throw new UsageException("--parallelism is for --engine flink: parallelism=" + parallelism
                    + "; use --threads, or add --engine flink");
        }
        if (!isFlink() && cluster != null) {
            throw new UsageException("--cluster is for --engine flink: cluster=" + cluster + "; add --engine flink");
        }
    }

    private static void positive(String option, @Nullable Integer number) {
        if (number != null && number < 1) {
            throw new UsageException("not a positive number: " + option + "=" + number);
        }
    }

    /**
     * Returns the number of checking threads: each buffers a part of the input while it reads, so little memory means
     * few threads.
     */
    public int threadCount(long memoryBytes) {
        if (isFlink()) {
            return 1; // each task is one
        }
        int wanted = threads != null ? threads : Runtime.getRuntime().availableProcessors();
        int possible = (int) Math.max(1, Math.min(wanted, memoryBytes / BYTES_PER_THREAD));
        if (threads != null && possible < wanted) {
            Terminal.printNote("fewer threads, for want of memory: threads=" + possible + " asked=" + wanted);
        }
        return possible;
    }

    /** Returns the value of {@code --parallelism}; null for the default of the cluster. */
    @Nullable
    public Integer parallelism() {
        return parallelism;
    }

    /** Returns the address of a running cluster; null for one inside this process. */
    @Nullable
    public String cluster() {
        return cluster;
    }

    /** Returns the name of the engine. */
    public String name() {
        return engine;
    }

    /** The names of the available engines. */
    private static final class Names implements Iterable<String> {

        static final List<String> ALL = List.of("local", "flink");

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }
}
