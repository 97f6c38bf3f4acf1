package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.http.MockHttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MockHttpTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private MockClients clients;
    private MockHttpServer http;

    @BeforeEach
    void start() throws IOException, SQLException {
        clients = new MockClients(MockClients.options(IsolationLevel.SERIALIZABLE, 1, true));
        clients.load("CREATE TABLE t(id INT PRIMARY KEY, v NUMERIC(5,2))", "INSERT INTO t VALUES (1, 1.50)");
        http = new MockHttpServer(
                "127.0.0.1", 0, "127.0.0.1", clients.database().port(), java.util.List.of());
    }

    @AfterEach
    void stop() throws IOException, SQLException {
        http.close();
        clients.close();
    }

    private HttpResponse<String> post(String type, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/sql"))
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String sql(String session, String sql, String parameters) throws IOException, InterruptedException {
        return post(
                        "application/json",
                        "{\"session\":\"%s\",\"sql\":\"%s\",\"params\":%s}".formatted(session, sql, parameters))
                .body();
    }

    @Test
    void rowsComeBackAsJson() throws Exception {
        assertThat(sql("a", "SELECT id, v FROM t WHERE id = ?", "[1]"))
                .isEqualTo("{\"columns\":[\"id\",\"v\"],\"rows\":[[1,1.50]],\"count\":1}\n");
    }

    @Test
    void aSessionIsATransactionUntilItCommits() throws Exception {
        sql("a", "BEGIN", "[]");
        assertThat(sql("a", "UPDATE t SET v = 2 WHERE id = 1", "[]")).isEqualTo("{\"count\":1}\n");
        assertThat(clients.newest("SELECT v FROM t")).isOne();
        sql("a", "COMMIT", "[]");
        assertThat(clients.newest("SELECT v FROM t")).isEqualTo(2);
    }

    @Test
    void severalStatementsHaveSeveralResults() throws Exception {
        assertThat(sql("a", "UPDATE t SET v = 3 WHERE id = 1; SELECT v FROM t; SHOW application_name", "[]"))
                .isEqualTo("{\"results\":[{\"count\":1},{\"columns\":[\"v\"],\"rows\":[[3.00]],\"count\":1},"
                        + "{\"columns\":[\"application_name\"],\"rows\":[[\"a\"]],\"count\":1}]}\n");
    }

    @Test
    void statementsOfOtherSitesAreRefused() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/sql"))
                .header("Origin", "http://evil.example")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\":\"DELETE FROM t\"}"))
                .build();

        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(403);
        assertThat(clients.newest("SELECT count(*) FROM t")).isOne();
    }

    @Test
    void failuresHaveTheirState() throws Exception {
        assertThat(sql("a", "SELECT nothing FROM t", "[]")).contains("\"sqlstate\":\"42703\"");
        assertThat(post("application/json", "no JSON").statusCode()).isEqualTo(400);
        assertThat(post("text/plain", "{\"sql\":\"SELECT 1\"}").statusCode()).isEqualTo(415);
    }
}
