package io.nightjar.jobs.mock.server;

import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.engine.SqlEngine;
import io.nightjar.jobs.mock.postgres.PostgresServer;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/** A mock that clients can reach, until it is closed. */
public final class MockDatabase implements Closeable {

    private final MockStore store;
    private final SqlEngine engine;
    private final WireServer postgres;
    private boolean isFinished;

    /**
     * Opens a mock.
     *
     * @param archive not begun yet, null for none
     * @param port of PostgreSQL's protocol, 0 for any that is free
     * @param notes told what a person should know
     * @throws IOException if the port cannot be had
     */
    public MockDatabase(
            MockOptions options,
            AnswerChooser chooser,
            MockArchive archive,
            String host,
            int port,
            Consumer<String> notes)
            throws IOException {
        this.store = new MockStore(options, chooser, archive);
        this.engine = new SqlEngine(store);
        try {
            this.postgres = PostgresServer.open(engine, host, port, notes);
        } catch (IOException taken) {
            engine.close();
            throw taken;
        }
        try {
            if (archive != null) {
                archive.begin();
            }
        } catch (IOException failed) {
            postgres.close();
            engine.close();
            throw failed;
        }
        postgres.start();
    }

    public MockStore store() {
        return store;
    }

    public SqlEngine engine() {
        return engine;
    }

    /** Where clients of PostgreSQL find it. */
    public int port() {
        return postgres.port();
    }

    /** Lets go of all clients, ends what is open as aborted, and makes the archive whole. */
    public void finish() throws IOException {
        if (!isFinished) {
            isFinished = true;
            postgres.close();
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
