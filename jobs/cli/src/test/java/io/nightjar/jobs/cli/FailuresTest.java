package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.cluster.ClusterException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.watch.CheckpointException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void rejectedInputIsReported() {
        assertReport(
                new MalformedHistoryException(InputLocation.line("a.jsonl", 2), InputError.of("not an object")),
                3,
                "nightjar: [a.jsonl line=2] not an object\n");
    }

    @Test
    void usageErrorIsReported() {
        assertReport(new UsageException("file exists: path=a"), 64, "nightjar: file exists: path=a\n");
    }

    @Test
    void storageThatFailedIsWorthARetry() {
        assertReport(
                new IOException("No space left on device"), 75, "nightjar: storage failed: No space left on device\n");
        assertReport(
                CheckpointException.damaged(Path.of("c"), "base-1"),
                75,
                "nightjar: checkpoint is damaged: path=c/base-1; remove c and begin anew\n");
        assertReport(new ClusterException("gone"), 75, "nightjar: cluster failed: gone\n");
        assertReport(
                new IOException("cannot listen: port=1", new BindException("taken")),
                75,
                "nightjar: cannot listen: port=1\n");
        assertReport(new NoSuchFileException("x"), 75, "nightjar: storage failed: no such file: x\n");
        assertReport(new AccessDeniedException("x"), 75, "nightjar: storage failed: permission denied: x\n");
        assertReport(
                new FileSystemException("x", null, "Not a directory"),
                75,
                "nightjar: storage failed: Not a directory: x\n");
    }

    @Test
    void wrappersAreTakenOff() {
        assertReport(
                new ExecutionException(new UncheckedIOException(new IOException("broken"))),
                75,
                "nightjar: storage failed: broken\n");
    }

    @Test
    void anythingElseIsAFaultOfOursInOneLine() {
        assertReport(
                new AssertionError("cannot happen: x=1"),
                70,
                "nightjar: a fault of ours: java.lang.AssertionError: cannot happen: x=1;"
                        + " --verbose shows where, please report it\n");
    }

    private static void assertReport(Throwable failure, int code, String message) {
        PrintStream stderr = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            assertThat(Failures.report(failure)).isEqualTo(code);
        } finally {
            System.setErr(stderr);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(message);
    }

    @Test
    void nativeLibraryThatCannotBeUnpackedIsStorageFailure() {
        Throwable first = new ExceptionInInitializerError(new UnsatisfiedLinkError("no zstd-jni in java.library.path"));
        Throwable later =
                new NoClassDefFoundError("Could not initialize class com.github.luben.zstd.ZstdDecompressCtx");

        assertThat(Failures.codeOf(first)).isEqualTo(ExitCode.STORAGE);
        assertThat(Failures.codeOf(later)).isEqualTo(ExitCode.STORAGE);
        assertThat(Failures.codeOf(new NoClassDefFoundError("io/nightjar/Missing")))
                .isEqualTo(ExitCode.FAULT);
    }
}
