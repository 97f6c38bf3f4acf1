package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.nightjar.jobs.flink.ClusterView;
import io.nightjar.jobs.objects.S3ProxyServer;
import io.nightjar.jobs.objects.StubBucket;
import io.nightjar.jobs.objects.StubHadoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands of processes that find a bucket by their environment. */
@Tag("slow")
class ObjectStoreITCase {

    private static final String HISTORY =
            "s1 T1: w(x,1)\ns2 T2: r(x,1) w(y,1)\ns3 T3: r(y,1) r(x,_)\n"; // violates causal

    private static final int TASK_MANAGERS = 8;

    @TempDir
    Path folder;

    private final StubBucket bucket = new StubBucket();

    /** The end of a process. */
    private record Run(int code, String out, String err) {}

    @BeforeEach
    void putHistory() {
        bucket.objects().put("h.txt", HISTORY.getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        bucket.close();
    }

    @Test
    void runInBucketIsReadByAllCommands() throws Exception {
        Run first = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1", "--json");
        Run second = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1", "--json");

        assertThat(first.code).as(first.err).isEqualTo(1);
        assertThat(second).isEqualTo(first);
        assertThat(bucket.objects()).containsKeys("lake/_runs/r1/_SUCCESS", "lake/_runs/r1/run.json");
        for (byte[] content : bucket.objects().values()) {
            assertThat(new String(content, StandardCharsets.ISO_8859_1))
                    .doesNotContain(StubBucket.SECRET)
                    .doesNotContain(StubBucket.KEY_ID);
        }
        assertThat(run("verdict", "s3://b/lake").code).isEqualTo(1);
        assertThat(run("lake", "s3://b/lake").out).contains("1 run, ");
        Run sql = run("sql", "--lake", "s3://b/lake", "--csv", "SELECT count(*) AS n FROM anomalies");
        assertThat(sql.out).as(sql.err).contains("2");
        Path page = folder.resolve("page.html");
        Run report = run("report", "s3://b/lake", "-o", page.toString());
        assertThat(report.code).as(report.err).isZero();
        assertThat(page).content().contains("s3://b/h.txt");
        assertThat(run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r2").code)
                .isEqualTo(1);
        Run diff = run("diff", "r1", "r2", "--lake", "s3://b/lake");
        assertThat(diff.code).as(diff.err).isZero();
        Run list = run("explain", "s3://b/lake", "--json");
        assertThat(list.code).as(list.err).isZero();
        Matcher id = Pattern.compile("\"anomaly_id\":\"(\\w+)\"").matcher(list.out);
        assertThat(id.find()).as(list.out).isTrue();
        Run shrunk = run("shrink", "s3://b/lake", id.group(1), "--run-id", "r2", "-o", "s3://b/small.txt");
        assertThat(shrunk.code).as(shrunk.err).isZero();
        assertThat(new String(bucket.objects().get("small.txt"), StandardCharsets.UTF_8))
                .contains("w(x,1)");
        assertThat(run("lake", "s3://b/lake", "delete", "r1").code).isZero();
        assertThat(bucket.objects().keySet()).noneMatch(key -> key.contains("r1/"));
    }

    @Test
    void commandsUseServerThatIsNotOurs() throws Exception {
        try (S3ProxyServer server = S3ProxyServer.start(folder)) {
            String history = "s3://archive/h.parquet";
            String lake = "s3://archive/lake";
            List<Run> runs = new ArrayList<>();
            runs.add(on(server, 0, "generate", history, "--transactions", "3000", "--fault", "lost-update=2"));
            runs.add(on(server, 0, "convert", history, "s3://archive/h.jsonl.zst"));
            runs.add(on(server, 0, "convert", history, "s3://archive/night/part-0.parquet"));
            String[] check = {"check", history, "--level", "si", "--lake", lake, "--run-id", "r1", "--json"};
            Run first = on(server, 1, check);
            assertThat(first.out).contains("\"NOCONFLICT\":2");
            assertThat(on(server, 1, check)).isEqualTo(first);
            runs.add(first);
            Run other = on(
                    server, 1, "check", "s3://archive/h.jsonl.zst", "--level", "si", "--lake", lake, "--run-id", "r2");
            assertThat(other.out).contains("NOCONFLICT");
            runs.add(other);
            Run folderOfParts = on(server, 1, "check", "s3://archive/night", "--level", "si", "--lake", "none");
            assertThat(folderOfParts.out).contains("NOCONFLICT");
            runs.add(on(server, 1, "verdict", lake));
            Run sql =
                    on(server, 0, "sql", "--lake", lake, "--csv", "SELECT run_id, count(*) FROM anomalies GROUP BY 1");
            assertThat(sql.out).contains("r1,2", "r2,2");
            runs.add(sql);
            Run stages = on(
                    server,
                    0,
                    "sql",
                    "--lake",
                    lake,
                    "--csv",
                    "SELECT sum(requests) > 3 AS asked, sum(bytes_read) > 10000 AS fetched FROM stages WHERE run_id = 'r1'");
            assertThat(stages.out).contains("true,true");
            runs.add(stages);
            runs.add(on(server, 0, "diff", "r1", "r2", "--lake", lake));
            Path page = folder.resolve("page.html");
            runs.add(on(server, 0, "report", lake, "-o", page.toString()));
            assertThat(page).content().contains("s3://archive/");
            runs.add(on(server, 3, "check", "s3://archive/none.parquet", "--lake", "none"));
            assertThat(on(server, 0, "lake", lake).out).contains("2 runs");
            runs.add(on(server, 0, "lake", lake, "delete", "r1"));
            assertThat(on(server, 0, "lake", lake).out).contains("1 run, ");
            for (String secret : server.secrets()) {
                assertThat(runs.toString()).doesNotContain(secret);
            }
        }
    }

    @Test
    void commandsUseFileSystemOfHadoop() throws Exception {
        try (StubHadoop hadoop = new StubHadoop()) {
            String root = "webhdfs://" + hadoop.host() + "/data/";
            String lake = root + "lake";
            runTo(0, "generate", root + "h.parquet", "--transactions", "3000", "--fault", "lost-update=2");
            runTo(0, "convert", root + "h.parquet", root + "night/part-0.jsonl.gz");
            String[] check = {"check", root + "night", "--level", "si", "--lake", lake, "--run-id", "r1", "--json"};
            Run first = runTo(1, check);
            assertThat(first.out).contains("\"NOCONFLICT\":2");
            assertThat(runTo(1, check)).isEqualTo(first);
            runTo(1, "check", root + "h.parquet", "--level", "si", "--engine", "flink", "--lake", lake);
            Run sql = runTo(
                    0, "sql", "--lake", lake, "--csv", "SELECT run_id = 'r1', count(*) FROM anomalies GROUP BY 1");
            assertThat(sql.out).contains("true,2", "false,2");
            runTo(0, "lake", lake, "delete", "r1");
            assertThat(hadoop.files().keySet()).noneMatch(key -> key.contains("r1/") || key.endsWith(".tmp"));
            assertThat(runTo(0, "lake", lake).out).contains("1 run, ");
            String[] record = {"record", root + "rec.parquet", "--jdbc", "jdbc:h2:mem:shop", "--transactions", "400"};
            runTo(0, record);
            assertThat(runTo(64, record).err).contains("output exists");
            assertThat(hadoop.files()).containsKey("data/rec.parquet");
            assertThat(hadoop.files().keySet()).noneMatch(key -> key.contains("rec.parquet/"));
            runTo(0, "record", root + "parts", "--jdbc", "jdbc:h2:mem:shop", "--transactions", "400");
            Run parts = run(Map.of(), "check", root + "parts", "--lake", "none", "--json");
            assertThat(parts.out).contains("\"transactions\":400").doesNotContain("incomplete");
            assertThat(parts.code).as(parts.err).isLessThan(3);
            assertThat(runTo(3, "check", root + "none", "--lake", "none").err).contains("no such file");
        }
    }

    private Run runTo(int code, String... arguments) throws IOException, InterruptedException {
        Run run = run(Map.of(), arguments);
        assertThat(run.code).as(run.out + run.err).isEqualTo(code);
        return run;
    }

    @Test
    void flinkWritesTablesOfLocalEngine() throws Exception {
        try (S3ProxyServer server = S3ProxyServer.start(folder)) {
            String history = "s3://archive/h.parquet";
            on(server, 0, "generate", history, "--transactions", "20000", "--fault", "lost-update=3");
            String[] check = {"check", history, "--level", "si,ser", "--run-id", "r", "--lake"};
            on(server, 1, with(check, "s3://archive/local"));
            on(server, 1, with(check, "s3://archive/embedded", "--engine", "flink", "--parallelism", "2"));
            Process cluster = start(server.environment(), "cluster", "start", "--port", "0", "--dir", "c", "--quiet");
            try {
                String address = awaitLine(cluster);
                on(server, 1, with(check, "s3://archive/remote", "--engine", "flink", "--cluster", address));
                on(server, 0, "cluster", "stop", "--dir", "c");
            } finally {
                cluster.descendants().forEach(ProcessHandle::destroyForcibly);
                cluster.destroyForcibly();
            }
            String local = rows(server.environment(), "s3://archive/local");
            assertThat(local).contains("NOCONFLICT");
            for (String lake : List.of("s3://archive/embedded", "s3://archive/remote")) {
                assertThat(rows(server.environment(), lake)).as(lake).isEqualTo(local);
                String query = "SELECT requests > 1, bytes_read > 100000 FROM stages WHERE stage = 'read'";
                assertThat(on(server, 0, "sql", "--lake", lake, "--csv", query).out)
                        .as(lake)
                        .contains("true,true");
            }
        }
    }

    /** Each process has a folder of its own; history and lake are in the bucket only. */
    @Test
    void taskManagersThatShareNoFolderWriteTablesOfLocalEngineThoughTwoAreKilled() throws Exception {
        putParts("parts/", TASK_MANAGERS);
        String[] check = {"check", "s3://b/parts", "--level", "si,ser", "--run-id", "r", "--quiet", "--lake"};
        assertThat(run(with(check, "s3://b/local")).code).isEqualTo(1);
        String local = rows(bucket.environment(), "s3://b/local");
        assertThat(local).contains("NOCONFLICT");
        Process cluster = start(
                bucket.environment(),
                "cluster",
                "start",
                "--task-managers",
                String.valueOf(TASK_MANAGERS),
                "--slots",
                "1",
                "--memory",
                "800m",
                "--port",
                "0",
                "--dir",
                "c",
                "--quiet");
        try {
            String address = awaitLine(cluster);
            Set<String> killed =
                    ConcurrentHashMap.newKeySet(); // one that reads the history, later one that writes tables
            bucket.failWith(request -> {
                String key = request.getRequestURI().getPath();
                boolean isWrite = request.getRequestMethod().equals("PUT") && key.contains("/lake/");
                String task = isWrite ? "write" : isRead(request) && key.contains("/parts/") ? "read" : "";
                synchronized (killed) {
                    if (!task.isEmpty()
                            && !killed.contains(task)
                            && killTaskManager(cluster, request.getRemoteAddress())) {
                        killed.add(task);
                    }
                }
                return false;
            });
            check[5] = "killed";
            String[] flink = {"s3://b/lake", "--engine", "flink", "--cluster", address, "--parallelism", "8"};
            Run run = run(with(check, flink));
            bucket.failWith(null);

            assertThat(run.code).as(run.err).isEqualTo(1);
            assertThat(killed).containsOnly("read", "write");
            assertThat(new ClusterView(address).failuresOf("killed")).isNotEmpty();
            assertThat(rows(bucket.environment(), "s3://b/lake").replace("killed", "r"))
                    .isEqualTo(local);
            String query = "SELECT count(DISTINCT stage) FROM stages WHERE stage IN ('read', 'verify', 'explain')"
                    + " AND requests > 0 AND bytes_read > 0";
            assertThat(run("sql", "--lake", "s3://b/lake", "--csv", query).out).contains("3");
        } finally {
            cluster.descendants().forEach(ProcessHandle::destroyForcibly);
            cluster.destroyForcibly();
        }
    }

    private void putParts(String prefix, int count) throws IOException, InterruptedException {
        assertThat(run("generate", "h.jsonl", "--transactions", "16000", "--fault", "lost-update=3,stale-read=9").code)
                .isZero();
        List<String> rows = Files.readAllLines(folder.resolve("h.jsonl"));
        for (int part = 0; part < count; part++) {
            List<String> own = rows.subList(part * rows.size() / count, (part + 1) * rows.size() / count);
            byte[] content = (String.join("\n", own) + "\n").getBytes(StandardCharsets.UTF_8);
            bucket.objects().put(prefix + "part-" + part + ".jsonl", content);
        }
    }

    /** Kills the TaskManager that has sent a request; returns whether one has. */
    private static boolean killTaskManager(Process cluster, InetSocketAddress sender) throws IOException {
        String port = ":%04X".formatted(sender.getPort());
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split(" +");
                if (fields[1].endsWith(port)) {
                    sockets.add("socket:[" + fields[9] + "]");
                }
            }
        }
        for (ProcessHandle process : cluster.descendants().toList()) {
            boolean isTaskManager = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .contains("taskmanager.resource-id=");
            if (isTaskManager && hasOpen(process, sockets)) {
                process.destroyForcibly();
                process.onExit().join();
                return true;
            }
        }
        return false;
    }

