package io.nightjar.jobs.cluster;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.cluster.RestApi.Overview;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Flink cluster on this machine, of real processes: a JobManager and some TaskManagers, which end with this process. */
public final class LocalCluster implements AutoCloseable {

    private static final String JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
    private static final String TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
    private static final String[] JOB_MANAGER_MEMORY = {"-Xmx512m", "-XX:+UseSerialGC"};

    /** Packages that Flink accesses by reflection, to be opened on JDK 17. */
    private static final List<String> OPEN_PACKAGES = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.text",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "sun.nio.ch");

    /** Managed memory comes in small pieces to many threads, and an arena for each of them never gives any back. */
    private static final String ARENAS = "MALLOC_ARENA_MAX";

    private static final long PATIENCE_MS = 180_000;
    private static final long PAUSE_MS = 100;
    private static final long SUPERVISION_MS = 1_000;
    private static final long GOODBYE_MS = 10_000;

    private final ClusterOptions options;
    private final ClusterFiles files;
    private final int port;
    private final List<TaskManager> taskManagers = new ArrayList<>();
    private @Nullable Process jobManager;
    private boolean isClosed;

    /** @param tmp directory of its spill files */
    private record TaskManager(Process process, Path tmp) {}

    private LocalCluster(ClusterOptions options, ClusterFiles files, int port) {
        this.options = options;
        this.files = files;
        this.port = port;
    }

