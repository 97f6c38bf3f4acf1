package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunLockTest {

    @TempDir
    Path folder;

    @Test
    void anotherProcessDoesNotGetALockThatIsHeld() throws Exception {
        Path file = folder.resolve("locks/r1");
        try (RunLock lock = RunLock.acquireAtOnce(file)) {
            assertThat(lock.isLeftOver()).isFalse();
            assertThat(anotherProcessLocks(file)).isEqualTo(RunLockProbe.REFUSED);
        }
    }

    @Test
    void anotherProcessDoesNotGetALockAfterASecondAttemptInThisOne() throws Exception {
        Path file = folder.resolve("locks/r1");
        try (RunLock lock = RunLock.acquireAtOnce(file)) {
            assertThat(RunLock.acquireAtOnce(file)).isNull();
            assertThat(anotherProcessLocks(file)).isEqualTo(RunLockProbe.REFUSED);
            assertThat(lock.path()).isEqualTo(file);
        }
    }

    @Test
    void aLockThatWasGivenBackIsFreeAndLeavesNothing() throws IOException {
        Path file = folder.resolve("locks/r1");
        RunLock.acquireAtOnce(file).close();
        assertThat(Files.exists(file.getParent())).isFalse();
        try (RunLock lock = RunLock.acquireAtOnce(file)) {
            assertThat(lock.isLeftOver()).isFalse();
        }
    }

    private static int anotherProcessLocks(Path file) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RunLockProbe.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        return process.waitFor();
    }
}
