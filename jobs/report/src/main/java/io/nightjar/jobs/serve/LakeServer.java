package io.nightjar.jobs.serve;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.http.GuardedServer;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.report.Report;
import io.nightjar.jobs.report.ReportPage;
import io.nightjar.jobs.report.ReportReader;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.CellText;
import io.nightjar.jobs.sql.SandboxedQuery;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** HTTP server of the pages of one lake. */
public final class LakeServer implements AutoCloseable {

    /*
     *   GET  /                    all histories, a box for SQL; polls for new runs
     *   GET  /run/ID              one run
     *   GET  /anomaly/ID?run=ID   one anomaly; of the latest run that found it if none is named
     *   GET  /api                 the description of the following ones, openapi.json
     *   GET  /api/runs            the ids of the complete runs
     *   GET  /api/schema          the tables with their columns
     *   POST /api/sql             one query, as text; its rows as JSON, or as CSV where that is accepted
     *
     *   POST /api/check?name=NAME&level=LEVELS
     *                             checks the file that is sent; only if the server listens on loopback
     *
     * Complete runs never change, so a page is created once for each set of runs.
     */

    private static final String DESCRIPTION = description();
    private static final int MAX_QUERY_BYTES = 100_000;
    private static final int MAX_ROWS = 1_000;
    private static final int MAX_CSV_ROWS = 10_000;
    private static final int MAX_SECONDS = 30;
    private static final int MAX_THREADS = 32;
    private static final int MAX_QUERIES = 4; // concurrent
    private static final int MAX_WAIT_SECONDS = 10; // for a query slot
    private static final int KEPT_PAGES = 16;

