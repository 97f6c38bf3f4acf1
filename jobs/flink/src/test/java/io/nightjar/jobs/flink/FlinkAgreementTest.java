package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.IrregularRows;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SideBySide;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.RunFacts;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both engines say the same of every history, at any parallelism: verdicts, reasons, anomalies and tables. */
class FlinkAgreementTest {

    private static final int RANDOM_HISTORIES = Seeds.rounds(24);

    /** One of this many consecutive published cases is checked. */
    private static final int EACH_OF_THE_PUBLISHED = Seeds.areOfCampaign() ? 1 : 3;

    private static final int LARGEST = 14;
    private static final List<IsolationLevel> SI_AND_SER = List.of(
            IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    private static final List<IsolationLevel> WITHOUT_SESSIONS = List.of(
            IsolationLevel.PL_1,
            IsolationLevel.PL_2,
            IsolationLevel.CAUSAL_CERONE,
            IsolationLevel.PL_2_99,
            IsolationLevel.PL_SI,
            IsolationLevel.PL_3);

    @TempDir
    private static Path scratch;

    private static EmbeddedCluster cluster;

    @TempDir
    private Path folder;

    private TwoEngines engines;

    @BeforeAll
    static void makeTheCluster() {
        cluster = TwoEngines.newCluster(scratch);
    }

    @AfterAll
    static void endTheCluster() throws Exception {
        cluster.end();
    }

    @BeforeEach
    void makeTheEngines() {
        engines = new TwoEngines(folder, cluster, 1);
    }

    @AfterEach
    void closeTheEngines() {
        engines.close();
    }

    @Tag(Seeds.TAG)
    @Test
    void randomHistoriesWithTimestampsAreDecidedAlike() throws Exception {
        for (long seed = 1; seed <= RANDOM_HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed, LARGEST);
            Path file = write(history.slices(history.txns().size()), "timed-" + seed, seed);
            engines.ask(file, evidence(seed), seed % 3 == 0 ? levels(seed) : SI_AND_SER, history.initialValue(), 0);
        }
        engines.compare();
    }

    @Tag(Seeds.TAG)
    @Test
    void serializabilityByTimestampsIsDecidedAlike() throws Exception {
        List<IsolationLevel> only = List.of(IsolationLevel.SERIALIZABLE);
        for (long seed = 1; seed <= RANDOM_HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(1_000 + seed, LARGEST);
            Path file = write(history.slices(history.txns().size()), "ser-" + seed, seed);
            engines.ask(file, Evidence.TIMESTAMPS, only, history.initialValue(), 0);
        }
        for (DataModel model : DataModel.values()) {
            for (StoreKind store : List.of(StoreKind.SI, StoreKind.SER)) {
                GeneratorOptions options = GeneratorOptions.builder()
                        .model(model)
                        .store(store)
                        .transactions(400)
                        .sessions(8)
                        .keys(30)
                        .build();
                List<HistorySlice> slices = new ArrayList<>();
                HistoryGenerator.generate(options, slices::add);
                Path file = write(slices, "ser-" + model + "-" + store, 7);
                engines.ask(file, Evidence.TIMESTAMPS, only, null, 0);
                engines.ask(file, Evidence.AUTO, SI_AND_SER, null, 0);
            }
        }
        engines.compare();
    }

    @Tag(Seeds.TAG)
    @Test
    void serializabilityIsDecidedAlikeBesideLevelsOfValues() throws Exception {
        engines.compareLevelsOnly();
        for (long seed = 1; seed <= RANDOM_HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(2_000 + seed, LARGEST);
            Path file = write(history.slices(history.txns().size()), "mixed-" + seed, seed);
            IsolationLevel weaker = IsolationLevel.all().get((int) (seed % 4));
            List<IsolationLevel> levels = List.of(weaker, IsolationLevel.SERIALIZABLE);
            engines.ask(file, Evidence.AUTO, levels, history.initialValue(), 0);
        }
        engines.compareResults(); // tasks search components before it is known whether timestamps decide the level
    }

    @Tag(Seeds.TAG)
    @Test
    void randomHistoriesWithoutTimestampsAreDecidedAlike() throws Exception {
        for (long seed = 1; seed <= RANDOM_HISTORIES; seed++) {
            SmallHistory history = RandomReads.of(seed);
            Path file = write(history.slices(history.txns().size()), "untimed-" + seed, seed);
            engines.ask(file, evidence(seed), levels(seed), history.initialValue(), 0);
        }
        engines.compare();
    }

