package io.nightjar.jobs.watch;

/** Told what a watch finds out; what a person sees of it is for others to decide. */
public interface WatchListener {

    void changed(VerdictChange change);

    /** All changes of a moment have been told. */
    void flush();

    /** From time to time. */
    void status(WatchStatus status);
}
