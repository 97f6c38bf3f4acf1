package io.nightjar.formats.history;

import java.io.IOException;
import java.nio.file.Path;

/** A writer whose rows can be read before its file has its name. */
public interface RereadableWriter extends HistoryWriter {

    /**
     * Completes the file and leaves it hidden; {@link #close} then removes it.
     *
     * @return where it is; null if it went to a stream
     */
    Path complete() throws IOException;
}
