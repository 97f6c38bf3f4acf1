package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {

    @Test
    void commandsDoNotSayWhereTheBuildLies(@TempDir Path home) {
        Map<String, String> commands =
                Map.of("nightjar", home.resolve("nightjar").toString(), "old", "../old/nightjar");

        assertThat(MachineFacts.describe(home, commands))
                .containsEntry("commands", Map.of("nightjar", "./nightjar", "old", "../old/nightjar"));
    }
}
