package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsolationLevelTest {

    @ParameterizedTest
    @CsvSource({
        "rc, READ_COMMITTED",
        "read-committed, READ_COMMITTED",
        "ra, READ_ATOMIC",
        "read-atomic, READ_ATOMIC",
        "cc, CAUSAL",
        "causal, CAUSAL",
        "pc, PREFIX",
        "prefix, PREFIX",
        "si, SNAPSHOT_ISOLATION",
        "snapshot-isolation, SNAPSHOT_ISOLATION",
        "ser, SERIALIZABLE",
        "serializable, SERIALIZABLE"
    })
    void theSixNamesMeanTheLevelsOfBiswasAndEnea(String name, IsolationLevel level) {
        assertThat(IsolationLevel.byName(name)).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({
        "PL-1, PL_1",
        "read-uncommitted, PL_1",
        "PL-2, PL_2",
        "PL-2+, CONSISTENT_VIEW",
        "consistent-view, CONSISTENT_VIEW",
        "PL-2L, MONOTONIC_VIEW",
        "PL-2.99, PL_2_99",
        "repeatable-read, PL_2_99",
        "PL-SI, PL_SI",
        "PL-3, PL_3",
        "conflict-serializable, PL_3",
        "strong-session-PL-1, STRONG_SESSION_PL_1",
        "strong-session-read-uncommitted, STRONG_SESSION_PL_1",
        "strong-session-snapshot-isolation, STRONG_SESSION_SNAPSHOT_ISOLATION",
        "strong-PL-2, STRONG_PL_2",
        "1SR, ONE_COPY_SERIALIZABLE",
        "sser, STRICT_SERIALIZABLE",
        "strict-serializable, STRICT_SERIALIZABLE",
        "strong-serializable, STRICT_SERIALIZABLE",
        "PL-SS, STRICT_SERIALIZABLE"
    })
    void furtherNamesAreThoseOfElle(String name, IsolationLevel level) {
        assertThat(IsolationLevel.byName(name)).isEqualTo(level);
    }

    @Test
    void capitalsAndSpacesAroundANameDoNotMatter() {
        assertThat(IsolationLevel.byName(" pl-2.99 ")).isEqualTo(IsolationLevel.PL_2_99);
        assertThat(IsolationLevel.byName("SI")).isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
        assertThat(IsolationLevel.byName("pram")).isEqualTo(IsolationLevel.PRAM);
    }

    @Test
    void longAndShortNamesLeadBackToTheirLevel() {
        for (IsolationLevel level : IsolationLevel.values()) {
            assertThat(IsolationLevel.byName(level.longName())).isEqualTo(level);
            assertThat(IsolationLevel.byName(level.shortName())).isEqualTo(level);
        }
    }

    @Test
    void ellesLevelsTheSixAndCommitOrderMakeForty() {
        // Elle's 36, less the three whose names mean the levels of Biswas and Enea, the six of these, and the commit
        // order
        assertThat(IsolationLevel.values()).hasSize(36 - 3 + 6 + 1);
    }

    @Test
    void allMeansTheSix() {
        assertThat(IsolationLevel.all().stream().map(IsolationLevel::shortName))
                .containsExactly("rc", "ra", "cc", "pc", "si", "ser");
    }

    @Test
    void noLevelStandsBeforeOneThatItImplies() {
        for (IsolationLevel stronger : IsolationLevel.values()) {
            for (IsolationLevel weaker : IsolationLevel.values()) {
                if (LevelLattice.implies(stronger, weaker) && !LevelLattice.implies(weaker, stronger)) {
                    assertThat(stronger).as("implies " + weaker).isGreaterThan(weaker);
                }
            }
        }
    }

    @Test
    void unknownNamesAreUnknown() {
        assertThat(IsolationLevel.byName("snapshot")).isNull();
        assertThat(IsolationLevel.byName("")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "serialisable, serializable",
        "snapshot, snapshot-isolation",
        "pl3, PL-3",
        "readcommitted, read-committed",
        "strict, strict-serializable",
        "repeatable-reads, repeatable-read"
    })
    void theNearestNameIsTheOneThatWasMeant(String wrong, String meant) {
        assertThat(IsolationLevel.namesLike(wrong, 3)).first().isEqualTo(meant);
    }

    @Test
    void asManyNearNamesAsWereWanted() {
        List<String> names = IsolationLevel.namesLike("x", 4);

        assertThat(names).hasSize(4).doesNotHaveDuplicates();
        assertThat(IsolationLevel.namesLike("x".toUpperCase(Locale.ROOT), 1000)).hasSize(40);
    }
}