    private final Lake lake;
    private final String version;
    private final GuardedServer server;
    private final SentFileCheck files;
    private final boolean checksFiles;
    private final Semaphore queries = new Semaphore(MAX_QUERIES, true);
    private final ScheduledExecutorService clock;
    private final Map<String, byte[]> pages = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
            return size() > KEPT_PAGES;
        }
    };

    private LakeServer(Lake lake, String version, GuardedServer server, long memoryBytes) {
        this.lake = lake;
        this.version = version;
        this.server = server;
        this.files = new SentFileCheck(lake, version, memoryBytes);
        this.checksFiles = server.address().getAddress().isLoopbackAddress() && files.isPossible();
        this.clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "serve-clock");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts a server.
     *
     * @param address the address to listen on; port 0 for any free port
     * @param names additional host names that requests may use
     * @param memoryBytes memory of a check, and maximum size of a file to check
     * @throws IOException if the server cannot listen on the address
     */
    public static LakeServer start(
            Lake lake, String version, InetSocketAddress address, List<String> names, long memoryBytes)
            throws IOException {
        if (address.isUnresolved()) {
            throw new UsageException("no such host: host=" + address.getHostString());
        }
        GuardedServer server =
                GuardedServer.listen(address, new GuardedServer.Settings("serve", MAX_THREADS, false, names));
        LakeServer served = new LakeServer(lake, version, server, memoryBytes);
        server.handle("/", served::handle);
        server.start();
        return served;
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        clock.shutdownNow();
    }

    // ---------------------------------------------------------------- requests

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ServedAnswer answer = answer(exchange);
            answer.send(exchange);
        }
    }

    private ServedAnswer answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        boolean isPost = path.equals("/api/sql") || path.equals("/api/check");
        boolean isRead = method.equals("GET") || method.equals("HEAD");
        if (isPost ? !method.equals("POST") : !isRead) {
            return ServedAnswer.text(405, "not allowed: method=" + method).with("Allow", isPost ? "POST" : "GET, HEAD");
        }
        boolean isApi = path.equals("/api") || path.startsWith("/api/");
        try {
            return isApi
                    ? api(path, exchange)
                    : page(path, exchange.getRequestURI().getRawQuery());
        } catch (UsageException missing) {
            return failure(isApi, isApi ? 400 : 404, "Not here", String.valueOf(missing.getMessage()));
        } catch (LakeException | IOException failed) {
            return failure(isApi, 503, "Storage failed", String.valueOf(failed.getMessage()));
        } catch (RuntimeException fault) {
            return failure(isApi, 500, "A fault of ours", fault.toString());
        }
    }

    private static ServedAnswer failure(boolean isApi, int code, String title, String message) {
        return isApi
                ? ServedAnswer.error(code, message)
                : ServedAnswer.page(code, ReportPage.writeMessage(title, message));
    }

    private ServedAnswer api(String path, HttpExchange exchange) throws IOException {
        switch (path) {
            case "/api":
                return ServedAnswer.json(200, DESCRIPTION);
            case "/api/runs":
                return ServedAnswer.json(200, CellText.text(Map.of("runs", List.copyOf(lake.completeRuns()))));
            case "/api/schema":
                return ServedAnswer.json(200, CellText.text(Map.of("tables", schema())));
            case "/api/sql":
                return query(exchange);
            case "/api/check":
                if (!checksFiles) {
                    return ServedAnswer.error(
                            403, "files are checked only by a server on loopback, into a lake on this machine");
                }
                String query = exchange.getRequestURI().getRawQuery();
                return files.check(exchange, parameter(query, "name"), parameter(query, "level"));
            default:
                return ServedAnswer.error(404, "no such path: path=" + path);
        }
    }

    private static String description() {
        try (InputStream in = LakeServer.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new AssertionError("bug: part of the program is missing: resource=openapi.json");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServedAnswer page(String path, String query) throws IOException {
        Set<String> runs = lake.completeRuns();
        String key = path + "?" + query + " " + runs;
        synchronized (pages) {
            byte[] kept = pages.get(key);
            if (kept == null) {
                String made = make(path, query, runs);
                if (made == null) {
                    return ServedAnswer.page(404, ReportPage.writeMessage("Not here", "No such page: " + path));
                }
                kept = made.getBytes(StandardCharsets.UTF_8);
                pages.put(key, kept);
            }
            return ServedAnswer.page(200, kept);
        }
    }

    private @Nullable String make(String path, String query, Set<String> runs) throws IOException {
        try (SqlSession session = SqlSession.open(lake)) {
            ReportReader reader = new ReportReader(lake, session, version, true);
            if (path.equals("/")) {
                Report overview = reader.overview();
                return ReportPage.writeLive(overview, runs, checksFiles ? files.maxBytes() : 0);
            }
            if (path.startsWith("/run/")) {
                return ReportPage.writeLive(
                        reader.run(path.substring("/run/".length()), parameter(query, "baseline")), runs, 0);
            }
            return path.startsWith("/anomaly/") ? anomaly(session, path, parameter(query, "run")) : null;
        }
    }

    private String anomaly(SqlSession session, String path, @Nullable String runId) {
        if (runId != null) {
            session.restrictTo(runId);
        }
        String asked = path.substring("/anomaly/".length());
        AnomalyLookup lookup = new AnomalyLookup(session);
        List<String> ids = asked.isEmpty() ? List.of() : lookup.idsThatBeginWith(asked, 2);
        if (ids.isEmpty() || ids.size() > 1 && !ids.contains(asked)) {
            throw new UsageException("No anomaly, or more than one, of this id: " + asked);
        }
        StoredAnomaly found = lookup.read(ids.contains(asked) ? asked : ids.get(0));
        return ReportPage.writeAnomaly(lake.root(), found.runId(), found);
    }

    private static @Nullable String parameter(@Nullable String query, String name) {
        for (String pair : query == null ? new String[0] : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- SQL

    private List<Map<String, Object>> schema() {
        Map<String, List<Map<String, Object>>> columnsOf = new LinkedHashMap<>();
        try (SqlSession session = SqlSession.open(lake)) {
            for (Map<String, Object> row : session.rows(
                    "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal AND"
                            + " schema_name = 'main' ORDER BY starts_with(table_name, 'v_'), table_name, column_index")) {
                Map<String, Object> column = new LinkedHashMap<>();
                column.put("name", row.get("column_name"));
                column.put("type", row.get("data_type"));
                columnsOf
                        .computeIfAbsent(String.valueOf(row.get("table_name")), absent -> new ArrayList<>())
                        .add(column);
            }
        }
        List<Map<String, Object>> tables = new ArrayList<>();
        columnsOf.forEach((name, columns) -> {
            Map<String, Object> table = new LinkedHashMap<>();
            table.put("name", name);
            table.put("columns", columns);
            tables.add(table);
        });
        return tables;
    }

    private ServedAnswer query(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_QUERY_BYTES + 1);
        if (body.length > MAX_QUERY_BYTES) {
            return ServedAnswer.error(413, "query too long: bytes>" + MAX_QUERY_BYTES);
        }
        try {
            if (!queries.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return ServedAnswer.error(503, "too many queries at once: max=" + MAX_QUERIES + "; repeat it later");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ServedAnswer.error(503, "the server is being stopped");
        }
        try {
            return query(
                    new String(body, StandardCharsets.UTF_8),
                    "text/csv".equals(exchange.getRequestHeaders().getFirst("Accept")));
        } finally {
            queries.release();
        }
    }

    private ServedAnswer query(String sql, boolean isCsv) {
        ScheduledFuture<?>[] stop = new ScheduledFuture<?>[1];
        try {
            SandboxedQuery.Answer answer = SandboxedQuery.run(
                    lake,
                    sql,
                    isCsv ? MAX_CSV_ROWS : MAX_ROWS,
                    running -> stop[0] = clock.schedule(running::stop, MAX_SECONDS, TimeUnit.SECONDS));
            if (isCsv) {
                ServedAnswer csv = ServedAnswer.csv(answer.csv());
                return answer.areMore() ? csv.with("X-Nightjar-More", "true") : csv;
            }
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("columns", answer.columns());
            facts.put("rows", answer.rows());
            facts.put("more", answer.areMore());
            return ServedAnswer.json(200, CellText.text(facts));
        } catch (UsageException | LakeException failed) {
            return ServedAnswer.error(400, String.valueOf(failed.getMessage()));
        } finally {
            if (stop[0] != null) {
                stop[0].cancel(false);
            }
        }
    }
}
