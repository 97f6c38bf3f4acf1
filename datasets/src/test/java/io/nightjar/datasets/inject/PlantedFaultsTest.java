package io.nightjar.datasets.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.NaiveChecker;
import io.nightjar.datasets.NaiveHistory;
import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Planted faults cause exactly the anomalies in the side file, by the definitions. */
class PlantedFaultsTest {

    private static final int SEEDS = 12;
    private static final int MIXED_SEEDS = 25;
    private static final int FAULTS_OF_EACH = 3;

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("io.nightjar.datasets.inject.Fault#ofItems")
    void eachFaultCausesExactlyItsAnnouncedAnomalies(Fault fault) throws IOException {
        for (long seed : Seeds.upTo(SEEDS)) {
            for (StoreKind store : StoreKind.withTimestamps()) {
                for (DataModel model : DataModel.values()) {
                    checkAnnouncements(randomOptions(seed, model)
                            .store(store)
                            .faults(Map.of(fault, FAULTS_OF_EACH))
                            .build());
                }
            }
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void faultsOfAllKindsDoNotDisturbOneAnother() throws IOException {
        Map<Fault, Integer> all = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.ofItems()) {
            all.put(fault, FAULTS_OF_EACH);
        }
        for (long seed : Seeds.upTo(MIXED_SEEDS)) {
            for (StoreKind store : StoreKind.withTimestamps()) {
                for (DataModel model : DataModel.values()) {
                    checkAnnouncements(
                            randomOptions(seed, model).store(store).faults(all).build());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreKind.class,
            names = {"SI", "SER"})
    void everyFaultViolatesTheLevelOfItsStore(StoreKind store) throws IOException {
        Map<Fault, Integer> all = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.ofItems()) {
            all.put(fault, 2);
        }

        GeneratedHistory generated = HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .store(store)
                        .transactions(5_000)
                        .faults(all)
                        .build(),
                slice -> {});

        assertThat(generated.faults()).hasSize(2 * Fault.ofItems().size()).allMatch(fault -> fault.expected().stream()
                .anyMatch(anomaly -> anomaly.level() == store.level()));
    }

    @Test
    void theDefaultsHavePlaceForHundredFaultsOfEachKind() throws IOException {
        Map<Fault, Integer> all = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.ofItems()) {
            all.put(fault, 100);
        }
        for (StoreKind store : StoreKind.withTimestamps()) {
            GeneratedHistory generated = HistoryGenerator.generate(
                    GeneratorOptions.builder().store(store).faults(all).build(), slice -> {});

            assertThat(generated.faults()).hasSize(800);
        }
    }

    @Test
    void typesAreThoseThatTheNamePromises() throws IOException {
        assertThat(typesOf(Fault.STALE_READ)).containsOnly(Anomaly.EXT);
        assertThat(typesOf(Fault.LOST_UPDATE)).contains(Anomaly.NOCONFLICT);
        assertThat(typesOf(Fault.SESSION_BREAK)).containsOnly(Anomaly.SESSION);
        assertThat(typesOf(Fault.ABORTED_READ)).containsOnly(Anomaly.EXT);
        assertThat(typesOf(Fault.INTERMEDIATE_READ)).containsOnly(Anomaly.EXT);
        assertThat(typesOf(Fault.CLOCK_SKEW)).contains(Anomaly.EXT);
        assertThat(typesOf(Fault.START_AFTER_COMMIT)).containsOnly(Anomaly.TIMESTAMP_ORDER);
        assertThat(typesOf(Fault.GARBAGE_VALUE)).containsOnly(Anomaly.EXT);
    }

    @Test
    void onlyTheAnnouncedCellsDifferFromTheCleanHistory() throws IOException {
        GeneratorOptions.Builder options =
                GeneratorOptions.builder().transactions(2_000).keys(100);
        NaiveHistory clean = generate(options.build());
        NaiveHistory faulty =
                generate(options.faults(Map.of(Fault.STALE_READ, 5, Fault.LOST_UPDATE, 5, Fault.INTERMEDIATE_READ, 5))
                        .build());
        GeneratedHistory generated = HistoryGenerator.generate(options.build(), slice -> {});
        List<Long> announced = generated.faults().stream()
                .flatMap(fault -> fault.changes().stream())
                .map(PlantedFault.Change::txnId)
                .distinct()
                .sorted()
                .toList();

        List<Long> different = new ArrayList<>();
        for (int txn = 0; txn < clean.txns.size(); txn++) {
            if (!clean.txns.get(txn).equals(faulty.txns.get(txn))) {
                different.add(clean.txns.get(txn).id());
            }
        }
        assertThat(different).isEqualTo(announced);
    }

    @Test
    void historyTooSmallForFaultsIsRejectedBeforeOutput() {
        GeneratorOptions options = GeneratorOptions.builder()
                .transactions(5)
                .faults(Map.of(Fault.STALE_READ, 50))
                .build();
        List<Object> handedOn = new ArrayList<>();

        assertThatThrownBy(() -> HistoryGenerator.generate(options, handedOn::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("too few sites for a fault: fault=stale-read asked=50 possible=\\d; "
                        + "generate more transactions, or more that meet \\(fewer keys, more concurrency\\)");
        assertThat(handedOn).isEmpty();
    }

    @Test
    void abortedReadsNeedAbortedTransactions() {
        GeneratorOptions options = GeneratorOptions.builder()
                .concurrency(1)
                .transactions(1_000)
                .faults(Map.of(Fault.ABORTED_READ, 1))
                .build();

        assertThatThrownBy(() -> HistoryGenerator.generate(options, slice -> {}))
                .hasMessageStartingWith("too few sites for a fault: fault=aborted-read asked=1 possible=0;");
    }

    // ---------------------------------------------------------------- helpers

    private static void checkAnnouncements(GeneratorOptions options) throws IOException {
        NaiveHistory history = new NaiveHistory();
        GeneratedHistory generated = HistoryGenerator.generate(options, history::add);
        List<IsolationLevel> levels = options.store() == StoreKind.SER
                ? List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                : List.of(IsolationLevel.SNAPSHOT_ISOLATION);

        for (IsolationLevel level : levels) {
            assertThat(NaiveChecker.check(history, level))
                    .as("seed=%d level=%s options=%s", options.seed(), level, options)
                    .containsExactlyInAnyOrderElementsOf(announced(generated.faults(), level));
        }
    }

    private static List<String> announced(List<PlantedFault> faults, IsolationLevel level) {
        return faults.stream()
                .flatMap(fault -> fault.expected().stream())
                .filter(anomaly -> anomaly.level() == level)
                .map(anomaly -> NaiveChecker.finding(
                        anomaly.type().spelling(),
                        anomaly.key(),
                        anomaly.transactions().toArray(new Long[0])))
                .toList();
    }

    private static List<Anomaly> typesOf(Fault fault) throws IOException {
        GeneratedHistory generated = HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(5_000)
                        .faults(Map.of(fault, 10))
                        .build(),
                slice -> {});
        return generated.faults().stream()
                .flatMap(planted -> planted.expected().stream())
                .map(ExpectedAnomaly::type)
                .toList();
    }

    private static NaiveHistory generate(GeneratorOptions options) throws IOException {
        NaiveHistory history = new NaiveHistory();
        HistoryGenerator.generate(options, history::add);
        return history;
    }

    private static GeneratorOptions.Builder randomOptions(long seed, DataModel model) {
        SeededRandom random = new SeededRandom(seed);
        return GeneratorOptions.builder()
                .seed(seed)
                .model(model)
                .distribution(KeyDistribution.values()[random.below(3)])
                .transactions(700 + random.below(800))
                .sessions(2 + random.below(30))
                .ops(4 + random.below(8))
                .reads(0.3 + random.fraction() * 0.4)
                .keys(20 + random.below(150))
                .concurrency(2 + random.below(3))
                .appendsPerKey(10 + random.below(30));
    }
}
