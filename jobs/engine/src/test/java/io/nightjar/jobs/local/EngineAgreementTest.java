package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.check.TimestampCheck;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.TimestampOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The findings do not depend on how a history is split, encoded, spilled and partitioned among threads. */
@Tag(Seeds.TAG)
class EngineAgreementTest {

    private static final int SMALL_HISTORIES = 90;
    private static final int LARGEST_SMALL = 14;

    /** Claims this many operations, so that the engine spills to few lanes with {@link #SPILLING_MEMORY}. */
    private static final long CLAIMED_OPS = 3_000_000;

    private static final long SPILLING_MEMORY = 64L << 20;

    @TempDir
    private Path folder;

    @Test
    void threadsSlicesAndSpillingChangeNothingOnSmallHistories() throws IOException {
        for (long seed : Seeds.upTo(SMALL_HISTORIES)) {
            SmallHistory history = RandomHistory.of(seed, LARGEST_SMALL);
            List<HistorySlice> whole = history.slices(history.txns().size());
            Outcome expected = outcome(new SliceSource(whole, 1, 0), history.initialValue(), 1, 64L << 20);

            SliceSource cut = new SliceSource(history.slices(1), 2, 0);
            assertThat(outcome(cut, history.initialValue(), 4, 64L << 20))
                    .as("4 threads, seed=%d%n%s", seed, history)
                    .isEqualTo(expected);
            if (seed % 3 != 0 && Long.getLong("nightjar.seed") == null) {
                continue; // files are slow
            }
            SliceSource spilled = new SliceSource(history.slices(2), 1, CLAIMED_OPS);
            assertThat(outcome(spilled, history.initialValue(), 4, SPILLING_MEMORY))
                    .as("spilled, seed=%d%n%s", seed, history)
                    .isEqualTo(expected);
            assertThat(Files.list(folder)).isEmpty();
        }
    }

    @Test
    void theOrderOfRowsChangesNothing() throws IOException {
        for (long seed : Seeds.upTo(SMALL_HISTORIES)) {
            SmallHistory history = RandomHistory.of(seed, LARGEST_SMALL);
            SmallHistory shuffled = history.shuffled(seed);

            assertThat(outcome(new SliceSource(shuffled.slices(3), 1, 0), history.initialValue(), 2, 64L << 20))
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(outcome(new SliceSource(history.slices(3), 1, 0), history.initialValue(), 2, 64L << 20));
        }
    }

