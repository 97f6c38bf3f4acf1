package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ordered log of client statements in one run, with the reads that did not return the last committed version. */
public final class RunLog {

    /**
     * One statement of a run and the older versions that it read.
     *
     * @param staleReads its reads of older versions
     */
    public record Step(int session, String statement, List<StaleRead> staleReads) {}

    /**
     * A read that returned an older version.
     *
     * @param object name of the object
     * @param read the returned version, null for the initial state
     * @param newest the last committed version
     * @param writer the transaction that committed it
     */
    public record StaleRead(String object, @Nullable String read, String newest, long writer) {}

    private final List<Step> steps = new ArrayList<>();

    void step(int session, String statement) {
        steps.add(new Step(session, statement, new ArrayList<>()));
    }

    /** Moves a statement that had to wait to the end: statements of other sessions since then precede it. */
    void resume(int session) {
        int last = lastOf(session);
        if (last >= 0) {
            steps.add(steps.remove(last));
        }
    }

    /** Returns the position of a session's last statement, -1 if none. */
    private int lastOf(int session) {
        int step = steps.size() - 1;
        while (step >= 0 && steps.get(step).session() != session) {
            step--;
        }
        return step;
    }

    void stale(int session, RowObject object, @Nullable RowVersion version) {
        int last = lastOf(session);
        if (last >= 0) {
            RowVersion newest = Objects.requireNonNull(object.newest()); // an older one was read
            String read = version == null ? null : version.text();
            steps.get(last).staleReads().add(new StaleRead(object.name(), read, newest.text(), newest.txnId()));
        }
    }

    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