    @Tag(Seeds.TAG)
    @Test
    void historiesSideBySideAreDecidedAlike() throws Exception {
        for (long seed = 1; seed <= RANDOM_HISTORIES / 2; seed++) {
            List<SmallHistory> tenants = new ArrayList<>();
            for (long tenant = 0; tenant < 3; tenant++) {
                tenants.add(RandomReads.of(seed * 10 + tenant));
            }
            SmallHistory whole = SideBySide.of(tenants, seed).whole();
            SmallHistory history = seed % 2 == 0 ? whole : bridged(whole);
            Path file = write(history.slices(history.txns().size()), "tenants-" + seed, seed);
            List<IsolationLevel> levels = seed % 3 == 0 ? WITHOUT_SESSIONS : IsolationLevel.all();
            engines.ask(file, Evidence.VALUES, levels, history.initialValue(), 0);
        }
        engines.compare();
    }

    /**
     * One more session that writes to many keys what no other reads: all tenants are one group now, of many components.
     */
    private static SmallHistory bridged(SmallHistory history) {
        List<Txn> txns = new ArrayList<>(history.txns());
        long id = 1_000_000;
        for (String key : history.keys()) {
            boolean isRegister = txns.stream()
                    .flatMap(txn -> txn.opsOn(key).stream())
                    .allMatch(op -> op.kind() == OpKind.WRITE || op.kind() == OpKind.READ);
            if (isRegister) {
                Op write = Op.write(key, String.valueOf(id));
                txns.add(new Txn(
                        id,
                        1_000_000,
                        id++,
                        TxnStatus.COMMITTED,
                        HistorySlice.NONE,
                        HistorySlice.NONE,
                        List.of(write)));
            }
        }
        return history.withTxns(txns);
    }

    @Tag("slow")
    @Test
    void historiesOfTablesAreDecidedAlike() throws Exception {
        long seed = 0;
        for (StoreKind store : List.of(StoreKind.SER, StoreKind.SI, StoreKind.CC)) {
            GeneratorOptions options = GeneratorOptions.builder()
                    .workload("predicate")
                    .store(store)
                    .transactions(300)
                    .sessions(6)
                    .keys(30)
                    .build();
            List<HistorySlice> slices = new ArrayList<>();
            HistoryGenerator.generate(options, slices::add);
            Path file = write(slices, "tables-" + store, seed);
            for (Evidence evidence : Evidence.values()) {
                engines.ask(file, evidence, levels(seed++), null, 0);
            }
            engines.ask(file, Evidence.AUTO, SI_AND_SER, null, 0);
        }
        for (StoreKind store : List.of(StoreKind.SER, StoreKind.SI, StoreKind.CC)) { // without answers, so in lanes
            GeneratorOptions options = GeneratorOptions.builder()
                    .workload("ranges")
                    .store(store)
                    .transactions(200)
                    .sessions(6)
                    .ops(5)
                    .keys(30)
                    .build();
            List<HistorySlice> slices = new ArrayList<>();
            HistoryGenerator.generate(options, slices::add);
            Path file = write(slices, "ranges-" + store, seed++);
            engines.ask(file, Evidence.AUTO, SI_AND_SER, null, 0);
            engines.ask(file, Evidence.TIMESTAMPS, SI_AND_SER, null, 0);
        }
        engines.compare();
    }

