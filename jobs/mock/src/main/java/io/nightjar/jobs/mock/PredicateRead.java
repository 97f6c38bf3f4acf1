package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** Predicate read of a transaction: its condition and the matching objects. */
public final class PredicateRead {

    private final MockSession session;
    private final ObjectSpace space;
    private final String condition;
    private final List<Object> parameters;
    private final List<ArchivedTxn.Op> rows = new ArrayList<>();

    PredicateRead(MockSession session, ObjectSpace space, String condition, List<Object> parameters) {
        this.session = session;
        this.space = space;
        this.condition = condition;
        this.parameters = parameters;
    }

    /** Adds an object that was read and satisfies the condition. */
    public void match(RowObject object) {
        rows.add(session.opOf(object));
    }

    /** Completes the search after all objects were checked. An incomplete search is not archived. */
    public void finish() {
        session.looked(this);
    }

    ObjectSpace space() {
        return space;
    }

    /** Returns the condition in SQL, with a question mark for each parameter. */
    String condition() {
        return condition;
    }

    List<Object> parameters() {
        return parameters;
    }

    List<ArchivedTxn.Op> rows() {
        return rows;
    }
}
