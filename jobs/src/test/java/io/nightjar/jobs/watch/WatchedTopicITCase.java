package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.flink.FlinkOptions;
import io.nightjar.jobs.flink.WatchOnFlink;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches of topics of a broker in this process. */
@Timeout(180)
class WatchedTopicITCase {

    /** Settings of clients that give a silent broker up within seconds. */
    private static final String IMPATIENT = "default.api.timeout.ms=3000\nrequest.timeout.ms=2000\n";

    @TempDir
    private static Path folder;

    private static WatchedBroker broker;

    private final BlockingQueue<VerdictChange> changes = new LinkedBlockingQueue<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = WatchedBroker.start(Files.createDirectory(folder.resolve("logs")));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @Test
    void messagesAreRowsOrSeveralRowsOrAnArray() throws Exception {
        broker.create("forms", 2);
        List<String> messages = new ArrayList<>();
        messages.add(row(1, 1, 2, "[\"w\",1,1]"));
        messages.add(row(2, 3, 4, "[\"r\",1,1]") + "\n" + row(3, 5, 6, "[\"r\",1,7]") + "\n");
        messages.add(null);
        broker.send("forms", 0, messages);
        String array = "[{\"tid\":\"%d\",\"sid\":\"9\",\"ops\":[{\"t\":\"r\",\"k\":\"1\",\"v\":\"8\"}],"
                + "\"sts\":{\"p\":%d,\"l\":0},\"cts\":{\"p\":%d,\"l\":0}}]";
        broker.send("forms", 1, List.of(array.formatted(9, 9, 10), array.formatted(10, 11, 12)));

        RunResult result = watch("forms", null, true).run();

        assertThat(result.transactions()).isEqualTo(5);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(3);
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

    @Test
    void aWatchGoesOnAtItsOffsetsWhenTheBrokerIsBack() throws Exception {
        broker.create("broken", 2);
        broker.send("broken", 0, rows(0, 200));
        broker.send("broken", 1, rows(200, 400));
        Path checkpoint = folder.resolve("checkpoint");
        Path lake = folder.resolve("lake-of-broken");
        CompletableFuture<RunResult> end = startImpatient(checkpoint, lake);
        Path kept = checkpoint.resolve("rows/part-00000.parquet");
        while (!Files.exists(kept) || finals() < 2) {
            if (end.isDone()) { // a busy machine was too slow for it, and it goes on as behind a broker that was away
                assertThatThrownBy(end::get).rootCause().hasMessageContaining("Timeout");
                end = startImpatient(checkpoint, lake);
            }
            Thread.sleep(20);
        }
        broker.stop();
        assertThatThrownBy(end::get).rootCause().hasMessageContaining("Timeout");

        broker.startAgain();
        broker.send("broken", 1, rows(400, 600));
        WatchOptions patient = options("broken", checkpoint, true, lake, "r", "");
        RunResult result = WatchRun.of(
                        patient, "test", InputStream.nullInputStream(), new QueuedChanges(changes), Watcher.NOBODY)
                .run();

        assertThat(result.transactions()).isEqualTo(600);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(6);
        try (SqlSession tables = SqlSession.open(Lake.open(lake))) {
            assertThat(tables.rows("select txn_id from verdict_changes where stands and change='final' order by 1"))
                    .extracting(row -> row.get("txn_id"))
                    .containsExactly(99L, 199L, 299L, 399L, 499L, 599L);
        }
    }

    @Test
    void tasksOfFlinkGoOnAtTheOffsetsOfPartitions() throws Exception {
        broker.create("shared", 3);
        broker.send("shared", 0, rows(0, 200));
        broker.send("shared", 1, rows(200, 400));
        Path checkpoint = folder.resolve("checkpoint-of-shared");
        FollowedWatch first = onFlink("shared", 2, checkpoint, false);
        CompletableFuture<RunResult> end = CompletableFuture.supplyAsync(() -> {
            try {
                return first.run();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        awaitFinals(2);
        first.stop();
        end.get();

        broker.send("shared", 2, rows(400, 600));
        RunResult result = onFlink("shared", 1, checkpoint, true).run();

        assertThat(result.transactions()).isEqualTo(600);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).anomalies())
                .isEqualTo(6);
    }

    private FollowedWatch onFlink(String topic, int tasks, Path checkpoint, boolean untilEnd) throws Exception {
        WatchOptions options = options(topic, checkpoint, untilEnd, null, null);
        WatchOnFlink job =
                new WatchOnFlink(options, new FlinkOptions(tasks, null), InputStream.nullInputStream(), Watcher.NOBODY);
        return new FollowedWatch(options, job, "test", new QueuedChanges(changes), Watcher.NOBODY);
    }

    /** Every hundredth read is wrong; each row is of a session of its own. */
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

    private void awaitFinals(int count) throws InterruptedException {
        int seen = 0;
        while (seen < count) {
            VerdictChange next = changes.poll(120, TimeUnit.SECONDS);
            assertThat(next).as("a change in time").isNotNull();
            seen += next.change() == Change.FINAL ? 1 : 0;
        }
    }

    /** How many findings were told as final, each once however many watches told it. */
    private long finals() {
        return changes.stream()
                .filter(each -> each.change() == Change.FINAL)
                .map(VerdictChange::txnId)
                .distinct()
                .count();
    }

    /** Starts a watch of the topic that breaks, which ends seconds after its broker. */
    private CompletableFuture<RunResult> startImpatient(Path checkpoint, Path lake) throws Exception {
        return start(watch("broken", checkpoint, false, lake, "r"));
    }

    private static CompletableFuture<RunResult> start(WatchRun run) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run.run();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }

    private WatchRun watch(String topic, Path checkpoint, boolean untilEnd) throws Exception {
        return watch(topic, checkpoint, untilEnd, null, null);
    }

    private WatchRun watch(String topic, Path checkpoint, boolean untilEnd, Path lake, String runId) throws Exception {
        WatchOptions options = options(topic, checkpoint, untilEnd, lake, runId);
        return WatchRun.of(options, "test", InputStream.nullInputStream(), new QueuedChanges(changes), Watcher.NOBODY);
    }

    private WatchOptions options(String topic, Path checkpoint, boolean untilEnd, Path lake, String runId)
            throws Exception {
        return options(topic, checkpoint, untilEnd, lake, runId, IMPATIENT);
    }

    private WatchOptions options(
            String topic, Path checkpoint, boolean untilEnd, Path lake, String runId, String settings)
            throws Exception {
        Path config = Files.writeString(folder.resolve("client.properties"), settings);
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
                        30_000_000,
                        1_000,
                        untilEnd),
                check,
                new InitialChoice(false, null),
                new WatchOptions.Keeping(1L << 30, null, checkpoint, 50_000),
                new WatchOptions.Telling(null, false, false));
    }
}
