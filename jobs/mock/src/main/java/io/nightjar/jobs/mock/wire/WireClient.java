package io.nightjar.jobs.mock.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** Talks with one client until it is gone. */
public abstract class WireClient implements Runnable {

    private final WireServer server;
    private final Socket socket;
    private final int id;

    /** @param id the client's number */
    protected WireClient(WireServer server, Socket socket, int id) {
        this.server = server;
        this.socket = socket;
        this.id = id;
    }

    protected WireServer server() {
        return server;
    }

    protected int id() {
        return id;
    }

    /** Talks until the client takes its leave. */
    protected abstract void talk(Socket with) throws IOException;

    /** Ends what the client has left open. */
    protected abstract void end();

    /**
     * Stops the statement that runs, from another thread.
     *
     * @param secret what this client was told at the beginning, where the protocol has such
     */
    public abstract void cancel(int secret);

    /** Lets go of the client. */
    public void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void run() {
        try (socket) {
            talk(socket);
        } catch (EOFException | SocketException gone) {
            // the client has gone, and what it left open is rolled back below
        } catch (IOException failed) {
            server.note("a client is lost: reason=" + failed.getMessage());
        } finally {
            end();
            server.closed(id);
        }
    }
}
