package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.flink.FlinkOptions;
import io.nightjar.jobs.flink.FlinkWatch;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches of topics of a broker in this process. */
@Timeout(180)
@Tag("slow")
class WatchedTopicITCase {

    /** Settings of clients that wait for a slow or unavailable broker longer than the duration of a test. */
    private static final String PATIENT = "default.api.timeout.ms=600000\nrequest.timeout.ms=300000\n";

    private static final long IDLE_MICROS = 2_000_000;

    @TempDir
    private static Path folder;

    private static WatchedBroker broker;

    private final BlockingQueue<VerdictChange> changes = new LinkedBlockingQueue<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = WatchedBroker.start(Files.createDirectory(folder.resolve("logs")));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @Test
    void messagesAreOneOrSeveralRows() throws Exception {
        broker.create("forms", 2);
        List<String> messages = new ArrayList<>();
        messages.add(row(1, 1, 2, "[\"w\",1,1]"));
        messages.add(row(2, 3, 4, "[\"r\",1,1]") + "\n" + row(3, 5, 6, "[\"r\",1,7]") + "\n");
        messages.add(null);
        broker.send("forms", 0, messages);
        broker.send("forms", 1, List.of(row(9, 9, 10, "[\"r\",1,8]")));

        RunResult result = watch("forms", null, true).run();

        assertThat(result.transactions()).isEqualTo(4);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(2);
    }

