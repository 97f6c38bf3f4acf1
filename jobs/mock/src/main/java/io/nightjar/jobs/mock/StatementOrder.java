package io.nightjar.jobs.mock;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Sees what clients do to the mock, in the order in which it takes effect. Used with the store's lock held, but for its ends. */
public interface StatementOrder extends Closeable {

    /** Ignores everything. */
    StatementOrder NONE = new StatementOrder() {
        @Override
        public void begin(MockStore store) {}

        @Override
        public void step(MockSession session, String what, List<?> parameters) {}

        @Override
        public void gone(MockSession session) {}

        @Override
        public void close() {}
    };

    /** Begins: the store is there, and no client has come yet. */
    void begin(MockStore store) throws IOException;

    /** A client does something; it has effect when this returns. */
    void step(MockSession session, String what, List<?> parameters);

    /** A client has gone. */
    void gone(MockSession session);

    /** Ends: what happens from now on happens because the mock ends. */
    @Override
    void close() throws IOException;
}
