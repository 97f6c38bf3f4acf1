package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches that end in the middle and go on, with rows that are checked part by part meanwhile. */
@Timeout(300)
class WatchRestartsTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(2);
    private static final int CALLS = 8;
    private static final int MAX_ROUNDS = 40;

    @TempDir
    private Path folder;

    private final List<String> notes = new ArrayList<>();
    private final Set<String> standing = new HashSet<>();
    private int corrected;
    private long memoryBytes = 256L << 20;

    @Tag("slow")
    @Test
    void repeatedlyInterruptedWatchGivesVerdictOfCheck() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            Random random = new Random(seed);
            List<String> rows = new ArrayList<>(SegmentedWatchTest.shuffled(SegmentedWatchTest.rows(random), seed));
            rows.removeIf(row -> row.contains("unknown")); // which of them count only the end shows
            endsInTheMiddleAndAgrees(seed, rows, random);
        }
    }

    /** There is no room in memory for what is known of all of them. */
    @Tag("slow")
    @Test
    void keysOnDiskAreRestoredAfterKill() throws Exception {
        memoryBytes = 16 << 20;
        Random random = new Random(FIRST_SEED);
        List<String> rows = withKeysOfOnce(SegmentedWatchTest.rows(random));
        rows.removeIf(row -> row.contains("unknown"));
        endsInTheMiddleAndAgrees(FIRST_SEED, SegmentedWatchTest.shuffled(rows, FIRST_SEED), random);
    }

    /** Each transaction writes a key of its own as well, and reads that of one long before it. */
    private static List<String> withKeysOfOnce(List<String> rows) {
        List<String> more = new ArrayList<>();
        for (int txn = 0; txn < rows.size(); txn++) {
            int old = txn - 9_000;
            boolean isThere = old >= 0 && rows.get(old).contains("\"committed\"");
            String ops = ",[\"w\",%d,%d],[\"r\",%d,%s]]}"
                    .formatted(100_000 + txn, txn, 100_000 + old, isThere && txn % 1_000 != 0 ? "" + old : "null");
            String row = rows.get(txn);
            more.add(row.substring(0, row.length() - 2) + ops);
        }
        return more;
    }

    private void endsInTheMiddleAndAgrees(long seed, List<String> rows, Random random) throws Exception {
        Path file = folder.resolve("h" + seed + ".jsonl");
        Path checkpoint = folder.resolve("checkpoint-" + seed);
        boolean keepsAll = seed % 2 == 0;
        standing.clear();
        corrected = 0;
        for (int call = 0; call < CALLS; call++) {
            List<String> more = rows.subList(rows.size() * call / CALLS, rows.size() * (call + 1) / CALLS);
            Files.write(file, more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            endInTheMiddle(file, checkpoint, keepsAll, 1 + random.nextInt(MAX_ROUNDS));
        }
        RunResult whole = check(file);
        RunResult watched = watch(file, checkpoint, keepsAll, 0);

        assertThat(SegmentedWatchTest.counts(watched)).as("seed=%d", seed).isEqualTo(SegmentedWatchTest.counts(whole));
        assertThat(watched.transactions()).as("seed=%d", seed).isEqualTo(whole.transactions());
        assertThat(watched.operations()).isEqualTo(whole.operations());
        assertThat(watched.sessions()).isEqualTo(whole.sessions());
        assertThat(watched.keys()).isEqualTo(whole.keys());
        assertThat(watched.report().lint().stream()
                        .anyMatch(lint -> lint.ruleId().equals("L38")))
                .as("checked in parts")
                .isNotEqualTo(keepsAll);
        assertThat(countOf(Anomaly.EXT)).as("seed=%d", seed).isEqualTo(countOf(whole, Anomaly.EXT));
        assertThat(countOf(Anomaly.NOCONFLICT)).isEqualTo(countOf(whole, Anomaly.NOCONFLICT));
        assertThat(countOf(Anomaly.SESSION)).isEqualTo(countOf(whole, Anomaly.SESSION));
        assertThat(corrected).as("all is told as it arrives: seed=%d", seed).isZero();
        assertThat(names(checkpoint)).as("nothing is left").containsExactly("in-use");
        assertThat(notes).as("seed=%d", seed).anyMatch(note -> note.startsWith("resuming from a checkpoint"));
        assertThat(notes).as("it goes on at its byte").noneMatch(note -> note.contains("another file than was read"));
    }

    @Test
    void runFinishedBeforeKillIsNotRepeated() throws Exception {
        Path file = Files.write(
                folder.resolve("h.jsonl"),
                SegmentedWatchTest.rows(new Random(1)).subList(0, 10));
        CheckOptions check = checkOptions(folder.resolve("lake"), "night");
        WatchOptions options = options(file, folder.resolve("checkpoint"), true, true, check);
        run(options, 0);
        try (CheckpointFolder left = CheckpointFolder.open(folder.resolve("checkpoint"))) {
            left.write(Checkpoint.atBegin(Checkpoint.nameOf(options, "local"), "night"));
        }

        assertThat(run(options, 0).how().runId()).isEqualTo("night");
        assertThat(names(folder.resolve("checkpoint"))).containsExactly("in-use");
    }

    @Test
    void corruptCheckpointIsReportedAndNotResumed() throws Exception {
        Path checkpoint = folder.resolve("checkpoint");
        WatchOptions options = options(folder.resolve("h.jsonl"), checkpoint, true, true, checkOptions(null, null));
        Path file = checkpoint.resolve("checkpoint");
        try (CheckpointFolder left = CheckpointFolder.open(checkpoint)) {
            left.write(Checkpoint.atBegin(Checkpoint.nameOf(options, "local"), "night"));
            byte[] whole = Files.readAllBytes(file);
            assertThat(left.read().runId()).isEqualTo("night");
            for (int at = 0; at < whole.length; at++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << at % 8);
                Files.write(file, flipped);
                assertThatThrownBy(left::read).as("flipped at %d", at).isInstanceOf(CheckpointException.class);
                Files.write(file, Arrays.copyOf(whole, at));
                assertThatThrownBy(left::read).as("cut at %d", at).isInstanceOf(CheckpointException.class);
            }
            left.writeBase(1, out -> out.writeLong(7));
            Files.write(checkpoint.resolve("base-1"), new byte[] {1}, StandardOpenOption.APPEND);
            assertThatThrownBy(() -> left.openBase(1))
                    .hasMessage("checkpoint is damaged: path=%s; remove %s and begin anew"
                            .formatted(checkpoint.resolve("base-1"), checkpoint));
        }
    }

    @Test
    void filesNextToCheckpointAreValidated() throws Exception {
        Path file = Files.write(folder.resolve("h.jsonl"), SegmentedWatchTest.rows(new Random(FIRST_SEED)));
        Path checkpoint = folder.resolve("checkpoint");
        stopAtFirstChange(options(file, checkpoint, true, false, checkOptions(null, null)));
        for (String name : List.of("log/log-0000000000000000001", "rows/part-00000.parquet")) {
            Path part = checkpoint.resolve(name);
            byte[] whole = Files.readAllBytes(part);
            byte[] flipped = whole.clone();
            flipped[whole.length / 2] ^= 1;
            Files.write(part, flipped);
            assertThatThrownBy(() -> watch(file, checkpoint, true, 0))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining(part.toString())
                    .hasMessageEndingWith("; remove " + checkpoint + " and begin anew");
            Files.delete(part);
            assertThatThrownBy(() -> watch(file, checkpoint, true, 0)).isInstanceOf(CheckpointException.class);
            Files.write(part, whole);
        }

        assertThat(SegmentedWatchTest.counts(watch(file, checkpoint, true, 0)))
                .isEqualTo(SegmentedWatchTest.counts(check(file)));
    }

    @Test
    void replacedFileIsReadFromBeginningAfterRestart() throws Exception {
        List<String> rows = SegmentedWatchTest.rows(new Random(FIRST_SEED));
        Path file = Files.write(folder.resolve("h.jsonl"), rows);
        Path checkpoint = folder.resolve("checkpoint");
        stopAtFirstChange(options(file, checkpoint, true, false, checkOptions(null, null)));
        Files.write(
                file,
                rows.stream()
                        .map(row ->
                                row.replace("\"txn\":", "\"txn\":77777").replace("\"session\":", "\"session\":77777"))
                        .toList());

        assertThat(watch(file, checkpoint, true, 0).transactions()).isGreaterThan(rows.size());
        assertThat(notes).anyMatch(note -> note.contains("another file than was read before"));
    }

    @Test
    void restartCountsEveryDeadLetter() throws Exception {
        int bad = 10_100; // more than are kept
        Path file = Files.write(folder.resolve("h.jsonl"), Collections.nCopies(bad, "nonsense"));
        Path checkpoint = folder.resolve("checkpoint");
        CompletableFuture<WatchRun> run = new CompletableFuture<>();
        Ending stopping = new Ending(0) {
            @Override
            public void status(WatchStatus status) {
                if (status.get(Count.DEAD_LETTERS) == bad) {
                    run.join().stop();
                }
            }
        };
        WatchOptions options = options(file, checkpoint, true, false, checkOptions(null, null));
        run.complete(WatchRun.of(options, "test", InputStream.nullInputStream(), stopping, new Notes()));
        run.join().run();
        String row = SegmentedWatchTest.rows(new Random(FIRST_SEED)).get(0);
        Files.write(file, List.of("nonsense", row), StandardOpenOption.APPEND);

        RunResult resumed = watch(file, checkpoint, true, 0);

        assertThat(resumed.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .contains("10,101 malformed rows");
    }

    private void stopAtFirstChange(WatchOptions options) throws IOException {
        List<WatchRun> run = new ArrayList<>();
        Ending stopping = new Ending(0) {
            @Override
            public void changed(VerdictChange change) {
                super.changed(change);
                run.get(0).stop();
            }
        };
        run.add(WatchRun.of(options, "test", InputStream.nullInputStream(), stopping, new Notes()));
        run.get(0).run();
    }

    private long countOf(Anomaly type) {
        return standing.stream().filter(name -> name.startsWith(type + " ")).count();
    }

    private static long countOf(RunResult result, Anomaly type) {
        return result.levels().values().stream()
                .mapToLong(level -> level.types().getOrDefault(type.spelling(), 0L))
                .sum();
    }

    private void endInTheMiddle(Path file, Path checkpoint, boolean keepsAll, int rounds) throws IOException {
        try {
            watch(file, checkpoint, keepsAll, rounds);
        } catch (IllegalStateException killed) {
            assertThat(killed).hasMessage("killed");
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private RunResult watch(Path file, Path checkpoint, boolean keepsAll, int rounds) throws IOException {
        boolean untilEnd = rounds == 0;
        return run(options(file, checkpoint, keepsAll, untilEnd, checkOptions(null, null)), rounds);
    }

    private static WatchOptions options(
            Path file, Path checkpoint, boolean keepsAll, boolean untilEnd, CheckOptions check) {
        return new WatchOptions(
                new WatchOptions.Arrivals(
                        List.of(file.toString()),
                        new Lateness(Lateness.Unit.TXNS, 500),
                        30_000_000,
                        1_000,
                        untilEnd,
                        List.of()),
                check,
                new InitialChoice(false, null),
                new WatchOptions.Keeping(keepsAll ? 1L << 30 : 1L << 18, null, checkpoint, 0),
                new WatchOptions.Telling(null, false, false));
    }

    /** @param rounds how many there may be; 0 for all there are */
    private RunResult run(WatchOptions options, int rounds) throws IOException {
        WatchRun run = WatchRun.of(options, "test", InputStream.nullInputStream(), new Ending(rounds), new Notes());

        return run.run();
    }

    private RunResult check(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            return new LocalEngine(checkOptions(null, null), "test", new Notes()).check(source, file);
        }
    }

    private CheckOptions checkOptions(Path lake, String runId) {
        return CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE))
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .maxDeadLetters(Long.MAX_VALUE)
                .threadCount(2)
                .memoryBytes(memoryBytes)
                .spillParent(folder)
                .batchId("batch")
                .lake(lake)
                .runId(runId)
                .build();
    }

    /** Ends a watch after some rounds of its loop, as if it had been killed. */
    private class Ending implements WatchListener {

        private int roundsLeft;

        Ending(int rounds) {
            this.roundsLeft = rounds;
        }

        @Override
        public void changed(VerdictChange change) {
            OnlineFinding of = change.finding();
            String other = of.anomaly() == Anomaly.NOCONFLICT ? " " + of.other().txnId() : "";
            String name = of.anomaly() + " " + of.level() + " " + of.subject().txnId() + other + " " + of.key();
            corrected += change.change() == Change.CORRECTED ? 1 : 0;
            if (change.isWrong()) {
                standing.add(name);
            } else {
                standing.remove(name);
            }
        }

        @Override
        public void flush() {
            if (--roundsLeft == 0) {
                throw new IllegalStateException("killed");
            }
        }

        @Override
        public void status(WatchStatus status) {}
    }

    private final class Notes implements ProgressListener {

        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public void printNote(String message) {
            notes.add(message);
        }
    }
}
