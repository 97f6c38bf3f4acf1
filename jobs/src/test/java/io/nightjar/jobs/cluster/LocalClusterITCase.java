package io.nightjar.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterITCase {

    private static final long MEMORY = 768L << 20;

    @TempDir
    Path folder;

    @Test
    void jobSurvivesATaskManagerAndNotTheJobManager() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(options(2))) {
            RemoteCluster remote = RemoteCluster.connect(cluster.restAddress());
            assertThat(remote.slots()).isEqualTo(2);

            GatedJob job = new GatedJob(Files.createDirectory(folder.resolve("first")));
            CompletableFuture<JobExecutionResult> result = submit(remote, job);
            Waiting.until("both tasks check", () -> job.hasArrived(2));
            cluster.killTaskManager(0);
            cluster.startTaskManager();
            Waiting.until("the lost task checks again", () -> job.hasArrived(3));
            job.open();
            long sum = result.get().<Long>getAccumulatorResult(GatedJob.SUM);
            assertThat(sum).isEqualTo(GatedJob.NUMBERS * (GatedJob.NUMBERS + 1) / 2);

            GatedJob second = new GatedJob(Files.createDirectory(folder.resolve("second")));
            CompletableFuture<JobExecutionResult> lost = submit(remote, second);
            Waiting.until("a task checks", () -> second.hasArrived(1));
            cluster.killJobManager();
            assertThatThrownBy(lost::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ClusterException.class)
                    .hasMessageContaining("lost the job: cluster=" + cluster.restAddress() + " reason=");
        }
        assertThat(folder.resolve("cluster/tmp")).doesNotExist();
        assertThat(folder.resolve("cluster/log/taskmanager-2.log"))
                .content()
                .contains("Successful registration at resource manager");
    }

    @Test
    void processesEndWithTheOneThatStartedThem() throws Exception {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.nightjar.jobs.cli.Main",
                        "cluster",
                        "start",
                        "--port=0",
                        "--task-managers=1",
                        "--memory=768m",
                        "--dir=" + folder.resolve("cluster"))
                .redirectError(folder.resolve("err").toFile())
                .start();
        String address = parent.inputReader().readLine();
        assertThat(address)
                .as("standard error: %s", Files.readString(folder.resolve("err")))
                .matches("127\\.0\\.0\\.1:\\d+");
        RemoteCluster.connect(address);
        ProcessHandle[] children = parent.children().toArray(ProcessHandle[]::new);
        assertThat(children).hasSize(2);

        parent.destroyForcibly();

        for (ProcessHandle child : children) {
            Waiting.until("the end of process " + child.pid(), () -> !Waiting.isRunning(child));
        }
        assertThatThrownBy(() -> RemoteCluster.connect(address))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith("cannot reach it: cluster=" + address + " reason=");
        assertThat(RunningCluster.find(folder.resolve("cluster"))).isEmpty();
    }

    private ClusterOptions options(int taskManagers) {
        return new ClusterOptions(taskManagers, 1, 0, MEMORY, folder.resolve("cluster"));
    }

    private static CompletableFuture<JobExecutionResult> submit(RemoteCluster remote, GatedJob job) throws Exception {
        StreamExecutionEnvironment env = remote.environment(new Configuration());
        job.define(env);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return remote.execute(env, "gated");
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
    }
}
