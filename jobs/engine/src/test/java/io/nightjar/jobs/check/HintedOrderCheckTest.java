package io.nightjar.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.ValueOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hinted order proves a level only if a check that holds everything in memory reports that the level holds. */
class HintedOrderCheckTest {

    private static final Set<IsolationLevel> SIX = EnumSet.copyOf(IsolationLevel.all());
    private static final long MUCH = 256L << 20;
    private static final long LITTLE = 4L << 20;

    @TempDir
    private Path spillParent;

    @Tag(Seeds.TAG)
    @Test
    void levelProvedByOrderHoldsInMemoryToo() throws IOException {
        int proved = 0;
        int violated = 0;
        for (long seed : Seeds.upTo(400)) {
            SmallHistory reads = RandomReads.of(seed);
            for (SmallHistory history : List.of(reads, reads.shuffled(seed), RandomHistory.of(seed, 6))) {
                Both both = both(source(history.slices(2)), history.initialValue());
                for (IsolationLevel level : both.proved) {
                    assertThat(both.isConfirmedInMemory(level))
                            .as("seed=%d level=%s%n%s", seed, level, history)
                            .isTrue();
                }
                proved += both.proved.isEmpty() ? 0 : 1;
                violated += both.inMemory.findings().total() > 0 ? 1 : 0;
            }
        }
        if (Seeds.areAll()) {
            assertThat(proved).as("some histories have an order").isGreaterThan(50);
            assertThat(violated).as("others have none").isGreaterThan(50);
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void storeHistoryIsProvedByRowOrder() throws IOException {
        for (long seed : Seeds.upTo(10)) {
            for (StoreKind store : List.of(StoreKind.SI, StoreKind.SER)) {
                List<HistorySlice> slices = generated(store, seed, Map.of());

                Both both = both(source(slices), null);

                IsolationLevel kept =
                        store == StoreKind.SER ? IsolationLevel.SERIALIZABLE : IsolationLevel.SNAPSHOT_ISOLATION;
                assertThat(both.proved).as("seed=%d store=%s", seed, store).contains(kept, IsolationLevel.CAUSAL);
                assertThat(both.proved).allMatch(both::isConfirmedInMemory);
            }
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void idsMayOrderUnsortedRows() throws IOException {
        for (long seed : Seeds.upTo(5)) {
            List<HistorySlice> slices = new ArrayList<>(generated(StoreKind.SI, seed, Map.of()));
            Collections.reverse(slices);

            Both both = both(source(slices), null);

            assertThat(both.proved).as("seed=%d", seed).contains(IsolationLevel.SNAPSHOT_ISOLATION);
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void nothingIsProvedOfAHistoryWithAFault() throws IOException {
        for (long seed : Seeds.upTo(5)) {
            for (Fault fault :
                    List.of(Fault.LOST_UPDATE, Fault.GARBAGE_VALUE)) { // values alone may explain a stale read
                List<HistorySlice> slices = generated(StoreKind.SI, seed, Map.of(fault, 1));

                Both both = both(source(slices), null);

                assertThat(both.proved)
                        .as("seed=%d fault=%s", seed, fault)
                        .doesNotContain(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);
                assertThat(both.proved).allMatch(both::isConfirmedInMemory);
            }
        }
    }

    @Test
    void aValueWrittenTwiceProvesNothing() throws IOException {
        SmallHistory history = SmallHistory.parse("s0 T1: w(x,1)\ns1 T2: w(x,1)\ns2 T3: r(x,1)");

        assertThat(both(source(history.slices(1)), null).proved).isEmpty();
    }

    @Test
    void historyLargerThanMemoryHoldsByRowOrder() throws IOException {
        RunResult result = check(big(StoreKind.SI, Map.of()), LITTLE);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.evidence()).isEqualTo("values");
        assertThat(result.keys())
                .isEqualTo(check(big(StoreKind.SI, Map.of()), MUCH).keys());
        assertThat(spillParent).isEmptyDirectory();
    }

    @Test
    void historyWithoutOrderIsUndecidedWithRequiredMemory() throws IOException {
        RunResult result = check(big(StoreKind.SI, Map.of(Fault.GARBAGE_VALUE, 1)), LITTLE);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .startsWith("operations do not fit into memory: ");
    }

    private RunResult check(List<HistorySlice> slices, long memory) throws IOException {
        CheckOptions options = options(List.of(IsolationLevel.SNAPSHOT_ISOLATION), null, memory);
        return new LocalEngine(options, "test", ProgressListener.NONE).check(source(slices), Path.of("slices"));
    }

    private static List<HistorySlice> big(StoreKind store, Map<Fault, Integer> faults) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(10_000)
                        .ops(10)
                        .keys(2_000)
                        .store(store)
                        .faults(faults)
                        .build(),
                slices::add);
        return slices;
    }

    private static List<HistorySlice> generated(StoreKind store, long seed, Map<Fault, Integer> faults)
            throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(300)
                        .sessions(6)
                        .ops(5)
                        .keys(30)
                        .seed(seed)
                        .store(store)
                        .faults(faults)
                        .build(),
                slices::add);
        return slices;
    }

    private static HistorySource source(List<HistorySlice> slices) {
        return new SliceSource(slices, 2, 100);
    }

    private CheckOptions options(List<IsolationLevel> levels, String initialValue, long memory) {
        return CheckOptions.of(levels)
                .evidence(Evidence.VALUES)
                .initialValue(initialValue)
                .threadCount(2)
                .memoryBytes(memory)
                .spillParent(spillParent)
                .build();
    }

    /** The levels that an order proves, and the outcome of the check in memory. */
    private record Both(Set<IsolationLevel> proved, ValueOutcome inMemory) {

        /** Returns whether the level holds in memory too, or is undecided only since values do not name one writer. */
        boolean isConfirmedInMemory(IsolationLevel level) {
            String reason = inMemory.doubt(level);
            boolean isAmbiguous = reason != null && reason.contains("a value that several transactions wrote");
            return (reason == null || isAmbiguous)
                    && inMemory.findings().counts(level).isEmpty();
        }
    }

    private Both both(HistorySource source, String initialValue) throws IOException {
        CheckOptions options = options(IsolationLevel.all(), initialValue, MUCH);
        try (ValidatingScanner rows = new ValidatingScanner(source, 2, MUCH, spillParent)) {
            ValueRun run = new ValueRun(rows, initialValue, options, 1_000, StageMetrics.untold());
            assertThat(run.read(BadRowHandler.PASS_OVER)).isTrue();
            HintedOrderCheck orders = new HintedOrderCheck(rows, options, StageMetrics.untold(), ProgressListener.NONE);
            Set<IsolationLevel> proved = EnumSet.noneOf(IsolationLevel.class);
            if (orders.canAnswer(run.hasVersions())) {
                ValueOutcome outcome = orders.check(SIX, "unfit");
                for (IsolationLevel level : SIX) {
                    if (outcome != null && outcome.doubt(level) == null) {
                        proved.add(level);
                    }
                }
            }
            return new Both(proved, run.check(SIX, true));
        }
    }
}
