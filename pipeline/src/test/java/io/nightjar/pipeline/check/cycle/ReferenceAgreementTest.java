package io.nightjar.pipeline.check.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.CycleRule.Base;
import io.nightjar.pipeline.check.cycle.DependencyChecker.Options;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On small random histories the check finds what the definitions say, tried out on all pairs of transactions. */
@Tag(Seeds.TAG)
class ReferenceAgreementTest {

    private static final int SEEDS = 4000;

    @Test
    void eachKindOfCycleIsFoundWhereverThereIsOne() {
        int cyclic = 0;
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = history(seed);
            Set<VersionSource> sources = sources(seed);
            ReferenceDependencies reference = new ReferenceDependencies(history, sources);
            if (reference.isContested || ReferenceDependencies.hasCycle(reference.so, reference.rt)) {
                continue;
            }
            DependencyAnswer answer = check(history, sources);
            cyclic += answer.cycles().isEmpty() ? 0 : 1;

            assertThat(kindsFound(answer))
                    .as("seed=%d sources=%s%n%s", seed, sources, history)
                    .isEqualTo(kindsThere(reference));
        }
        assertThat(cyclic).as("histories with cycles").isPositive();
    }

    @Test
    void everyCycleConsistsOfDependenciesOfItsKind() {
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = history(seed);
            Set<VersionSource> sources = sources(seed);
            ReferenceDependencies reference = new ReferenceDependencies(history, sources);
            if (reference.isContested) {
                continue;
            }
            for (DependencyCycle cycle : check(history, sources).cycles()) {
                byte[] kinds = new byte[cycle.length()];
                for (int i = 0; i < kinds.length; i++) {
                    kinds[i] = cycle.kind(i);
                    assertThat(relation(reference, kinds[i])[cycle.txn(i)][cycle.next(i)])
                            .as(
                                    "seed=%d edge %d %d of kind %d%n%s",
                                    seed, cycle.txn(i), cycle.next(i), kinds[i], history)
                            .isTrue();
                }
                assertThat(CycleRule.of(kinds).anomaly).as("seed=%d", seed).isEqualTo(cycle.anomaly());
            }
        }
    }

    @Test
    void reportedCycleIsShortestOfItsAnomaly() {
        int compared = 0;
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = history(seed);
            ReferenceDependencies reference = new ReferenceDependencies(history, Set.of());
            if (reference.isContested || ReferenceDependencies.hasCycle(reference.so, reference.rt)) {
                continue;
            }
            DependencyAnswer answer = check(history, Set.of());
            if (answer.cycles().isEmpty()) {
                continue;
            }
            Map<Anomaly, Integer> shortest = new SimpleCycles(reference).shortest();
            for (DependencyCycle cycle : answer.cycles()) {
                boolean isFirst = answer.cycles().stream()
                        .filter(other -> other.anomaly() == cycle.anomaly())
                        .noneMatch(other -> other.length() < cycle.length());
                if (isFirst && cycle.isShortest() && !isPassedOver(cycle.anomaly(), answer)) {
                    compared++;
                    assertThat(cycle.length())
                            .as("seed=%d %s%n%s", seed, cycle.anomaly().spelling(), history)
                            .isEqualTo(shortest.get(cycle.anomaly()));
                }
            }
        }
        assertThat(compared).as("cycles compared").isPositive();
    }

    private static SmallHistory history(long seed) {
        return seed % 3 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed, 6);
    }

    /** Whether an anomaly is not looked for in every component, because the same without an order was found somewhere. */
    private static boolean isPassedOver(Anomaly anomaly, DependencyAnswer answer) {
        String plain = anomaly.spelling().replaceAll("-(process|realtime)$", "");
        return !plain.equals(anomaly.spelling()) && answer.count(Anomaly.bySpelling(plain)) > 0;
    }

    private static Set<VersionSource> sources(long seed) {
        Random random = new Random(seed);
        EnumSet<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        for (VersionSource source :
                List.of(VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION, VersionSource.REALTIME)) {
            if (random.nextBoolean()) {
                sources.add(source);
            }
        }
        return sources;
    }

    private static DependencyAnswer check(SmallHistory history, Set<VersionSource> sources) {
        OperationLog log = SmallLogs.of(history);
        return DependencyChecker.check(ReadResolution.of(log), new Options(sources, true, true), Budget.unlimited());
    }

    private static boolean[][] relation(ReferenceDependencies reference, byte kind) {
        return switch (kind) {
            case DependencyGraph.WW -> reference.ww;
            case DependencyGraph.WR -> reference.wr;
            case DependencyGraph.RW -> reference.rw;
            case DependencyGraph.SO -> reference.so;
            default -> reference.rt;
        };
    }

    /** What cycles there are: by orders allowed, those without rw, with one, with separate ones, any. */
    private static List<String> kindsThere(ReferenceDependencies reference) {
        List<String> kinds = new ArrayList<>();
        boolean[][] none = new boolean[reference.count][reference.count];
        boolean[][][] orders = {none, reference.so, ReferenceDependencies.union(reference.so, reference.rt)};
        for (int order = 0; order < orders.length; order++) {
            boolean[][] flows = ReferenceDependencies.union(reference.ww, reference.wr, orders[order]);
            note(kinds, order, Base.OVERWRITES, ReferenceDependencies.hasCycle(reference.ww, orders[order]));
            note(kinds, order, Base.FLOWS, ReferenceDependencies.hasCycle(flows));
            boolean hasFlows = ReferenceDependencies.hasCycle(flows);
            note(kinds, order, Base.MISSES_ONE, hasFlows || ReferenceDependencies.hasSingle(reference.rw, flows));
            note(kinds, order, Base.MISSES_APART, ReferenceDependencies.hasSeparate(reference.rw, flows));
            note(kinds, order, Base.MISSES_IN_A_ROW, ReferenceDependencies.hasCycle(flows, reference.rw));
        }
        return kinds;
    }

    private static List<String> kindsFound(DependencyAnswer answer) {
        List<String> kinds = new ArrayList<>();
        int[] allowed = {0, DependencyGraph.SO, DependencyGraph.SO | DependencyGraph.RT};
        for (int order = 0; order < allowed.length; order++) {
            for (Base base : Base.values()) {
                boolean isFound = false;
                for (CycleRule rule : CycleRule.values()) {
                    boolean implies = rule.base.compareTo(base) <= 0 && (rule.orders & ~allowed[order]) == 0;
                    isFound |= implies && answer.count(rule.anomaly) > 0;
                }
                note(kinds, order, base, isFound);
            }
        }
        return kinds;
    }

    private static void note(List<String> kinds, int order, Base base, boolean is) {
        if (is) {
            kinds.add(base + " with " + order + " orders");
        }
    }

    @Test
    void anomaliesAreNeverOfPredicates() {
        for (CycleRule rule : CycleRule.values()) {
            assertThat(rule.anomaly.spelling()).matches("G0.*|G1c.*|.*-item.*");
            assertThat(Anomaly.bySpelling(rule.anomaly.spelling())).isEqualTo(rule.anomaly);
        }
    }
}
