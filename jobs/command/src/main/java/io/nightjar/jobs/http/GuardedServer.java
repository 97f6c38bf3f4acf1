package io.nightjar.jobs.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** HTTP server that refuses requests of other sites' pages, and whose threads clients cannot block. */
public final class GuardedServer implements AutoCloseable {

    /*
     * Rules, for each request, before its handler runs:
     *
     *   421  its Host is neither the address listened on, localhost, a number, nor a name that was allowed
     *   (KnownHosts);
     *   403  its Origin is a page of another site, or a browser states that in Sec-Fetch-Site and it is no plain read;
     *   415  it has a body declared as another type than JSON, where the server accepts JSON only: forms of other sites
     *   send such types. Without
     *        a declaration a browser sends the Origin.
     */

    private static final Pattern JSON = Pattern.compile("application/([a-z0-9.-]+\\+)?(x-)?(nd)?json(l|lines|-lines)?");
    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final int PIECE_BYTES = 1 << 13;

    private final HttpServer server;
    private final KnownHosts hosts;
    private final RequestThreads threads;
    private final boolean isJsonOnly;

    private GuardedServer(HttpServer server, KnownHosts hosts, RequestThreads threads, boolean isJsonOnly) {
        this.server = server;
        this.hosts = hosts;
        this.threads = threads;
        this.isJsonOnly = isJsonOnly;
    }

    /**
     * The settings of a server for requests.
     *
     * @param name of its threads
     * @param maxThreads maximum number of requests handled at once
     * @param isJsonOnly whether bodies must be declared as JSON
     * @param allowedHosts further host names that requests may use
     */
    public record Settings(String name, int maxThreads, boolean isJsonOnly, List<String> allowedHosts) {}

    /**
     * Listens, without accepting requests yet.
     *
     * @throws IOException that names the address, for instance because its port is in use
     */
    public static GuardedServer listen(InetSocketAddress address, Settings settings) throws IOException {
        List<String> names = new ArrayList<>(settings.allowedHosts());
        names.add(address.getHostString());
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException failed) {
            throw cannotListen(address, failed);
        }
        RequestThreads threads = new RequestThreads(settings.name(), settings.maxThreads());
        server.setExecutor(threads);
        return new GuardedServer(server, new KnownHosts(names), threads, settings.isJsonOnly());
    }

    /** Returns an exception that names the address. */
    public static IOException cannotListen(InetSocketAddress address, IOException reason) {
        return new IOException(
                "cannot listen: address=" + address.getHostString() + ":" + address.getPort() + " reason="
                        + reason.getMessage() + "; choose another port",
                reason);
    }

    /** Sets the handler of a path and of all below it. It may be called by many threads. */
    public void handle(String path, HttpHandler handler) {
        server.createContext(path, handler).getFilters().add(new Guard());
    }

    public void start() {
        server.start();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private record Refusal(int code, String reason) {}

    private @Nullable Refusal refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String host = headers.getFirst("Host");
        if (host == null || !hosts.allow(host)) {
            return new Refusal(421, "not served under this host name; --allow-host NAME allows it");
        }
        String method = exchange.getRequestMethod();
        String fetchSite = READS.contains(method) ? null : headers.getFirst("Sec-Fetch-Site");
        if (!KnownHosts.isFromHere(fetchSite, headers.getFirst("Origin"), host)) {
            return new Refusal(403, "requests of pages of other sites are refused");
        }
        if (isJsonOnly && WITH_BODY.contains(method) && !isJson(headers.getFirst("Content-Type"))) {
            return new Refusal(415, "Content-Type must be application/json or application/x-ndjson");
        }
        return null;
    }

    private static boolean isJson(@Nullable String contentType) {
        if (contentType == null) {
            return true;
        }
        String type = contentType.split(";", 2)[0].strip();
        return JSON.matcher(type.toLowerCase(Locale.ROOT)).matches();
    }

    private final class Guard extends Filter {

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            ClientWait wait = threads.current();
            if (wait == null) {
                throw new AssertionError("bug: request outside of its threads");
            }
            wait.end(); // end of the wait for its head
            exchange.setStreams(
                    new Body(exchange.getRequestBody(), wait), new Response(exchange.getResponseBody(), wait));
            Headers headers = exchange.getResponseHeaders();
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            Refusal refusal = refusal(exchange);
            if (refusal == null) {
                chain.doFilter(exchange);
            } else {
                refuse(exchange, refusal);
            }
        }

        private void refuse(HttpExchange exchange, Refusal refusal) throws IOException {
            try (exchange) {
                byte[] text = (refusal.reason() + "\n").getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
                boolean isHead = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(refusal.code(), isHead ? -1 : text.length);
                if (!isHead) {
                    exchange.getResponseBody().write(text);
                }
            }
        }

        @Override
        public String description() {
            return "who may send requests";
        }
    }

    /** Body of a request, whose reads are waits. */
    private static final class Body extends FilterInputStream {

        private final ClientWait wait;

        Body(InputStream in, ClientWait wait) {
            super(in);
            this.wait = wait;
        }

        @Override
        public int read() throws IOException {
            wait.begin();
            try {
                return in.read();
            } finally {
                wait.end();
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            wait.begin();
            try {
                return in.read(bytes, offset, length);
            } finally {
                wait.end();
            }
        }
    }

    /**
     * Body of a response, whose writes are waits. The wait does not end with a write: the rest of the request is read
     * after it.
     */
    private static final class Response extends FilterOutputStream {

        private final ClientWait wait;

        Response(OutputStream out, ClientWait wait) {
            super(out);
            this.wait = wait;
        }

        @Override
        public void write(int value) throws IOException {
            wait.begin();
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += PIECE_BYTES) {
                wait.begin();
                out.write(bytes, offset + done, Math.min(PIECE_BYTES, length - done));
            }
            out.flush(); // before the rest of the request is read, which may be slow
        }
    }
}
