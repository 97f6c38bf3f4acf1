package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.history.MissingRowIdException;
import io.nightjar.jobs.http.GuardedServer;
import io.nightjar.jobs.run.ProgressListener;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rows that are posted over HTTP: JSON Lines, or an array as TimeKiller sends it. A request is answered when its rows
 * have been read and have room in the inbox.
 */
final class HttpFeed implements RowFeed {

    private static final int MAX_THREADS = 16;

    private final String name;
    private final PostedArrays arrays;
    private final GuardedServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<Integer, Long> answered = new ConcurrentHashMap<>(); // transactions, by request
    private volatile boolean tellsDurable;
    private volatile int durable; // this request and all before it are

    /** @param scratch where an array is kept while it is read */
    HttpFeed(String name, InetSocketAddress address, List<String> allowedHosts, Path scratch, ProgressListener watcher)
            throws IOException {
        this.name = name;
        this.arrays = new PostedArrays(scratch, this);
        this.server = GuardedServer.listen(
                address, new GuardedServer.Settings("watch-post", MAX_THREADS, true, allowedHosts));
        InetSocketAddress bound = server.address();
        watcher.printNote("listening on " + bound.getAddress().getHostAddress() + ":" + bound.getPort());
    }

    @Override
    public void reportDurable() {
        tellsDurable = true;
    }

    @Override
    public void durable(Map<String, ConsumedCount> taken) {
        for (Long txns = answered.get(durable + 1); txns != null; txns = answered.get(durable + 1)) {
            ConsumedCount of = taken.getOrDefault(nameOf(durable + 1), new ConsumedCount(0, 0));
            if (of.txns() < txns) {
                return;
            }
            taken.remove(nameOf(durable + 1));
            answered.remove(durable + 1);
            durable++;
        }
    }

    @Override
    public boolean isCounting() {
        return true;
    }

    @Override
    public void continueFrom(Long2LongMap lastOf) {
        arrays.continueFrom(lastOf);
    }

    private String nameOf(int request) {
        return name + "#" + request;
    }

    int port() {
        return server.port();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(ArrivalSink inbox) throws InterruptedException {
        server.handle("/", exchange -> answer(exchange, inbox));
        server.start();
        closed.await();
    }

    private void answer(HttpExchange exchange, ArrivalSink inbox) throws IOException {
        try (exchange) {
            if (tellsDurable && exchange.getRequestMethod().equals("GET")) {
                send(exchange, 200, "{\"durable\":%d}%n".formatted(durable));
                return;
            }
            if (!exchange.getRequestMethod().equals("POST")) {
                send(exchange, 405, "{\"error\":\"POST transactions here, as JSON Lines or as TimeKiller's array\"}\n");
                return;
            }
            int request = requests.incrementAndGet();
            ArrivalSink.Counted counted = inbox.counted();
            Reply reply;
            try {
                reply = take(exchange, nameOf(request), counted);
            } catch (MissingRowIdException unnumbered) {
                counted.badRows().add(nameOf(request), unnumbered.row(), unnumbered.fault(), null);
                sendError(exchange, 400, unnumbered);
                return;
            } catch (IOException failed) { // the sender is gone, or a disk is full: it may send it again
                sendError(exchange, 503, failed);
                return;
            } finally {
                if (tellsDurable) {
                    answered.put(request, counted.txns());
                }
            }
            String more = tellsDurable ? ",\"request\":%d,\"durable\":%d".formatted(request, durable) : "";
            String text = "{\"lines\":%d,\"transactions\":%d,\"deadLetters\":%d%s}%n"
                    .formatted(reply.lines, reply.txns, reply.letters, more);
            send(exchange, reply.letters > 0 ? 422 : 200, text);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private record Reply(long lines, long txns, long letters) {}

    private Reply take(HttpExchange exchange, String request, ArrivalSink.Counted counted)
            throws IOException, InterruptedException {
        try (BufferedInputStream in = new BufferedInputStream(exchange.getRequestBody(), 1 << 16)) {
            in.mark(1 << 10);
            int first = in.read();
            while (first == ' ' || first == '\n' || first == '\r' || first == '\t') {
                first = in.read();
            }
            in.reset();
            if (first == '[') {
                FeedPosition position = new FeedPosition(request, 0, 0);
                arrays.take(in, request, position, position, counted.badRows(), counted);
                return new Reply(0, counted.txns(), counted.letters());
            }
            LineSplitter lines = new LineSplitter(request, this, counted);
            int count = 0;
            while (count >= 0) {
                count = lines.read(in);
            }
            lines.end();
            return new Reply(lines.position().lines(), counted.txns(), counted.letters());
        }
    }

    private static void sendError(HttpExchange exchange, int status, Exception error) throws IOException {
        String text = new String(JsonStringEncoder.getInstance().quoteAsString(String.valueOf(error.getMessage())));
        send(exchange, status, "{\"error\":\"%s\"}%n".formatted(text));
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        server.close();
    }
}
