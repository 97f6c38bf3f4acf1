package io.nightjar.jobs.mock;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Observer of client statements, in the order in which they take effect. All methods except {@link #close} require the
 * store's lock.
 */
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

    /** Starts observing a store before its first client connects. */
    void begin(MockStore store) throws IOException;

    /** Observes a statement, which takes effect when this method returns. */
    void step(MockSession session, String what, List<?> parameters);

    /** Observes that a client disconnected. */
    void gone(MockSession session);

    /** Stops observing: later events are caused by the shutdown of the mock. */
    @Override
    void close() throws IOException;
}