    /**
     * Starts the processes and waits until the TaskManagers have registered.
     *
     * @throws ClusterException if they do not start
     */
    public static LocalCluster start(ClusterOptions options) throws IOException, InterruptedException {
        ClusterFiles files = new ClusterFiles(options.dir());
        int port = freePort(options.port());
        files.create(options, port, freePort(0));
        LocalCluster cluster = new LocalCluster(options, files, port);
        try {
            cluster.startJobManager();
            int atOnce = Runtime.getRuntime().availableProcessors(); // more would exceed the time that Flink allows
            for (int started = 0; started < options.taskManagers(); started++) {
                if (started % atOnce == 0) {
                    cluster.awaitTaskManagers(started);
                }
                cluster.startTaskManager();
            }
            cluster.awaitTaskManagers(options.taskManagers());
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /**
     * Returns a free port; if another process takes it before our process does, ours does not start, and reports that.
     */
    private static int freePort(int wanted) {
        try (ServerSocket socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException taken) {
            throw new ClusterException(
                    "port is taken: port=" + wanted + "; stop the process that listens on it or choose another --port",
                    taken);
        }
    }

    /** Returns the host and port where jobs are taken. */
    public String restAddress() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    /** Starts a JobManager after the previous one ended; it has no record of earlier jobs. */
    public synchronized void startJobManager() throws IOException {
        jobManager = launch("jobmanager", JOB_MANAGER, files.tmp(), JOB_MANAGER_MEMORY, "--executionMode", "cluster");
    }

    /** Starts one more TaskManager. */
    public synchronized void startTaskManager() throws IOException {
        String name = "taskmanager-" + taskManagers.size();
        String[] memory =
                TaskManagerMemory.split(options.memoryBytes(), options.slots()).jvmOptions();
        Path tmp = Files.createDirectory(files.tmp().resolve(name));
        Process process = launch(
                name, TASK_MANAGER, tmp, memory, "-D", "taskmanager.resource-id=" + name, "-D", "io.tmp.dirs=" + tmp);
        taskManagers.add(new TaskManager(process, tmp));
    }

    private Process launch(String name, String mainClass, Path tmp, String[] memory, String... arguments)
            throws IOException {
        if (isClosed) {
            throw new IllegalStateException("cluster is closed: dir=" + options.dir());
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(memory));
        OPEN_PACKAGES.forEach(opened -> command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        command.add("-XX:-UsePerfData");
        command.add("-Djava.io.tmpdir=" + tmp);
        command.add("-Djava.util.logging.config.file=" + files.logging());
        command.add("-Dlog.file=" + files.log(name)); // where Flink's web pages expect it
        command.addAll(options.jvmOptions());
        command.add("-cp");
        command.add(classPath());
        command.addAll(List.of(ClusterProcess.class.getName(), mainClass));
        command.addAll(List.of("--configDir", files.conf().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(files.log(name).toFile());
        process.environment().putIfAbsent(ARENAS, "1");
        return process.start();
    }

    /**
     * Returns the class path: Flink and its libraries only. Each job brings our classes, in the version of the client
     * that submits it.
     */
    private String classPath() {
        return Stream.concat(Stream.of(files.classes()), ApplicationClassPath.ofThisProcess().flink().stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits until the given number of TaskManagers have reported their slots to the JobManager. */
    public void awaitTaskManagers(int count) throws InterruptedException {
        RestApi rest = new RestApi(restAddress());
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        String seen = "nothing";
        while (System.nanoTime() < deadlineNs) {
            if (!jobManager().isAlive()) {
                throw new ClusterException(
                        "the JobManager ended: code=" + jobManager().exitValue() + " log=" + files.log("jobmanager"));
            }
            try {
                Overview overview = rest.overview();
                if (overview.slots() >= count * options.slots()) {
                    return;
                }
                seen = overview.slots() + " of " + count * options.slots() + " slots";
            } catch (IOException notYet) {
                seen = "no answer (" + notYet.getMessage() + ")";
            }
            Thread.sleep(PAUSE_MS);
        }
        throw new ClusterException("cluster did not start: waitedMs=" + PATIENCE_MS + " seen=" + seen + " logs="
                + files.log("jobmanager").getParent());
    }

    /** Returns the process ids of all TaskManagers that were started, in that order; a dead process keeps its index. */
    public synchronized List<Long> taskManagerPids() {
        return taskManagers.stream()
                .map(taskManager -> taskManager.process().pid())
                .toList();
    }

    private Process jobManager() {
        return requireNonNull(jobManager);
    }

    /** Returns the process id of the JobManager. */
    public synchronized long jobManagerPid() {
        return jobManager().pid();
    }

    /** Kills a TaskManager abruptly; numbers follow the order of start. */
    public synchronized void killTaskManager(int number) {
        kill(taskManagers.get(number).process());
    }

    /** Kills the JobManager abruptly. */
    public synchronized void killJobManager() {
        kill(jobManager());
    }

    private static void kill(Process process) {
        process.destroyForcibly();
        awaitEnd(process);
    }

    /**
     * Replaces TaskManagers that die, until the cluster is closed.
     *
     * @throws ClusterException if the JobManager dies
     */
    public void supervise() throws IOException, InterruptedException {
        while (!jobManager().waitFor(SUPERVISION_MS, TimeUnit.MILLISECONDS)) {
            replaceDeadTaskManagers();
        }
        if (isClosed()) {
            return;
        }
        throw new ClusterException(
                "the JobManager ended: code=" + jobManager().exitValue() + " log=" + files.log("jobmanager"));
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private synchronized void replaceDeadTaskManagers() throws IOException {
        if (isClosed) {
            return;
        }
        long alive = 0;
        for (TaskManager taskManager : taskManagers) {
            if (taskManager.process().isAlive()) {
                alive++;
            } else {
                ClusterFiles.removeTree(taskManager.tmp()); // its spill files are useless now
            }
        }
        for (long i = alive; i < options.taskManagers(); i++) {
            startTaskManager();
        }
    }

    /** Ends all processes; their logs stay. */
    @Override
    public synchronized void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        List<Process> processes =
                new ArrayList<>(taskManagers.stream().map(TaskManager::process).toList());
        if (jobManager != null) {
            processes.add(jobManager);
        }
        processes.forEach(Process::destroyForcibly);
        processes.forEach(LocalCluster::awaitEnd);
        files.removeFilesInUse();
    }

    private static void awaitEnd(Process process) {
        try {
            process.waitFor(GOODBYE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
