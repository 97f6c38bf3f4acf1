package io.nightjar.jobs.watch;

import java.io.IOException;
import java.nio.file.Path;

/** Tasks that judge what arrives, in this process or elsewhere, and tell what they find by a {@link TaskLog}. */
public interface RemoteWatchJob extends AutoCloseable {

    /** The name of the engine that runs it. */
    String engine();

    /**
     * Begins, or goes on where the last one with these folders was.
     *
     * @param folder what tasks keep to go on, and in {@code log} what they have to say
     * @param rows where they keep rows
     * @param wantsProvisional whether they tell of what is not final
     */
    void begin(Path folder, Path rows, boolean wantsProvisional) throws IOException;

    /**
     * Whether the sources have ended and everything has been said.
     *
     * @throws IOException what a task met
     */
    boolean hasEnded() throws IOException;

    /** Stops between two rows. Everything up to there has been said, and the next one can go on behind it. */
    void stop() throws IOException;

    /** Gives up whatever still runs. */
    @Override
    void close() throws IOException;
}
