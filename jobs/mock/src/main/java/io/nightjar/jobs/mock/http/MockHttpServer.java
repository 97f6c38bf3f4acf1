package io.nightjar.jobs.mock.http;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.http.GuardedServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * HTTP server that runs statements posted to {@code /sql} as JSON: {@code {"session":"a","sql":"SELECT
 * …","params":[1]}}. Statements of a session run one after the other; {@code DELETE /sessions/a} ends it.
 */
public final class MockHttpServer implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 1 << 20;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int MAX_THREADS = 256; // sessions may wait for one another

    private final GuardedServer server;
    private final String url;
    private final Map<String, Connection> sessions = new ConcurrentHashMap<>();

    /**
     * Starts listening.
     *
     * @param postgresHost the host of the mock's PostgreSQL server
     * @param allowedHosts further host names that requests may use
     * @throws IOException if the server cannot listen on the address
     */
    public MockHttpServer(String host, int port, String postgresHost, int postgresPort, List<String> allowedHosts)
            throws IOException {
        this.url = "jdbc:postgresql://" + postgresHost + ":" + postgresPort + "/http?user=http&sslmode=disable";
        this.server = GuardedServer.listen(
                new InetSocketAddress(InetAddress.getByName(host), port),
                new GuardedServer.Settings("mock-http", MAX_THREADS, true, allowedHosts));
        server.handle("/sql", this::sql);
        server.handle("/sessions/", this::endSession);
        server.handle("/", exchange -> answer(exchange, NOT_FOUND, failure("08P01", "POST to /sql")));
        server.start();
    }

    public int port() {
        return server.port();
    }

    private void sql(HttpExchange exchange) throws IOException {
        if (!"POST".equals(exchange.getRequestMethod())) {
            answer(exchange, NOT_ALLOWED, failure("08P01", "POST a JSON object"));
            return;
        }
        SqlRequest request;
        try {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES);
            request = SqlRequest.parse(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException wrong) {
            answer(exchange, BAD_REQUEST, failure("08P01", String.valueOf(wrong.getMessage())));
            return;
        }
        try {
            answer(exchange, OK, run(request));
        } catch (SQLException failed) {
            String state = String.valueOf(failed.getSQLState());
            answer(exchange, state.equals("40001") ? CONFLICT : BAD_REQUEST, failure(state, messageOf(failed)));
        }
    }

    /** Returns the server's message without the driver's prefix and suffix. */
    private static String messageOf(SQLException failed) {
        ServerErrorMessage message = failed instanceof PSQLException known ? known.getServerErrorMessage() : null;
        return String.valueOf(message == null ? failed.getMessage() : message.getMessage());
    }

    private String run(SqlRequest request) throws SQLException, IOException {
        Connection connection = sessions.get(request.session());
        if (connection == null || connection.isClosed()) {
            connection = DriverManager.getConnection(
                    url + "&ApplicationName=" + URLEncoder.encode(request.session(), StandardCharsets.UTF_8));
            Connection other = sessions.put(request.session(), connection);
            if (other != null) {
                other.close();
            }
        }
        synchronized (connection) {
            try (PreparedStatement statement = connection.prepareStatement(withQuestionMarks(request))) {
                for (int i = 0; i < request.parameters().size(); i++) {
                    statement.setObject(i + 1, request.parameters().get(i));
                }
                return results(statement, statement.execute());
            }
        }
    }

    /** Returns the result of a statement, or a list of results for several statements. */
    private static String results(PreparedStatement statement, boolean isFirstOfRows) throws SQLException, IOException {
        List<String> results = new ArrayList<>();
        boolean hasRows = isFirstOfRows;
        while (hasRows || results.isEmpty() || statement.getUpdateCount() >= 0) {
            if (hasRows) {
                try (ResultSet rows = statement.getResultSet()) {
                    results.add(rows(rows));
                }
            } else {
                results.add("{\"count\":" + Math.max(0, statement.getUpdateCount()) + "}");
            }
            hasRows = statement.getMoreResults();
        }
        return (results.size() == 1 ? results.get(0) : "{\"results\":[" + String.join(",", results) + "]}") + "\n";
    }

    /** Escapes question marks, which JDBC reads as parameters, in a statement without parameters. */
    private static String withQuestionMarks(SqlRequest request) {
        return request.parameters().isEmpty() ? request.sql().replace("?", "??") : request.sql();
    }

    private static String rows(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        List<String> labels = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            labels.add(columns.getColumnLabel(column));
        }
        List<List<@Nullable Object>> values = new ArrayList<>();
        while (rows.next()) {
            List<@Nullable Object> row = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                row.add(value(rows.getObject(column), rows.getString(column)));
            }
            values.add(row);
        }
        return new JsonObject()
                .put("columns", labels)
                .put("rows", values)
                .put("count", values.size())
                .text();
    }

    /** Returns a value as JSON has it: numbers exactly, all else as text. */
    private static @Nullable Object value(@Nullable Object value, String asText) {
        if (value instanceof BigDecimal number) {
            return (JsonObjectText.Raw) number::toPlainString;
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Short) {
            return (JsonObjectText.Raw) value::toString;
        }
        boolean isPlain =
                value == null || value instanceof Boolean || value instanceof Double number && Double.isFinite(number);
        return isPlain ? value : asText;
    }

    private static String failure(String state, String message) {
        JsonObject error = new JsonObject().put("sqlstate", state).put("message", message);
        return new JsonObject().put("error", error).text() + "\n";
    }

    private void endSession(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Connection connection = "DELETE".equals(exchange.getRequestMethod())
                ? sessions.remove(path.substring("/sessions/".length()))
                : null;
        try {
            if (connection != null) {
                connection.close();
            }
            answer(
                    exchange,
                    connection == null ? NOT_FOUND : OK,
                    connection == null ? failure("08003", "no such session; DELETE /sessions/NAME ends one") : "{}\n");
        } catch (SQLException failed) {
            answer(
                    exchange,
                    BAD_REQUEST,
                    failure(String.valueOf(failed.getSQLState()), String.valueOf(failed.getMessage())));
        }
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Stops the server; its sessions end with the PostgreSQL server. */
    @Override
    public void close() {
        server.close();
    }
}
