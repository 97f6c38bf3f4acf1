package io.nightjar.jobs.command;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.file.InsufficientMemoryException;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.RetryableException;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Converts a throwable into one line for the user and an exit code. */
public final class Failures {

    private Failures() {}

    /** Reports a failure and returns its exit code. */
    public static int report(Throwable thrown) {
        Throwable failure = unwrap(thrown);
        if (failure instanceof ResultStream.BrokenException broken && broken.isBrokenPipe()) {
            return ExitCode.BROKEN_PIPE;
        }
        int code = codeOf(failure);
        Terminal.complain(line(failure, code));
        if (Terminal.isVerbose()) {
            failure.printStackTrace();
        }
        return code;
    }

    /**
     * Returns the object that replaces the result of a history that could not be checked: the error, and its location.
     */
    public static String json(String history, Throwable thrown) {
        Throwable failure = unwrap(thrown);
        int code = codeOf(failure);
        boolean isRejected = code == ExitCode.REJECTED;
        String error = isRejected ? String.valueOf(failure.getMessage()) : line(failure, code);
        return RunResultJson.notChecked(history, isRejected ? "rejected" : "failed", error, locationOf(failure));
    }

    /**
     * Reason that a history was not checked.
     *
     * @param word rejected or failed
     */
    public record Reason(int code, String word, String line, @Nullable InputLocation location) {}

    public static Reason reasonOf(Throwable thrown) {
        Throwable failure = unwrap(thrown);
        int code = codeOf(failure);
        return new Reason(
                code, code == ExitCode.REJECTED ? "rejected" : "failed", line(failure, code), locationOf(failure));
    }

    private static @Nullable InputLocation locationOf(Throwable failure) {
        if (failure instanceof MalformedHistoryException malformed) {
            return malformed.location();
        }
        if (failure instanceof ChangedInputException changed) {
            return changed.location();
        }
        if (failure instanceof RetryableException storage && storage.file() != null) {
            return InputLocation.file(storage.file());
        }
        return failure instanceof FileSystemException named && named.getFile() != null
                ? InputLocation.file(named.getFile())
                : null;
    }

    public static int codeOf(Throwable failure) {
        if (failure instanceof UsageException || failure instanceof AddressException) {
            return ExitCode.USAGE;
        }
        if (failure instanceof MalformedHistoryException) {
            return ExitCode.REJECTED;
        }
        if (failure instanceof OutOfMemoryError
                || failure instanceof IOException
                || failure instanceof RetryableException
                || isNativeLibraryMissing(failure)
                || failure instanceof ResultStream.BrokenException) {
            return ExitCode.STORAGE;
        }
        return ExitCode.FAULT;
    }

    private static String line(Throwable failure, int code) {
        return switch (code) {
            case ExitCode.USAGE -> String.valueOf(failure.getMessage());
            case ExitCode.REJECTED -> SanitizedText.flat(String.valueOf(failure.getMessage()));
            case ExitCode.STORAGE -> worthARetry(failure);
            default -> "a fault of ours: " + failure + "; --verbose shows where, please report it";
        };
    }

    private static String worthARetry(Throwable failure) {
        boolean isPort = failure.getCause() instanceof BindException && failure.getMessage() != null;
        if (isPort || failure instanceof ChangedInputException || failure instanceof InsufficientMemoryException) {
            return SanitizedText.flat(String.valueOf(failure.getMessage()));
        }
        if (failure instanceof OutOfMemoryError) {
            return "out of memory: maxHeapBytes=" + Runtime.getRuntime().maxMemory() + "; raise --memory";
        }
        return failure instanceof RetryableException retryable
                ? retryable.reportLine()
                : "storage failed: " + storageReason(failure);
    }

    /**
     * Returns whether a native library is missing: they are unpacked into the folder for temporary files, which fails
     * where that is full or closed.
     */
    private static boolean isNativeLibraryMissing(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            boolean isNamed = message.contains("zstd") || message.contains("duckdb");
            if (cause instanceof UnsatisfiedLinkError || cause instanceof LinkageError && isNamed) {
                return true;
            }
        }
        return false;
    }

    private static String storageReason(Throwable failure) {
        if (isNativeLibraryMissing(failure)) {
            return "cannot unpack a native library: folder=" + System.getProperty("java.io.tmpdir")
                    + "; it must be writable, have free space and allow programs, or set TMPDIR to a directory that does";
        }
        if (failure instanceof ResultStream.BrokenException) {
            return "cannot write results: " + requireNonNull(failure.getCause()).getMessage();
        }
        if (failure instanceof NoSuchFileException missing) {
            return "no such file: " + missing.getFile();
        }
        if (failure instanceof AccessDeniedException denied) {
            return "permission denied: " + denied.getFile();
        }
        if (failure instanceof FileSystemException named && named.getReason() != null) {
            return named.getReason() + ": " + named.getFile();
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** Removes the wrappers that only carry a failure from one thread or method to another. */
    private static Throwable unwrap(Throwable thrown) {
        Throwable failure = thrown;
        while (failure.getCause() != null
                && (failure instanceof UncheckedIOException
                        || failure instanceof ExecutionException
                        || failure instanceof CompletionException
                        || failure instanceof picocli.CommandLine.ExecutionException)) {
            failure = failure.getCause();
        }
        return failure;
    }
}
