package io.nightjar.jobs.cli;

import io.nightjar.formats.file.HeapSizing;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ByteSize;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.run.EmbeddedMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the meaning of {@code --memory} and {@code --engine} on a command line for the JVM that is to run it. The
 * launcher starts a separate JVM for it, and only if one of the two is given: that costs as long as a JVM takes to
 * start.
 */
final class LauncherOptions {

    /*
     * --memory bounds the process, so the heap is the remainder after these parts:
     *
     *   a tenth and 96m             the JVM: its code, classes and threads, buffers of files
     *   with Flink inside
     *     24m                       more of the same
     *     3/8, but not more than    buffers of exchanges and sorting; EmbeddedMemory divides them
     *     its slots can use
     *
     * A heap of less than 64m is not used: then the process exceeds --memory.
     */

    private static final long MIB = 1L << 20;
    private static final long ALWAYS_TAKEN = 96 * MIB;
    private static final long TAKEN_WITH_FLINK = 24 * MIB;
    static final long MIN_HEAP = MemoryConverter.MIN_HEAP;
    private static final String DEFAULT_HEAP = "-XX:MaxRAMPercentage=45";

    /**
     * Collections stop all threads: with this many cores, several threads share the work if the heap is large enough.
     */
    private static final int CORES_FOR_PARALLEL_COLLECTIONS = 4;

    private static final long HEAP_FOR_PARALLEL_COLLECTIONS = 1 << 30;

    /** The first size of the heap under Flink: with less, full collections take half of the collection time. */
    private static final long FIRST_HEAP_WITH_FLINK = 640 * MIB;

    private static final String FIRST_HEAP_WITHOUT_BOUND = "-XX:InitialRAMPercentage=2.7";

    /**
     * The arrays that tasks of Flink create for each of their parts die young if the young generation is large enough.
     */
    private static final String FLINK_ARRAYS = "-XX:PretenureSizeThreshold=3m";

    /** Under Flink so much is compiled at once that code which is cheaper and there sooner wins. */
    private static final List<String> FLINK_COMPILER = List.of("-XX:InlineSmallCode=600", "-XX:-PartialPeelLoop");

    /** Overrides the choice of the launcher by the sizes of files, which is based on the command line only. */
    private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    /** Options that mean long searches, in a file of options as on a command line. */
    private static final List<String> LONG_SEARCHES = List.of("budget", "component-budget", "cross-check");

    private LauncherOptions() {}

    /** Prints the engine, then a line for each option of the JVM. */
    public static void main(String[] args) throws IOException {
        Given given = Given.on(List.of(args));
        System.out.println(given.isFlink() ? "flink" : "local");
        options(given, machineBytes(), Runtime.getRuntime().availableProcessors())
                .forEach(System.out::println);
    }

    /** Returns the options of the JVM for a command line on a machine of this size. */
    static List<String> options(Given given, long machineBytes, int cores) {
        List<String> options = new ArrayList<>();
        boolean isFlinkInside = given.isFlink() && given.cluster() == null;
        long bound = given.memoryBytes();
        if (bound == 0) {
            options.add(DEFAULT_HEAP);
            options.add(collector(isFlinkInside, machineBytes * 45 / 100, cores));
            if (isFlinkInside) {
                options.add(FIRST_HEAP_WITHOUT_BOUND);
                options.add(FLINK_ARRAYS);
            }
        } else {
            bound = Math.min(bound, machineBytes); // a JVM with a larger bound than the machine's memory does not start
            long heap = bound - bound / 10 - ALWAYS_TAKEN;
            if (isFlinkInside) {
                heap -= TAKEN_WITH_FLINK;
                long offHeap = Math.max(0, Math.min(heap * 3 / 8, EmbeddedMemory.maxBytes(cores) * MIB));
                heap -= offHeap;
                options.add("-D" + EmbeddedMemory.PROPERTY + "=" + offHeap);
                options.add("-XX:MaxDirectMemorySize=" + (offHeap + 64 * MIB));
                if (heap >= FIRST_HEAP_WITH_FLINK) {
                    options.add("-Xms" + FIRST_HEAP_WITH_FLINK);
                    options.add(FLINK_ARRAYS);
                }
            }
            options.add("-Xmx" + Math.max(MIN_HEAP, heap) / 1024 + "k");
            options.add(collector(isFlinkInside, heap, cores));
            options.add("-D" + HeapSizing.PROPERTY + "=" + bound);
        }
        if (isFlinkInside) {
            options.addAll(FLINK_COMPILER);
        }
        if (given.searchesLong()) {
            options.add(BOTH_COMPILERS);
        }
        return options;
    }

    /**
     * Returns the collector. Flink's tasks create large arrays, which the serial collector allocates in the old
     * generation immediately.
     */
    private static String collector(boolean isFlinkInside, long heap, int cores) {
        boolean isParallel =
                !isFlinkInside && cores >= CORES_FOR_PARALLEL_COLLECTIONS && heap >= HEAP_FOR_PARALLEL_COLLECTIONS;
        return isParallel ? "-XX:+UseParallelGC" : "-XX:+UseSerialGC";
    }

    private static long machineBytes() throws IOException {
        Path memInfo = Path.of("/proc/meminfo");
        if (Files.isReadable(memInfo)) {
            for (String line : Files.readAllLines(memInfo)) {
                if (line.startsWith("MemTotal:")) {
                    return ByteSize.parse(line.substring("MemTotal:".length()).replace(" ", ""));
                }
            }
        }
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
    }

    /**
     * The given options, from anywhere on the command line.
     *
     * @param memory null if nothing
     * @param engine null if nothing
     * @param cluster null if nothing
     * @param searchesLong whether a file of options sets the time limit of searches
     */
    record Given(@Nullable String memory, @Nullable String engine, @Nullable String cluster, boolean searchesLong) {

        static Given on(List<String> arguments) {
            String[] values = new String[3];
            String[] options = {"--memory", "--engine", "--cluster"};
            String previous = "";
            for (String argument : arguments) {
                if (argument.equals("--")) {
                    break;
                }
                for (int i = 0; i < options.length; i++) {
                    if (previous.equals(options[i])) {
                        values[i] = argument;
                    } else if (argument.startsWith(options[i] + "=")) {
                        values[i] = argument.substring(options[i].length() + 1);
                    }
                }
                previous = argument;
            }
            return new Given(values[0], values[1], values[2], false).orOf(ConfigFile.namedIn(arguments));
        }

        /**
         * Adds options of a file that the command line does not set; the command reports a file that cannot be read.
         */
        private Given orOf(@Nullable Path config) {
            if (config == null) {
                return this;
            }
            try {
                ConfigFile file = ConfigFile.read(config);
                return new Given(
                        memory != null ? memory : file.value("memory"),
                        engine != null ? engine : file.value("engine"),
                        cluster != null ? cluster : file.value("cluster"),
                        LONG_SEARCHES.stream().anyMatch(name -> file.value(name) != null));
            } catch (IOException | UsageException unreadable) {
                return this;
            }
        }

        boolean isFlink() {
            return "flink".equals(engine);
        }

        /** Returns 0 for none; the command reports a size that cannot be parsed. */
        long memoryBytes() {
            try {
                return memory == null ? 0 : ByteSize.parse(memory);
            } catch (IllegalArgumentException noSize) {
                return 0;
            }
        }
    }
}