    /** What stands in the second row, of which the first one is clean. */
    @Tag("slow")
    @Test
    void undecidableTableRowsAreReportedAlike() throws Exception {
        List<String> seconds = List.of(
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')@1 d(t/1)@2",
                "p[t](\"c1 > 3\",[],0)",
                "p[t](\"c9 > 3\",[],0)",
                "p[t](\"c1 > 'x'\",[],0)",
                "p[t](\"" + "(".repeat(1000) + "c1 > 3" + ")".repeat(1000) + "\",[],0)",
                "p[t](\"c1 > 3\",[],1) r(u/1,'{\"c1\":5}')@1",
                "p[t](\"c1 > 3\",[],2) r(t/1,'{\"c1\":5}')@1 r(t/1,'{\"c1\":5}')@1",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')@9",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":4}')@1",
                "p[t](\"c1 > 3\",[],3) r(t/1,'{\"c1\":5}')@1",
                "p[t](\"c1 > ?\",[],0)");
        for (String second : seconds) {
            Path file = Files.writeString(
                    folder.resolve("bad-" + seconds.indexOf(second) + ".txt"),
                    "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1 w(u/1,'{\"c1\":5}')@1\ns1 T2 [3,4]: " + second + "\n");
            engines.ask(file, Evidence.AUTO, SI_AND_SER, null, 0);
            engines.ask(file, Evidence.VERSIONS, WITHOUT_SESSIONS, null, 0);
        }
        engines.compare();
    }

    @Test
    void aGivenOrderIsReplayedByBothEngines() throws Exception {
        Path file = Files.writeString(
                folder.resolve("ordered.txt"), "s0 T1 [1,2]: w(x,1)\ns1 T2 [3,4]: w(x,2)\ns2 T3 [5,6]: r(x,1)\n");
        CheckOptions options = options(List.of(IsolationLevel.SERIALIZABLE), "ordered", 1, 256L << 20);
        SerialOrder right = new SerialOrder("right", new long[] {1, 3, 2});
        for (SerialOrder order : List.of(right, new SerialOrder("commit_ts", null))) {
            CheckOptions ordered =
                    options.but().runId(order.name()).order(order).build();
            RunResult result = new FlinkEngine(ordered, 2, "test", ProgressListener.NONE, cluster, 1).check(file, null);

            assertThat(result.verdict()).isEqualTo(order == right ? Verdict.HOLDS : Verdict.VIOLATED);
        }
    }

    @Test
    void bothEnginesReportImporterDiagnostics() throws Exception {
        Path differing = folder.resolve("differing.edn");
        Files.writeString(
                differing,
                """
                {:type :invoke, :process 0, :f :txn, :value [[:w 1 1] [:r 2 nil]]}
                {:type :ok, :process 0, :f :txn, :value [[:w 1 2] [:r 2 nil]]}
                """);
        Path cut = folder.resolve("cut.log");
        Files.writeString(cut, "BEGIN 5\ntable t: INSERT: id[integer]:1\nCOMMIT 5\nBEGIN 6\n");
        for (Path history : List.of(differing, cut)) {
            engines.ask(history, Evidence.AUTO, IsolationLevel.all(), null, 0);
        }
        engines.compare();

        RunResult result = new FlinkEngine(
                        options(IsolationLevel.all(), "cut", 1, 256L << 20),
                        2,
                        "test",
                        ProgressListener.NONE,
                        cluster,
                        1)
                .check(cut, null);
        assertThat(result.report().lint()).extracting(RunResult.Lint::ruleId).contains("L12", "L31", "L35");
        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Tag("slow")
    @Test
    void storesWithPlantedFaultsAreDecidedAlike() throws Exception {
        for (DataModel model : DataModel.values()) {
            GeneratorOptions options = GeneratorOptions.builder()
                    .model(model)
                    .transactions(3_000)
                    .sessions(12)
                    .faults(Map.of(Fault.STALE_READ, 5, Fault.LOST_UPDATE, 3))
                    .build();
            List<HistorySlice> slices = new ArrayList<>();
            HistoryGenerator.generate(options, slices::add);
            Path file = write(slices, "store-" + model, 97);
            engines.ask(file, Evidence.AUTO, SI_AND_SER, null, 0);
            engines.ask(file, Evidence.VALUES, IsolationLevel.all(), null, 0);
            engines.ask(file, Evidence.VALUES, List.of(IsolationLevel.STRICT_SERIALIZABLE), null, 0);
        }
        engines.compare();
    }

    @Tag("slow")
    @Test
    void searchWithoutBudgetLeavesLevelUndecidedInCompleteRun() throws Exception {
        GeneratorOptions store = GeneratorOptions.builder()
                .store(StoreKind.SI)
                .transactions(5_000)
                .keys(300)
                .build();
        Path file = folder.resolve("poison.bincode"); // session after session, so that no order suggests itself
        try (HistoryWriter writer = Histories.create(file, null)) {
            HistoryGenerator.generate(store, writer::write);
            writer.finish();
        }
        CheckOptions options =
                options(List.of(IsolationLevel.CAUSAL, IsolationLevel.SNAPSHOT_ISOLATION), "poisoned", 1, 256L << 20);
        RunResult result = new FlinkEngine(options, 2, "test", ProgressListener.NONE, cluster, 1).check(file, null);

        assertThat(result.levels().get(IsolationLevel.CAUSAL).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).verdict())
                .isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .contains("budget");
        assertThat(Lake.open(folder.resolve("lake")).completedRun("poisoned")).isPresent();
    }

    @Test
    void runStartTimeIsTimeOfRequest() throws Exception {
        Path file =
                Files.writeString(folder.resolve("one.jsonl"), "{\"txn\":1,\"session\":0,\"ops\":[[\"w\",\"x\",1]]}\n");
        CheckOptions options = options(List.of(IsolationLevel.CAUSAL), "one", 60_000_000_000L, 256L << 20);
        RunResult result = new FlinkEngine(options, 1, "test", ProgressListener.NONE, cluster, 1).check(file, null);

        RunFacts facts = Lake.open(folder.resolve("lake"))
                .completedRun("one")
                .orElseThrow()
                .facts();
        long clocksDifferBy = 5; // both are cut to milliseconds
        assertThat(facts.startedAt().plusMillis((long) (result.seconds() * 1_000) - clocksDifferBy))
                .isBeforeOrEqualTo(facts.finishedAt());
    }

    @Test
    void aBinThatNoTaskHoldsLeavesItsLevelsUndecided() throws Exception {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(GeneratorOptions.builder().transactions(5_000).build(), slices::add);
        Path file = write(slices, "large", 1);
        CheckOptions options = options(List.of(IsolationLevel.CAUSAL), "large", 60_000_000_000L, 1 << 20);
        RunResult result = new FlinkEngine(options, 2, "test", ProgressListener.NONE, cluster, 1).check(file, null);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.CAUSAL).reason())
                .contains("do not fit into memory")
                .contains("75000 operations");
    }

    /** What fits only as long as little else is on the heap would be decided by one attempt and not by the next. */
    @ParameterizedTest
    @CsvSource({"AUTO, 90, UNDECIDED", "VALUES, 90, UNDECIDED", "AUTO, 110, VIOLATED", "VALUES, 110, VIOLATED"})
    void oversizedHistoryIsUndecidedInEachAttempt(Evidence evidence, int percent, Verdict verdict) throws Exception {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .store(StoreKind.SER)
                        .transactions(5_000)
                        .faults(Fault.parseCounts("session-break=5"))
                        .build(),
                slices::add);
        Path file = write(slices, "brink", 1);
        long ofTask = ValueCheck.bytesToHold(5_000, 75_000) * percent / 100;
        long memory = 48L << 20;
        while (!TaskHeap.fits(ofTask, cluster.taskHeapBytes(memory))) {
            memory += 1 << 18;
        }
        CheckOptions options =
                options(List.of(IsolationLevel.SERIALIZABLE), "brink", evidence, 60_000_000_000L, memory);
        RunResult result = new FlinkEngine(options, 1, "test", ProgressListener.NONE, cluster, 1).check(file, null);

        assertThat(result.verdict()).isEqualTo(verdict);
        if (verdict == Verdict.UNDECIDED) {
            assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).reason())
                    .contains("do not fit into memory")
                    .contains("75000 operations");
        }
    }

    private CheckOptions options(List<IsolationLevel> levels, String runId, long componentNanos, long memoryBytes) {
        return options(levels, runId, Evidence.VALUES, componentNanos, memoryBytes);
    }

    private CheckOptions options(
            List<IsolationLevel> levels, String runId, Evidence evidence, long componentNanos, long memoryBytes) {
        return CheckOptions.of(levels)
                .evidence(evidence)
                .lake(folder.resolve("lake"))
                .runId(runId)
                .search(new CheckOptions.Search(600_000_000_000L, componentNanos, false))
                .threadCount(1)
                .memoryBytes(memoryBytes)
                .spillParent(folder)
                .build();
    }

    @Tag("slow")
    @Test
    void publishedCasesAreDecidedAlike() throws Exception {
        int asked = 0;
        for (String verdicts : List.of("verdicts.json", "elle-verdicts.json")) {
            List<Path> files = published(verdicts);
            for (int i = 0; i < files.size(); i += EACH_OF_THE_PUBLISHED) {
                Path file = files.get(i);
                engines.ask(file, evidence(asked / 3), levels(asked++), null, 0);
            }
        }
        engines.compare();
    }

    @Test
    void badRowsAreSetAsideOrRejectedAlike() throws Exception {
        String good = "{\"txn\":%d,\"session\":%d,\"start\":%d,\"commit\":%d,\"ops\":[[\"w\",\"x\",%d]]}%n";
        List<String> bad = List.of("{\"txn\":1,", "not json", "{\"txn\":7,\"session\":0,\"ops\":[[\"w\",5,5]]}%n");
        for (int which = 0; which < bad.size(); which++) {
            Path parts = Files.createDirectories(folder.resolve("bad-" + which));
            Files.writeString(parts.resolve("a.jsonl"), good.formatted(1, 0, 1, 2, 1) + good.formatted(2, 1, 3, 4, 2));
            Files.writeString(
                    parts.resolve("b.jsonl"),
                    good.formatted(3, 0, 5, 6, 3) + bad.get(which).formatted());
            Files.writeString(parts.resolve("c.jsonl"), good.formatted(4, 1, 7, 8, 4));
            for (long allowed = 0; allowed < 2; allowed++) {
                engines.ask(parts, Evidence.AUTO, SI_AND_SER, null, allowed);
                engines.ask(parts, Evidence.VALUES, IsolationLevel.all(), null, allowed);
            }
        }
        Path twice = Files.createDirectories(folder.resolve("twice"));
        Files.writeString(twice.resolve("a.jsonl"), good.formatted(1, 0, 1, 2, 1) + good.formatted(2, 1, 3, 4, 2));
        Files.writeString(twice.resolve("b.jsonl"), good.formatted(2, 0, 5, 6, 3));
        engines.ask(twice, Evidence.AUTO, SI_AND_SER, null, 0);
        engines.compare();
    }

    /** What validation says in parts, at any parallelism: lint findings with their examples, and rejections with both rows. */
    @Tag(Seeds.TAG)
    @Test
    void irregularRowsAreHandledAlike() throws Exception {
        for (long seed = 1; seed <= RANDOM_HISTORIES; seed++) {
            List<HistorySlice> slices = seed % 12 == 6 || seed % 12 == 9 // at parallelism 2 and 4
                    ? IrregularRows.manyNearlyInOrder(seed)
                    : IrregularRows.of(seed);
            engines.ask(write(slices, "odd-" + seed, seed), evidence(seed), SI_AND_SER, null, 0);
        }
        engines.compare();
    }

    /** A bad row in one file, and in others positions that occur twice, gaps, and rows out of order. */
    @Tag(Seeds.TAG)
    @Test
    void malformedAndIrregularRowsAreHandledAlike() throws Exception {
        for (long seed = 1; seed <= RANDOM_HISTORIES / 2; seed++) {
            Path parts = write(IrregularRows.of(seed), "bad-and-odd-" + seed, 2 * seed); // as text
            Random random = new Random(seed);
            List<Path> files = Files.list(parts).sorted().toList();
            for (int bad = 1 + random.nextInt(2); bad > 0; bad--) {
                String row = "{\"txn\":%d,\"session\":0,\"seq\":%d,\"ops\":[[\"w\",5,[]]]}\n";
                Files.writeString(
                        files.get(random.nextInt(files.size())),
                        row.formatted(random.nextInt(60), random.nextInt(60)),
                        StandardOpenOption.APPEND);
            }
            engines.ask(parts, evidence(seed), SI_AND_SER, null, seed % 3);
        }
        engines.compare();
    }

    private static List<Path> published(String verdicts) throws IOException {
        return PublishedCases.of(verdicts).stream()
                .map(one -> PublishedCases.at(String.valueOf(one.getOrDefault("file", one.get("path")))))
                .distinct()
                .toList();
    }

    private static Evidence evidence(long turn) {
        return Evidence.values()[(int) (turn % Evidence.values().length)];
    }

    private static List<IsolationLevel> levels(long turn) {
        return switch ((int) (turn % 3)) {
            case 0 -> IsolationLevel.all();
            case 1 -> List.of(IsolationLevel.STRICT_SERIALIZABLE);
            default -> WITHOUT_SESSIONS;
        };
    }

    /** As parts of a few transactions each, so that there are splits to be dealt out. */
    private Path write(List<HistorySlice> slices, String name, long seed) throws IOException {
        Path parts = Files.createDirectories(folder.resolve(name));
        String extension = seed % 2 == 0 ? ".jsonl" : ".parquet";
        int part = 0;
        for (HistorySlice slice : slices) {
            int size = (int) Math.max(1, slice.txnCount / (1 + seed % 5));
            for (int first = 0; first < slice.txnCount; first += size) {
                write(
                        slice,
                        first,
                        Math.min(slice.txnCount, first + size),
                        parts.resolve("part-%04d%s".formatted(part++, extension)));
            }
        }
        return parts;
    }

    private static void write(HistorySlice slice, int first, int end, Path file) throws IOException {
        SliceBuilder rows = new SliceBuilder("cut");
        for (int txn = first; txn < end; txn++) {
            rows.copyTxn(slice, txn);
        }
        try (HistoryWriter writer = Histories.create(file, null)) {
            writer.write(rows.build());
            writer.finish();
        }
    }
}
