package io.nightjar.jobs.mock.wire;

import io.nightjar.jobs.mock.MockException;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** Conversation with one client until it disconnects. */
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

    /** Serves the client until it disconnects. */
    protected abstract void talk(Socket with) throws IOException;

    /** Releases the open resources of the client. */
    protected abstract void end();

    /**
     * Cancels the running statement from another thread.
     *
     * @param secret the secret sent to this client at the start, where the protocol has one
     */
    public abstract void cancel(int secret);

    /** Returns the error to send for a failure; a fault of this server is reported to the user as well. */
    protected MockException toMockException(Throwable thrown) {
        if (thrown instanceof MockException failed) {
            return failed;
        }
        server.printNote("a fault of ours: " + thrown + "; please report it");
        return new MockException("XX000", "a fault of this server: " + thrown);
    }

    /** Disconnects the client. */
    public void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void run() {
        try (socket) {
            talk(socket);
        } catch (EOFException | SocketException gone) {
            // the client disconnected; its open transaction is rolled back below
        } catch (IOException failed) {
            server.printNote("a client is lost: reason=" + failed.getMessage());
        } finally {
            end();
            server.closed(id);
        }
    }
}