    private static boolean hasOpen(ProcessHandle process, Set<String> sockets) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (Path file : open.toList()) {
                if (Files.isSymbolicLink(file)
                        && sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns the rows of the tables that do not depend on time or engine. */
    private String rows(Map<String, String> environment, String lake) throws IOException, InterruptedException {
        String query = Stream.of("anomalies", "anomaly_txns", "anomaly_edges", "lint_findings", "dead_letters")
                .map("SELECT CAST(%1$s AS VARCHAR) AS found FROM %1$s"::formatted)
                .collect(Collectors.joining(" UNION ALL "));
        String verdicts = "SELECT CAST(v AS VARCHAR) FROM (SELECT * EXCLUDE (seconds) FROM level_verdicts) AS v";
        Run run = run(environment, "sql", "--lake", lake, "--csv", query + " UNION ALL " + verdicts + " ORDER BY 1");
        assertThat(run.code).as(run.err).isZero();
        return run.out;
    }

    @Test
    void watchFollowsFolderOfBucketAndKeepsRowsThere() throws Exception {
        try (S3ProxyServer server = S3ProxyServer.start(folder)) {
            on(server, 0, "generate", "h.jsonl", "--transactions", "4000", "--fault", "lost-update=2");
            Path parts = server.root().resolve("parts");
            List<String> rows = Files.readAllLines(folder.resolve("h.jsonl"));
            Files.write(parts.resolve("part-1.jsonl"), rows.subList(0, 1500));
            Process watch = start(
                    server.environment(),
                    with(
                            new String[] {"watch", "s3://archive/parts", "--level", "si", "--json"},
                            "--archive",
                            "s3://archive/kept",
                            "--lake",
                            "s3://archive/lake",
                            "--run-id",
                            "w"));
            Files.write(parts.resolve("part-2.jsonl"), rows.subList(1500, rows.size()));
            assertThat(awaitLine(watch)).contains("NOCONFLICT");
            watch.destroy();
            assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
            Run kept = on(server, 1, "check", "s3://archive/kept", "--level", "si", "--lake", "none", "--json");
            assertThat(kept.out).contains("\"NOCONFLICT\":2", "\"transactions\":" + rows.size());

            Run ended = on(
                    server,
                    1,
                    "watch",
                    "s3://archive/parts",
                    "--until-end",
                    "--level",
                    "si",
                    "--lake",
                    "s3://archive/lake",
                    "--json",
                    "--run-id",
                    "e");
            assertThat(ended.out).contains("\"NOCONFLICT\":2", "\"transactions\":" + rows.size());
            Run sql = on(
                    server,
                    0,
                    "sql",
                    "--lake",
                    "s3://archive/lake",
                    "--csv",
                    "SELECT run_id, count(*) FROM anomalies GROUP BY ALL");
            assertThat(sql.out).contains("e,2");
            Run used = on(
                    server,
                    64,
                    "watch",
                    "s3://archive/parts",
                    "--until-end",
                    "--archive",
                    "s3://archive/kept",
                    "--lake",
                    "none");
            assertThat(used.err).contains("folder is not empty");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void watchThatIsKilledResumesFromFolderOfBucket(String engine) throws Exception {
        try (S3ProxyServer server = S3ProxyServer.start(folder)) {
            on(server, 0, "generate", "h.jsonl", "--transactions", "4000", "--fault", "lost-update=2");
            Path parts = server.root().resolve("parts");
            List<String> rows = Files.readAllLines(folder.resolve("h.jsonl"));
            Files.write(parts.resolve("part-1.jsonl"), rows.subList(0, 1500));
            String kept = "s3://archive/kept";
            String[] options = {"watch", "s3://archive/parts", "--level", "si", "--json", "--engine", engine};
            String[] watch = with(options, "--archive", kept, "--checkpoint", "c", "--lake", "s3://archive/lake");
            Process killed = start(server.environment(), with(watch, "--checkpoint-every", "200ms"));
            for (int i = 0; i < 1200 && killed.isAlive() && shownParts(server).isEmpty(); i++) {
                Thread.sleep(100);
            }
            assertThat(shownParts(server))
                    .as(Files.readString(folder.resolve("started.txt")))
                    .isNotEmpty();
            killed.destroyForcibly().waitFor();
            Files.write(parts.resolve("part-2.jsonl"), rows.subList(1500, rows.size()));

            Run resumed = on(server, 1, with(watch, "--until-end"));
            Run archived = on(server, 1, "check", kept, "--level", "si", "--lake", "none", "--json");

            assertThat(resumed.err).contains("resuming from a checkpoint");
            for (Run run : List.of(resumed, archived)) {
                assertThat(run.out).contains("\"NOCONFLICT\":2", "\"transactions\":" + rows.size());
            }
            Run sql = on(
                    server, 0, "sql", "--lake", "s3://archive/lake", "--csv", "SELECT count(*), 'all' FROM anomalies");
            assertThat(sql.out).contains("2,all");
            String[] other = {"watch", "s3://archive/parts", "--archive", kept, "--engine", engine, "--lake", "none"};
            assertThat(on(server, 64, other).err).contains("folder is not empty");
        }
    }

    private static List<Path> shownParts(S3ProxyServer server) throws IOException {
        Path kept = server.root().resolve("kept");
        if (!Files.exists(kept)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(kept)) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rec.parquet", "rec.jsonl.gz", "rec"})
    void recordingIsWrittenIntoBucket(String name) throws Exception {
        String[] record = {
            "record",
            "s3://b/" + name,
            "--jdbc",
            "jdbc:h2:mem:shop",
            "--transactions",
            "400",
            "--sessions",
            "4",
            "--json"
        };
        Run recorded = run(record);
        Run checked = run("check", "s3://b/" + name, "--lake", "none", "--json");
        Run again = run(record);

        assertThat(recorded.code).as(recorded.err).isZero();
        assertThat(recorded.out).contains("\"out\":\"s3://b/" + name + "\"", "\"transactions\":400");
        assertThat(checked.out).contains("\"transactions\":400").doesNotContain("incomplete");
        assertThat(again.code).isEqualTo(64);
        assertThat(again.err).contains("output exists: path=s3://b/" + name);
        assertThat(bucket.objects().keySet().stream().filter(key -> key.startsWith(name + "/")))
                .allMatch(key -> name.equals("rec"));
    }

    @Test
    void recordingThatIsKilledIsFolderOfParts() throws Exception {
        Process recording = start(
                bucket.environment(),
                "record",
                "s3://b/rec.parquet",
                "--jdbc",
                "jdbc:h2:mem:shop",
                "--duration",
                "600s");
        for (int i = 0; i < 600 && !bucket.objects().containsKey("rec.parquet/part-00001.parquet"); i++) {
            Thread.sleep(100);
        }
        recording.destroyForcibly().waitFor();

        Run checked = run("check", "s3://b/rec.parquet", "--lake", "none", "--json");
        assertThat(bucket.objects()).doesNotContainKey("rec.parquet");
        assertThat(checked.code).as(checked.err).isLessThan(3);
        assertThat(checked.out).contains("incomplete");
    }

    @Test
    void lakeInBucketIsServed() throws Exception {
        run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1");
        Process server = start(bucket.environment(), "serve", "s3://b/lake", "--port", "0");
        try {
            String url = "http://" + awaitLine(server).replace("listening on ", "") + "/";
            HttpClient client = HttpClient.newHttpClient();
            HttpResponse<String> page = client.send(
                    HttpRequest.newBuilder(URI.create(url + "run/r1")).build(), BodyHandlers.ofString());
            HttpResponse<String> rows = client.send(
                    HttpRequest.newBuilder(URI.create(url + "api/sql"))
                            .header("content-type", "text/plain")
                            .POST(BodyPublishers.ofString("SELECT count(*) AS n FROM anomalies"))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(page.body()).contains("s3://b/h.txt");
            assertThat(rows.body()).contains("[[2]]");
        } finally {
            server.destroyForcibly();
        }
    }

    private static String[] with(String[] command, String... further) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(further));
        return all.toArray(String[]::new);
    }

    private static String awaitLine(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    private Run on(S3ProxyServer server, int code, String... arguments) throws IOException, InterruptedException {
        Run run = run(server.environment(), arguments);
        assertThat(run.code).as(run.out + run.err).isEqualTo(code);
        return run;
    }

    @Test
    void historiesAreWrittenIntoBucket() throws Exception {
        Run generated = run("generate", "s3://b/g.parquet", "--transactions", "2000", "--fault", "lost-update=1");
        Run converted = run("convert", "s3://b/g.parquet", "s3://b/g.jsonl.gz");
        Run checked = run("check", "s3://b/g.jsonl.gz", "--level", "si", "--lake", "none", "--json");

        assertThat(generated.code).as(generated.err).isZero();
        assertThat(converted.code).as(converted.err).isZero();
        assertThat(checked.out).contains("\"NOCONFLICT\":1");
        assertThat(bucket.objects()).containsOnlyKeys("h.txt", "g.parquet", "g.parquet.faults.jsonl", "g.jsonl.gz");
        assertThat(run("inspect", "s3://b/g.parquet").code).isZero();
    }

    @Test
    void runThatFailsBeforeItsEndIsInvisible() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        bucket.failWith(request -> {
            if (request.getRequestMethod().equals("PUT") && puts.incrementAndGet() > 3) {
                StubBucket.error(request, 403, "AccessDenied");
                return true;
            }
            return false;
        });
        Run failed = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1");
        bucket.failWith(null);

        assertThat(failed.code).isEqualTo(75);
        assertThat(failed.err).contains("s3://b/lake/");
        assertThat(run("verdict", "s3://b/lake").code).isEqualTo(64);
        assertThat(run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1").code)
                .isEqualTo(1);
        assertThat(run("verdict", "s3://b/lake").code).isEqualTo(1);
    }

    /** A process is killed when it writes this object, of a lake that has no other run. */
    @ParameterizedTest
    @ValueSource(strings = {"anomaly_txns/", "/runs/", "run.json", "_SUCCESS"})
    void killedWriterLeavesNoRunAndRepeatedCallCompletes(String key) throws Exception {
        String[] check = {"check", "s3://b/h.txt", "--lake", "s3://b/lake", "--run-id", "r1", "--json"};
        AtomicReference<Process> writer = new AtomicReference<>();
        bucket.failWith(request -> {
            boolean isHit = request.getRequestMethod().equals("PUT")
                    && request.getRequestURI().getPath().contains(key);
            if (isHit) {
                writer.get().destroyForcibly();
                request.close();
            }
            return isHit;
        });
        writer.set(start(bucket.environment(), check));
        assertThat(writer.get().waitFor()).isEqualTo(137);
        bucket.failWith(null);

        assertThat(bucket.objects().keySet()).anyMatch(name -> name.startsWith("lake/"));
        assertThat(run("verdict", "s3://b/lake").code).isEqualTo(64);
        Run repeated = run(check);
        assertThat(repeated.code).as(repeated.err).isEqualTo(1);
        assertThat(run(check)).isEqualTo(repeated);
    }

    @Test
    void failuresAreLocatedAndHaveTheirCode() throws Exception {
        Run missing = run("check", "s3://b/none.txt", "--lake", "none");
        assertThat(missing.code).isEqualTo(3);
        assertThat(missing.err).contains("[s3://b/none.txt] no such file");

        bucket.failWith(request -> error(request, 403, "AccessDenied"));
        Run denied = run("check", "s3://b/h.txt", "--lake", "none", "--json");
        assertThat(denied.code).isEqualTo(3);
        assertThat(denied.out).contains("\"verdict\":\"rejected\"", "[s3://b/h.txt]", "may not be read", "403");

        bucket.failWith(request -> error(request, 503, "SlowDown"));
        long begin = System.nanoTime();
        Run slow = run("check", "s3://b/h.txt", "--lake", "none", "--json");
        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(60);
        assertThat(slow.code).isEqualTo(75);
        assertThat(slow.err).contains("[s3://b/h.txt]", "status=503");
        assertThat(slow.out).contains("\"verdict\":\"failed\"");

        Run anonymous = run(Map.of("HOME", folder.toString()), "check", "s3://b/h.txt", "--lake", "none");
        assertThat(anonymous.code).isEqualTo(64);
        assertThat(anonymous.err).contains("AWS_ACCESS_KEY_ID");

        for (Run run : List.of(missing, denied, slow, anonymous)) {
            assertThat(run.out + run.err).doesNotContain(StubBucket.SECRET).doesNotContain(StubBucket.KEY_ID);
        }
    }

    private static boolean error(HttpExchange request, int status, String code) throws IOException {
        StubBucket.error(request, status, code);
        return true;
    }

    @Test
    void objectThatIsReplacedOrTruncatedHasNoVerdict() throws Exception {
        bucket.objects().put("h.txt", largeHistory("w(x"));
        byte[] other = largeHistory("w(y");
        AtomicInteger reads = new AtomicInteger();
        bucket.failWith(request -> {
            if (isRead(request) && reads.incrementAndGet() == 3) {
                bucket.objects().put("h.txt", other);
            }
            return false;
        });
        Run replaced = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--json");
        assertThat(replaced.code).as(replaced.out + replaced.err).isEqualTo(75);
        assertThat(replaced.err).contains("s3://b/h.txt", "changed while it was read");
        assertThat(replaced.out).doesNotContain("holds");

        bucket.failWith(request -> {
            if (isRead(request)) {
                request.sendResponseHeaders(206, 1000);
                request.getResponseBody().write(new byte[10]);
                request.getResponseBody().flush();
                request.close();
                return true;
            }
            return false;
        });
        Run truncated = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--json");
        assertThat(truncated.code).as(truncated.out + truncated.err).isEqualTo(75);
        assertThat(truncated.err).contains("[s3://b/h.txt]", "attempts=");
        assertThat(truncated.out).doesNotContain("holds");
        assertThat(bucket.objects().keySet()).noneMatch(key -> key.endsWith("_SUCCESS"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"404", "416", "500", "reset"})
    void faultAfterFirstRowsHasNoVerdict(String kind) throws Exception {
        bucket.objects().put("h.txt", largeHistory("w(x"));
        AtomicInteger reads = new AtomicInteger();
        bucket.failWith(request -> isRead(request) && reads.incrementAndGet() > 2 && fail(request, kind));
        long begin = System.nanoTime();

        Run run = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--json");

        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(60);
        assertThat(run.code).as(run.out + run.err).isEqualTo(75);
        assertThat(run.err).contains("s3://b/h.txt", kind.startsWith("4") ? "changed while it was read" : "attempts=");
        assertThat(run.out).contains("\"verdict\":\"failed\"").doesNotContain("holds");
        assertThat(bucket.objects().keySet()).noneMatch(key -> key.endsWith("_SUCCESS"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"replaced", "403", "503"})
    void faultInTaskOfFlinkHasNoVerdict(String kind) throws Exception {
        bucket.objects().put("h.txt", largeHistory("w(x"));
        AtomicInteger reads = new AtomicInteger();
        bucket.failWith(request -> {
            boolean isLate = isRead(request) && reads.incrementAndGet() > 4;
            if (isLate && kind.equals("replaced")) {
                bucket.objects().put("h.txt", largeHistory("w(y"));
            }
            return isLate && !kind.equals("replaced") && fail(request, kind);
        });
        long begin = System.nanoTime();

        Run run = run("check", "s3://b/h.txt", "--lake", "s3://b/lake", "--json", "--engine", "flink");

        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(75);
        assertThat(run.code).as(run.out + run.err).isEqualTo(75);
        assertThat(reads).as("requests").hasValueGreaterThan(4);
        assertThat(run.err).contains("s3://b/h.txt");
        assertThat(run.out).doesNotContain("holds");
        assertThat(bucket.objects().keySet()).noneMatch(key -> key.endsWith("_SUCCESS"));
    }

    @Test
    void bucketThatMayNotBeListedGivesItsObjects() throws Exception {
        bucket.objects().put("day/part-1.txt", HISTORY.getBytes(StandardCharsets.UTF_8));
        bucket.failWith(request -> {
            String key = request.getRequestURI().getPath().replaceFirst("^/b/?", "");
            boolean isAbsent = request.getRequestMethod().equals("HEAD")
                    && !bucket.objects().containsKey(key); // the absence of an object is denied too
            return (key.isEmpty() || isAbsent) && error(request, 403, "AccessDenied");
        });

        Run file = run("check", "s3://b/h.txt", "--lake", "none");
        Run day = run("check", "s3://b/day", "--lake", "none");
        Run lake = run("check", "s3://b/h.txt", "--lake", "s3://b/lake");

        assertThat(file.code).as(file.err).isEqualTo(1);
        assertThat(day.code).as(day.err).isEqualTo(3);
        assertThat(day.err).contains("[s3://b/day]", "may not be read", "403");
        assertThat(lake.code).as(lake.out + lake.err).isEqualTo(75);
        assertThat(lake.err).contains("s3://b/lake", "permission denied");
    }

    private static boolean fail(HttpExchange request, String kind) throws IOException {
        if (kind.equals("reset")) {
            request.close();
            return true;
        }
        return error(request, Integer.parseInt(kind), "Injected");
    }

    private static boolean isRead(HttpExchange request) {
        return request.getRequestMethod().equals("GET")
                && request.getRequestURI().getQuery() == null;
    }

    private static byte[] largeHistory(String write) {
        StringBuilder text = new StringBuilder();
        for (int txn = 1; text.length() < 3 << 20; txn++) {
            text.append("s1 T%d: %s%d,%d)\n".formatted(txn, write, txn, txn));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void fileOfWebServerIsReadOnly() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/h.txt", request -> {
            boolean isAllowed = "sig=s3cret".equals(request.getRequestURI().getQuery());
            byte[] body = HISTORY.getBytes(StandardCharsets.UTF_8);
            request.sendResponseHeaders(isAllowed ? 200 : 403, isAllowed ? body.length : -1);
            if (isAllowed) {
                request.getResponseBody().write(body);
            }
            request.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/h.txt";
            Run read = run("check", url + "?sig=s3cret", "--json", "--run-id", "r");
            assertThat(read.code).as(read.err).isEqualTo(1);
            assertThat(read.out).contains("\"history\":\"" + url + "\"");
            assertThat(read.out + read.err).doesNotContain("s3cret");
            assertThat(folder.resolve("nightjar-lake/_runs/r/run.json"))
                    .content()
                    .doesNotContain("s3cret");
            assertThat(run("check", url, "--lake", "none").code).isEqualTo(3);
            Run flink = run("check", url + "?sig=s3cret", "--engine", "flink", "--lake", "none", "--json");
            assertThat(flink.code).as(flink.err).isEqualTo(1);
            Run elsewhere = run("check", url + "?sig=s3cret", "--engine", "flink", "--cluster", "localhost:1");
            assertThat(elsewhere.code).isEqualTo(64);
            assertThat(elsewhere.err).contains("without query only").doesNotContain("s3cret");
            Run lake = run("check", "s3://b/h.txt", "--lake", url);
            assertThat(lake.code).isEqualTo(64);
            assertThat(lake.err).contains("only read");
            Run out = run("convert", "s3://b/h.txt", url);
            assertThat(out.code).isEqualTo(64);
            assertThat(out.err).contains("only read");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void addressWithoutModuleIsWrongUsage() throws Exception {
        String without = Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(entry -> !entry.matches(".*(nightjar-|jobs/)objects\\b.*"))
                .collect(Collectors.joining(":"));

        Run run = run(without, bucket.environment(), "check", "s3://b/h.txt", "--lake", "none");

        assertThat(run.code).as(run.err).isEqualTo(64);
        assertThat(run.err).contains("[s3://b/h.txt]", "add nightjar-objects.jar");
    }

    private Run run(String... arguments) throws IOException, InterruptedException {
        return run(bucket.environment(), arguments);
    }

    private Run run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return run(System.getProperty("java.class.path"), environment, arguments);
    }

    private Run run(String classPath, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = process(classPath, environment, arguments)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        return process(System.getProperty("java.class.path"), environment, arguments)
                .redirectError(folder.resolve("started.txt").toFile())
                .start();
    }

    private ProcessBuilder process(String classPath, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                classPath,
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("NIGHTJAR_"));
        builder.environment().putAll(environment);
        return builder;
    }
}
