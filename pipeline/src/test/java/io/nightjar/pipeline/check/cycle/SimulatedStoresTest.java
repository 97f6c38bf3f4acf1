package io.nightjar.pipeline.check.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.DependencyChecker.Options;
import io.nightjar.pipeline.explain.DependencyFindings;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histories of simulated stores: clean ones are never accused, what is planted is found. */
@Tag(Seeds.TAG)
class SimulatedStoresTest {

    private static final Set<VersionSource> TRUE_SOURCES =
            EnumSet.of(VersionSource.TIMESTAMP, VersionSource.WRITES_FOLLOW_READS);

    @Test
    void serializableStoresAreStrictlySo() throws IOException {
        for (long seed : Seeds.upTo(4)) {
            for (DataModel model : DataModel.values()) {
                DependencyAnswer answer = check(log(model, StoreKind.SER, seed, Map.of()).log);

                assertThat(answer.found())
                        .as("nightjar.seed=%d %s", seed, model)
                        .isEmpty();
                assertThat(answer.unproved())
                        .as("nightjar.seed=%d %s", seed, model)
                        .doesNotContainAnyElementsOf(LevelLattice.forbiddenBy(IsolationLevel.STRICT_SERIALIZABLE));
            }
        }
    }

    @Test
    void storesOfSnapshotIsolationAreStronglySoAndNotSerializable() throws IOException {
        for (long seed : Seeds.upTo(4)) {
            for (DataModel model : DataModel.values()) {
                DependencyAnswer answer = check(log(model, StoreKind.SI, seed, Map.of()).log);

                Set<Anomaly> forbidden = LevelLattice.forbiddenBy(IsolationLevel.STRONG_SNAPSHOT_ISOLATION);
                assertThat(answer.found())
                        .as("nightjar.seed=%d %s", seed, model)
                        .contains(Anomaly.G2_ITEM)
                        .doesNotContainAnyElementsOf(forbidden);
                assertThat(answer.unproved())
                        .as("nightjar.seed=%d %s", seed, model)
                        .doesNotContainAnyElementsOf(forbidden);
            }
        }
    }

    @Test
    void wrongReadsAreAllFound() throws IOException {
        Map<Fault, Anomaly> anomalyOf = Map.of(
                Fault.ABORTED_READ, Anomaly.G1A,
                Fault.INTERMEDIATE_READ, Anomaly.G1B,
                Fault.GARBAGE_VALUE, Anomaly.GARBAGE_READ);
        for (long seed : Seeds.upTo(4)) {
            for (DataModel model : DataModel.values()) {
                Map<Fault, Integer> faults =
                        Map.of(Fault.ABORTED_READ, 5, Fault.INTERMEDIATE_READ, 5, Fault.GARBAGE_VALUE, 5);
                Generated generated = log(model, StoreKind.SER, seed, faults);
                List<Finding> findings = findings(generated.log);

                for (PlantedFault fault : generated.history.faults()) {
                    Anomaly anomaly = anomalyOf.get(fault.fault());
                    assertThat(findings)
                            .as("nightjar.seed=%d %s %s", seed, model, fault)
                            .anyMatch(finding -> finding.anomaly() == anomaly
                                    && finding.participants().get(0).txnId()
                                            == fault.transactions().get(0));
                }
            }
        }
    }

    @Test
    void staleReadsPutOnlyTheirReadersOnCycles() throws IOException {
        int found = 0;
        for (long seed : Seeds.upTo(4)) {
            for (DataModel model : DataModel.values()) {
                Generated generated = log(model, StoreKind.SER, seed, Map.of(Fault.STALE_READ, 5));
                Set<Long> victims = new HashSet<>();
                generated
                        .history
                        .faults()
                        .forEach(fault -> victims.add(fault.transactions().get(0)));
                for (Finding finding : findings(generated.log)) {
                    found++;
                    assertThat(finding.participants())
                            .as("nightjar.seed=%d %s %s", seed, model, finding)
                            .anyMatch(txn -> isAccused(txn) && victims.contains(txn.txnId()));
                }
            }
        }
        assertThat(found).isPositive();
    }

    @Test
    void everyStaleReadIsOnACycleHoweverManyMakeOneComponent() throws IOException {
        int planted = 0;
        for (long seed : Seeds.upTo(4)) {
            for (DataModel model : DataModel.values()) {
                Generated generated = log(model, StoreKind.SER, seed, Map.of(Fault.STALE_READ, 150));
                planted += generated.history.faults().size();

                assertThat(check(generated.log).components())
                        .as("nightjar.seed=%d %s", seed, model)
                        .isBetween(1, 5);
                assertThat(missedReads(findings(generated.log)))
                        .as("nightjar.seed=%d %s", seed, model)
                        .containsAll(victims(generated));
            }
        }
        assertThat(planted).isGreaterThan(100);
    }

    @Test
    void nearlyEveryStaleReadIsOnACycleWhereNobodyKnowsWhenAnythingHappened() throws IOException {
        Random random = new Random(7);
        int planted = 0;
        int found = 0;
        for (long seed : Seeds.upTo(4)) {
            Generated generated = log(DataModel.LIST, StoreKind.SER, seed, Map.of(Fault.STALE_READ, 150));
            for (int txn = 0; txn < generated.log.txnCount; txn++) {
                generated.log.commitTs[txn] = random.nextInt();
                generated.log.completeNs[txn] = HistorySlice.NONE;
            }
            Set<List<Object>> victims = victims(generated);
            planted += victims.size();
            victims.retainAll(missedReads(findings(generated.log)));
            found += victims.size();
        }
        assertThat(found).isGreaterThan(planted * 8 / 10);
    }

    /** The readers of planted stale reads, with the keys. */
    private static Set<List<Object>> victims(Generated generated) {
        Set<List<Object>> victims = new HashSet<>();
        generated
                .history
                .faults()
                .forEach(fault -> victims.add(List.of(fault.transactions().get(0), fault.key())));
        return victims;
    }

    /** Who misses a version of which key on some cycle. */
    private static Set<List<Object>> missedReads(List<Finding> findings) {
        Set<List<Object>> missed = new HashSet<>();
        for (Finding finding : findings) {
            for (Edge edge : finding.edges()) {
                if (edge.type() == EdgeType.RW) {
                    missed.add(List.of(edge.fromTxnId(), edge.key()));
                }
            }
        }
        return missed;
    }

    private static boolean isAccused(Participant txn) {
        return txn.role() != Role.NEEDED;
    }

    private record Generated(OperationLog log, GeneratedHistory history) {}

    private static Generated log(DataModel model, StoreKind store, long seed, Map<Fault, Integer> faults)
            throws IOException {
        GeneratorOptions options = GeneratorOptions.builder()
                .model(model)
                .store(store)
                .transactions(2000)
                .sessions(10)
                .ops(8)
                .keys(100)
                .distribution(KeyDistribution.ZIPFIAN)
                .concurrency(5)
                .seed(seed)
                .faults(faults)
                .build();
        OperationLogBuilder builder = new OperationLogBuilder(null);
        GeneratedHistory history = HistoryGenerator.generate(options, builder::add);
        return new Generated(builder.build(), history);
    }

    private static DependencyAnswer check(OperationLog log) {
        return DependencyChecker.check(
                ReadResolution.of(log), new Options(TRUE_SOURCES, true, true), Budget.unlimited());
    }

    private static List<Finding> findings(OperationLog log) {
        return DependencyFindings.of(log, check(log), List.of(IsolationLevel.STRICT_SERIALIZABLE), 10_000);
    }
}
