package io.nightjar.jobs.lake;

import io.nightjar.jobs.RetryableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/** The storage of a lake failed: a full disk, a missing permission, a damaged file. Worth a retry. */
public final class LakeException extends RuntimeException implements RetryableException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String file;

    public LakeException(String message) {
        this(message, null);
    }

    public LakeException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.file = null;
    }

    private LakeException(String file, String message, @Nullable Throwable cause) {
        super("[" + file + "] " + message, cause);
        this.file = file;
    }

    /** Returns an exception for one file or folder, which its message begins with. */
    public static LakeException at(Object path, String message, @Nullable Throwable cause) {
        return new LakeException(path.toString(), message, cause);
    }

    static LakeException of(String doing, Object path, IOException cause) {
        return at(path, "cannot " + doing + ": reason=" + reason(cause), cause);
    }

    @Override
    public String reportLine() {
        return "storage failed: " + getMessage();
    }

    @Override
    public @Nullable String file() {
        return file;
    }

    private static String reason(Throwable cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied; choose another folder with --lake, or none";
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return cause.getClass().getSimpleName() + (message.isEmpty() ? "" : " (" + message + ")");
    }
}
