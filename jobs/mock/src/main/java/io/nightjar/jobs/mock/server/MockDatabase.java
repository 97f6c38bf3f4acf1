package io.nightjar.jobs.mock.server;

import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.StatementOrder;
import io.nightjar.jobs.mock.mysql.MysqlConnection;
import io.nightjar.jobs.mock.postgres.PostgresConnection;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A mock with its servers, which accepts clients until it is closed. */
public final class MockDatabase implements Closeable {

    private final MockStore store;
    private final SqlEngine engine;
    /** Port value that disables the MySQL server. */
    public static final int NO_PORT = -1;

    private final WireServer postgres;
    private final @Nullable WireServer mysql;
    private boolean isFinished;

    /** Opens a mock that runs statements in order of arrival. */
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
     * @param archive an archive not yet created, null for none
     * @param port port of PostgreSQL's protocol, 0 for any free port
     * @param mysqlPort port of MySQL's protocol, {@link #NO_PORT} for none
     * @param order observer and scheduler of client steps
     * @param notes consumer of notices for the user
     * @throws IOException if a port is unavailable
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
            first = new WireServer(
                    "mock-postgres",
                    (server, client, id) -> new PostgresConnection(server, engine, client, id),
                    host,
                    port,
                    notes);
            second = mysqlPort == NO_PORT
                    ? null
                    : new WireServer(
                            "mock-mysql",
                            (server, client, id) -> new MysqlConnection(server, engine, client, id),
                            host,
                            mysqlPort,
                            notes);
            if (archive != null) {
                archive.begin();
            }
            order.begin(store);
        } catch (IOException failed) {
            release(first);
            release(second);
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

    private static void release(@Nullable WireServer server) throws IOException {
        if (server != null) {
            server.close();
        }
    }

    public MockStore store() {
        return store;
    }

    /** Returns the port for PostgreSQL clients. */
    public int port() {
        return postgres.port();
    }

    /** Returns the port for MySQL clients, {@link #NO_PORT} if disabled. */
    public int mysqlPort() {
        return mysql == null ? NO_PORT : mysql.port();
    }

    /** Disconnects all clients, aborts open transactions, and completes the archive. */
    public void finish() throws IOException {
        if (!isFinished) {
            isFinished = true;
            store.statementOrder().close();
            postgres.close();
            release(mysql);
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
