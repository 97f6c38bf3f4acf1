package io.nightjar.jobs.watch;

import java.util.Queue;

/** Takes down what is told, for somebody who waits for it. */
record QueuedChanges(Queue<VerdictChange> changes) implements WatchListener {

    @Override
    public void changed(VerdictChange change) {
        changes.add(change);
    }

    @Override
    public void flush() {}

    @Override
    public void status(WatchStatus status) {}
}
