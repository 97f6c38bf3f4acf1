package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches that have no room for all their rows: checked part by part, they say what a check of all says. */
@Timeout(300)
class SegmentedWatchTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(2);
    private static final int TXNS = 30_000;
    private static final int PORTION = 3_000;
    private static final int ROUNDS_TO_SEAL = 8;
    private static final int KEYS = 400;
    private static final long LITTLE_MEMORY = 8 << 20;
    private static final int SESSIONS = 12;
    private static final List<IsolationLevel> SNAPSHOTS = List.of(IsolationLevel.SNAPSHOT_ISOLATION);
    private static final List<IsolationLevel> BOTH =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @TempDir
    private Path folder;

    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    @Tag(Seeds.TAG)
    @Test
    void segmentsGiveVerdictOfWholeHistory() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<String> rows = shuffled(rows(new Random(seed)), seed);
            Path file = Files.write(folder.resolve("h" + seed + ".jsonl"), rows);
            RunResult parts = watch(rows, 1 << 18);
            RunResult whole = check(file);

            assertThat(lint(parts)).as("seed=%d", seed).containsKey("L38").doesNotContainKey("L37");
            assertThat(counts(parts)).as("seed=%d", seed).isEqualTo(counts(whole));
            assertThat(parts.transactions()).isEqualTo(whole.transactions());
            assertThat(parts.operations()).isEqualTo(whole.operations());
            assertThat(parts.sessions()).isEqualTo(whole.sessions());
            assertThat(parts.keys()).isEqualTo(whole.keys());
            assertThat(lintWithoutParts(parts)).as("seed=%d", seed).isEqualTo(lintWithoutParts(whole));
        }
    }

    @Test
    void tooLateRowBecomesDeadLetterAndNothingHolds() throws Exception {
        List<String> rows = new ArrayList<>();
        for (int txn = 0; txn < TXNS; txn++) {
            rows.add(row(
                    txn,
                    txn % SESSIONS,
                    txn / SESSIONS,
                    "committed",
                    2L * txn + 1,
                    2L * txn + 2,
                    "[\"w\",7," + txn + "]"));
        }
        String first = rows.remove(0);
        rows.add(first);
        RunResult result = watch(rows, 1 << 16);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.transactions()).isEqualTo(TXNS - 1);
        assertThat(lint(result)).containsKeys("L21", "L37");
        assertThat(lint(result).get("L37")).contains("would have sufficed");
    }

    /**
     * Some rows come thousands of rows late, and little is retained: those behind that are named, all others are checked.
     * None is of unknown outcome, since whether such a one counts is settled with its part.
     */
    @Tag("slow")
    @Test
    void tooLateRowsAreReportedAndOthersCheckedTogether() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            Random random = new Random(seed);
            List<String> rows = new ArrayList<>(shuffled(rows(random), seed));
            rows.replaceAll(row -> row.replace("unknown", "aborted"));
            for (int late = 0; late < 40; late++) {
                int from = random.nextInt(TXNS / 2);
                rows.add(Math.min(TXNS - 1, from + random.nextInt(TXNS / 2)), rows.remove(from));
            }
            Path lake = folder.resolve("late-" + seed);
            RunResult result = watch(
                    rows, options(new Lateness(Lateness.Unit.TXNS, 500), 1 << 16, checkOptions(lake)), ROUNDS_TO_SEAL);
            Set<Long> refused = lateRows(lake);
            List<String> taken = new ArrayList<>();
            for (int row = 0; row < rows.size(); row++) {
                if (!refused.contains(row + 1L)) {
                    taken.add(rows.get(row));
                }
            }
            RunResult whole = check(Files.write(folder.resolve("taken" + seed + ".jsonl"), taken));

            assertThat(refused).as("seed=%d", seed).hasSizeBetween(1, 40);
            assertThat(lint(result)).as("seed=%d", seed).containsKeys("L37", "L38");
            assertThat(result.transactions()).as("seed=%d", seed).isEqualTo(taken.size());
            assertThat(counts(result)).as("seed=%d", seed).isEqualTo(counts(whole));
            assertThat(result.levels().values())
                    .as("seed=%d", seed)
                    .noneMatch(level -> level.verdict() == Verdict.HOLDS);
        }
    }

    /** What is open would take all of the memory if nothing waited until some of it is sealed. */
    @Tag("slow")
    @Test
    void arrivalsWaitForMemory() throws Exception {
        List<String> rows = shuffled(rows(new Random(FIRST_SEED)), FIRST_SEED);
        Path file = Files.write(folder.resolve("fast.jsonl"), rows);
        WatchOptions options =
                options(new Lateness(Lateness.Unit.MICROS, 100_000), 1L << 30, checkOptions(LITTLE_MEMORY));

        RunResult watched = watch(rows, options, 0);
        RunResult whole = check(file);

        assertThat(notes).noneMatch(note -> note.contains("the state of the watch exceeds memory"));
        assertThat(watched.transactions()).isEqualTo(whole.transactions());
        assertThat(counts(watched)).isEqualTo(counts(whole));
    }

    @Tag("slow")
    @Test
    void cleanHistoryHoldsWithoutAnotherCheck() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<String> rows = shuffled(faultless(new Random(seed)), seed);
            Path file = Files.write(folder.resolve("clean" + seed + ".jsonl"), rows);
            WatchOptions options =
                    options(new Lateness(Lateness.Unit.TXNS, 500), 1L << 30, checkOptions(256L << 20, SNAPSHOTS));

            begun.clear();
            RunResult watched = watch(rows, options, 0);
            assertThat(begun).as("seed=%d", seed).doesNotContain("read", "check");
            RunResult whole = check(file, SNAPSHOTS);

            assertThat(begun).as("seed=%d", seed).contains("check");
            assertThat(watched.verdict()).as("seed=%d", seed).isEqualTo(Verdict.HOLDS);
            assertThat(watched.size()).as("seed=%d", seed).isEqualTo(whole.size());
            assertThat(counts(watched)).as("seed=%d", seed).isEqualTo(counts(whole));
            assertThat(lint(watched).keySet())
                    .as("seed=%d", seed)
                    .isEqualTo(lint(whole).keySet());
        }
    }

    @Tag("slow")
    @Test
    void cleanSegmentsGiveVerdictOfWholeHistory() throws Exception {
        List<String> rows = new ArrayList<>(shuffled(faultless(new Random(FIRST_SEED)), FIRST_SEED));
        rows.add(row(TXNS, SESSIONS, 0, "committed", 4L * TXNS, 4L * TXNS + 1, "[\"r\",1,7]"));
        Path file = Files.write(folder.resolve("last.jsonl"), rows);
        WatchOptions options =
                options(new Lateness(Lateness.Unit.TXNS, 500), 1 << 18, checkOptions(256L << 20, SNAPSHOTS));
        RunResult parts = watch(rows, options, ROUNDS_TO_SEAL);
        RunResult whole = check(file, SNAPSHOTS);

        assertThat(lint(parts)).containsKey("L38");
        assertThat(counts(parts)).isEqualTo(counts(whole));
        assertThat(counts(parts).get(IsolationLevel.SNAPSHOT_ISOLATION)).containsOnlyKeys("EXT");
        assertThat(parts.size()).isEqualTo(whole.size());
    }

    private static Set<Long> lateRows(Path lake) {
        Set<Long> rows = new TreeSet<>();
        try (SqlSession tables = SqlSession.open(Lake.open(lake))) {
            for (Map<String, Object> letter : tables.rows("select source_row, reason from dead_letters")) {
                assertThat(letter).containsEntry("reason", "late");
                rows.add((Long) letter.get("source_row"));
            }
        }
        return rows;
    }

    // ---------------------------------------------------------------- rows

    /** What a store of snapshots answers, but for some reads; some clients never learn what became of their transaction. */
    static List<String> rows(Random random) {
        return rows(random, false);
    }

    /** The same where everything is as it should be. */
    private static List<String> faultless(Random random) {
        return rows(random, true);
    }

    private static List<String> rows(Random random, boolean isFaultless) {
        Map<Integer, List<long[]>> versions = new HashMap<>();
        int[] seqs = new int[SESSIONS];
        long[] lastOf = new long[SESSIONS];
        List<String> rows = new ArrayList<>();
        for (int txn = 0; txn < TXNS; txn++) {
            int session = txn % SESSIONS;
            long start = Math.max(2L * txn + 1, lastOf[session]);
            long commit = start + 1 + 2 * random.nextInt(5);
            lastOf[session] = commit;
            int fate = isFaultless ? 2 * random.nextInt(30) : random.nextInt(60);
            String status = fate == 0 ? "aborted" : fate == 1 ? "unknown" : "committed";
            boolean isThere = fate > 1 || fate == 1 && random.nextBoolean();
            List<String> ops = new ArrayList<>();
            for (int op = 0; op < 2; op++) {
                int key = random.nextInt(KEYS);
                Long seen = seen(versions.getOrDefault(key, List.of()), start);
                boolean isWrong = !isFaultless && random.nextInt(2_000) == 0;
                ops.add("[\"r\",%d,%s]".formatted(key, isWrong ? "" + random.nextInt(9_000) : seen));
            }
            int key = isFaultless ? txn % KEYS : random.nextInt(KEYS);
            ops.add("[\"w\",%d,%d]".formatted(key, 10_000 + txn));
            if (isThere) {
                versions.computeIfAbsent(key, absent -> new ArrayList<>()).add(new long[] {commit, txn, 10_000 + txn});
            }
            rows.add(row(txn, session, seqs[session]++, status, start, commit, String.join(",", ops)));
        }
        return rows;
    }

    private static Long seen(List<long[]> versions, long start) {
        return versions.stream()
                .filter(version -> version[0] <= start)
                .max(Comparator.<long[]>comparingLong(version -> version[0]).thenComparingLong(version -> version[1]))
                .map(version -> version[2])
                .orElse(null);
    }

    private static String row(long txn, int session, int seq, String status, long start, long commit, String ops) {
        String times = status.equals("aborted") ? "" : "\"start\":%d,\"commit\":%d,".formatted(start, commit);
        return "{\"txn\":%d,\"session\":%d,\"seq\":%d,\"status\":\"%s\",%s\"ops\":[%s]}"
                .formatted(txn, session, seq, status, times, ops);
    }

    static List<String> shuffled(List<String> rows, long seed) {
        Random random = new Random(seed * 31);
        Map<Double, String> shuffled = new TreeMap<>();
        for (int row = 0; row < rows.size(); row++) {
            shuffled.put(row + random.nextGaussian() * 20, rows.get(row));
        }
        return List.copyOf(shuffled.values());
    }

    // ---------------------------------------------------------------- runs

    /** Rows come in portions; between them the watch has time to seal. */
    private RunResult watch(List<String> rows, long retained) throws Exception {
        WatchOptions options = options(new Lateness(Lateness.Unit.TXNS, 500), retained, checkOptions(256L << 20));
        return watch(rows, options, ROUNDS_TO_SEAL);
    }

    private static WatchOptions options(Lateness lateness, long retained, CheckOptions check) {
        return new WatchOptions(
                new WatchOptions.Arrivals(List.of("-"), lateness, 30_000_000, 1_000, true, List.of()),
                check,
                new InitialChoice(false, null),
                new WatchOptions.Keeping(retained, null, null, 0),
                new WatchOptions.Telling(null, false, false));
    }

    private RunResult watch(List<String> rows, WatchOptions options, int roundsBetween) throws Exception {
        Rounds rounds = new Rounds();
        try (PipedInputStream in = new PipedInputStream(1 << 16);
                PipedOutputStream out = new PipedOutputStream(in)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(rows, out, rounds, roundsBetween));
            RunResult result =
                    WatchRun.of(options, "test", in, rounds, new Notes()).run();
            writer.get();
            return result;
        }
    }

    private static void write(List<String> rows, OutputStream out, Rounds rounds, int roundsBetween) {
        try (out) {
            for (int from = 0; from < rows.size(); from += PORTION) {
                List<String> portion = rows.subList(from, Math.min(rows.size(), from + PORTION));
                out.write((String.join("\n", portion) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                rounds.await(roundsBetween);
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private RunResult check(Path file) throws Exception {
        return check(file, BOTH);
    }

    private RunResult check(Path file, List<IsolationLevel> levels) throws Exception {
        try (HistorySource source = Histories.open(file, null)) {
            return new LocalEngine(checkOptions(256L << 20, levels), "test", new Notes()).check(source, file);
        }
    }

    private CheckOptions checkOptions(Path lake) {
        return checked(256L << 20, BOTH).lake(lake).runId("late").build();
    }

    private CheckOptions checkOptions(long memoryBytes) {
        return checkOptions(memoryBytes, BOTH);
    }

    private CheckOptions checkOptions(long memoryBytes, List<IsolationLevel> levels) {
        return checked(memoryBytes, levels).build();
    }

    private CheckOptions.Builder checked(long memoryBytes, List<IsolationLevel> levels) {
        return CheckOptions.of(levels)
                .evidence(CheckOptions.Evidence.TIMESTAMPS)
                .maxDeadLetters(Long.MAX_VALUE)
                .threadCount(2)
                .memoryBytes(memoryBytes)
                .spillParent(folder)
                .batchId("batch");
    }

    static Map<IsolationLevel, Map<String, Long>> counts(RunResult result) {
        Map<IsolationLevel, Map<String, Long>> counts = new TreeMap<>();
        result.levels().forEach((level, of) -> counts.put(level, new TreeMap<>(of.types())));
        return counts;
    }

    /** The order of rows (L16) may be another where several slices arrive at once. */
    private static Map<String, String> lintWithoutParts(RunResult result) {
        Map<String, String> lint = lint(result);
        lint.keySet().removeAll(List.of("L16", "L38"));
        return lint;
    }

    private static Map<String, String> lint(RunResult result) {
        Map<String, String> lint = new HashMap<>();
        result.report().lint().forEach(finding -> lint.put(finding.ruleId(), finding.message()));
        return lint;
    }

    /** Counts the rounds of a watch's loop. */
    private static final class Rounds implements WatchListener {

        private int rounds;

        @Override
        public void changed(VerdictChange change) {}

        @Override
        public synchronized void flush() {
            rounds++;
            notifyAll();
        }

        synchronized void await(int more) throws InterruptedException {
            int until = rounds + more;
            while (rounds < until) {
                wait();
            }
        }

        @Override
        public void status(WatchStatus status) {}
    }

    private final class Notes implements ProgressListener {

        @Override
        public Task begin(String what, long total) {
            begun.add(what);
            return amount -> {};
        }

        @Override
        public void printNote(String message) {
            notes.add(message);
        }
    }
}
