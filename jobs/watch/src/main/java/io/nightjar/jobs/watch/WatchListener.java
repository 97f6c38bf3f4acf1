package io.nightjar.jobs.watch;

/** Called with what a watch finds out; what a person sees of it is for others to decide. */
public interface WatchListener {

    void changed(VerdictChange change);

    /** All changes of a moment have been told. */
    void flush();

    /** Receives the state from time to time. */
    void status(WatchStatus status);
}
