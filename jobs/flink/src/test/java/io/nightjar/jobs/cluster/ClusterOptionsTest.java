package io.nightjar.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterOptionsTest {

    @ParameterizedTest
    @CsvSource({"1024, 1", "1536, 4", "16384, 8"})
    void partsOfATaskManagersMemoryAreAllOfIt(long mebibytes, int slots) {
        TaskManagerMemory memory = TaskManagerMemory.split(mebibytes << 20, slots);

        long fixed = TaskManagerMemory.FRAMEWORK_HEAP
                + TaskManagerMemory.FRAMEWORK_OFF_HEAP
                + TaskManagerMemory.TASK_OFF_HEAP
                + TaskManagerMemory.METASPACE;
        assertThat(fixed + memory.taskHeap() + memory.managed() + memory.network() + memory.overhead())
                .isEqualTo(mebibytes);
        assertThat(memory.taskHeap()).isGreaterThanOrEqualTo(128);
    }

    @Test
    void tooLittleMemorySaysHowMuchIsNeeded() {
        assertThatThrownBy(() -> options(2, 1, 0, 512L << 20))
                .isInstanceOf(UsageException.class)
                .hasMessage("too little memory for a TaskManager: memory=512m slots=1 needed=678m");
        options(2, 1, 0, 678L << 20);
    }

    @Test
    void impossibleNumbersAreWrongUsage() {
        assertThatThrownBy(() -> options(0, 1, 0, 1L << 30)).hasMessage("not a positive number: task-managers=0");
        assertThatThrownBy(() -> options(1, 0, 0, 1L << 30)).hasMessage("not a positive number: slots=0");
        assertThatThrownBy(() -> options(1, 1, 65_536, 1L << 30)).hasMessage("not a port: port=65536 max=65535");
    }

    private static ClusterOptions options(int taskManagers, int slots, int port, long memoryBytes) {
        return new ClusterOptions(taskManagers, slots, port, memoryBytes, Path.of("cluster"), List.of());
    }
}
