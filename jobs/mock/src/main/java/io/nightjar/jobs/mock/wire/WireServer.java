package io.nightjar.jobs.mock.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes clients of one protocol, each on a thread of its own. */
public final class WireServer implements AutoCloseable {

    private static final int BACKLOG = 128;

    /** The protocol that a server speaks with its clients. */
    @FunctionalInterface
    public interface Protocol {

        /** Returns the conversation with a client that has connected. */
        WireClient client(WireServer server, Socket socket, int id);
    }

    private final String name;
    private final Protocol protocol;
    private final ServerSocket socket;
    private final Consumer<String> notes;
    private final Map<Integer, WireClient> clients = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Takes the port, and clients from {@link #start} on.
     *
     * @param name of its threads
     * @param port 0 for any that is free
     * @param notes told what a person should know, such as a client that wants what there is not
     * @throws IOException if the address cannot be listened on
     */
    public WireServer(String name, Protocol protocol, String host, int port, Consumer<String> notes)
            throws IOException {
        this.name = name;
        this.protocol = protocol;
        this.notes = notes;
        this.socket = new ServerSocket(port, BACKLOG, InetAddress.getByName(host));
        this.thread = new Thread(this::accept, name);
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
                Socket connected = socket.accept();
                connected.setTcpNoDelay(true);
                int id = count.incrementAndGet();
                WireClient client = protocol.client(this, connected, id);
                clients.put(id, client);
                Thread worker = new Thread(client, name + "-" + id);
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

    /** Says what a person should know. */
    public void note(String text) {
        notes.accept(text);
    }

    /** A client has gone. */
    public void closed(int id) {
        clients.remove(id);
    }

    /** The client of a number, null if there is none. */
    public @Nullable WireClient client(int id) {
        return clients.get(id);
    }

    /** Closes: takes no further clients and disconnects all. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        socket.close();
        for (WireClient client : clients.values()) {
            client.hangUp();
        }
    }
}
