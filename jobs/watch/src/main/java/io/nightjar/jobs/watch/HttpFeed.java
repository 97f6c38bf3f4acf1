package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.history.MissingRowIdException;
import io.nightjar.jobs.http.GuardedServer;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rows that are posted over HTTP as JSON Lines. A request is answered when its rows have been read and have room in the
 * inbox.
 */
final class HttpFeed implements RowFeed {

    private static final int MAX_THREADS = 16;

    private final String name;
    private final GuardedServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();

    HttpFeed(String name, InetSocketAddress address, List<String> allowedHosts, ProgressListener watcher)
            throws IOException {
        this.name = name;
        this.server = GuardedServer.listen(
                address, new GuardedServer.Settings("watch-post", MAX_THREADS, true, allowedHosts));
        InetSocketAddress bound = server.address();
        watcher.printNote("listening on " + bound.getAddress().getHostAddress() + ":" + bound.getPort());
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
            if (!exchange.getRequestMethod().equals("POST")) {
                send(exchange, 405, "{\"error\":\"POST transactions here, as JSON Lines\"}\n");
                return;
            }
            String request = name + "#" + requests.incrementAndGet();
            ArrivalSink.Counted counted = new ArrivalSink.Counted(inbox);
            try (InputStream in = exchange.getRequestBody()) {
                LineSplitter lines = new LineSplitter(request, counted);
                int count = 0;
                while (count >= 0) {
                    count = lines.read(in);
                }
                lines.end();
                String text = "{\"lines\":%d,\"transactions\":%d,\"deadLetters\":%d}%n"
                        .formatted(lines.position().lines(), counted.txns(), counted.letters());
                send(exchange, counted.letters() > 0 ? 422 : 200, text);
            } catch (MissingRowIdException unnumbered) {
                counted.badRows().add(request, unnumbered.row(), unnumbered.fault(), null);
                sendError(exchange, 400, unnumbered);
            } catch (IOException failed) { // the sender is gone: it may send it again
                sendError(exchange, 503, failed);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
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
