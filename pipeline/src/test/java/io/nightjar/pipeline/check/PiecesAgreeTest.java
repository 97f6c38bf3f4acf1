package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.check.weak.WeakLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.infer.DependencyInference;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.primitive.ManyHands;
import io.nightjar.pipeline.primitive.ParallelTasks;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is done in pieces by several threads comes out as one thread does it, to the order of edges and of findings. */
@Tag(Seeds.TAG)
class PiecesAgreeTest {

    private static final ParallelTasks HANDS = new ManyHands(3);

    @Test
    void readsOfSmallHistoriesAreResolvedTheSame() {
        for (long seed : Seeds.upTo(1_500)) {
            assertSameReads(log(RandomReads.of(seed)), "nightjar.seed=" + seed);
            assertSameReads(log(RandomHistory.of(seed)), "nightjar.seed=" + seed);
        }
    }

    @Test
    void weakLevelsOfSmallHistoriesAreDecidedTheSame() {
        int violated = 0;
        for (long seed : Seeds.upTo(1_500)) {
            violated += assertSameLevels(log(RandomReads.of(seed)), "nightjar.seed=" + seed);
        }
        assertThat(violated).isPositive();
    }

    @Test
    void largerHistoriesAreResolvedAndDecidedTheSame() throws IOException {
        int violated = 0;
        for (long seed : Seeds.upTo(6)) {
            for (DataModel model : DataModel.values()) {
                OperationLog log = generated(model, seed);
                assertSameReads(log, "nightjar.seed=" + seed);
                violated += assertSameLevels(log, "nightjar.seed=" + seed);
                assertSameDependencies(log, "nightjar.seed=" + seed);
            }
        }
        assertThat(violated).isPositive();
    }

    private static OperationLog log(SmallHistory history) {
        OperationLogBuilder builder = new OperationLogBuilder(history.initialValue());
        history.slices(3).forEach(builder::add);
        return builder.build();
    }

