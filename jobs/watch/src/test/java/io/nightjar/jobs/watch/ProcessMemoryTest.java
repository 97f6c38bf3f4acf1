package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMemoryTest {

    @TempDir
    Path folder;

    @Test
    void whatTheProcessHoldsIsReadWhereTheSystemTells() throws Exception {
        Path status = Files.writeString(folder.resolve("status"), "Name:\tjava\nVmRSS:\t    2048 kB\n");

        assertThat(ProcessMemory.rssBytes(status)).isEqualTo(2_097_152);
    }

    @Test
    void memoryIsUnknownIfSystemDoesNotReportIt() {
        assertThat(ProcessMemory.rssBytes(folder.resolve("status"))).isNull();
    }
}
