package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** What clients did in one run, in order, and which of their reads did not return what was committed last. */
public final class RunLog {

    /**
     * One statement.
     *
     * @param staleReads what it read that was not the newest
     */
    public record Step(int session, String statement, List<StaleRead> staleReads) {}

    /**
     * A read that returned an older version.
     *
     * @param object its name
     * @param read the version that was read, null for the initial state
     * @param newest the version that was committed last
     * @param writer the transaction that committed it
     */
    public record StaleRead(String object, String read, String newest, long writer) {}

    private final List<Step> steps = new ArrayList<>();

    void step(int session, String statement) {
        steps.add(new Step(session, statement, new ArrayList<>()));
    }

    void stale(RowObject object, RowVersion version) {
        RowVersion newest = object.newest();
        steps.get(steps.size() - 1)
                .staleReads()
                .add(new StaleRead(
                        object.name(), version == null ? null : version.text(), newest.text(), newest.txnId()));
    }

    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
