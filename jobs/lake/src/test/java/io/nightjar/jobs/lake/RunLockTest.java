package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    void failedSecondAttemptDoesNotReleaseLock() throws Exception {
        Path file = folder.resolve("locks/r1");
        try (RunLock lock = RunLock.acquireAtOnce(file)) {
            assertThat(RunLock.acquireAtOnce(file)).isNull();
            assertThat(anotherProcessLocks(file)).isEqualTo(RunLockProbe.REFUSED);
            assertThat(lock.path()).isEqualTo(file);
        }
    }

    @Test
    void releasedLockIsFreeAndLeavesNoFile() throws IOException {
        Path file = folder.resolve("locks/r1");
        RunLock.acquireAtOnce(file).close();
        assertThat(Files.exists(file.getParent())).isFalse();
        try (RunLock lock = RunLock.acquireAtOnce(file)) {
            assertThat(lock.isLeftOver()).isFalse();
        }
    }

    @Test
    void uncreatableDirectoryIsReportedWithReason() throws IOException {
        Path dangling = Files.createSymbolicLink(folder.resolve("lake"), folder.resolve("nowhere"));
        Path locks = dangling.resolve("_runs/.locks");

        assertThatThrownBy(() -> RunLock.acquireAtOnce(locks.resolve("r1")))
                .isInstanceOf(LakeException.class)
                .hasMessage("[" + locks + "] cannot create directory: reason=FileAlreadyExistsException (" + dangling
                        + ")");
    }

    @Test
    void lockExcludesSameClassFromOtherLoader() throws Exception {
        Path file = folder.resolve("locks/r1");
        try (RunLock lock = RunLock.acquireAtOnce(file);
                URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> stranger = loader.loadClass(RunLock.class.getName());
            assertThat(stranger).isNotEqualTo(RunLock.class);
            Method acquire = stranger.getDeclaredMethod("acquireAtOnce", Path.class);
            acquire.setAccessible(true);

            assertThat(acquire.invoke(null, file)).isNull();
            assertThat(anotherProcessLocks(file)).isEqualTo(RunLockProbe.REFUSED);
            assertThat(lock.path()).isEqualTo(file);
        }
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
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
