package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history that does not fit into memory is checked nevertheless, or the result states why not; no file stays on disk.
 */
class HeapSizingTest {

    private static final int OPS_PER_TXN = 10;
    private static final long LITTLE = 1 << 20;

    @TempDir
    private Path spillParent;

    @AfterEach
    void nothingIsLeftOnDisk() {
        assertThat(spillParent).isEmptyDirectory();
    }

    @Test
    void aHistoryMuchLargerThanMemoryGetsTheSameVerdict() throws IOException {
        List<HistorySlice> slices = generated(20_000, 5_000);
        RunResult inMemory = check(slices, 2, 512L << 20, new Notes());
        Notes notes = new Notes();

        RunResult spilled = check(slices, 2, LITTLE, notes);

        assertThat(notes.lines).anyMatch(line -> line.startsWith("history does not fit into memory: spilling about"));
        assertThat(inMemory.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(spilled.anomalies()).isEqualTo(inMemory.anomalies());
        assertThat(counts(spilled)).isEqualTo(counts(inMemory));
        assertThat(spilled.keys()).isEqualTo(inMemory.keys());
    }

    @Tag("slow")
    @Test
    void historyLargerThanStatedSizeIsSpilled() throws IOException {
        List<HistorySlice> slices = TestHistories.cut(generated(20_000, 5_000), 100);
        RunResult inMemory = check(slices, 2, 512L << 20, new Notes());
        Notes notes = new Notes();

        RunResult spilled = check(new SliceSource(slices, 40, 1_000), 2, 4 << 20, notes);

        assertThat(notes.lines).isNotEmpty();
        assertThat(spilled.anomalies()).isEqualTo(inMemory.anomalies());
        assertThat(counts(spilled)).isEqualTo(counts(inMemory));
    }

    @Tag("slow")
    @Test
    void lanesThatAreTooLargeAreCheckedInParts() throws IOException {
        List<HistorySlice> slices = generated(20_000, 5_000);
        Notes notes = new Notes();

        // claims just enough to be spilled, to far too few lanes
        RunResult result = check(new SliceSource(slices, 4, LITTLE / 20), 1, LITTLE, notes);

        assertThat(notes.lines).as("spilled once").hasSize(1);
        assertThat(result.anomalies())
                .isEqualTo(check(slices, 1, 512L << 20, new Notes()).anomalies());
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .isNull();
    }

    @Test
    void aKeyThatNoMemoryHoldsLeavesTheLevelsUndecided() throws IOException {
        RunResult result = check(hotKey(30_000, false), 2, LITTLE, new Notes());

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        for (LevelResult level : result.levels().values()) {
            assertThat(level.verdict()).isEqualTo(Verdict.UNDECIDED);
            assertThat(level.reason())
                    .matches("the operations on 1 key do not fit into " + LITTLE + " bytes of memory"
                            + "; --memory \\d+m would do");
        }
        assertThat(result.keys()).isEqualTo(1 + 30_000);
        assertThat(result.transactions()).isEqualTo(30_000);
    }

    @Test
    void findingsOnOtherKeysCountAsLowerBound() throws IOException {
        RunResult result = check(hotKey(30_000, true), 2, LITTLE, new Notes());

        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .startsWith("counts omit 1 key whose operations do not fit into ");

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).types())
                .isEqualTo(Map.of("EXT", 1L));
    }

    @Tag("slow")
    @Test
    void unknownTransactionsAndOversizedKeyLeaveAllLevelsUndecided() throws IOException {
        List<HistorySlice> slices = new ArrayList<>(hotKey(30_000, true));
        SliceBuilder unknown = new SliceBuilder("unknown");
        unknown.keysAreLongs();
        unknown.valuesAreLongs();
        unknown.beginTxn(1, 1_000_000, 999, 0).status(TxnStatus.UNKNOWN).timestamps(1, 2);
        unknown.op(OpKind.WRITE, 12_345, 77);
        unknown.endTxn();
        slices.add(unknown.build());

        RunResult result = check(slices, 2, LITTLE, new Notes());

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.keys()).isEqualTo(1 + 30_000);
    }

    @Test
    void moreSessionsThanMemoryHoldsAreCheckedAllTheSame() throws IOException {
        List<HistorySlice> slices = manySessions(30_000);

        RunResult result = check(slices, 2, LITTLE, new Notes());

        assertThat(result.sessions()).isEqualTo(30_000);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).types())
                .isEqualTo(Map.of("SESSION", 1L));
        assertThat(result.anomalies())
                .isEqualTo(check(slices, 2, 512L << 20, new Notes()).anomalies());
    }

    @Tag("slow")
    @Test
    void passCountDoesNotDependOnSessionCount() throws IOException {
        SliceSource few = new SliceSource(manySessions(3_000), 4, 60_000);
        SliceSource many = new SliceSource(manySessions(30_000), 4, 60_000);

        check(few, 2, LITTLE, new Notes());
        check(many, 2, LITTLE, new Notes());

        assertThat(many.readings()).isEqualTo(few.readings());
    }

    @Tag(Seeds.TAG)
    @Test
    void unorderedSessionsBeyondMemoryGetSameVerdictsAndLint() throws IOException {
        for (long seed : Seeds.upTo(3)) {
            List<HistorySlice> slices = shuffledSessions(20_000, seed, false);

            RunResult little = check(slices, 2, LITTLE, new Notes());
            RunResult much = check(slices, 2, 512L << 20, new Notes());

            assertThat(little.sessions()).as("seed=%d", seed).isEqualTo(much.sessions());
            assertThat(counts(little)).as("seed=%d", seed).isEqualTo(counts(much));
            assertThat(little.anomalies()).as("seed=%d", seed).isEqualTo(much.anomalies());
            assertThat(lintCounts(little)).as("seed=%d", seed).isEqualTo(lintCounts(much));
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void duplicatePositionsBeyondMemoryAreReportedInRowOrder() {
        for (long seed : Seeds.upTo(3)) {
            List<HistorySlice> slices = shuffledSessions(20_000, seed, true);
            Throwable much = catchThrowable(() -> check(slices, 2, 512L << 20, new Notes()));

            assertThat(much).as("seed=%d", seed).isInstanceOf(MalformedHistoryException.class);
            assertThatThrownBy(() -> check(slices, 2, LITTLE, new Notes()))
                    .as("seed=%d", seed)
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessage(much.getMessage());
        }
    }

    @Test
    void aCheckThatFailsLeavesNothingOnDisk() throws IOException {
        List<HistorySlice> slices = new ArrayList<>(generated(5_000, 1_000));
        SliceBuilder again = new SliceBuilder("again");
        again.copyTxn(slices.get(0), 0);
        slices.add(again.build());

        assertThatThrownBy(() -> check(slices, 2, LITTLE, new Notes()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("duplicate transaction id");
    }

    @Test
    void unwritableSpillFolderIsStorageFailure() throws IOException {
        List<HistorySlice> slices = generated(5_000, 1_000);
        Path missing = spillParent.resolve("missing");
        CheckOptions options = TestHistories.options(TestHistories.SI_AND_CSER, 2, LITTLE, missing);

        assertThatThrownBy(() -> check(new SliceSource(slices, 4, 50_000), options, new Notes()))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith("[" + missing + "] cannot spill: reason=")
                .hasMessageEndingWith("give more --memory");
    }

    @Test
    void insufficientDiskIsReportedBeforeSpilling() throws IOException {
        List<HistorySlice> slices = generated(500, 100);

        assertThatThrownBy(() -> check(new SliceSource(slices, 4, Long.MAX_VALUE / 1_000), 2, LITTLE, new Notes()))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith("[" + spillParent + "] not enough disk space to spill: needed=");
    }

    // ---------------------------------------------------------------- helpers

    private RunResult check(List<HistorySlice> slices, int threads, long memoryBytes, Notes notes) throws IOException {
        long ops = slices.stream().mapToLong(slice -> slice.opCount).sum();
        return check(new SliceSource(slices, 4, ops), threads, memoryBytes, notes);
    }

    private RunResult check(HistorySource source, int threads, long memoryBytes, Notes notes) throws IOException {
        return check(
                source, TestHistories.options(TestHistories.SI_AND_CSER, threads, memoryBytes, spillParent), notes);
    }

    private static RunResult check(HistorySource source, CheckOptions options, Notes notes) throws IOException {
        return new LocalEngine(options, "test", notes).check(source, Path.of("slices"));
    }

    private static List<HistorySlice> generated(int txns, int keys) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(txns)
                        .ops(OPS_PER_TXN)
                        .keys(keys)
                        .faults(Map.of(Fault.STALE_READ, 5, Fault.LOST_UPDATE, 5, Fault.SESSION_BREAK, 5))
                        .build(),
                slices::add);
        return slices;
    }

    /**
     * Returns transactions that each write key 0 and a private key; perhaps the last one read its private key wrongly.
     */
    private static List<HistorySlice> hotKey(int txns, boolean lastReadsGarbage) {
        SliceBuilder builder = new SliceBuilder("hot");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (int txn = 0; txn < txns; txn++) {
            builder.beginTxn(txn + 1, txn, 1, txn).status(TxnStatus.COMMITTED).timestamps(10L * txn + 1, 10L * txn + 5);
            builder.op(OpKind.WRITE, 0, txn);
            if (lastReadsGarbage && txn == txns - 1) {
                builder.op(OpKind.READ, 1 + txn, -1);
            }
            builder.op(OpKind.WRITE, 1 + txn, txn);
            builder.endTxn();
        }
        return TestHistories.cut(List.of(builder.build()), 1_000);
    }

    /**
     * Returns transactions that each have a separate session and write a private key, except the last: it began too
     * early in the first session.
     */
    private static List<HistorySlice> manySessions(int sessions) {
        SliceBuilder builder = new SliceBuilder("many");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (int txn = 0; txn <= sessions; txn++) {
            long start = txn == sessions ? 2 : 10L * txn + 1;
            builder.beginTxn(txn + 1, txn, 1_000L * (txn % sessions), 1 + txn / sessions)
                    .status(TxnStatus.COMMITTED)
                    .timestamps(start, 10L * txn + 5);
            builder.op(OpKind.WRITE, txn, txn);
            builder.endTxn();
        }
        return TestHistories.cut(List.of(builder.build()), 1_000);
    }

    /**
     * Returns rows of many sessions in any order, some of which begin before their predecessor is over; perhaps one row
     * twice.
     */
    private static List<HistorySlice> shuffledSessions(int rows, long seed, boolean isLastRepeated) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] rowAt = new int[rows];
        for (int row = 0; row < rows; row++) {
            int at = random.nextInt(row + 1);
            rowAt[row] = rowAt[at];
            rowAt[at] = row;
        }
        SliceBuilder builder = new SliceBuilder("shuffled");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (int i = 0; i < rows; i++) {
            int row = rowAt[i];
            long start = 10L * row + 1 - (random.nextInt(1_000) == 0 ? 50_000 : 0);
            builder.beginTxn(i + 1, row + 1, 7L * (row % (rows / 3)), row / (rows / 3) * 2L)
                    .status(TxnStatus.COMMITTED)
                    .timestamps(Math.max(1, start), 10L * row + 5);
            builder.op(OpKind.WRITE, row, row);
            builder.endTxn();
        }
        if (isLastRepeated) {
            int row = rowAt[rows / 2];
            builder.beginTxn(rows + 1, rows + 1, 7L * (row % (rows / 3)), row / (rows / 3) * 2L)
                    .status(TxnStatus.COMMITTED)
                    .timestamps(10L * rows + 1, 10L * rows + 5);
            builder.endTxn();
        }
        return TestHistories.cut(List.of(builder.build()), 1_000);
    }

    private static String lintCounts(RunResult result) {
        StringBuilder text = new StringBuilder();
        result.lint().forEach(finding -> text.append(finding.ruleId())
                .append('=')
                .append(finding.count())
                .append(' '));
        return text.toString();
    }

    private static String counts(RunResult result) {
        StringBuilder text = new StringBuilder();
        result.levels().forEach((level, of) -> text.append(level).append(of.types()));
        return text.toString();
    }

    /** Records the messages to the user. */
    private static final class Notes implements ProgressListener {

        final List<String> lines = new ArrayList<>();

        @Override
        public Task begin(String what, long total) {
            return amount -> {};
        }

        @Override
        public synchronized void printNote(String line) {
            lines.add(line);
        }
    }
}