    @Test
    void theFormatChangesNothingOnSmallHistories() throws IOException {
        for (long seed : Seeds.upTo(40)) {
            SmallHistory history = RandomHistory.of(seed, LARGEST_SMALL);
            List<HistorySlice> slices = history.slices(3);
            Outcome expected = outcome(new SliceSource(slices, 1, 0), history.initialValue(), 1, 64L << 20);
            for (String extension : List.of(".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".jsonl.zst", ".txt")) {
                Path file = folder.resolve("h" + seed + extension);
                TestHistories.write(slices, file);
                try (HistorySource source = Histories.open(file, null)) {
                    assertThat(outcome(source, history.initialValue(), 2, 64L << 20))
                            .as("%s seed=%d%n%s", extension, seed, history)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void partsThreadsAndSpillingChangeNothingInResultsAndTables() throws IOException {
        for (DataModel model : DataModel.values()) {
            List<HistorySlice> slices = faulty(model);
            Path whole = folder.resolve("whole-" + model + ".jsonl");
            TestHistories.write(slices, whole);
            Run expected = run(whole, 1, TestHistories.MUCH_MEMORY);
            assertThat(expected.result).contains("VIOLATED");
            assertThat(expected.tables).hasSizeGreaterThan(50);

            List<HistorySlice> mixed = new ArrayList<>(TestHistories.cut(slices, 97));
            Collections.shuffle(mixed, new Random(1)); // sessions out of order
            for (String extension : List.of(".parquet", ".arrow", ".jsonl")) {
                Path parts = folder.resolve("parts-" + model + extension.replace('.', '-'));
                TestHistories.writeParts(mixed, 500, parts, extension);
                assertThat(run(parts, 4, TestHistories.MUCH_MEMORY))
                        .as(extension)
                        .isEqualTo(expected);
                assertThat(run(parts, 2, 1L << 20)).as(extension + " spilled").isEqualTo(expected);
            }
        }
    }

    @Test
    void rowsThatComeNearlyInOrderAreCheckedAsWellInOnePass() throws IOException {
        long beyondDoubt = 0;
        for (long seed : Seeds.upTo(16)) {
            List<HistorySlice> slices = new ArrayList<>(TestHistories.cut(concurrent(seed), 1 + (int) seed % 4));
            Random random = new Random(seed);
            int furthest = 1 << seed % 9;
            for (int i = 0; i < slices.size(); i++) {
                Collections.swap(slices, i, Math.min(slices.size() - 1, i + random.nextInt(furthest)));
            }
            SliceSource source = new SliceSource(slices, 1_000, 0);
            int threads = 2 + (int) (seed / 2 % 4) * 2; // which sweep the keys in 1, 2 or 4 parts
            CheckOptions options = TestHistories.options(
                    seed % 2 == 0 ? TestHistories.SI_AND_CSER : List.of(IsolationLevel.SNAPSHOT_ISOLATION),
                    threads,
                    SPILLING_MEMORY,
                    folder);
            TimestampOutcome expected;
            try (TimestampCheck check = timestampCheck(rows(source, options), options, 1_000)) {
                check.read(EvidenceChoice.TIMESTAMP_COLUMNS, new DeadLetters(0));
                expected = check.check();
            }
            try (TimestampCheck check = timestampCheck(rows(source, options), options, 1_000)) {
                check.readInOrder(EvidenceChoice.TIMESTAMP_COLUMNS, new DeadLetters(0), false);
                beyondDoubt += check.keysBeyondDoubt();
                TimestampOutcome found = check.check();

                assertThat(found.findings().inTime())
                        .as("seed=%d", seed)
                        .isEqualTo(expected.findings().inTime());
                for (IsolationLevel level : options.levels()) {
                    assertThat(found.findings().counts(level))
                            .isEqualTo(expected.findings().counts(level));
                }
                assertThat(found.keyCount()).isEqualTo(expected.keyCount());
                assertThat(found.unjudgedKeys()).isEqualTo(expected.unjudgedKeys());
            }
        }
        assertThat(beyondDoubt).as("keys that no lane had to check").isGreaterThan(1_000);
    }

    /** Returns transactions with many open at once, so that reads return older versions; some with faults. */
    private static List<HistorySlice> concurrent(long seed) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .model(seed % 8 == 7 ? DataModel.LIST : DataModel.REGISTER)
                        .store(seed % 3 == 0 ? StoreKind.SER : StoreKind.SI)
                        .transactions(1_500)
                        .ops(6)
                        .reads(0.8)
                        .keys(List.of(20, 200, 2_000).get((int) (seed % 3)))
                        .sessions(30)
                        .concurrency(30)
                        .recordAborted(seed % 2 == 0)
                        .seed(seed)
                        .faults(seed % 4 < 2 ? Map.of() : Map.of(Fault.STALE_READ, 2, Fault.LOST_UPDATE, 1))
                        .build(),
                slices::add);
        return slices;
    }

    @Test
    void aCutListHasTheSameAnomaliesWhoeverFindsThem() throws IOException {
        List<HistorySlice> slices = TestHistories.cut(faulty(DataModel.REGISTER), 50);
        for (int limit : new int[] {0, 1, 7, 20}) {
            List<Finding> all =
                    found(new SliceSource(slices, 100, 0), 1, 1_000_000).inTime();
            Findings one = found(new SliceSource(slices, 100, 0), 1, limit);
            Findings many = found(new SliceSource(slices, 3, CLAIMED_OPS), 4, limit);

            assertThat(one.inTime()).isEqualTo(firstAndOneOfEachType(all, limit));
            assertThat(many.inTime()).isEqualTo(firstAndOneOfEachType(all, limit));
            assertThat(one.total()).isEqualTo(all.size());
            assertThat(many.total()).isEqualTo(all.size());
        }
    }

    // ---------------------------------------------------------------- helpers

    private static List<Finding> firstAndOneOfEachType(List<Finding> all, int limit) {
        List<Finding> kept = new ArrayList<>(all.subList(0, limit));
        Set<Anomaly> types = EnumSet.noneOf(Anomaly.class);
        kept.forEach(finding -> types.add(finding.anomaly()));
        for (Finding finding : limit == 0 ? List.<Finding>of() : all) {
            if (types.add(finding.anomaly())) {
                kept.add(finding);
            }
        }
        return kept;
    }

    private record Outcome(List<Finding> findings, String result) {}

    private Outcome outcome(HistorySource source, String initialValue, int threads, long memoryBytes)
            throws IOException {
        CheckOptions options = TestHistories.withInitialValue(
                TestHistories.options(TestHistories.SI_AND_CSER, threads, memoryBytes, folder), initialValue);
        List<Finding> findings;
        ValidatingScanner rows = rows(source, options);
        try (TimestampCheck run = timestampCheck(rows, options, 1_000_000)) {
            run.read(EvidenceChoice.TIMESTAMP_COLUMNS, new DeadLetters(0));
            findings = rows.summary().areTimestampsComplete()
                    ? run.check().findings().inTime()
                    : List.of();
        }
        RunResult result = new LocalEngine(options, "test", ProgressListener.NONE).check(source, Path.of("slices"));
        return new Outcome(findings, comparable(result));
    }

    private Findings found(HistorySource source, int threads, int limit) throws IOException {
        CheckOptions options = TestHistories.options(TestHistories.SI_AND_CSER, threads, SPILLING_MEMORY, folder);
        try (TimestampCheck run = timestampCheck(rows(source, options), options, limit)) {
            run.read(EvidenceChoice.TIMESTAMP_COLUMNS, new DeadLetters(0));
            return run.check().findings();
        }
    }

    private static ValidatingScanner rows(HistorySource source, CheckOptions options) {
        return new ValidatingScanner(source, options.threadCount(), options.memoryBytes(), options.spillParent());
    }

    private static TimestampCheck timestampCheck(ValidatingScanner rows, CheckOptions options, int limit) {
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        options.levels().forEach(level -> axioms.put(level, Axiom.of(level)));
        return new TimestampCheck(
                rows,
                axioms,
                options.initialValue(),
                options,
                limit,
                new StageMetrics(ProgressListener.NONE),
                ProgressListener.NONE);
    }

    /** Returns a result without the values that differ from run to run. */
    private static String comparable(RunResult result) {
        StringBuilder text = new StringBuilder();
        text.append(result.verdict()).append(' ').append(result.transactions()).append(' ');
        text.append(result.operations())
                .append(' ')
                .append(result.sessions())
                .append(' ')
                .append(result.keys());
        text.append(' ').append(result.evidence());
        result.levels().forEach((level, of) -> text.append('\n')
                .append(level)
                .append(' ')
                .append(of.verdict())
                .append(' ')
                .append(of.evidence())
                .append(' ')
                .append(of.reason())
                .append(' ')
                .append(of.types()));
        result.anomalies().forEach(anomaly -> text.append('\n').append(anomaly));
        return text.toString();
    }

    private static List<HistorySlice> faulty(DataModel model) throws IOException {
        Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.ofItems()) {
            faults.put(fault, 4);
        }
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .model(model)
                        .transactions(2_000)
                        .ops(8)
                        .keys(300)
                        .sessions(20)
                        .distribution(KeyDistribution.ZIPFIAN)
                        .faults(faults)
                        .build(),
                slices::add);
        return slices;
    }

    private record Run(String result, List<String> tables) {}

    private Run run(Path history, int threads, long memoryBytes) throws IOException {
        Path lake = Files.createTempDirectory(folder, "lake");
        CheckOptions options = TestHistories.withLake(
                TestHistories.options(TestHistories.SI_AND_CSER, threads, memoryBytes, folder), lake, null);
        RunResult result = TestHistories.check(history, options);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.filter(path -> path.getFileName().toString().contains("spill")))
                    .isEmpty();
        }
        List<String> rows = new ArrayList<>();
        for (String table : List.of("anomalies", "anomaly_txns", "anomaly_edges")) {
            rows.addAll(rows(lake, table));
        }
        return new Run(comparable(result), rows);
    }

    private static List<String> rows(Path lake, String table) {
        String columns = table.equals("anomaly_txns")
                ? "* EXCLUDE (run_id, history_id, source_file, source_row)"
                : "* EXCLUDE (run_id, history_id)";
        String sql = "SELECT " + columns + " FROM read_parquet('" + lake + "/" + table
                + "/*/*/*.parquet', hive_partitioning=false) ORDER BY ALL";
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                StringBuilder row = new StringBuilder(table);
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.append('|').append(result.getString(column));
                }
                rows.add(row.toString());
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return rows;
    }
}
