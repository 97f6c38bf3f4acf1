package io.nightjar.jobs.watch;

import java.io.IOException;
import java.nio.file.Path;

/** Tasks, in this or other processes, that check arrivals and report their findings in a {@link TaskLog}. */
public interface RemoteWatchJob extends AutoCloseable {

    /** Returns the name of the engine that runs the job. */
    String engine();

    /**
     * Starts, or resumes the last job with these folders.
     *
     * @param folder for checkpoints of tasks, and, in {@code log}, for their reports
     * @param rows folder for kept rows
     * @param wantsProvisional whether tasks report findings that are not final
     */
    void begin(Path folder, Path rows, boolean wantsProvisional) throws IOException;

    /**
     * Returns whether the sources have ended and everything has been reported.
     *
     * @throws IOException the failure of a task
     */
    boolean hasEnded() throws IOException;

    /** Stops between two rows. Everything before has been reported, and the next job can resume after it. */
    void stop() throws IOException;

    /** Cancels running tasks. */
    @Override
    void close() throws IOException;
}
