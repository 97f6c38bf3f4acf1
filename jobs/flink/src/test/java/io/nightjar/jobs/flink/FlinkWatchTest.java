package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.CheckpointException;
import io.nightjar.jobs.watch.CheckpointVersion;
import io.nightjar.jobs.watch.InitialChoice;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.jobs.watch.VerdictChange;
import io.nightjar.jobs.watch.WatchListener;
import io.nightjar.jobs.watch.WatchOptions;
import io.nightjar.jobs.watch.WatchRun;
import io.nightjar.jobs.watch.WatchStatus;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches as streaming jobs in this process. */
@Timeout(240)
class FlinkWatchTest {

    private static final long SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = 300;
    private static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    /** Such as rocksdb, which has to be on the class path then. */
    private static final String STATE_BACKEND = System.getProperty("nightjar.stateBackend");

    @TempDir
    private Path folder;

    private final Recorder recorder = new Recorder();
    private long idleMicros = 30_000_000;
    private String initial = "empty";
    private long retainBytes = 1L << 26;

    @Test
    void rowsInAnyOrderGiveFindingsOfCheck() throws Exception {
        List<Txn> rows = rows(HISTORIES);
        Path history = write(rows, 3);
        RunResult expected = check(history);

        RunResult found = watch(history, 3, 1_000, null, true).run();

        assertThat(levels(found)).isEqualTo(levels(expected));
        assertThat(found.transactions()).isEqualTo(expected.transactions());
        assertThat(recorder.standing.size()).isGreaterThan(HISTORIES);
        assertThat(recorder.standing).as("nothing is withdrawn at the end").containsAll(recorder.beforeTheEnd);
        Set<String> left = new TreeSet<>(recorder.standing);
        left.removeAll(recorder.beforeTheEnd);
        Set<String> tied = keysOfTiedAppends(rows);
        assertThat(left)
                .as("left to the check at the end: lists to which one instant appends twice")
                .allMatch(name -> tied.contains(name.split(" ")[3]))
                .hasSizeLessThan(HISTORIES / 10);
    }

    /** Returns the keys to which two transactions appended that commit together. */
    private static Set<String> keysOfTiedAppends(List<Txn> rows) {
        Map<String, Long> txnOfAppend = new HashMap<>(); // by key and commit timestamp
        Set<String> tied = new TreeSet<>();
        for (Txn txn : rows) {
            for (Op op : txn.ops()) {
                if (op.kind() == OpKind.APPEND && txn.status() == TxnStatus.COMMITTED) {
                    Long other = txnOfAppend.put(op.key() + " " + txn.commit(), txn.id());
                    if (other != null && other != txn.id()) {
                        tied.add(op.key());
                    }
                }
            }
        }
        return tied;
    }

    @Tag("slow")
    @Test
    void lateRowsAreCorrected() throws Exception {
        List<Txn> rows = rows(HISTORIES);
        Path history = write(rows, 2);
        BlockingQueue<String> notes = new LinkedBlockingQueue<>();
        WatchRun watch = watch("tcp://127.0.0.1:0", 2, 3, null, true, notes::add);
        CompletableFuture<RunResult> end = start(watch);
        String listening = notes.poll(50, TimeUnit.SECONDS);
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(Files.readAllBytes(history.resolve("part-0.jsonl")));
            recorder.awaitStatus(
                    status -> status.watermark() > Long.MIN_VALUE && status.get(Count.TRANSACTIONS) > rows.size() / 2);
            socket.getOutputStream().write(Files.readAllBytes(history.resolve("part-1.jsonl")));
        }

