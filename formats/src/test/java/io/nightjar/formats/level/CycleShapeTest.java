package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleShapeTest {

    @ParameterizedTest
    @CsvSource({
        "ww ww, rc",
        "wr wr, rc",
        "wr so ww, rc",
        "wr rw, ra",
        "rw so, ra",
        "rw wr so, cc",
        "wr wr rw, cc",
        "ww rw wr, si",
        "rw ww wr, pc",
        "wr rw wr rw, pc",
        "rw so rw wr, pc",
        "ww rw, si",
        "wr rw ww rw, si",
        "rw rw, ser",
        "rw wr rw, ser",
        "wr rw rw, ser"
    })
    void edgesDetermineWeakestViolatedLevelOfSix(String edges, String level) {
        assertThat(CycleShape.weakestRuledOut(types(edges))).isEqualTo(IsolationLevel.byName(level));
    }

    @Test
    void startOfACycleDoesNotMatter() {
        assertThat(CycleShape.weakestRuledOut(types("rw ww wr")))
                .isEqualTo(CycleShape.weakestRuledOut(types("wr rw ww")))
                .isEqualTo(CycleShape.weakestRuledOut(types("ww wr rw")))
                .isEqualTo(IsolationLevel.PREFIX);
    }

    @Test
    void cyclesThroughRealTimeRuleOutNoneOfTheSix() {
        assertThat(CycleShape.weakestRuledOut(types("rt rw"))).isNull();
    }

    @Test
    void assumedOrdersOfVersionsRuleOutNoneOfTheSix() {
        List<EdgeType> types = types("ww rw");

        assertThat(CycleShape.weakestRuledOut(types, List.of(EdgeEvidence.LIST, EdgeEvidence.VALUE)))
                .isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
        assertThat(CycleShape.weakestRuledOut(types, List.of(EdgeEvidence.LIST, EdgeEvidence.REALTIME)))
                .isNull();
        assertThat(CycleShape.weakestRuledOut(types("so wr"), List.of(EdgeEvidence.SESSION, EdgeEvidence.VALUE)))
                .isEqualTo(IsolationLevel.READ_COMMITTED);
    }

    private static List<EdgeType> types(String words) {
        return Arrays.stream(words.split(" ")).map(EdgeType::of).toList();
    }
}
