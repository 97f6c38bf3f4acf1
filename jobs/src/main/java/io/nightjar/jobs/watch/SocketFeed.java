package io.nightjar.jobs.watch;

import io.nightjar.jobs.run.Watcher;
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

/** Rows from whoever connects to a port, one line a transaction. While the check is busy, sockets are not read. */
final class SocketFeed implements RowFeed {

    private final String name;
    private final boolean untilEnd;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final AtomicInteger clients = new AtomicInteger();

    /** @param untilEnd whether to end when everybody who had connected is gone */
    SocketFeed(String name, InetSocketAddress address, boolean untilEnd, Watcher watcher) throws IOException {
        this.name = name;
        this.untilEnd = untilEnd;
        this.server = new ServerSocket();
        server.bind(address);
        watcher.note("listening on " + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort());
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(Inbox inbox) throws IOException, InterruptedException {
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
        IOException failed = failure.get();
        if (failed != null && !inbox.isClosed()) {
            throw failed;
        }
        while (!open.isEmpty() && !inbox.isClosed()) {
            Thread.sleep(5);
        }
    }

    private void read(Socket client, int number, Inbox inbox) {
        LineFeed lines = new LineFeed(name + "#" + number, this, inbox);
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
        } catch (IOException gone) {
            endAfter(lines, gone, inbox);
        } finally {
            open.remove(client);
            if (untilEnd && open.isEmpty()) {
                close();
            }
        }
    }

    /** Whoever connected went away in the middle: what was complete counts, a torn line does not. */
    private static void endAfter(LineFeed lines, IOException gone, Inbox inbox) {
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
                                "connection ended inside: " + gone.getMessage(),
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
