package io.nightjar.jobs.check;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The one place where running out of memory is an answer: work is given up, and what it took is garbage from then on. */
public final class OutOfMemoryGuard {

    private OutOfMemoryGuard() {}

    /** Work that may take more memory than there is. */
    @FunctionalInterface
    public interface Work<T> {
        @Nullable
        T run() throws IOException;
    }

    /** Returns what the work came to; null if it does not fit into memory. */
    public static <T> @Nullable T runOrNull(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (OutOfMemoryError tooLarge) {
            return null;
        }
    }
}