        assertThat(levels(end.get())).isEqualTo(levels(check(history)));
        assertThat(recorder.corrected).isPositive();
        long stale = check(history).levels().values().stream()
                .mapToLong(level -> level.types().getOrDefault("EXT", 0L))
                .sum();
        assertThat(recorder.standing)
                .as("findings that remain after all reports")
                .filteredOn(name -> name.contains(" EXT "))
                .hasSize((int) stale);
    }

    /** One that commits long before is late: of a small part of --retain, tasks know what was sealed since. */
    @Tag("slow")
    @Test
    void retainedVersionsRemainAvailableAfterManySeals() throws Exception {
        int sealed = 40_000;
        List<Txn> rows = inOrder(sealed + 200);
        rows.add(sealed, new Txn(90_000, 1, 0, TxnStatus.COMMITTED, 5, 6, List.of(Op.read("k0", "other"))));
        Path history = Files.createDirectory(folder.resolve("growing"));
        write(rows.subList(0, sealed), history.resolve("part-0.jsonl"));
        retainBytes = 1 << 21; // half of it on disk
        WatchRun watch = watch(history, 1, 100, null, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(sealed - 201);
        write(rows.subList(sealed, rows.size()), history.resolve("part-1.jsonl"));
        recorder.awaitFinal(90_000);
        recorder.awaitStatus(status -> status.get(Count.LATE) == 1);
        watch.stop();

        assertThat(recorder.lastStatus.get(Count.TOO_LATE)).isZero();
        assertThat(recorder.lastStatus.diskBytes()).isPositive();
        assertThat(end.get().lint())
                .filteredOn(lint -> lint.ruleId().equals("L37"))
                .singleElement()
                .satisfies(lint -> assertThat(lint.message())
                        .contains("1 transactions arrived after the watermark", (2 * sealed - 6 + 1) + "ts"));
    }

    @Tag("slow")
    @Test
    void lateRowsBecomeFinalWithoutFurtherArrivals() throws Exception {
        Path history = Files.createDirectory(folder.resolve("growing"));
        write(inOrder(1_000), history.resolve("part-0.jsonl"));
        WatchRun watch = watch(history, 1, 100, null, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(700);

        Txn late = new Txn(90_000, 1, 0, TxnStatus.COMMITTED, 5, 6, List.of(Op.read("k0", "other")));
        write(List.of(late), history.resolve("part-1.jsonl"));

        recorder.awaitFinal(90_000);
        watch.stop();
        end.get();
    }

    @Tag("slow")
    @Test
    void lateRowsAfterRestartAreCheckedAtEnd() throws Exception {
        List<Txn> rows = rows(HISTORIES / 10);
        Path history = Files.createDirectory(folder.resolve("history"));
        Path checkpoint = folder.resolve("checkpoint");
        write(rows.subList(0, rows.size() / 2), history.resolve("part-0.jsonl"));
        WatchRun watch = watch(history, 2, 3, checkpoint, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(0);
        watch.stop();
        end.get();
        write(rows.subList(rows.size() / 2, rows.size()), history.resolve("part-1.jsonl"));

        assertThat(levels(watch(history, 1, 3, checkpoint, true).run())).isEqualTo(levels(check(history)));
    }

    @Test
    void damagedReportAndStateOfAnotherVersionAreRefusedAndStay() throws Exception {
        List<Txn> rows = inOrder(2_000);
        Path history = Files.createDirectory(folder.resolve("history"));
        Path checkpoint = folder.resolve("checkpoint");
        write(rows.subList(0, 1_000), history.resolve("part-0.jsonl"));
        WatchRun watch = watch(history, 2, 100, checkpoint, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(700);
        watch.stop();
        end.get();
        write(rows.subList(1_000, 2_000), history.resolve("part-1.jsonl"));

        Path report = checkpoint.resolve("log/log-0000000000000000001");
        byte[] whole = Files.readAllBytes(report);
        Files.write(report, Arrays.copyOf(whole, whole.length - 1));
        WatchRun damaged = watch(history, 1, 100, checkpoint, true);
        assertThatThrownBy(damaged::run)
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining(report + "; remove " + checkpoint);
        Files.write(report, whole);

        changeVersion(checkpoint.resolve("state"), CheckpointVersion.THIS, "NJW6");
        WatchRun next = watch(history, 1, 100, checkpoint, true);
        assertThatThrownBy(next::run)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("the checkpoint is of another version of nightjar")
                .hasMessageContaining("name another folder with --checkpoint, or let that version end the watch");

        changeVersion(checkpoint.resolve("state"), "NJW6", CheckpointVersion.THIS);
        assertThat(levels(watch(history, 1, 100, checkpoint, true).run())).isEqualTo(levels(check(history)));
    }

    /** Changes what Flink keeps, which has no sums. */
    private static void changeVersion(Path state, String from, String to) throws IOException {
        int changed = 0;
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                changed += bytes.contains(from) ? 1 : 0;
                Files.writeString(file, bytes.replace(from, to), StandardCharsets.ISO_8859_1);
            }
        }
        assertThat(changed).isPositive();
    }

    private static void completePort(CompletableFuture<Integer> port, String note) {
        if (note.startsWith("listening on ")) {
            port.complete(Integer.parseInt(note.substring(note.lastIndexOf(':') + 1)));
        }
    }

    @Test
    void everyOperatorHasStableUid() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        IsolationLevel[] levels = LEVELS.toArray(IsolationLevel[]::new);
        String here = folder.toString();
        WatchSpec spec = new WatchSpec(
                new WatchSpec.Arrivals(List.of("a"), Lateness.Unit.TICKS, 3, 1, true, false, List.of()),
                levels,
                new WatchSpec.Initial(null, false, null),
                new WatchSpec.Folders(here, here, false),
                false,
                2,
                1);
        WatchJob.build(env, spec, new int[] {2});

        assertThat(env.getStreamGraph().getStreamNodes())
                .hasSizeGreaterThan(4)
                .allSatisfy(node -> assertThat(node.getTransformationUID()).isNotBlank());
    }

    @Tag("slow")
    @Test
    void itGoesOnWithMoreTasksAndWithFewer() throws Exception {
        List<Txn> rows = inOrder(4_000);
        Path history = Files.createDirectory(folder.resolve("growing"));
        Path checkpoint = folder.resolve("checkpoint");
        int[] tasks = {2, 3, 1};
        for (int part = 0; part < tasks.length; part++) {
            write(rows.subList(part * 1_000, part * 1_000 + 1_000), history.resolve("part-" + part + ".jsonl"));
            recorder.clear();
            WatchRun watch = watch(history, tasks[part], 100, checkpoint, false);
            CompletableFuture<RunResult> end = start(watch);
            recorder.awaitFinal(part * 1_000 + 700);
            watch.stop();
            end.get();
        }
        write(rows.subList(3_000, 4_000), history.resolve("part-3.jsonl"));
        recorder.clear();
        RunResult found = watch(history, 2, 100, checkpoint, true).run();

        assertThat(found.transactions()).isEqualTo(4_000);
        assertThat(levels(found)).isEqualTo(levels(check(history)));
        assertThat(recorder.repeated).as("told twice").isEmpty();
        assertThat(recorder.standing).as("told by the last one").anyMatch(name -> name.contains(" 3999 "));
        assertThat(recorder.corrected).isZero();
        assertThat(checkpoint.resolve("state")).doesNotExist();
    }

    @Tag("slow")
    @Test
    void learnedInitialStateIsAvailableToOtherTasks() throws Exception {
        initial = "learn";

        RunResult found = watchKeysThatHeldSomething();

        assertThat(found.lint())
                .filteredOn(lint -> lint.ruleId().equals("L36"))
                .extracting(RunResult.Lint::count)
                .containsExactly((long) KEYS_WITH_STATE);
    }

    @Tag("slow")
    @Test
    void initialStateIsReadFromHistory() throws Exception {
        Path before = folder.resolve("before.jsonl");
        List<Op> writes = new ArrayList<>();
        for (int key = 0; key < 2 * KEYS_WITH_STATE; key++) {
            writes.add(held(key, true));
        }
        write(List.of(new Txn(1, 0, 0, TxnStatus.COMMITTED, 1, 2, writes)), before);
        initial = before.toString();

        RunResult found = watchKeysThatHeldSomething();

        assertThat(found.lint()).extracting(RunResult.Lint::ruleId).doesNotContain("L36");
    }

    private static final int KEYS_WITH_STATE = 31;

    /** Every key is read twice, by two tasks and then by three. Every third of the second reads is wrong, and one of the first. */
    private RunResult watchKeysThatHeldSomething() throws Exception {
        Path history = Files.createDirectory(folder.resolve("growing"));
        Path checkpoint = folder.resolve("checkpoint");
        List<Txn> rows = new ArrayList<>();
        for (int i = 0; i <= 2 * KEYS_WITH_STATE; i++) {
            int key = i % (KEYS_WITH_STATE + 1);
            List<Op> ops = new ArrayList<>(List.of(held(key, false)));
            if (key == KEYS_WITH_STATE) {
                ops = List.of(Op.write("w", "1"));
            } else if (i > KEYS_WITH_STATE && key % 3 == 0) {
                ops = List.of(key % 2 == 1 ? Op.readList("l" + key, List.of("9")) : Op.read("k" + key, "other"));
            }
            rows.add(new Txn(i, 0, i, TxnStatus.COMMITTED, 10L * i + 100, 10L * i + 105, ops));
        }
        rows.add(KEYS_WITH_STATE + 1, new Txn(999, 1, 0, TxnStatus.COMMITTED, 416, 417, List.of(Op.read("w", "2"))));
        // Both parts go on behind the last transaction that is waited for, so that none has to be found idle.
        write(rows.subList(0, KEYS_WITH_STATE + 3), history.resolve("part-0.jsonl"));
        write(rows.subList(KEYS_WITH_STATE + 3, KEYS_WITH_STATE + 5), history.resolve("part-1.jsonl"));
        WatchRun watch = watch(history, 2, 3, checkpoint, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(999);
        watch.stop();
        end.get(60, TimeUnit.SECONDS);
        write(rows.subList(KEYS_WITH_STATE + 5, rows.size()), history.resolve("part-2.jsonl"));
        recorder.clear();
        RunResult found = watch(history, 3, 3, checkpoint, true).run();

        assertThat(found.levels().get(IsolationLevel.COMMIT_ORDER_SERIALIZABLE).types())
                .isEqualTo(Map.of("EXT", (KEYS_WITH_STATE + 2) / 3 + 1L));
        assertThat(recorder.corrected)
                .as("nothing was left to the check at the end")
                .isZero();
        return found;
    }

    /** What a key held before, written or read: every second one is a list. */
    private static Op held(int key, boolean isWrite) {
        if (key % 2 == 1) {
            String name = "l" + key;
            return isWrite ? Op.append(name, "e" + key) : Op.readList(name, List.of("e" + key));
        }
        return isWrite ? Op.write("k" + key, "v" + key) : Op.read("k" + key, "v" + key);
    }

    @Tag("slow")
    @Test
    void silentSourcePreventsSealing() throws Exception {
        List<Txn> rows = inOrder(2_000);
        Path history = Files.createDirectory(folder.resolve("growing"));
        write(rows.subList(0, 1_000), history.resolve("part-0.jsonl"));
        idleMicros = 200_000;
        WatchRun watch = watch(history, 3, 100, null, false);
        CompletableFuture<RunResult> end = start(watch);
        recorder.awaitFinal(700);
        Thread.sleep(1_500); // long enough for everybody to be taken for silent
        assertThat(recorder.lastStatus.get(Count.AHEAD_TS)).isEqualTo(Long.MIN_VALUE);
        rows.add(new Txn(2_000, 1, 0, TxnStatus.COMMITTED, 5, 1_000_000_000, List.of()));
        write(rows.subList(1_000, 2_001), history.resolve("part-1.jsonl"));
        recorder.awaitFinal(1_700);
        recorder.awaitStatus(status -> status.get(Count.AHEAD_TS) == 1_000_000_000); // for another to confirm it
        watch.stop();

        assertThat(end.get().transactions()).isEqualTo(1_950);
        assertThat(recorder.corrected).isZero();
        assertThat(recorder.lastStatus.get(Count.LATE)).isZero();
    }

    // ---------------------------------------------------------------- histories

    /** Small histories side by side, each with keys and sessions of its own, in any order. */
    private static List<Txn> rows(int histories) {
        List<Txn> rows = new ArrayList<>();
        for (int number = 0; number < histories; number++) {
            for (Txn txn : RandomHistory.of(SEED * 1_000_003 + number, 12).txns()) {
                rows.add(renamed(txn, number));
            }
        }
        Collections.shuffle(rows, new Random(SEED));
        return rows;
    }

    private static Txn renamed(Txn txn, int number) {
        List<Op> ops = txn.ops().stream()
                .map(op -> new Op(
                        op.kind(),
                        number + ":" + op.key(),
                        op.value() == null ? null : "v" + op.value(),
                        op.elements() == null
                                ? null
                                : op.elements().stream()
                                        .map(element -> "v" + element)
                                        .toList()))
                .toList();
        byte status = txn.status() == TxnStatus.UNKNOWN ? TxnStatus.ABORTED : txn.status();
        long first = number * 100L;
        return new Txn(first + txn.id(), first + txn.session(), txn.seq(), status, txn.start(), txn.commit(), ops);
    }

    /** One session that writes and reads in turns; every hundredth read is wrong. */
    private static List<Txn> inOrder(int count) {
        List<Txn> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean writes = i % 2 == 0;
            String value = "v" + (writes ? i : i % 100 == 99 ? -i : i - 1);
            String key = "k" + i / 2 % 7;
            Op op = writes ? Op.write(key, value) : Op.read(key, value);
            rows.add(new Txn(i, 0, i, TxnStatus.COMMITTED, 2L * i + 1, 2L * i + 2, List.of(op)));
        }
        return rows;
    }

    private Path write(List<Txn> rows, int files) throws IOException {
        Path history = Files.createDirectory(folder.resolve("history"));
        int each = rows.size() / files + 1;
        for (int file = 0; file < files; file++) {
            int from = file * each;
            write(rows.subList(from, Math.min(rows.size(), from + each)), history.resolve("part-" + file + ".jsonl"));
        }
        return history;
    }

    private void write(List<Txn> rows, Path file) throws IOException {
        Path whole = folder.resolve(file.getFileName());
        try (HistoryWriter writer = Histories.create(whole, "jsonl")) {
            for (HistorySlice slice : new SmallHistory(rows, null).slices(200)) {
                writer.write(slice);
            }
            writer.finish();
        }
        Files.move(whole, file);
    }

    // ---------------------------------------------------------------- checks and watches

    private RunResult check(Path history) throws IOException {
        try (HistorySource source = Histories.open(history, null)) {
            return new LocalEngine(options(), "test", ProgressListener.NONE).check(source, history);
        }
    }

    private static Map<IsolationLevel, String> levels(RunResult result) {
        Map<IsolationLevel, String> levels = new TreeMap<>();
        result.levels()
                .forEach((level, decided) -> levels.put(
                        level, decided.verdict() + " " + decided.anomalies() + " " + new TreeMap<>(decided.types())));
        return levels;
    }

    private CheckOptions options() {
        return CheckOptions.of(LEVELS)
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .maxDeadLetters(Long.MAX_VALUE)
                .threadCount(1)
                .spillParent(folder)
                .build();
    }

    private WatchRun watch(Path history, int tasks, long lateness, Path checkpoint, boolean untilEnd) {
        return watch(history.toString(), tasks, lateness, checkpoint, untilEnd, note -> {});
    }

    private WatchRun watch(
            String source, int tasks, long lateness, Path checkpoint, boolean untilEnd, Consumer<String> notes) {
        WatchOptions options = new WatchOptions(
                new WatchOptions.Arrivals(
                        List.of(source),
                        new Lateness(Lateness.Unit.TICKS, lateness),
                        idleMicros,
                        1_000,
                        untilEnd,
                        List.of()),
                options(),
                InitialChoice.of(initial, List.of()),
                new WatchOptions.Keeping(retainBytes, null, checkpoint, 100_000),
                new WatchOptions.Telling(null, false, false));
        ProgressListener watcher = new ProgressListener() {
            @Override
            public Task begin(String what, long total) {
                return amount -> {};
            }

            @Override
            public void printNote(String line) {
                notes.accept(line);
            }
        };
        FlinkOptions flink = new FlinkOptions(tasks, null);
        Configuration settings = new Configuration();
        if (STATE_BACKEND != null) {
            settings.set(StateBackendOptions.STATE_BACKEND, STATE_BACKEND);
        }
        FlinkWatch job = new FlinkWatch(
                options,
                flink,
                InputStream.nullInputStream(),
                watcher,
                FlinkEngine.runner(options.check(), flink),
                settings);
        return WatchRun.of(options, job, "test", recorder, ProgressListener.NONE);
    }

    private static CompletableFuture<RunResult> start(WatchRun watch) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return watch.run();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** What stands by all that was told, and what stood before the last moment. */
    private static final class Recorder implements WatchListener {

        private final Set<String> standing = new TreeSet<>();
        private final Set<String> repeated = new TreeSet<>();
        private final Set<String> finals = new TreeSet<>();
        private Set<String> beforeTheEnd = Set.of();
        private Set<String> lastSeen = Set.of();
        private int corrected;
        private volatile WatchStatus lastStatus;
        private long lastTxn = -1;

        @Override
        public synchronized void changed(VerdictChange change) {
            String name = change.finding().level() + " " + change.finding().anomaly() + " "
                    + change.finding().subject().txnId() + " "
                    + change.finding().key();
            if (change.change() == Change.FINAL && !finals.add(change.finding().anomalyId())) {
                repeated.add(name);
            }
            corrected += change.change() == Change.CORRECTED ? 1 : 0;
            lastTxn = Math.max(lastTxn, change.finding().subject().txnId());
            if (change.isWrong()) {
                standing.add(name + " " + change.finding().anomalyId());
            } else {
                standing.removeIf(other -> other.startsWith(name + " "));
            }
            notifyAll();
        }

        @Override
        public synchronized void flush() {
            beforeTheEnd = lastSeen;
            lastSeen = standing.stream().collect(Collectors.toSet());
        }

        @Override
        public synchronized void status(WatchStatus status) {
            lastStatus = status;
            notifyAll();
        }

        synchronized void awaitFinal(long txn) throws InterruptedException {
            await(() -> lastTxn >= txn);
        }

        synchronized void awaitStatus(Predicate<WatchStatus> wanted) throws InterruptedException {
            await(() -> lastStatus != null && wanted.test(lastStatus));
        }

        private void await(BooleanSupplier condition) throws InterruptedException {
            for (long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(100); !condition.getAsBoolean(); ) {
                assertThat(System.nanoTime()).as("in time").isLessThan(until);
                wait(1_000);
            }
        }

        /** Forgets what was told but for that it was. */
        synchronized void clear() {
            standing.clear();
            lastTxn = -1;
        }
    }
}
