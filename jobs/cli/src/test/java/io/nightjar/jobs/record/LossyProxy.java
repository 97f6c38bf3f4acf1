package io.nightjar.jobs.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between clients and a server on loopback that forwards bytes, and now and then loses the answer to a commit.
 */
public final class LossyProxy implements AutoCloseable {

    private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;
    private final int serverPort;
    private final Random random;
    private final int oneIn;
    private final long maxDelayMs;
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger spared = new AtomicInteger();

    /**
     * @param oneIn the number of commits of which one loses its answer and its connection
     * @param maxDelayMs maximum delay of a request
     */
    public LossyProxy(int serverPort, int oneIn, long maxDelayMs, long seed) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.oneIn = oneIn;
        this.maxDelayMs = maxDelayMs;
        this.random = new Random(seed);
        daemon(this::accept);
    }

    /**
     * Forwards the answers of the given number of commits first, such as the commits of a client that creates tables.
     */
    public LossyProxy sparing(int commits) {
        spared.set(commits);
        return this;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of lost answers to commits. */
    public int lost() {
        return lost.get();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Connection connection =
                        new Connection(listener.accept(), new Socket(InetAddress.getLoopbackAddress(), serverPort));
                daemon(connection::requests);
                daemon(connection::answers);
            }
        } catch (IOException closed) {
            return;
        }
    }

    private synchronized int drawn(int below) {
        return random.nextInt(below);
    }

    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile boolean losesAnswer;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() {
            byte[] buffer = new byte[1 << 16];
            try (client;
                    server) {
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    if (maxDelayMs > 0) {
                        Thread.sleep(drawn((int) maxDelayMs + 1));
                    }
                    losesAnswer |= holdsCommit(buffer, length) && spared.getAndDecrement() <= 0 && drawn(oneIn) == 0;
                    out.write(buffer, 0, length);
                    out.flush();
                }
            } catch (IOException | InterruptedException closed) {
                return;
            }
        }

        void answers() {
            byte[] buffer = new byte[1 << 16];
            try (client;
                    server) {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    if (losesAnswer) {
                        lost.incrementAndGet();
                        return;
                    }
                    out.write(buffer, 0, length);
                    out.flush();
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static boolean holdsCommit(byte[] buffer, int length) {
        for (int at = 0; at + COMMIT.length <= length; at++) {
            int same = 0;
            while (same < COMMIT.length && buffer[at + same] == COMMIT[same]) {
                same++;
            }
            if (same == COMMIT.length) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
