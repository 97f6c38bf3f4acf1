package io.nightjar.jobs.watch;

/** Consumer of the changes and the state of a watch. */
public interface WatchListener {

    void changed(VerdictChange change);

    /** Called after all changes of a step. */
    void flush();

    /** Called at regular times with the state. */
    void status(WatchStatus status);
}