    private static OperationLog generated(DataModel model, long seed) throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(null);
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .model(model)
                        .transactions(2_000)
                        .sessions(7)
                        .keys(40)
                        .seed(seed)
                        .faults(Map.of(Fault.STALE_READ, 4, Fault.GARBAGE_VALUE, 3, Fault.INTERMEDIATE_READ, 3))
                        .build(),
                builder::add);
        return builder.build();
    }

    @Test
    void dependenciesOfSmallHistoriesAreInferredTheSame() {
        long edges = 0;
        for (long seed : Seeds.upTo(1_500)) {
            edges += assertSameDependencies(log(RandomReads.of(seed)), "nightjar.seed=" + seed);
            edges += assertSameDependencies(log(RandomHistory.of(seed)), "nightjar.seed=" + seed);
        }
        assertThat(edges).isPositive();
    }

    /** Returns how many edges there are. */
    private static long assertSameDependencies(OperationLog log, String seed) {
        DependencyGraph one = dependencies(ReadResolution.of(log));
        DependencyGraph many = dependencies(ReadResolution.of(log, HANDS));

        assertThat(many.edges().firstEdgeOf).as(seed).isEqualTo(one.edges().firstEdgeOf);
        assertThat(many.edges().headOf).as(seed).isEqualTo(one.edges().headOf);
        assertThat(many.edges().kindsOf).as(seed).isEqualTo(one.edges().kindsOf);
        return one.edges().edgeCount;
    }

    @Test
    void whatReadsAndListsShowIsFoundTheSame() throws IOException {
        Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
        for (long seed : Seeds.upTo(1_500)) {
            found.addAll(assertSameAnswer(log(RandomReads.of(seed)), "nightjar.seed=" + seed));
            found.addAll(assertSameAnswer(log(RandomHistory.of(seed)), "nightjar.seed=" + seed));
        }
        for (long seed : Seeds.upTo(4)) {
            found.addAll(assertSameAnswer(generated(DataModel.REGISTER, seed), "nightjar.seed=" + seed));
            found.addAll(assertSameAnswer(generated(DataModel.LIST, seed), "nightjar.seed=" + seed));
        }
        assertThat(found).contains(Anomaly.GARBAGE_READ, Anomaly.LOST_UPDATE);
        if (Seeds.areAll()) {
            assertThat(found)
                    .contains(Anomaly.INTERNAL, Anomaly.G1A, Anomaly.G1B, Anomaly.INCOMPATIBLE_ORDER)
                    .contains(Anomaly.DIRTY_UPDATE, Anomaly.DUPLICATE_ELEMENTS, Anomaly.DUPLICATE_WRITE)
                    .contains(Anomaly.FUTURE_READ);
        }
    }

    /** Returns what was found. */
    private static Set<Anomaly> assertSameAnswer(OperationLog log, String seed) {
        DependencyAnswer one = answer(ReadResolution.of(log));
        DependencyAnswer many = answer(ReadResolution.of(log, HANDS));

        assertThat(many.direct())
                .as(seed)
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(one.direct());
        assertThat(many.missedOwnCount()).as(seed).isEqualTo(one.missedOwnCount());
        for (Anomaly anomaly : Anomaly.values()) {
            assertThat(many.count(anomaly)).as("%s %s", anomaly, seed).isEqualTo(one.count(anomaly));
        }
        assertThat(many.unproved()).as(seed).isEqualTo(one.unproved());
        assertThat(many.reason()).as(seed).isEqualTo(one.reason());
        return one.found();
    }

    private static DependencyAnswer answer(ReadResolution reads) {
        DependencyChecker.Options options =
                new DependencyChecker.Options(Set.of(VersionSource.WRITES_FOLLOW_READS), true, false);
        return DependencyChecker.check(reads, options, Budget.unlimited());
    }

    private static DependencyGraph dependencies(ReadResolution reads) {
        Set<VersionSource> sources = Set.of(VersionSource.WRITES_FOLLOW_READS);
        VersionOrders orders = VersionOrders.infer(reads, null, sources);
        return DependencyInference.infer(reads, orders, null, false);
    }

    private static void assertSameReads(OperationLog log, String seed) {
        ReadResolution one = ReadResolution.of(log);
        ReadResolution many = ReadResolution.of(log, HANDS);

        assertThat(repeatedWrites(many)).as(seed).isEqualTo(repeatedWrites(one));
        assertThat(text(new ReadInference(many, true, false).run()))
                .as(seed)
                .isEqualTo(text(new ReadInference(one, true, false).run()));
    }

    private static String repeatedWrites(ReadResolution reads) {
        StringBuilder text = new StringBuilder();
        reads.forEachRepeatedWrite((first, second, op) -> text.append(first)
                .append(' ')
                .append(second)
                .append(' ')
                .append(op)
                .append('\n'));
        return text.toString();
    }

    private static String text(ReadInference inference) {
        ClientHistory history = inference.history();
        return "faulty=" + inference.faultyReads() + " ambiguous=" + inference.ambiguousReads() + " partial="
                + inference.partialReads() + " keys=" + history.keyCount
                + " sessions=" + of(history.firstTxnOf, history.sessionCount + 1)
                + of(history.sessionOf, history.txnCount)
                + " ids=" + Arrays.toString(Arrays.copyOf(history.txnIdOf, history.txnCount))
                + " reads=" + of(history.firstReadOf, history.txnCount + 1)
                + of(history.keyOfRead, history.readCount)
                + of(history.writerOf, history.readCount)
                + " writes=" + of(history.firstWriteOf, history.txnCount + 1)
                + of(history.keyOfWrite, history.writeCount);
    }

    private static String of(int[] column, int count) {
        return Arrays.toString(Arrays.copyOf(column, count));
    }

    /** Returns how many levels are violated. */
    private static int assertSameLevels(OperationLog log, String seed) {
        ClientHistory history =
                new ReadInference(ReadResolution.of(log), true, false).run().history();
        WeakLevels one = new WeakLevels(history, Budget.unlimited());
        WeakLevels many = new WeakLevels(history, Budget.unlimited().withHelpers(HANDS));

        assertThat(many.readCommitted()).as(seed).isEqualTo(one.readCommitted());
        assertThat(many.readAtomic()).as(seed).isEqualTo(one.readAtomic());
        assertThat(many.causal()).as(seed).isEqualTo(one.causal());
        assertStrongestFirstSame(history, one, seed);
        return (one.readCommitted().verdict() == Verdict.VIOLATED ? 1 : 0)
                + (one.causal().verdict() == Verdict.VIOLATED ? 1 : 0);
    }

    private static void assertStrongestFirstSame(ClientHistory history, WeakLevels one, String seed) {
        WeakLevels strongestFirst = new WeakLevels(history, Budget.unlimited().withHelpers(HANDS));

        assertThat(strongestFirst.causal().verdict())
                .as(seed)
                .isEqualTo(one.causal().verdict());
        assertThat(strongestFirst.readAtomic()).as(seed).isEqualTo(one.readAtomic());
        assertThat(strongestFirst.readCommitted()).as(seed).isEqualTo(one.readCommitted());
    }
}
