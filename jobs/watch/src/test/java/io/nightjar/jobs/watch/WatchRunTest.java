package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineTxn;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches that are still going on while somebody writes. */
@Timeout(120)
class WatchRunTest {

    @TempDir
    private Path folder;

    private final BlockingQueue<VerdictChange> changes = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

    @Test
    void aTornLastLineWaitsForItsEnd() throws Exception {
        Path file = Files.writeString(folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]"));
        WatchRun run = run(file, true);
        CompletableFuture<RunResult> end = start(run);
        String wrong = row(2, 3, 4, "[\"r\",1,5]");
        append(file, wrong.substring(0, 20));
        append(file, wrong.substring(20));

        VerdictChange raised = await(Change.RAISED);
        run.stop();

        assertThat(raised.finding().subject().txnId()).isEqualTo(2);
        assertThat(raised.finding().reading().observed()).isEqualTo("5");
        end.get();
    }

    /** Commits end far behind it, and nothing more comes that would move the watermark. */
    @Test
    void lateRowsBecomeFinalWithoutFurtherArrivals() throws Exception {
        Path file = Files.writeString(
                folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]") + row(2, 103, 104, "[\"r\",1,8]"));
        append(file, row(3, 105, 106, "[\"w\",2,1]"));
        WatchRun run = run(file, false);
        CompletableFuture<RunResult> end = start(run);
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(2);

        append(file, row(4, 3, 4, "[\"r\",1,5]"));

