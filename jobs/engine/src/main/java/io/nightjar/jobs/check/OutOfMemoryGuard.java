package io.nightjar.jobs.check;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The only code that catches an out-of-memory error: the work is canceled, and its memory becomes garbage. */
public final class OutOfMemoryGuard {

    private OutOfMemoryGuard() {}

    /** Work that may need more memory than is available. */
    @FunctionalInterface
    public interface Work<T> {
        @Nullable
        T run() throws IOException;
    }

    /** Returns the result of the work; null if it does not fit into memory. */
    public static <T> @Nullable T runOrNull(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (OutOfMemoryError tooLarge) {
            return null;
        }
    }
}
