package io.nightjar.jobs.watch;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MissingRowIdException;
import io.nightjar.jobs.http.GuardedServer;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reader of rows from clients that connect to a port, one line per transaction. While the check is busy, sockets are
 * not read.
 */
final class SocketFeed implements RowFeed {

    private final String name;
    private final boolean untilEnd;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final AtomicReference<MissingRowIdException> refused = new AtomicReference<>();
    private final AtomicInteger clients = new AtomicInteger();

    /** @param untilEnd whether to end when all connections have closed */
    SocketFeed(String name, InetSocketAddress address, boolean untilEnd, ProgressListener watcher) throws IOException {
        this.name = name;
        this.untilEnd = untilEnd;
        this.server = new ServerSocket();
        try {
            server.bind(address);
        } catch (IOException taken) {
            server.close();
            throw GuardedServer.cannotListen(address, taken);
        }
        watcher.printNote("listening on " + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort());
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(ArrivalSink inbox) throws IOException, InterruptedException {
        while (!inbox.isClosed()) {
            Socket client;
            try {
                client = server.accept();
            } catch (SocketException closed) {
                break;
            }
            open.add(client);
            int number = clients.incrementAndGet();
            Thread thread = new Thread(() -> read(client, number, inbox), "watch-" + name + "-" + number);
            thread.setDaemon(true);
            thread.start();
        }
        if (refused.get() != null) {
            throw refused.get();
        }
        IOException failed = failure.get();
        if (failed != null && !inbox.isClosed()) {
            throw failed;
        }
        while (!open.isEmpty() && !inbox.isClosed()) {
            Thread.sleep(5);
        }
    }

    private void read(Socket client, int number, ArrivalSink inbox) {
        LineSplitter lines = new LineSplitter(name + "#" + number, inbox);
        try (client;
                InputStream in = client.getInputStream()) {
            int count = 0;
            while (count >= 0 && !inbox.isClosed()) {
                if (in.available() == 0) {
                    lines.flush();
                }
                count = lines.read(in);
            }
            lines.end();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (MissingRowIdException unnumbered) {
            refused.compareAndSet(null, unnumbered);
            close();
        } catch (IOException gone) {
            endAfter(lines, gone, inbox);
        } finally {
            open.remove(client);
            if (untilEnd && open.isEmpty()) {
                close();
            }
        }
    }

    /** Ends a broken connection: complete lines count, a torn line does not. */
    private static void endAfter(LineSplitter lines, IOException gone, ArrivalSink inbox) {
        if (inbox.isClosed()) {
            return;
        }
        try {
            lines.flush();
            FeedPosition position = lines.position();
            if (lines.isTorn()) {
                inbox.badRows()
                        .add(
                                position.name(),
                                position.lines() + 1,
                                InputError.of("connection ended inside").with(String.valueOf(gone.getMessage())),
                                null);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException ignored) {
            failure.compareAndSet(null, ignored);
        }
    }
}
