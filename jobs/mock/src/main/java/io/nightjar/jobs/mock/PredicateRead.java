package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** A search of a transaction for all objects that meet a condition, and what it found. */
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

    /** An object has been read and meets the condition. */
    public void match(RowObject object) {
        rows.add(session.opOf(object));
    }

    /** Ends the search: all objects have been looked at. One that is not ended is not archived. */
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