        assertThat(await(Change.FINAL).finding().subject().txnId()).isEqualTo(4);
        end.get();
    }

    @Test
    void lateWriteCorrectsFinalVerdictsDuringWatch() throws Exception {
        Path file = Files.writeString(
                folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]") + row(2, 103, 104, "[\"r\",1,8]"));
        append(file, row(3, 205, 206, "[\"w\",2,1]") + row(4, 205, 207, "[\"w\",3,1]"));
        WatchRun run = run(file, false, false);
        CompletableFuture<RunResult> end = start(run);
        assertThat(await(Change.FINAL).finding().subject().txnId()).isEqualTo(2);

        append(file, row(5, 3, 4, "[\"w\",1,8]"));

        VerdictChange corrected = await(Change.CORRECTED);
        assertThat(corrected.finding().subject().txnId()).isEqualTo(2);
        assertThat(corrected.isWrong()).isFalse();
        append(file, row(6, 5, 6, "[\"w\",1,9]"));
        corrected = await(Change.CORRECTED);
        assertThat(corrected.isWrong()).isTrue();
        assertThat(notes.toString()).contains("sealed rows checked again after late rows");
        run.stop();
        end.get(60, TimeUnit.SECONDS);
    }

    @Test
    void fileGrowingByManyRowsIsSameFile() throws Exception {
        Path file =
                Files.writeString(folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]") + row(2, 3, 4, "[\"r\",1,1]"));
        WatchRun run = run(file, true);
        CompletableFuture<RunResult> end = start(run);
        for (int txn = 3; txn <= 9; txn += 2) {
            append(
                    file,
                    row(txn, 2 * txn, 2 * txn + 1, "[\"r\",1,1]")
                            + row(txn + 1, 2 * txn + 2, 2 * txn + 3, "[\"r\",1,8]"));
            assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(txn + 1);
        }
        run.stop();

        end.get(60, TimeUnit.SECONDS);
        assertThat(notes).noneMatch(note -> note.contains("replaced or cut"));
    }

    @Test
    void namedPipeEndsWithItsLastWriter() throws Exception {
        Path pipe = folder.resolve("pipe.jsonl");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        WatchRun run = run(pipe, true);
        CompletableFuture<RunResult> end = start(run);
        try (OutputStream second = new FileOutputStream(pipe.toFile())) {
            try (OutputStream first = new FileOutputStream(pipe.toFile())) {
                first.write(row(1, 1, 2, "[\"w\",1,1]").getBytes(StandardCharsets.UTF_8));
            }
            second.write(row(2, 3, 4, "[\"r\",1,8]").getBytes(StandardCharsets.UTF_8));
            assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(2);
        }

        assertThat(end.get(60, TimeUnit.SECONDS).verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(end.get().transactions()).isEqualTo(2);
    }

    @Test
    void cutFileIsReadAsNewFileAndReported() throws Exception {
        Path file =
                Files.writeString(folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]") + row(2, 3, 4, "[\"r\",1,8]"));
        WatchRun run = run(file, true);
        CompletableFuture<RunResult> end = start(run);
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(2);

        Files.writeString(file, row(3, 5, 6, "[\"r\",1,9]"));
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(3);
        run.stop();

        end.get();
        assertThat(notes.toString()).contains("file was replaced or cut");
    }

    @Test
    void overwrittenLongerFileIsReadAsNewFile() throws Exception {
        Path file =
                Files.writeString(folder.resolve("h.jsonl"), row(1, 1, 2, "[\"w\",1,1]") + row(2, 3, 4, "[\"r\",1,8]"));
        WatchRun run = run(file, true);
        CompletableFuture<RunResult> end = start(run);
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(2);

        try (FileChannel over = FileChannel.open(file, StandardOpenOption.WRITE)) {
            String others = row(3, 5, 6, "[\"r\",1,9]") + row(4, 7, 8, "[\"r\",1,1]") + row(5, 9, 10, "[\"r\",1,1]");
            over.write(ByteBuffer.wrap(others.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(3);
        run.stop();

        end.get(60, TimeUnit.SECONDS);
        assertThat(notes.toString()).contains("file was replaced or cut");
    }

    @Test
    void aFileThatStaysUnreadableIsNamed() throws Exception {
        Files.writeString(folder.resolve("a.parquet"), "PAR1 and then nothing");
        WatchRun run = run(folder, true);
        CompletableFuture<RunResult> end = start(run);

        assertThat(notes.poll(60, TimeUnit.SECONDS))
                .contains("a.parquet")
                .contains("it is read again when it has grown");
        run.stop();

        end.get(60, TimeUnit.SECONDS);
    }

    @Test
    void filesThatAppearInADirectoryAreRead() throws Exception {
        WatchRun run = run(folder, true);
        CompletableFuture<RunResult> end = start(run);
        Files.writeString(folder.resolve("a.jsonl"), row(1, 1, 2, "[\"w\",1,1]"));
        Files.writeString(folder.resolve("b.jsonl"), row(2, 3, 4, "[\"r\",1,8]"));

        await(Change.RAISED);
        run.stop();

        end.get();
    }

    @Test
    void stoppedWatchGivesVerdictOfSealedRows() throws Exception {
        Path file = folder.resolve("h.jsonl");
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i <= 100; i++) {
            rows.append(row(i, 2 * i, 2 * i + 1, "[\"w\",1," + i + "]"));
        }
        Files.writeString(file, rows + row(101, 302, 303, "[\"r\",1,7]"));
        WatchRun run = run(file, true);
        CompletableFuture<RunResult> end = start(run);
        await(Change.RAISED);
        run.stop();
        RunResult result = end.get();

        assertThat(result.verdict()).as("the wrong read is not sealed yet").isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .contains("ended before all was sealed");
        assertThat(result.transactions()).isLessThan(101);
    }

    @Test
    void theFirstFinalFindingMayEndIt() throws Exception {
        Path file = folder.resolve("h.jsonl");
        Files.writeString(
                file,
                row(1, 1, 2, "[\"w\",1,1]")
                        + row(2, 3, 4, "[\"r\",1,7]")
                        + row(3, 1_000, 1_001, "[\"w\",1,2]")
                        + row(4, 1_002, 1_003, "[\"w\",1,3]"));

        RunResult result = run(file, false).run();

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(changes.stream().map(VerdictChange::change)).contains(Change.FINAL);
    }

    @Test
    void connectionsAreReadUntilAllClose() throws Exception {
        SocketFeed feed = new SocketFeed("tcp://test", new InetSocketAddress("127.0.0.1", 0), true, new Notes());
        WatchRun run = WatchRun.of(
                options("tcp://test", true),
                positions -> List.of(feed),
                "test",
                new QueuedChanges(changes),
                new Notes());
        CompletableFuture<RunResult> end = start(run);
        try (Socket one = new Socket("127.0.0.1", feed.port());
                Socket other = new Socket("127.0.0.1", feed.port())) {
            send(one, row(1, 1, 2, "[\"w\",1,1]"));
            send(other, row(2, 3, 4, "[\"r\",1,1]") + row(3, 5, 6, "[\"r\",1,9]"));
            assertThat(await(Change.RAISED)).isNotNull();
        }
        RunResult result = end.get();

        assertThat(result.transactions()).isEqualTo(3);
        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(notes.toString()).contains("listening on 127.0.0.1:" + feed.port());
    }

    @Test
    void rowsOfConnectionsNeedNumbers() throws Exception {
        SocketFeed feed = new SocketFeed("tcp://test", new InetSocketAddress("127.0.0.1", 0), true, new Notes());
        WatchRun run = WatchRun.of(
                options("tcp://test", true),
                positions -> List.of(feed),
                "test",
                new QueuedChanges(changes),
                new Notes());
        CompletableFuture<RunResult> end = start(run);
        try (Socket one = new Socket("127.0.0.1", feed.port())) {
            send(one, row(1, 1, 2, "[\"w\",1,1]") + row(2, 3, 4, "[\"r\",1,1]").replace("\"seq\":0,", ""));
        }

        assertThatThrownBy(() -> end.get(60, TimeUnit.SECONDS))
                .rootCause()
                .hasMessageStartingWith("[tcp://test#1 line=2] seq missing: ");
    }

    @Test
    void postedRowsAreAnsweredWithTheirCounts() throws Exception {
        HttpFeed feed = new HttpFeed("http://test", new InetSocketAddress("127.0.0.1", 0), List.of(), new Notes());
        WatchRun run = WatchRun.of(
                options("http://test", true),
                positions -> List.of(feed),
                "test",
                new QueuedChanges(changes),
                new Notes());
        CompletableFuture<RunResult> end = start(run);

        assertThat(post(feed, row(1, 1, 2, "[\"w\",1,1]") + row(2, 3, 4, "[\"r\",1,9]")))
                .isEqualTo("200 {\"lines\":2,\"transactions\":2,\"deadLetters\":0}");
        assertThat(await(Change.RAISED).finding().subject().txnId()).isEqualTo(2);
        assertThat(post(feed, "nonsense")).isEqualTo("422 {\"lines\":1,\"transactions\":0,\"deadLetters\":1}");
        assertThat(post(feed, "{\"txn\":5,\"session\":5,\"start\":7,\"commit\":8,\"ops\":[[\"w\",1,5]]}"))
                .startsWith("400 {\"error\":\"[http://test#3 line=1] seq missing: ");
        run.stop();

        assertThat(end.get().verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void postsOfOtherSitesAreRefused() throws Exception {
        HttpFeed feed = new HttpFeed("http://test", new InetSocketAddress("127.0.0.1", 0), List.of(), new Notes());
        WatchRun run = WatchRun.of(
                options("http://test", true),
                positions -> List.of(feed),
                "test",
                new QueuedChanges(changes),
                new Notes());
        CompletableFuture<RunResult> end = start(run);
        HttpRequest.Builder post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + feed.port() + "/"))
                .POST(HttpRequest.BodyPublishers.ofString(row(1, 1, 2, "[\"w\",1,1]")));
        assertThat(statusOf(post.copy().header("Content-Type", "text/plain"))).isEqualTo(415);
        assertThat(statusOf(post.copy().header("Origin", "http://evil.example")))
                .isEqualTo(403);
        run.stop();

        assertThat(end.get().transactions()).isZero();
    }

    private static int statusOf(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void pageShowsFindings() throws Exception {
        WatchPage page = new WatchPage("h", new InetSocketAddress("127.0.0.1", 0), List.of(), new Notes());
        try (page) {
            assertThat(get(page, "/healthz")).isEqualTo("200 ok");
            assertThat(get(page, "/state.json")).isEqualTo("503 {}");
            assertThat(get(page, "/")).startsWith("200 <!doctype html>").doesNotContain("http://");
            page.show(new WatchStatus(
                    1,
                    4,
                    5,
                    new LiveCounts()
                            .set(Count.TRANSACTIONS, 2)
                            .set(Count.LATE, 10)
                            .set(Count.LAG_MS, 6)
                            .set(Count.OPEN, 7)
                            .set(Count.DEAD_LETTERS, 14)
                            .set(Count.AHEAD_TS, 99),
                    Map.of(IsolationLevel.SERIALIZABLE, Map.of(Anomaly.EXT, 3L)),
                    15,
                    16));
            OnlineTxn reader = new OnlineTxn(17, 1, 2);
            page.add(new VerdictChange(
                    "r",
                    "h",
                    1,
                    Change.FINAL,
                    new OnlineFinding(
                            IsolationLevel.SERIALIZABLE,
                            Anomaly.EXT,
                            "x",
                            new OnlineFinding.Parties(reader, null, null),
                            new OnlineFinding.Reading("1", "2"),
                            0,
                            0),
                    true,
                    0));

            assertThat(get(page, "/metrics"))
                    .contains("nightjar_watch_transactions_total 2")
                    .contains("nightjar_watch_final_findings{level=\"serializable\"} 3");
            Map<String, Object> state = JsonTree.object(get(page, "/state.json").substring(4));
            assertThat(state)
                    .containsEntry("transactions", 2L)
                    .containsEntry("watermark_ts", 5L)
                    .containsEntry("ahead_ts", 99L);
            assertThat((List<?>) state.get("final_findings")).hasSize(1);
            assertThat((Map<?, ?>) state.get("series"))
                    .isEqualTo(Map.of(
                            "seconds",
                            List.of(1L),
                            "txns_per_second",
                            List.of(4L),
                            "lag_ms",
                            List.of(6L),
                            "open",
                            List.of(7L),
                            "late",
                            List.of(10L)));
        }
    }

    private static String get(WatchPage page, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    private static String post(HttpFeed feed, String body) throws Exception {
        return post(URI.create("http://127.0.0.1:" + feed.port() + "/"), body);
    }

    private static String post(URI address, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    private static String row(long id, long start, long commit, String ops) {
        return "{\"txn\":%d,\"session\":%d,\"seq\":0,\"start\":%d,\"commit\":%d,\"ops\":[%s]}%n"
                .formatted(id, id, start, commit, ops);
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private VerdictChange await(Change change) throws InterruptedException {
        while (true) {
            VerdictChange next = changes.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("a change in time").isNotNull();
            if (next.change() == change) {
                return next;
            }
        }
    }

    private static CompletableFuture<RunResult> start(WatchRun run) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run.run();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private WatchRun run(Path source, boolean isSlow) throws IOException {
        return run(source, isSlow, !isSlow);
    }

    private WatchRun run(Path source, boolean isSlow, boolean failsFast) throws IOException {
        WatchOptions options = options(source.toString(), isSlow, failsFast);
        return WatchRun.of(options, "test", InputStream.nullInputStream(), new QueuedChanges(changes), new Notes());
    }

    /** @param isSlow whether seals come late, and the watch goes on after a finding */
    private static WatchOptions options(String source, boolean isSlow) {
        return options(source, isSlow, !isSlow);
    }

    private static WatchOptions options(String source, boolean isSlow, boolean failsFast) {
        CheckOptions check = CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION))
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .maxDeadLetters(Long.MAX_VALUE)
                .threadCount(1)
                .build();
        return new WatchOptions(
                new WatchOptions.Arrivals(
                        List.of(source),
                        new Lateness(Lateness.Unit.TICKS, isSlow ? 200 : 10),
                        30_000_000,
                        1_000,
                        false,
                        List.of()),
                check,
                new InitialChoice(false, null),
                new WatchOptions.Keeping(1L << 30, null, null, 0),
                new WatchOptions.Telling(null, true, failsFast));
    }

    private final class Notes implements ProgressListener {

        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public void printNote(String line) {
            notes.add(line);
        }
    }
}
