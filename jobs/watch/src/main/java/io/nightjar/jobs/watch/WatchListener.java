package io.nightjar.jobs.watch;

/** Consumer of the changes and the state of a watch. */
public interface WatchListener {

    void changed(VerdictChange change);

    /** Completes a step, after all its changes. */
    void flush();

    /** Takes the state, at regular times. */
    void status(WatchStatus status);
}
