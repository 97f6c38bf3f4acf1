package io.nightjar.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LocalClusterITCase {

    @TempDir
    Path folder;

    @Test
    void deadTaskManagerIsReplacedAndAllEndWithStarter() throws Exception {
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
        assertThat(parent.children()).hasSize(2);
        ProcessHandle killed = youngest(parent);
        killed.destroyForcibly();
        Waiting.until("a TaskManager in its place", () -> youngest(parent).pid() > killed.pid());
        ProcessHandle[] children = parent.children().toArray(ProcessHandle[]::new);

        parent.destroyForcibly();

        for (ProcessHandle child : children) {
            Waiting.until("the end of process " + child.pid(), () -> !Waiting.isRunning(child));
        }
        assertThatThrownBy(() -> RemoteCluster.connect(address))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith("cannot reach it: cluster=" + address + " reason=");
        assertThat(RunningCluster.find(folder.resolve("cluster"))).isEmpty();
    }

    /** Returns the youngest process: the JobManager is started first. */
    private static ProcessHandle youngest(Process parent) {
        return parent.children().max(Comparator.comparing(ProcessHandle::pid)).orElseThrow();
    }
}
