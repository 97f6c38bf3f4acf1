package io.nightjar.jobs.lake;

import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** The storage behind a lake failed: a full disk, a missing permission, a damaged file. Worth a retry. */
public final class LakeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LakeException(String message) {
        super(message);
    }

    public LakeException(String message, Throwable cause) {
        super(message, cause);
    }

    static LakeException of(String doing, Object path, IOException cause) {
        return new LakeException("[" + path + "] cannot " + doing + ": reason=" + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied; choose another folder with --lake, or none";
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return cause.getClass().getSimpleName() + (message.isEmpty() ? "" : " (" + message + ")");
    }
}
