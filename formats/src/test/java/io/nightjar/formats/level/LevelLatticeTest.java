package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.LevelLattice.ProvedBy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LevelLatticeTest {

    private static final Set<IsolationLevel> BISWAS_ENEA = EnumSet.copyOf(IsolationLevel.all());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "G0 | read-uncommitted",
                "G1a | read-committed",
                "G1b | read-committed",
                "G1c | read-committed",
                "dirty-update | read-committed",
                "future-read | read-committed",
                "incompatible-order | read-committed",
                "garbage-read | read-committed",
                "internal | read-atomic",
                "duplicate-elements | read-uncommitted",
                "cyclic-versions | read-uncommitted",
                "lost-update | cursor-stability update-atomic",
                "G-single | consistent-view",
                "G-single-item | consistent-view repeatable-read",
                "G-nonadjacent | snapshot-isolation",
                "G-nonadjacent-item | repeatable-read snapshot-isolation",
                "G2 | serializable",
                "G2-item | repeatable-read",
                "G0-process | strong-session-read-uncommitted",
                "G1c-process | strong-session-read-committed",
                "G-single-process | strong-session-snapshot-isolation",
                "G-single-item-process | strong-session-snapshot-isolation",
                "G-nonadjacent-process | strong-session-snapshot-isolation",
                "G-nonadjacent-item-process | strong-session-snapshot-isolation",
                "G2-process | strong-session-serializable",
                "G2-item-process | strong-session-serializable",
                "G0-realtime | strong-read-uncommitted",
                "G1c-realtime | strong-read-committed",
                "G-single-realtime | strong-snapshot-isolation",
                "G-single-item-realtime | strong-snapshot-isolation",
                "G-nonadjacent-realtime | strong-snapshot-isolation",
                "G-nonadjacent-item-realtime | strong-snapshot-isolation",
                "G2-realtime | strong-serializable",
                "G2-item-realtime | strong-serializable"
            })
    void anomalyRulesOutSameLevelsAsElle(String anomaly, String weakest) {
        ElleRuledOutLevels ruledOut =
                LevelLattice.ruledOut(EnumSet.of(Anomaly.bySpelling(anomaly)), Map.of(), Map.of());

        assertThat(ruledOut.not()).containsExactly(weakest.split(" "));
    }

    /**
     * Elle does not connect G-SIb with GSIb nor G-SI with GSI; if connected, a level that forbids G-SI also forbids
     * GSIa.
     */
    @ParameterizedTest
    @CsvSource({
        "1SR, 0",
        "PL-1, 4",
        "PL-2, 12",
        "PL-2+, 17",
        "PL-2.99, 18",
        "PL-2L, 13",
        "PL-3, 32",
        "PL-3U, 19",
        "PL-CS, 14",
        "PL-FCV, 18",
        "PL-MSR, 13",
        "PL-SI, 25",
        "PL-SS, 58",
        "PRAM, 0",
        "causal, 0",
        "causal-cerone, 13",
        "linearizable, 0",
        "monotonic-atomic-view, 12",
        "monotonic-reads, 0",
        "monotonic-writes, 0",
        "parallel-snapshot-isolation, 14",
        "prefix, 13",
        "read-atomic, 13",
        "read-your-writes, 0",
        "sequential, 0",
        "session-serializable, 0",
        "strong-PL-1, 8",
        "strong-PL-2, 20",
        "strong-session-PL-1, 6",
        "strong-session-PL-2, 16",
        "strong-session-serializable, 45",
        "strong-session-snapshot-isolation, 35",
        "strong-snapshot-isolation, 45",
        "update-atomic, 14",
        "view-serializable, 0",
        "writes-follow-reads, 0"
    })
    void aLevelForbidsAsManyAnomaliesAsElleSays(String level, int count) {
        Set<String> ours =
                Set.of("garbage-read", "no-prefix-order", "no-snapshot-order", "no-serial-order", "commit-order-cycle");

        assertThat(LevelLattice.forbiddenNames(level).stream().filter(name -> !ours.contains(name)))
                .hasSize(count);
    }

    @Test
    void elleHasThirtySixLevels() {
        assertThat(LevelLattice.elleLevels()).hasSize(36);
    }

    @Test
    void anomalyRulesOutAllStrongerLevels() {
        for (IsolationLevel stronger : IsolationLevel.values()) {
            for (IsolationLevel weaker : IsolationLevel.values()) {
                Set<Anomaly> forbidden = LevelLattice.forbiddenBy(weaker);
                forbidden.remove(Anomaly.CYCLIC_VERSIONS); // may follow from an order that was only assumed
                if (LevelLattice.implies(stronger, weaker)) {
                    assertThat(LevelLattice.forbiddenBy(stronger))
                            .as(stronger + " implies " + weaker)
                            .containsAll(forbidden);
                }
            }
        }
    }

    @Test
    void theSixFollowFromEachOther() {
        List<IsolationLevel> six = IsolationLevel.all();
        for (int weak = 0; weak < six.size(); weak++) {
            for (int strong = 0; strong < six.size(); strong++) {
                assertThat(LevelLattice.implies(six.get(strong), six.get(weak))).isEqualTo(strong >= weak);
            }
        }
    }

    @Test
    void strongSessionLevelsOfElleNeedSessionOrder() {
        assertThat(LevelLattice.implies(IsolationLevel.SERIALIZABLE, IsolationLevel.STRONG_SESSION_SERIALIZABLE))
                .isTrue();
        assertThat(LevelLattice.implies(IsolationLevel.STRONG_SESSION_SERIALIZABLE, IsolationLevel.SERIALIZABLE))
                .isTrue();
        assertThat(LevelLattice.implies(
                        IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.STRONG_SESSION_SNAPSHOT_ISOLATION))
                .isTrue();
        assertThat(LevelLattice.implies(
                        IsolationLevel.STRONG_SESSION_SNAPSHOT_ISOLATION, IsolationLevel.SNAPSHOT_ISOLATION))
                .isTrue();
    }

    @Test
    void levelsWithoutSessionOrderImplyNoneOfTheSix() {
        for (IsolationLevel six : BISWAS_ENEA) {
            assertThat(LevelLattice.implies(IsolationLevel.PL_3, six)).isFalse();
        }
    }

    @Test
    void strictSerializableImpliesAllThatAnythingForbids() {
        for (IsolationLevel level : IsolationLevel.values()) {
            if (level != IsolationLevel.SEQUENTIAL && level != IsolationLevel.LINEARIZABLE) {
                assertThat(LevelLattice.forbiddenBy(IsolationLevel.STRICT_SERIALIZABLE))
                        .containsAll(LevelLattice.forbiddenBy(level));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "G0, rc",
        "G1a, rc",
        "G1b, rc",
        "G1c, rc",
        "G0-process, rc",
        "G1c-process, rc",
        "garbage-read, rc",
        "future-read, rc",
        "dirty-update, rc",
        "incompatible-order, rc",
        "duplicate-elements, rc",
        "internal, ra",
        "no-prefix-order, pc",
        "no-snapshot-order, si",
        "lost-update, si",
        "G-single-item, si",
        "G-single-item-process, si",
        "G-single, si",
        "G-nonadjacent-item, si",
        "G-nonadjacent-item-process, si",
        "G2-item, ser",
        "G2-item-process, ser",
        "G2, ser",
        "no-serial-order, ser",
        "commit-order-cycle, ser"
    })
    void anomalyRulesOutItsLevelOfSixAndStrongerOnes(String anomaly, String weakest) {
        IsolationLevel expected = IsolationLevel.byName(weakest);
        Set<IsolationLevel> ruledOut = EnumSet.copyOf(BISWAS_ENEA);
        ruledOut.removeIf(level -> !LevelLattice.rulesOut(Anomaly.bySpelling(anomaly), level));

        assertThat(ruledOut)
                .containsExactlyElementsOf(EnumSet.range(expected, IsolationLevel.SERIALIZABLE).stream()
                        .filter(BISWAS_ENEA::contains)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(
            value = Anomaly.class,
            names = {".*_REALTIME", "DUPLICATE_WRITE", "CYCLIC_VERSIONS"},
            mode = EnumSource.Mode.MATCH_ANY)
    void realTimeAndAssumedOrdersViolateNoneOfSix(Anomaly anomaly) {
        for (IsolationLevel level : BISWAS_ENEA) {
            assertThat(LevelLattice.rulesOut(anomaly, level)).isFalse();
        }
    }

    @Test
    void circularInformationFlowRulesOutCausal() {
        assertThat(LevelLattice.rulesOut(Anomaly.G1C, IsolationLevel.CAUSAL)).isTrue();
    }

    @Test
    void theFindingGetsTheWeakestOfTheLevelsAskedFor() {
        List<IsolationLevel> asked = List.of(
                IsolationLevel.STRICT_SERIALIZABLE, IsolationLevel.PL_3, IsolationLevel.PL_2, IsolationLevel.PL_2_99);

        assertThat(LevelLattice.weakestRuledOut(Anomaly.G2_ITEM, asked)).isEqualTo(IsolationLevel.PL_2_99);
        assertThat(LevelLattice.weakestRuledOut(Anomaly.G2, asked)).isEqualTo(IsolationLevel.PL_3);
        assertThat(LevelLattice.weakestRuledOut(Anomaly.G2_REALTIME, asked))
                .isEqualTo(IsolationLevel.STRICT_SERIALIZABLE);
        assertThat(LevelLattice.weakestRuledOut(Anomaly.G2, List.of(IsolationLevel.PL_2)))
                .isNull();
        assertThat(LevelLattice.weakestRuledOut(Anomaly.G2, List.of())).isNull();
    }

    @Test
    void levelsForbiddingTheirCyclesNeedSessionOrderOrRealTime() {
        assertThat(LevelLattice.needsSessionOrder(List.of(IsolationLevel.PL_3))).isFalse();
        assertThat(LevelLattice.needsSessionOrder(List.of(IsolationLevel.SERIALIZABLE)))
                .isTrue();
        assertThat(LevelLattice.needsRealTime(List.of(IsolationLevel.SERIALIZABLE)))
                .isFalse();
        assertThat(LevelLattice.needsRealTime(List.of(IsolationLevel.STRONG_PL_1)))
                .isTrue();
        assertThat(LevelLattice.needsRealTime(List.of())).isFalse();
    }

    @Test
    void repeatableReadIsSearchedForItsOwnAnomaliesOnly() {
        Set<Anomaly> searched = LevelLattice.searchedFor(List.of(IsolationLevel.PL_2_99));

        assertThat(searched)
                .contains(Anomaly.G0, Anomaly.G1C, Anomaly.G_SINGLE_ITEM, Anomaly.G_NONADJACENT_ITEM, Anomaly.G2_ITEM)
                .doesNotContain(Anomaly.G2, Anomaly.G2_ITEM_PROCESS, Anomaly.G_SINGLE);
    }

    @Test
    void levelWithoutForbiddenAnomaliesIsNeitherProvedNorViolated() {
        for (IsolationLevel level : IsolationLevel.values()) {
            boolean isOutOfReach = LevelLattice.provedBy(level) == ProvedBy.NOTHING;
            assertThat(LevelLattice.forbiddenBy(level).isEmpty())
                    .as(level.longName())
                    .isEqualTo(isOutOfReach);
        }
        assertThat(Arrays.stream(IsolationLevel.values())
                        .filter(level -> LevelLattice.provedBy(level) == ProvedBy.NOTHING)
                        .map(IsolationLevel::longName))
                .containsExactly(
                        "monotonic-reads",
                        "monotonic-writes",
                        "read-your-writes",
                        "writes-follow-reads",
                        "PRAM",
                        "view-serializable",
                        "1SR",
                        "session-serializable",
                        "sequential",
                        "linearizable");
    }

    @Test
    void levelsWithUndetectedAnomaliesNeedAnotherProof() {
        assertThat(Arrays.stream(IsolationLevel.values())
                        .filter(level -> LevelLattice.provedBy(level) == ProvedBy.ANOTHER_PROOF)
                        .map(IsolationLevel::longName))
                .containsExactly(
                        "cursor-stability",
                        "monotonic-view",
                        "monotonic-snapshot-read",
                        "monotonic-atomic-view",
                        "forward-consistent-view",
                        "read-committed",
                        "read-atomic",
                        "update-atomic",
                        "causal-cerone",
                        "causal",
                        "prefix",
                        "parallel-snapshot-isolation",
                        "update-serializable",
                        "commit-order-serializable");
    }

    @Test
    void doubtsAreWords() {
        assertThat(LevelLattice.doubt(IsolationLevel.PL_3)).isNull();
        assertThat(LevelLattice.doubt(IsolationLevel.SEQUENTIAL))
                .isEqualTo("no anomaly proves or rules out sequential");
        assertThat(LevelLattice.doubt(IsolationLevel.MONOTONIC_VIEW))
                .isEqualTo("no anomaly that rules out monotonic-view was found, but it also forbids"
                        + " undetectable anomalies; it holds where a stronger level does");
    }

    @Test
    void everyReasonIsNamed() {
        ElleRuledOutLevels ruledOut =
                LevelLattice.ruledOut(EnumSet.of(Anomaly.G2_ITEM, Anomaly.G_NONADJACENT_ITEM), Map.of(), Map.of());

        assertThat(ruledOut.not()).containsExactly("repeatable-read", "snapshot-isolation");
        assertThat(ruledOut.because().get("repeatable-read")).containsExactly("G-nonadjacent-item", "G2-item");
        assertThat(ruledOut.because().get("snapshot-isolation")).containsExactly("G-nonadjacent-item");
    }

    @Test
    void nothingFoundRulesOutNothing() {
        assertThat(LevelLattice.ruledOut(EnumSet.noneOf(Anomaly.class), Map.of(), Map.of()))
                .isEqualTo(ElleRuledOutLevels.NONE);
    }

    @Test
    void nonSerializableHistoryIsNotSerializableInSessions() {
        ElleRuledOutLevels ruledOut = LevelLattice.ruledOut(EnumSet.of(Anomaly.NO_SERIAL_ORDER), Map.of(), Map.of());

        assertThat(ruledOut.not()).containsExactly("strong-session-serializable");
        assertThat(ruledOut.alsoNot()).containsExactly("strong-serializable");
    }

    @ParameterizedTest
    @CsvSource({
        "rc, PL-2, PL-2+",
        "ra, monotonic-atomic-view, causal-cerone",
        "cc, causal-cerone, update-atomic",
        "pc, causal-cerone, PL-SI",
        "si, PL-SI, PL-2.99",
        "ser, PL-3, strong-session-PL-1"
    })
    void levelOfSixProvesSessionlessLevels(String ofSix, String proved, String notProved) {
        IsolationLevel level = IsolationLevel.byName(ofSix);

        assertThat(LevelLattice.isProvedWithoutSessions(IsolationLevel.byName(proved), level))
                .isTrue();
        assertThat(LevelLattice.isProvedWithoutSessions(IsolationLevel.PL_1, level))
                .isTrue();
        assertThat(LevelLattice.isProvedWithoutSessions(IsolationLevel.byName(notProved), level))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ra, update-atomic, PL-2",
        "cc, PL-2+, PL-CS",
        "cc, causal-cerone, update-atomic",
        "pc, PL-SI, parallel-snapshot-isolation",
        "si, PL-SI, PL-FCV",
        "ser, PL-2.99, PL-SI"
    })
    void sessionlessLevelsNeedLevelOfSix(String ofSix, String dependent, String independent) {
        IsolationLevel level = IsolationLevel.byName(ofSix);

        assertThat(LevelLattice.needsWithoutSessions(IsolationLevel.byName(dependent), level))
                .isTrue();
        assertThat(LevelLattice.needsWithoutSessions(IsolationLevel.PL_3, level))
                .isTrue();
        assertThat(LevelLattice.needsWithoutSessions(IsolationLevel.SERIALIZABLE, level))
                .isTrue();
        assertThat(LevelLattice.needsWithoutSessions(IsolationLevel.byName(independent), level))
                .isFalse();
    }

    @Test
    void sessionlessLevelsRequestProvingAndNeededLevels() {
        assertThat(LevelLattice.askedWithoutSessions(EnumSet.of(IsolationLevel.PL_3, IsolationLevel.PL_2)))
                .containsExactly(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE);
        assertThat(LevelLattice.askedWithoutSessions(EnumSet.of(IsolationLevel.CONSISTENT_VIEW)))
                .containsExactly(IsolationLevel.CAUSAL, IsolationLevel.SNAPSHOT_ISOLATION);
        assertThat(LevelLattice.askedWithoutSessions(
                        EnumSet.of(IsolationLevel.STRONG_SESSION_PL_2, IsolationLevel.STRICT_SERIALIZABLE)))
                .isEmpty();
    }

    @Test
    void sessionlessRefutationRulesOutSessionlessLevels() {
        ElleRuledOutLevels ruledOut = LevelLattice.ruledOut(
                EnumSet.noneOf(Anomaly.class),
                Map.of(),
                Map.of(IsolationLevel.PREFIX, EnumSet.of(Anomaly.COMMIT_ORDER_CYCLE)));

        assertThat(ruledOut.not()).containsExactly("prefix", "repeatable-read");
        assertThat(ruledOut.alsoNot()).contains("snapshot-isolation", "strong-session-snapshot-isolation");
    }

    @Test
    void refutedLevelRulesOutElleLevelsThatImplyIt() {
        ElleRuledOutLevels ruledOut = LevelLattice.ruledOut(
                EnumSet.noneOf(Anomaly.class),
                Map.of(IsolationLevel.READ_COMMITTED, EnumSet.of(Anomaly.COMMIT_ORDER_CYCLE)),
                Map.of());

        assertThat(ruledOut.not()).containsExactly("strong-session-snapshot-isolation");
        assertThat(ruledOut.because().get("strong-session-snapshot-isolation")).containsExactly("commit-order-cycle");
        assertThat(ruledOut.alsoNot())
                .containsExactly("strong-serializable", "strong-session-serializable", "strong-snapshot-isolation");
    }
}
