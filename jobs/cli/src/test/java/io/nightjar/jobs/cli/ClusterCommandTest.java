package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCommandTest {

    @TempDir
    Path folder;

    @Test
    void unknownActionsAreWrongUsage() {
        assertThat(CommandRun.of("cluster", "restart"))
                .isEqualTo(new CommandRun(64, "", "nightjar: unknown action: action=restart expected=start|stop\n"));
    }

    @Test
    void impossibleClustersAreWrongUsage() {
        CommandRun run = CommandRun.of("cluster", "start", "--memory", "100m", "--dir", folder.toString());

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo("nightjar: too little memory for a TaskManager: memory=100m slots=1 needed=678m\n");
    }

    @Test
    void aPortThatIsTakenIsWorthARetry() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            CommandRun run = CommandRun.of("cluster", "start", "--quiet", "--port", port, "--dir", folder.toString());

            assertThat(run)
                    .isEqualTo(new CommandRun(
                            75,
                            "",
                            "nightjar: port is taken: port=" + port
                                    + "; stop the process that listens on it or choose another --port\n"));
        }
    }

    @Test
    void stoppingNothingIsNoFailure() {
        assertThat(CommandRun.of("cluster", "stop", "--dir", folder.toString()))
                .isEqualTo(new CommandRun(0, "", "no cluster is running: dir=" + folder + "\n"));
    }
}
