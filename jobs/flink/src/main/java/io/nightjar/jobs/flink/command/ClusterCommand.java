package io.nightjar.jobs.flink.command;

import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.cluster.ClusterOptions;
import io.nightjar.jobs.cluster.LocalCluster;
import io.nightjar.jobs.cluster.RunningCluster;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nightjar cluster}: a Flink cluster of processes on this machine. */
@Command(
        name = "cluster",
        description = "Run a Flink cluster of processes on this machine, for check --engine flink --cluster HOST:PORT.",
        footer = {
            "  nightjar cluster start                            until Ctrl-C; prints HOST:PORT when it is ready",
            "  nightjar cluster start --task-managers 4 --slots 2 --memory 2g --dir /data/cluster &",
            "  nightjar cluster stop --dir /data/cluster         from another terminal",
            "",
            "NIGHTJAR_CLUSTER_JAVA_OPTS in the environment: further options for the JVM of each process."
        })
final class ClusterCommand implements Callable<Integer> {

    private static final int DEFAULT_PORT = 8081;
    private static final String JAVA_OPTIONS = "NIGHTJAR_CLUSTER_JAVA_OPTS";

    @Parameters(
            paramLabel = "ACTION",
            completionCandidates = Actions.class,
            description =
                    "start: run until Ctrl-C or stop. stop: end the cluster that was started with the same --dir or --port.")
    private String action;

    @Option(
            names = "--task-managers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Processes that do the work; one that dies is replaced (default: ${DEFAULT-VALUE}).")
    private int taskManagers;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "1",
            description = "Tasks of a kind that each of them runs at once (default: ${DEFAULT-VALUE}).")
    private int slots;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + DEFAULT_PORT,
            description = "Where jobs are taken, on the loopback interface; 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemoryConverter.class,
            defaultValue = "1g",
            description = "Memory limit of each TaskManager (default: ${DEFAULT-VALUE}). The JobManager takes up"
                    + " to 700m in addition.")
    private long memory;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Configuration, logs and files in use. Default: nightjar-cluster-PORT among temporary files.")
    private @Nullable Path dir;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return switch (action) {
            case "start" -> start();
            case "stop" -> stop();
            default -> throw new UsageException("unknown action: action=" + action + " expected=start|stop");
        };
    }

    private int start() throws IOException, InterruptedException {
        ClusterOptions options = new ClusterOptions(taskManagers, slots, port, memory, directory(), jvmOptions());
        Optional<RunningCluster> running = RunningCluster.find(options.dir());
        if (running.isPresent()) {
            throw new UsageException("cluster is running already: dir=" + options.dir() + " address="
                    + running.get().address() + "; stop it or choose another --dir");
        }
        Terminal.printNote(
                "starting Flink: task-managers=" + taskManagers + " slots=" + slots + " dir=" + options.dir());
        LocalCluster cluster = LocalCluster.start(options);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(cluster, options.dir()), "cluster-end"));
        RunningCluster.record(options.dir(), cluster.restAddress());
        System.out.println(cluster.restAddress());
        System.out.flush();
        Terminal.printNote("ready: "
                + CommandHint.of("check", "--engine", "flink", "--cluster", cluster.restAddress(), "HISTORY"));
        cluster.supervise();
        return ExitCode.HOLDS;
    }

    private static List<String> jvmOptions() {
        String options = System.getenv(JAVA_OPTIONS);
        return options == null || options.isBlank()
                ? List.of()
                : List.of(options.strip().split("\\s+"));
    }

    private static void end(LocalCluster cluster, Path dir) {
        try {
            RunningCluster.forget(dir);
            cluster.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int stop() throws IOException, InterruptedException {
        Optional<RunningCluster> running = RunningCluster.find(directory());
        if (running.isEmpty()) {
            Terminal.printNote("no cluster is running: dir=" + directory());
            return ExitCode.HOLDS;
        }
        running.get().stop();
        return ExitCode.HOLDS;
    }

    private Path directory() throws IOException {
        if (dir == null) {
            Path parent = Path.of(System.getProperty("java.io.tmpdir"));
            dir = port == 0
                    ? Files.createTempDirectory(parent, "nightjar-cluster-")
                    : parent.resolve("nightjar-cluster-" + port);
        }
        return dir;
    }

    /** Actions on a cluster. */
    private static final class Actions implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return List.of("start", "stop").iterator();
        }
    }
}
