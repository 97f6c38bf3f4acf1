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
import java.util.Map;
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
    private static final long MEMORY = 64L << 20;

    @TempDir
    Path folder;

    private Path lake;
    private LakeServer server;

    @BeforeEach
    void serveALake() throws IOException {
        lake = folder.resolve("lake");
        LakeFixtures.writeFullRun(lake, "r1");
        server = LakeServer.start(Lake.open(lake), "test", ANY_PORT, List.of("build7"), MEMORY);
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

    private static final String LOST_UPDATE =
            "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,5]: r(x,1) w(x,2)\ns3 T3 [4,6]: r(x,1) w(x,3)\n";

    @Test
    void sentFileIsCheckedIntoLake() throws IOException {
        String answer = check("name=..%2f..%2f.bank+1.txt&level=si", LOST_UPDATE);

        assertThat(answer).startsWith("HTTP/1.1 200").contains("\"verdict\":\"violated\"", "\"NOCONFLICT\":1");
        Map<String, Object> result = JsonTree.object(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        String run = JsonTree.at(result, "run_id");
        assertThat(get("/api/runs")).contains(run);
        assertThat(get("/run/" + run))
                .contains("bank-1.txt", "violates snapshot isolation")
                .doesNotContain("not there any more");
        assertThat(lake.resolve(".files")).isDirectoryContaining("glob:**/bank-1.txt");

        answer = check("name=bank+1.txt&level=si", LOST_UPDATE.replace("r(x,1) w(x,3)", "r(x,1)"));
        assertThat(answer).contains("\"verdict\":\"holds\"");
        result = JsonTree.object(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(get("/run/" + JsonTree.<String>at(result, "run_id")))
                .contains("Runs of this history", run, "1 gone");
        try (Stream<Path> files = Files.list(lake.resolve(".files"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void rejectedFileLeavesLakeUnchanged() throws IOException {
        check("name=a.txt", LOST_UPDATE);
        String before = filesOf(lake);

        assertThat(check("name=a.txt", "s1 T1: w(x"))
                .startsWith("HTTP/1.1 422")
                .contains("\"verdict\":\"rejected\"", "\"error\":");
        assertThat(check("name=b.jsonl", "")).startsWith("HTTP/1.1 422");
        assertThat(check("name=a.txt&level=nope", LOST_UPDATE))
                .startsWith("HTTP/1.1 400")
                .contains("unknown level");
        assertThat(filesOf(lake)).isEqualTo(before);
        assertThat(Files.readString(lake.resolve(".files/a.txt"))).isEqualTo(LOST_UPDATE);
    }

    @Test
    void fileBeyondMemoryIsRefused() throws IOException {
        server.close();
        server = LakeServer.start(Lake.open(lake), "test", ANY_PORT, List.of(), 50);
        String before = filesOf(lake);

        assertThat(check("name=a.txt", LOST_UPDATE)).startsWith("HTTP/1.1 413").contains("maxBytes=50");
        assertThat(get("/")).contains("data-max-bytes=\"50\"");
        assertThat(filesOf(lake).replace("\n" + lake.resolve(".files"), "")).isEqualTo(before);
    }

    @Test
    void filesOfOtherPagesAreRefused() throws IOException {
        assertThat(check("name=a.txt", LOST_UPDATE, "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 403");
        assertThat(check("name=a.txt", LOST_UPDATE, "Sec-Fetch-Site: cross-site"))
                .startsWith("HTTP/1.1 403");
        assertThat(get("/api/check?name=a.txt")).startsWith("HTTP/1.1 405");
        assertThat(lake.resolve(".files")).doesNotExist();
    }

    @Test
    void filesAreCheckedOnLoopbackOnly() throws IOException {
        server.close();
        server = LakeServer.start(Lake.open(lake), "test", new InetSocketAddress("0.0.0.0", 0), List.of(), MEMORY);

        assertThat(check("name=a.txt", LOST_UPDATE)).startsWith("HTTP/1.1 403").contains("loopback");
        assertThat(get("/")).doesNotContain("id=\"check-form\"");
        assertThat(lake.resolve(".files")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "null,history",
                "'',history",
                "orders.jsonl.gz,orders.jsonl.gz",
                "C:\\tmp\\a b.txt,a-b.txt",
                "/etc/passwd,passwd",
                "..,history",
                "._a,a",
                "жук.arrow,arrow"
            })
    void namesOfFilesArePlain(String name, String plain) {
        assertThat(SentFileCheck.plain(name)).isEqualTo(plain);
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
        server = LakeServer.start(Lake.open(empty), "test", ANY_PORT, List.of(), MEMORY);

        assertThat(get("/")).startsWith("HTTP/1.1 200").contains("No runs yet");
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        InetSocketAddress taken = new InetSocketAddress("127.0.0.1", server.port());

        assertThatThrownBy(() -> LakeServer.start(Lake.open(lake), "test", taken, List.of(), MEMORY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen: address=127.0.0.1:" + server.port());
    }

    private String get(String path) throws IOException {
        return ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private String query(String sql, String... headers) throws IOException {
        return post("/api/sql", sql, headers);
    }

    private String check(String parameters, String file, String... headers) throws IOException {
        return post("/api/check?" + parameters, file, headers);
    }

    private String post(String path, String body, String... headers) throws IOException {
        String more = Stream.of(headers).map(header -> header + "\r\n").collect(Collectors.joining());
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return ask("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more + "Content-Length: "
                + length + "\r\n\r\n" + body);
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
