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

/** Server of one protocol with one thread per client. */
public final class WireServer implements AutoCloseable {

    private static final int BACKLOG = 128;

    /** Protocol between a server and its clients. */
    @FunctionalInterface
    public interface Protocol {

        /** Returns the conversation with a connected client. */
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
     * Binds the port; accepts clients from {@link #start} on.
     *
     * @param name name prefix of its threads
     * @param port 0 for any free port
     * @param notes consumer of notices for the user, such as a client that requests an unsupported feature
     * @throws IOException if the server cannot listen on the address
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

    /** Starts accepting clients. */
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
                    printNote("no more clients are taken: reason=" + closed.getMessage());
                }
                return;
            } catch (IOException failed) {
                printNote("a client could not be taken: reason=" + failed.getMessage());
            }
        }
    }

    /** Passes a notice to the user. */
    public void printNote(String text) {
        notes.accept(text);
    }

    /** Removes a disconnected client. */
    public void closed(int id) {
        clients.remove(id);
    }

    /** Returns the client of a number, null if none. */
    public @Nullable WireClient client(int id) {
        return clients.get(id);
    }

    /** Stops accepting clients and disconnects all clients. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        socket.close();
        for (WireClient client : clients.values()) {
            client.hangUp();
        }
    }
}
