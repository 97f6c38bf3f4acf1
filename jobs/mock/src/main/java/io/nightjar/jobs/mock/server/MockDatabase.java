package io.nightjar.jobs.mock.server;

import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.StatementOrder;
import io.nightjar.jobs.mock.mysql.MysqlServer;
import io.nightjar.jobs.mock.postgres.PostgresServer;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A mock that clients can reach, until it is closed. */
public final class MockDatabase implements Closeable {

    private final MockStore store;
    private final SqlEngine engine;
    /** Says that clients of MySQL are not taken. */
    public static final int NO_PORT = -1;

    private final WireServer postgres;
    private final @Nullable WireServer mysql;
    private boolean isFinished;

    /** Opens a mock for clients of PostgreSQL alone. */
    public MockDatabase(
            MockOptions options,
            AnswerChooser chooser,
            MockArchive archive,
            String host,
            int port,
            Consumer<String> notes)
            throws IOException {
        this(options, chooser, archive, host, port, NO_PORT, StatementOrder.NONE, notes);
    }

    /** Opens a mock that takes statements as they come. */
    public MockDatabase(
            MockOptions options,
            AnswerChooser chooser,
            MockArchive archive,
            String host,
            int port,
            int mysqlPort,
            Consumer<String> notes)
            throws IOException {
        this(options, chooser, archive, host, port, mysqlPort, StatementOrder.NONE, notes);
    }

    /**
     * Opens a mock.
     *
     * @param archive not begun yet, null for none
     * @param port of PostgreSQL's protocol, 0 for any that is free
     * @param mysqlPort of MySQL's, {@link #NO_PORT} for none
     * @param order sees to the order of what clients do
     * @param notes told what a person should know
     * @throws IOException if a port cannot be had
     */
    public MockDatabase(
            MockOptions options,
            AnswerChooser chooser,
            @Nullable MockArchive archive,
            String host,
            int port,
            int mysqlPort,
            StatementOrder order,
            Consumer<String> notes)
            throws IOException {
        this.store = new MockStore(options, chooser, archive);
        store.keepOrder(order);
        this.engine = new SqlEngine(store);
        WireServer first = null;
        WireServer second = null;
        try {
            first = PostgresServer.open(engine, host, port, notes);
            second = mysqlPort == NO_PORT ? null : MysqlServer.open(engine, host, mysqlPort, notes);
            if (archive != null) {
                archive.begin();
            }
            order.begin(store);
        } catch (IOException failed) {
            letGo(first);
            letGo(second);
            engine.close();
            throw failed;
        }
        this.postgres = first;
        this.mysql = second;
        postgres.start();
        if (mysql != null) {
            mysql.start();
        }
    }

    private static void letGo(@Nullable WireServer server) throws IOException {
        if (server != null) {
            server.close();
        }
    }

    public MockStore store() {
        return store;
    }

    public SqlEngine engine() {
        return engine;
    }

    /** Returns where clients of PostgreSQL find it. */
    public int port() {
        return postgres.port();
    }

    /** Returns where clients of MySQL find it, {@link #NO_PORT} if they do not. */
    public int mysqlPort() {
        return mysql == null ? NO_PORT : mysql.port();
    }

    /** Lets go of all clients, ends what is open as aborted, and makes the archive whole. */
    public void finish() throws IOException {
        if (!isFinished) {
            isFinished = true;
            store.statementOrder().close();
            postgres.close();
            letGo(mysql);
            store.finish();
            engine.close();
        }
    }

    @Override
    public void close() throws IOException {
        finish();
        if (store.archive() != null) {
            store.archive().close();
        }
    }
}
