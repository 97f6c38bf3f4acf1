package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.datasets.inject.PlantedFault;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine reports exactly the faults that the generator injected into a history. */
@Tag(Seeds.TAG)
class PlantedFaultsCheckTest {

    private static final int SEEDS = 3;
    private static final List<String> EXTENSIONS = List.of(".parquet", ".jsonl", ".arrow", ".txt", ".jsonl.zst");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.nightjar.datasets.inject.Fault#ofItems")
    void eachFaultIsReportedAndNothingElse(Fault fault) throws IOException {
        for (long seed : Seeds.upTo(SEEDS)) {
            for (StoreKind store : StoreKind.withTimestamps()) {
                for (DataModel model : DataModel.values()) {
                    checkAnnounced(options(seed, model).store(store).faults(Map.of(fault, 3)), seed);
                }
            }
        }
    }

    @Test
    void faultsOfAllKindsTogetherAreReportedAndNothingElse() throws IOException {
        Map<Fault, Integer> all = new EnumMap<>(Fault.class);
        Fault.ofItems().forEach(fault -> all.put(fault, 3));
        for (long seed : Seeds.upTo(2 * SEEDS)) {
            for (StoreKind store : StoreKind.withTimestamps()) {
                for (DataModel model : DataModel.values()) {
                    checkAnnounced(options(seed, model).store(store).faults(all), seed);
                }
            }
        }
    }

    @Test
    void cleanHistoriesHoldAtTheLevelOfTheirStore() throws IOException {
        for (long seed : Seeds.upTo(2 * SEEDS)) {
            for (StoreKind store : StoreKind.withTimestamps()) {
                for (DataModel model : DataModel.values()) {
                    GeneratorOptions options = options(seed, model).store(store).build();
                    Path file = file(seed);
                    TestHistories.generate(options, file);

                    RunResult result = TestHistories.check(file, TestHistories.options(levelsOf(store)));

                    assertThat(result.verdict()).as("%s", options).isEqualTo(Verdict.HOLDS);
                    assertThat(result.anomalies()).as("%s", options).isEmpty();
                }
            }
        }
    }

    private void checkAnnounced(GeneratorOptions.Builder builder, long seed) throws IOException {
        GeneratorOptions options = builder.build();
        Path file = file(seed);
        GeneratedHistory generated = TestHistories.generate(options, file);
        for (IsolationLevel level : levelsOf(options.store())) {
            List<String> announced = announced(generated.faults(), level);

            RunResult result = TestHistories.check(file, TestHistories.options(List.of(level)));

            List<String> found = result.anomalies().stream()
                    .map(PlantedFaultsCheckTest::found)
                    .toList();
            assertThat(found).as("%s %s", level, options).containsExactlyInAnyOrderElementsOf(announced);
            assertThat(result.levels().get(level).anomalies()).isEqualTo(announced.size());
        }
    }

    private static List<String> announced(List<PlantedFault> faults, IsolationLevel level) {
        return faults.stream()
                .flatMap(fault -> fault.expected().stream())
                .filter(anomaly -> anomaly.level() == level)
                .map(anomaly -> anomaly.type().spelling() + " " + anomaly.level() + " " + anomaly.transactions() + " "
                        + anomaly.key())
                .toList();
    }

    /**
     * Named by the transactions that the generator announces: both writers of a conflict, else the transaction at
     * fault.
     */
    private static String found(ListedAnomaly anomaly) {
        List<Long> txns = anomaly.type().equals("NOCONFLICT")
                ? anomaly.transactions()
                : anomaly.transactions().subList(0, 1);
        return anomaly.type() + " " + anomaly.level() + " " + txns + " " + anomaly.key();
    }

    private static List<IsolationLevel> levelsOf(StoreKind store) {
        return store == StoreKind.SER ? TestHistories.SI_AND_CSER : List.of(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    private Path file(long seed) {
        return folder.resolve("h" + EXTENSIONS.get(Math.floorMod(seed, EXTENSIONS.size())));
    }

    private static GeneratorOptions.Builder options(long seed, DataModel model) {
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
