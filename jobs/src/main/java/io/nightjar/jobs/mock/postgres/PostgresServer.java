package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.engine.SqlEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Takes clients of PostgreSQL, each on a thread of its own. */
public final class PostgresServer implements AutoCloseable {

    private static final int BACKLOG = 128;

    private final SqlEngine engine;
    private final ServerSocket socket;
    private final Consumer<String> notes;
    private final Map<Integer, PostgresConnection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Takes the port, and clients from {@link #start} on.
     *
     * @param port 0 for any that is free
     * @param notes told what a person should know, such as a client that wants what there is not
     * @throws IOException if nobody may listen there
     */
    public PostgresServer(SqlEngine engine, String host, int port, Consumer<String> notes) throws IOException {
        this.engine = engine;
        this.notes = notes;
        this.socket = new ServerSocket(port, BACKLOG, InetAddress.getByName(host));
        this.thread = new Thread(this::accept, "mock-postgres");
        thread.setDaemon(true);
    }

    /** Takes clients from now on. */
    public void start() {
        thread.start();
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                int id = count.incrementAndGet();
                PostgresConnection connection = new PostgresConnection(this, engine, client, id);
                connections.put(id, connection);
                Thread worker = new Thread(connection, "mock-postgres-" + id);
                worker.setDaemon(true);
                worker.start();
            } catch (SocketException closed) {
                if (!isClosed) {
                    note("no more clients are taken: reason=" + closed.getMessage());
                }
                return;
            } catch (IOException failed) {
                note("a client could not be taken: reason=" + failed.getMessage());
            }
        }
    }

    void note(String text) {
        notes.accept(text);
    }

    void closed(int id) {
        connections.remove(id);
    }

    /** Stops what a connection does, if the secret is its own. */
    void cancel(int id, int secret) {
        PostgresConnection connection = connections.get(id);
        if (connection != null) {
            connection.cancel(secret);
        }
    }

    /** Takes nobody any more and lets go of all. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        socket.close();
        for (PostgresConnection connection : connections.values()) {
            connection.hangUp();
        }
    }
}
