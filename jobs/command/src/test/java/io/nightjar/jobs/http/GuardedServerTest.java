package io.nightjar.jobs.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedServerTest {

    private static final int MAX_THREADS = 4;

    private GuardedServer server;

    @BeforeEach
    void start() throws IOException {
        server = GuardedServer.listen(
                new InetSocketAddress("127.0.0.1", 0),
                new GuardedServer.Settings("guarded", MAX_THREADS, true, List.of("build7")));
        server.handle("/", GuardedServerTest::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length + 2L);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().write(body);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | Host: 127.0.0.1:1                                                     | 200
                    GET    | Host: build7                                                          | 200
                    GET    | Host: evil.example                                                    | 421
                    GET    | Host: localhost;Origin: http://evil.example                           | 403
                    GET    | Host: localhost;Origin: null                                          | 403
                    GET    | Host: localhost;Sec-Fetch-Site: cross-site                            | 200
                    POST   | Host: localhost                                                       | 200
                    POST   | Host: localhost;Content-Type: application/json                        | 200
                    POST   | Host: localhost;Content-Type: Application/JSON; charset=utf-8         | 200
                    POST   | Host: localhost;Content-Type: application/x-ndjson                    | 200
                    POST   | Host: localhost;Content-Type: application/jsonl                       | 200
                    POST   | Host: localhost;Content-Type: application/vnd.api+json                | 200
                    POST   | Host: localhost;Content-Type: text/plain                              | 415
                    POST   | Host: localhost;Content-Type: text/plain; a=application/json          | 415
                    POST   | Host: localhost;Content-Type: application/x-www-form-urlencoded       | 415
                    POST   | Host: localhost;Content-Type: multipart/form-data                     | 415
                    POST   | Host: localhost;Content-Type: application/jsonp                       | 415
                    POST   | Host: evil.example;Content-Type: application/json                     | 421
                    POST   | Host: localhost;Origin: http://evil.example                           | 403
                    POST   | Host: localhost;Origin: http://localhost                              | 200
                    POST   | Host: localhost;Sec-Fetch-Site: cross-site                            | 403
                    POST   | Host: localhost;Sec-Fetch-Site: same-site                             | 403
                    POST   | Host: localhost;Sec-Fetch-Site: same-origin                           | 200
                    DELETE | Host: localhost;Origin: http://evil.example                           | 403
                    """)
    void headersDecideWhoIsAnswered(String method, String headers, int code) throws IOException {
        assertThat(ask(method, headers, "{}")).startsWith("HTTP/1.1 " + code + " ");
    }

    @Test
    void refusalsNameTheRemedy() throws IOException {
        assertThat(ask("GET", "Host: evil.example", ""))
                .contains("--allow-host")
                .contains("text/plain");
    }

    @Test
    void responsesAreForNoOtherSite() throws IOException {
        assertThat(ask("GET", "Host: localhost", ""))
                .containsIgnoringCase("Cross-Origin-Resource-Policy: same-origin")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Cache-Control: no-store");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
                "POST / HTTP/1.1\r\nHost: evil\r\nContent-Length: 100\r\n\r\nhalf",
                "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nhalf",
                "GET / HTTP/1.1\r\nHost: local"
            })
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void halfSentRequestsDoNotBlockOthers(String half) throws IOException {
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * MAX_THREADS; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                socket.getOutputStream().write(half.getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().flush();
                halves.add(socket);
            }
            long before = System.nanoTime();

            assertThat(ask("GET", "Host: localhost", "")).startsWith("HTTP/1.1 200");
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before))
                    .isLessThan(9); // three rounds
        } finally {
            for (Socket socket : halves) {
                socket.close();
            }
        }
    }

    @Test
    void waitsEndAtTheirLimits() {
        long start = System.nanoTime();
        ClientWait wait = new ClientWait(new Thread(), start);

        assertThat(wait.isOverdue(start + TimeUnit.SECONDS.toNanos(9))).isFalse();
        assertThat(wait.isOverdue(start + TimeUnit.SECONDS.toNanos(11)))
                .as("head")
                .isTrue();
        wait.end();
        assertThat(wait.isOverdue(start + TimeUnit.SECONDS.toNanos(60)))
                .as("busy")
                .isFalse();
        wait.begin();
        assertThat(wait.isOverdue(start + TimeUnit.SECONDS.toNanos(29))).isFalse();
        assertThat(wait.isOverdue(System.nanoTime() + TimeUnit.SECONDS.toNanos(31)))
                .as("body")
                .isTrue();
    }

    /** Sends a request with any headers. */
    private String ask(String method, String headers, String body) throws IOException {
        String request = method + " / HTTP/1.1\r\n"
                + headers.replace(";Origin", "\r\nOrigin")
                        .replace(";Sec", "\r\nSec")
                        .replace(";Content", "\r\nContent") + "\r\nConnection: close\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n" + body;
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
