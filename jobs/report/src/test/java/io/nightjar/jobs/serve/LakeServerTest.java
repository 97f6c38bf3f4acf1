package io.nightjar.jobs.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LakeServerTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path folder;

    private Path lake;
    private LakeServer server;

    @BeforeEach
    void serveALake() throws IOException {
        lake = folder.resolve("lake");
        LakeFixtures.writeFullRun(lake, "r1");
        server = LakeServer.start(Lake.open(lake), "test", ANY_PORT, List.of("build7"));
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void everyRunAndAnomalyHasAPage() throws IOException {
        String id = LakeFixtures.staleRead("x").anomalyId();

        assertThat(get("/")).startsWith("HTTP/1.1 200").contains("orders.parquet", "id=\"sql-form\"");
        assertThat(get("/run/r1")).startsWith("HTTP/1.1 200").contains("violates snapshot isolation");
        assertThat(get("/anomaly/" + id)).startsWith("HTTP/1.1 200").contains("T3 read x=1, but");
        assertThat(get("/anomaly/" + id + "?run=r1")).startsWith("HTTP/1.1 200");
    }

    @Test
    void runPageListsRunsAndComparesWithAny() throws IOException {
        LakeFixtures.writeRun(lake, "second", "queue.parquet", LakeFixtures.MIDNIGHT.plusSeconds(60), "x", "y");
        LakeFixtures.writeRun(lake, "third", "queue.parquet", LakeFixtures.MIDNIGHT.plusSeconds(120), "y", "z");
        LakeFixtures.writeRun(lake, "first", "queue.parquet", LakeFixtures.MIDNIGHT, "w", "z");

        String after = get("/run/third");
        assertThat(after).contains("1 new</b>, 1 known, 1 gone", "<a href=\"?baseline=first\" ", "href=\"/run/first\"");
        assertThat(gone(after))
                .contains("in the run of", ", second,", "run=second")
                .doesNotContain("?run=first");
        String first = get("/run/third?baseline=first");
        assertThat(first).contains("1 new</b>, 1 known, 1 gone", "<a href=\"?baseline=second\" ");
        assertThat(gone(first)).contains(", first,", LakeFixtures.staleRead("w").anomalyId() + "?run=first");
        assertThat(get("/run/first")).contains("<a href=\"?baseline=third\" ").doesNotContain("id=\"gone\"");
        assertThat(get("/run/r1")).doesNotContain("Runs of this history");
    }

    private static String gone(String page) {
        int from = page.indexOf("id=\"gone\"");
        return page.substring(from, page.indexOf("</section>", from));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/run/r2", "/run/..%2f..%2fetc", "/anomaly/", "/anomaly/azz", "/nothing", "/run/"})
    void missingResourceIsReported(String path) throws IOException {
        assertThat(get(path)).startsWith("HTTP/1.1 404").contains("Not here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "",
                "localhost:x"
            })
    void requestsUnderOtherNamesAreRefused(String host) throws IOException {
        assertThat(ask("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421")
                .doesNotContain("orders.parquet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:81", "127.0.0.1:9", "[::1]", "[::1]:7", "build7", "build7:80"})
    void ownNamesAreAnswered(String host) throws IOException {
        assertThat(ask("GET /api/runs HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void aRunIsThereAsSoonAsItIsComplete() throws IOException {
        assertThat(get("/api/runs")).contains("{\"runs\":[\"r1\"]}");
        LakeFixtures.writeRun(lake, "r2", "other.parquet", LakeFixtures.MIDNIGHT.plusSeconds(60), "y");

        assertThat(get("/api/runs")).contains("{\"runs\":[\"r1\",\"r2\"]}");
        assertThat(get("/")).contains("2 histories", "data-runs=\"r1 r2\"");
    }

    @Test
    void queriesAreAnsweredWithAllDigits() throws IOException {
        String answer = query("SELECT anomaly_type, 9007199254740993 AS n FROM anomalies -- done");

        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(JsonTree.object(answer.substring(answer.indexOf("\r\n\r\n") + 4)))
                .containsEntry("columns", List.of("anomaly_type", "n"))
                .containsEntry("rows", List.of(List.of("EXT", "9007199254740993")))
                .containsEntry("more", false);
    }

    @Test
    void longResultsAreTruncatedWithNotice() throws IOException {
        assertThat(query("FROM range(5000)")).contains("[999]],\"more\":true");
    }

    @Test
    void savedQueriesReadEveryLake() throws IOException {
        String page = get("/");
        List<String> queries = Pattern.compile("<option value=\"([^\"]*)\">")
                .matcher(page.substring(page.indexOf("id=\"sql-saved\"")))
                .results()
                .map(option -> option.group(1)
                        .replace("&#10;", "\n")
                        .replace("&#39;", "'")
                        .replace("&gt;", ">")
                        .replace("&amp;", "&"))
                .toList();

        assertThat(queries).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        for (String query : queries) {
            assertThat(query(query)).as(query).startsWith("HTTP/1.1 200").contains("\"rows\":[");
        }
        assertThat(query(queries.get(0))).contains("[[\"EXT\",");
    }

    @Test
    void rowsAreCommaSeparatedWhereAccepted() throws IOException {
        assertThat(query("SELECT 1 AS a, 'x,\"y' AS b, NULL AS c", "Accept: text/csv"))
                .startsWith("HTTP/1.1 200")
                .contains("text/csv")
                .doesNotContain("X-nightjar-more")
                .endsWith("a,b,c\n1,\"x,\"\"y\",\n");
        assertThat(query("FROM range(20000)", "Accept: text/csv"))
                .contains("X-nightjar-more: true")
                .endsWith("\n9999\n");
        assertThat(query("selct", "Accept: text/csv"))
                .startsWith("HTTP/1.1 400")
                .contains("{\"error\":");
    }

    @Test
    void schemaNamesTablesWithTheirColumns() throws IOException {
        String answer = get("/api/schema");

        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .contains("{\"name\":\"runs\",\"columns\":[{\"name\":\"run_id\",\"type\":\"VARCHAR\"}")
                .contains("{\"name\":\"v_new_anomalies\"");
    }

    @Test
    void queriesReadTheTablesAndNothingElse() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.csv"), "a\nhidden\n");
        String before = filesOf(lake);
        for (String query : List.of(
                "SELECT * FROM read_text('" + secret + "')",
                "FROM '" + secret + "'",
                "FROM read_csv('" + lake + "/../secret.csv')",
                "FROM history('" + secret + "')",
                "SELECT * FROM glob('" + folder + "/*')",
                "COPY (SELECT 1) TO '" + lake + "/x.csv'",
                "SELECT 1) TO '" + lake + "/x.csv'",
                "SELECT * FROM (COPY (SELECT 1) TO '" + lake + "/x.csv')",
                "ATTACH '" + lake + "/x.db'",
                "CREATE TABLE t AS SELECT 1",
                "SET enable_external_access = true",
                "INSTALL httpfs",
                "LOAD httpfs",
                "DROP VIEW runs",
                "SELECT 1; COPY (SELECT 1) TO '" + lake + "/x.csv'",
                "SELECT 1) AS a; COPY (SELECT 1) TO '" + lake + "/x.csv'; SELECT * FROM (SELECT 1",
                "EXPORT DATABASE '" + lake + "/x'",
                "")) {
            assertThat(query(query))
                    .as(query)
                    .startsWith("HTTP/1.1 400")
                    .contains("\"error\":")
                    .doesNotContain("hidden");
        }
        assertThat(filesOf(lake)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    selct 1                         | at or near \\"1\\"\\nLINE 1: selct 1\\n              ^
                    SELECT * FROM (selct 1          | at or near \\"1\\"\\nLINE 1: SELECT * FROM (selct 1\\n
                    /*a*/ SELECT nope FROM runs     | \\nLINE 1: SELECT nope FROM runs\\n
                    SELECT 1 +                      | syntax error at the end of the query
                    (SELECT 1                       | syntax error at the end of the query
                    """)
    void errorsQuoteTheQueryOnly(String sql, String error) throws IOException {
        assertThat(query(sql)).startsWith("HTTP/1.1 400").contains(error).doesNotContain("LIMIT");
    }

    @Test
    void errorsCountLinesOfTheQuery() throws IOException {
        assertThat(query("SELECT 1,\n  nope\nFROM runs")).contains("\\nLINE 2:   nope\\n");
    }

    @Test
    void queriesOfOtherPagesAreRefused() throws IOException {
        assertThat(query("SELECT 1", "Origin: http://evil.example")).startsWith("HTTP/1.1 403");
        assertThat(query("SELECT 1", "Sec-Fetch-Site: cross-site")).startsWith("HTTP/1.1 403");
        assertThat(query("SELECT 1", "Sec-Fetch-Site: same-origin")).startsWith("HTTP/1.1 200");
        assertThat(query("SELECT 1", "Origin: http://localhost")).startsWith("HTTP/1.1 200");
    }

    @Test
    void onlyReadRequestsAreAccepted() throws IOException {
        assertThat(ask("DELETE /run/r1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(ask("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(get("/api/sql")).startsWith("HTTP/1.1 405");
        assertThat(ask("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .doesNotContain("<html");
    }

    @Test
    void aLakeWithoutRunsIsServedAndWaits() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        server.close();
        server = LakeServer.start(Lake.open(empty), "test", ANY_PORT, List.of());

        assertThat(get("/")).startsWith("HTTP/1.1 200").contains("No runs yet");
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        InetSocketAddress taken = new InetSocketAddress("127.0.0.1", server.port());

        assertThatThrownBy(() -> LakeServer.start(Lake.open(lake), "test", taken, List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen: address=127.0.0.1:" + server.port());
    }

    private String get(String path) throws IOException {
        return ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private String query(String sql, String... headers) throws IOException {
        String more = Stream.of(headers).map(header -> header + "\r\n").collect(Collectors.joining());
        int length = sql.getBytes(StandardCharsets.UTF_8).length;
        return ask("POST /api/sql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more + "Content-Length: "
                + length + "\r\n\r\n" + sql);
    }

    /** Sends a raw request with arbitrary headers. */
    private String ask(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String filesOf(Path lake) throws IOException {
        try (Stream<Path> files = Files.walk(lake)) {
            return files.sorted().map(Path::toString).collect(Collectors.joining("\n"));
        }
    }
}