    @Test
    void badMessagesAreDeadLettersWithPartitionAndOffset() throws Exception {
        broker.create("bad", 1);
        broker.send("bad", 0, List.of(row(1, 1, 2, "[\"w\",1,1]"), "nonsense", row(2, 3, 4, "[\"r\",1,1]"), "[{}]"));
        Path lake = folder.resolve("lake-of-bad");

        RunResult result = watch("bad", null, true, lake, "r").run();

        assertThat(result.transactions()).isEqualTo(2);
        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        String name = "kafka://" + broker.address() + "/bad/0";
        try (SqlSession tables = SqlSession.open(Lake.open(lake))) {
            assertThat(tables.rows("select source_file, source_row from dead_letters order by 2"))
                    .extracting(row -> row.get("source_file") + " " + row.get("source_row"))
                    .containsExactly(name + " 1", name + " 3");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void watchWaitsForBrokerAndContinues(boolean isOnFlink) throws Exception {
        String topic = "away-" + isOnFlink;
        broker.create(topic, 2);
        broker.send(topic, 0, rows(0, 200));
        broker.send(topic, 1, rows(200, 400));
        Path lake = folder.resolve("lake-of-" + topic);
        Begun watch = begin(isOnFlink, options(topic, folder.resolve("checkpoint-of-" + topic), false, lake, "r"));
        awaitFinals(watch, 99, 199, 299);

        broker.stop();
        awaitNote(watch, "no answer from the broker: reason=");
        broker.startAgain();
        broker.send(topic, 1, rows(400, 600));
        awaitFinals(watch, 399, 499);
        awaitNote(watch, "the broker answers again");
        broker.send(topic, 0, rows(600, 700));
        awaitFinals(watch, 599);
        watch.stop().run();
        RunResult result = watch.end().get();

        assertThat(result.transactions()).isGreaterThanOrEqualTo(600);
        assertThat(finalsInTables(lake)).startsWith(99L, 199L, 299L, 399L, 499L, 599L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void watchEndsWithoutBrokerAndResumesAtOffsets(boolean isOnFlink) throws Exception {
        String topic = "broken-" + isOnFlink;
        broker.create(topic, 2);
        broker.send(topic, 0, rows(0, 200));
        broker.send(topic, 1, rows(200, 400));
        Path checkpoint = folder.resolve("checkpoint-of-" + topic);
        Begun watch = begin(isOnFlink, options(topic, checkpoint, false, null, null));
        awaitFinals(watch, 99, 199, 299);
        broker.stop();
        awaitNote(watch, "no answer from the broker: reason=");
        watch.stop().run();
        watch.end().get(60, TimeUnit.SECONDS); // without the full time-out of the client

        broker.startAgain();
        broker.send(topic, 1, rows(400, 600));
        RunResult result = begin(isOnFlink, options(topic, checkpoint, true, null, null))
                .end()
                .get();

        assertThat(result.transactions()).isEqualTo(600);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(6);
    }

    private static List<Object> finalsInTables(Path lake) throws Exception {
        try (SqlSession tables = SqlSession.open(Lake.open(lake))) {
            return tables.rows("select txn_id from verdict_changes where stands and change='final' order by 1").stream()
                    .map(row -> row.get("txn_id"))
                    .toList();
        }
    }

    @Test
    void tasksOfFlinkGoOnAtTheOffsetsOfPartitions() throws Exception {
        broker.create("shared", 3);
        broker.send("shared", 0, rows(0, 200));
        broker.send("shared", 1, rows(200, 400));
        Path checkpoint = folder.resolve("checkpoint-of-shared");
        Begun first = begin(true, options("shared", checkpoint, false, null, null));
        awaitFinals(first, 99, 199, 299);
        first.stop().run();
        first.end().get();

        broker.send("shared", 2, rows(400, 600));
        RunResult result =
                onFlink(options("shared", checkpoint, true, null, null), 1).run();

        assertThat(result.transactions()).isEqualTo(600);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(6);
    }

    /** A watch under way. */
    private record Begun(Runnable stop, CompletableFuture<RunResult> end) {}

    private Begun begin(boolean isOnFlink, WatchOptions options) throws Exception {
        if (isOnFlink) {
            WatchRun watch = onFlink(options, 2);
            return new Begun(watch::stop, start(watch::run));
        }
        WatchRun watch = here(options);
        return new Begun(watch::stop, start(watch::run));
    }

    private WatchRun here(WatchOptions options) throws IOException {
        return WatchRun.of(options, "test", InputStream.nullInputStream(), new QueuedChanges(changes), notes());
    }

    private WatchRun onFlink(WatchOptions options, int tasks) {
        FlinkWatch job = new FlinkWatch(options, new FlinkOptions(tasks, null), InputStream.nullInputStream(), notes());
        return WatchRun.of(options, job, "test", new QueuedChanges(changes), notes());
    }

    private ProgressListener notes() {
        return new ProgressListener() {
            @Override
            public Task begin(String what, long total) {
                return amount -> {};
            }

            @Override
            public void printNote(String line) {
                notes.add(line);
            }
        };
    }

    /** Returns rows of which every hundredth read is wrong; each has a separate session. */
    private static List<String> rows(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> {
                    int start = 2 * i + 1;
                    boolean writes = i % 2 == 0;
                    int value = writes || i % 100 == 99 ? i : i - 1;
                    String op = "[\"%s\",%d,%d]".formatted(writes ? "w" : "r", i / 2, value);
                    return row(i, start, start + 1, op);
                })
                .toList();
    }

    private static String row(long id, long start, long commit, String ops) {
        return "{\"txn\":%d,\"session\":%d,\"seq\":0,\"start\":%d,\"commit\":%d,\"ops\":[%s]}"
                .formatted(id, id, start, commit, ops);
    }

    /** Waits until findings are reported as final, while the watch runs: its speed does not matter. */
    private void awaitFinals(Begun watch, long... txns) throws Exception {
        Set<Long> missing = Arrays.stream(txns).boxed().collect(Collectors.toSet());
        while (!missing.isEmpty()) {
            assertGoesOn(watch, "final findings of " + missing);
            VerdictChange next = changes.poll(100, TimeUnit.MILLISECONDS);
            if (next != null && next.change() == Change.FINAL) {
                missing.remove(next.finding().subject().txnId());
            }
        }
    }

    private void awaitNote(Begun watch, String text) throws Exception {
        while (notes.stream().noneMatch(note -> note.startsWith("[kafka://") && note.contains(text))) {
            assertGoesOn(watch, "a note: " + text);
            Thread.sleep(20);
        }
    }

    private static void assertGoesOn(Begun watch, String awaited) throws Exception {
        if (watch.end().isDone()) {
            RunResult result = watch.end().get(); // the result states the reason, if it failed
            throw new AssertionError("the watch has ended before " + awaited + ": " + result);
        }
    }

    private static CompletableFuture<RunResult> start(Callable<RunResult> run) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run.call();
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
    }

    private WatchRun watch(String topic, Path checkpoint, boolean untilEnd) throws Exception {
        return watch(topic, checkpoint, untilEnd, null, null);
    }

    private WatchRun watch(String topic, Path checkpoint, boolean untilEnd, Path lake, String runId) throws Exception {
        return here(options(topic, checkpoint, untilEnd, lake, runId));
    }

    private WatchOptions options(String topic, Path checkpoint, boolean untilEnd, Path lake, String runId)
            throws Exception {
        Path config = Files.writeString(folder.resolve("client.properties"), PATIENT);
        CheckOptions check = CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION))
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .maxDeadLetters(Long.MAX_VALUE)
                .lake(lake)
                .runId(runId)
                .threadCount(1)
                .spillParent(folder)
                .build();
        return new WatchOptions(
                new WatchOptions.Arrivals(
                        List.of("kafka://" + broker.address() + "/" + topic + "?config=" + config),
                        new Lateness(Lateness.Unit.TICKS, 50),
                        IDLE_MICROS,
                        1_000,
                        untilEnd,
                        List.of()),
                check,
                new InitialChoice(false, null),
                new WatchOptions.Keeping(1L << 30, null, checkpoint, 50_000),
                new WatchOptions.Telling(null, false, false));
    }
}
