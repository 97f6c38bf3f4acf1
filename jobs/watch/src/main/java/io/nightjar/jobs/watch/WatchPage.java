package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.http.GuardedServer;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A page that shows a watch, with the same data at {@code /state.json}, {@code /metrics}, {@code /healthz}. */
final class WatchPage implements AutoCloseable {
    private static final int MAX_THREADS = 16;
    private static final int MAX_SHOWN = 100;
    private static final int MAX_IN_SERIES = 600;

    private final String history;
    private final GuardedServer server;
    private final Deque<VerdictChange> finals = new ArrayDeque<>();
    private final Map<String, VerdictChange> provisional = new LinkedHashMap<>();
    private final Deque<WatchStatus> series = new ArrayDeque<>();
    private volatile @Nullable WatchStatus status; // null before the first status

    WatchPage(String history, InetSocketAddress address, List<String> allowedHosts, ProgressListener watcher)
            throws IOException {
        this.history = history;
        this.server = GuardedServer.listen(
                address, new GuardedServer.Settings("watch-page", MAX_THREADS, false, allowedHosts));
        server.handle("/", this::answer);
        server.start();
        watcher.printNote("page at http://" + address.getHostString() + ":" + port() + "/");
    }

    /** Opens the page that the options ask for; returns null if they ask for none. */
    static @Nullable WatchPage of(WatchOptions options, String history, ProgressListener watcher) throws IOException {
        InetSocketAddress address = options.telling().page();
        return address == null
                ? null
                : new WatchPage(history, address, options.arrivals().allowedHosts(), watcher);
    }

    int port() {
        return server.port();
    }

    void show(WatchStatus now) {
        synchronized (series) {
            series.addLast(now);
            if (series.size() > MAX_IN_SERIES) {
                series.removeFirst();
            }
        }
        status = now;
    }

    void add(VerdictChange change) {
        String name = change.finding().name();
        synchronized (finals) {
            boolean isOpen = change.change() == Change.RAISED || change.change() == Change.CHANGED;
            provisional.remove(name);
            if (isOpen && provisional.size() < MAX_SHOWN) {
                provisional.put(name, change);
            }
            if (change.change() == Change.CORRECTED) {
                finals.removeIf(known -> known.finding().name().equals(name));
            }
            boolean isFinal = change.change() == Change.FINAL || change.change() == Change.CORRECTED;
            if (isFinal && change.isWrong()) {
                finals.addFirst(change);
            }
            if (finals.size() > MAX_SHOWN) {
                finals.removeLast();
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            WatchStatus now = status;
            switch (exchange.getRequestURI().getPath()) {
                case "/" -> send(exchange, 200, "text/html; charset=utf-8", page());
                case "/state.json" ->
                    send(exchange, now == null ? 503 : 200, "application/json", now == null ? "{}" : state(now));
                case "/metrics" -> send(exchange, 200, "text/plain; version=0.0.4", now == null ? "" : metrics(now));
                case "/healthz" -> send(exchange, 200, "text/plain", "ok\n");
                default -> send(exchange, 404, "text/plain", "no such page; / /state.json /metrics /healthz\n");
            }
        }
    }

    private static String page() throws IOException {
        try (InputStream in = WatchPage.class.getResourceAsStream("watch.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String state(WatchStatus now) throws IOException {
        return JsonObjectText.of(json -> {
            json.writeNumberField("schema", RunResultJson.SCHEMA);
            json.writeStringField("history", history);
            now.writeMembers(json);
            json.writeObjectFieldStart("series");
            synchronized (series) {
                writeSeries(json, "seconds", then -> Math.round(then.seconds()));
                writeSeries(json, "txns_per_second", then -> Math.round(then.txnsPerSecond()));
                for (Count count : List.of(Count.LAG_MS, Count.OPEN, Count.LATE)) {
                    writeSeries(json, count.word(), then -> then.get(count));
                }
            }
            json.writeEndObject();
            synchronized (finals) {
                writeChanges(json, "final_findings", finals);
                writeChanges(json, "provisional_findings", provisional.values());
            }
        });
    }

    private void writeSeries(JsonGenerator json, String name, ToLongFunction<WatchStatus> number) throws IOException {
        json.writeArrayFieldStart(name);
        for (WatchStatus then : series) {
            json.writeNumber(number.applyAsLong(then));
        }
        json.writeEndArray();
    }

    private static void writeChanges(JsonGenerator json, String name, Iterable<VerdictChange> changes)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (VerdictChange change : changes) {
            Map<String, Object> members = change.members();
            members.put("title", change.title());
            JsonObjectText.writeValue(json, members);
        }
        json.writeEndArray();
    }

    private static String metrics(WatchStatus now) {
        StringBuilder text = new StringBuilder();
        for (Count count : LiveCounts.COUNTS) {
            switch (count.kind) {
                case TOTAL -> metric(text, count.word() + "_total", "counter", now.get(count));
                case NUMBER, SPAN ->
                    metric(text, count == Count.OPEN ? "open_transactions" : count.word(), "gauge", now.get(count));
                case INTERNAL, INTERNAL_SPAN -> {} // not shown
            }
        }
        metric(text, "heap_bytes", "gauge", now.heapBytes());
        if (now.watermark() != Watermark.NOTHING) {
            metric(text, "watermark_ts", "gauge", now.watermark());
        }
        text.append("# TYPE nightjar_watch_final_findings gauge\n");
        for (IsolationLevel level : now.findings().keySet()) {
            text.append(
                    "nightjar_watch_final_findings{level=\"%s\"} %d\n".formatted(level.longName(), now.count(level)));
        }
        return text.toString();
    }

    private static void metric(StringBuilder text, String name, String type, long value) {
        text.append("# TYPE nightjar_watch_%s %s\nnightjar_watch_%s %d\n".formatted(name, type, name, value));
    }

    private static void send(HttpExchange exchange, int code, String type, String text) throws IOException {
        boolean isRead = exchange.getRequestMethod().equals("GET")
                || exchange.getRequestMethod().equals("HEAD");
        byte[] bytes = (isRead ? text : "only GET\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'");
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(isRead ? code : 405, isHead ? -1 : bytes.length);
        if (!isHead) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
