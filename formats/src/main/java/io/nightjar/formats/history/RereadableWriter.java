package io.nightjar.formats.history;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A writer whose rows can be read before its file is published. */
public interface RereadableWriter extends HistoryWriter {

    /**
     * Completes the file without publishing it; {@link #close} then removes it.
     *
     * @return its path; null if the output is a stream
     */
    @Nullable
    Path complete() throws IOException;
}
