package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directory of a cluster on this machine. */
final class ClusterFiles {

    /*
     * Layout.
     *   DIR/conf/config.yaml         Flink's configuration, memory included
     *   DIR/conf/logging.properties  selection of log messages
     *   DIR/log/<process>.log        retained after the cluster has ended
     *   DIR/classes                  the single class of ours that cluster processes start with
     *   DIR/tmp                      spill files of the processes, a folder per TaskManager; removed with the process or
     *                                with the cluster
     */

    private static final String[] LOGGING = {
        "handlers=java.util.logging.ConsoleHandler",
        ".level=INFO",
        "java.util.logging.SimpleFormatter.format=%1$tF %1$tT.%1$tL %4$s %3$s %5$s%6$s%n"
    };

    private final Path dir;

    ClusterFiles(Path dir) {
        this.dir = dir.toAbsolutePath();
    }

    Path conf() {
        return dir.resolve("conf");
    }

    Path logging() {
        return conf().resolve("logging.properties");
    }

    Path classes() {
        return dir.resolve("classes");
    }

    Path tmp() {
        return dir.resolve("tmp");
    }

    Path log(String process) {
        return dir.resolve("log").resolve(process + ".log");
    }

    void create(ClusterOptions options, int restPort, int rpcPort) throws IOException {
        removeFilesInUse();
        for (Path folder : List.of(conf(), classes(), tmp(), dir.resolve("log"))) {
            Files.createDirectories(folder);
        }
        Files.write(conf().resolve("config.yaml"), configuration(options, restPort, rpcPort));
        Files.write(logging(), List.of(LOGGING));
        copyClass(ClusterProcess.class);
    }

    /**
     * Copies a class. A cluster starts with Flink's classes only, so that a job brings ours in one version; this class
     * is the exception.
     */
    private void copyClass(Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path copy = classes().resolve(name);
        Files.createDirectories(copy.getParent());
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
            Files.write(copy, in.readAllBytes());
        }
    }

    private List<String> configuration(ClusterOptions options, int restPort, int rpcPort) {
        List<String> lines = new ArrayList<>();
        for (String key : List.of("jobmanager.rpc.address", "jobmanager.bind-host", "taskmanager.host")) {
            lines.add(key + ": 127.0.0.1");
        }
        for (String key : List.of("taskmanager.bind-host", "rest.address", "rest.bind-address")) {
            lines.add(key + ": 127.0.0.1");
        }
        lines.add("jobmanager.rpc.port: " + rpcPort);
        lines.add("rest.port: " + restPort);
        lines.add("io.tmp.dirs: " + quoted(tmp()));
        lines.add("taskmanager.numberOfTaskSlots: " + options.slots());
        lines.add("parallelism.default: " + options.slots() * options.taskManagers());
        addMemory(lines, TaskManagerMemory.split(options.memoryBytes(), options.slots()), options.slots());
        addFaults(lines);
        lines.add("rest.cache.execution-graph.timeout: 200 ms"); // who asks sees how it is
        return lines;
    }

    /** Adds each part of the memory by name: without Flink's scripts none is derived from another. */
    private static void addMemory(List<String> lines, TaskManagerMemory memory, int slots) {
        lines.add("taskmanager.cpu.cores: " + slots + ".0");
        String prefix = "taskmanager.memory.";
        lines.add(prefix + "framework.heap.size: " + TaskManagerMemory.FRAMEWORK_HEAP + "m");
        lines.add(prefix + "framework.off-heap.size: " + TaskManagerMemory.FRAMEWORK_OFF_HEAP + "m");
        lines.add(prefix + "task.heap.size: " + memory.taskHeap() + "m");
        lines.add(prefix + "task.off-heap.size: " + TaskManagerMemory.TASK_OFF_HEAP + "m");
        lines.add(prefix + "managed.size: " + memory.managed() + "m");
        lines.add(prefix + "network.min: " + memory.network() + "m");
        lines.add(prefix + "network.max: " + memory.network() + "m");
        lines.add(prefix + "jvm-metaspace.size: " + TaskManagerMemory.METASPACE + "m");
        lines.add(prefix + "jvm-overhead.min: " + memory.overhead() + "m");
        lines.add(prefix + "jvm-overhead.max: " + memory.overhead() + "m");
    }

    /**
     * Adds short timeouts: on one machine a silent process is a dead one, and a replacement is there within seconds.
     */
    private static void addFaults(List<String> lines) {
        lines.add("heartbeat.interval: 2 s");
        lines.add("heartbeat.timeout: 10 s");
        lines.add("cluster.registration.error-delay: 300 ms");
        lines.add("cluster.registration.refused-registration-delay: 1 s");
        lines.add("restart-strategy.type: fixed-delay");
        lines.add("restart-strategy.fixed-delay.attempts: 30");
        lines.add("restart-strategy.fixed-delay.delay: 1 s");
        lines.add("$internal.dispatcher.client-aliveness-check.interval: 2 s"); // it is a minute otherwise
        lines.add("taskmanager.load-balance.mode: SLOTS");
    }

    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }

    /** Leaves configuration and logs. */
    void removeFilesInUse() throws IOException {
        for (Path folder : List.of(tmp(), classes())) {
            removeTree(folder);
        }
    }

    static void removeTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(path);
            }
        }
    }
}
