package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void theEdgesSayWhichOfTheSixIsTheWeakestRuledOut(String edges, String level) {
        assertThat(CycleShape.weakestRuledOut(List.of(edges.split(" ")))).isEqualTo(IsolationLevel.byName(level));
    }

    @Test
    void whereACycleBeginsDoesNotMatter() {
        assertThat(CycleShape.weakestRuledOut(List.of("rw", "ww", "wr")))
                .isEqualTo(CycleShape.weakestRuledOut(List.of("wr", "rw", "ww")))
                .isEqualTo(CycleShape.weakestRuledOut(List.of("ww", "wr", "rw")))
                .isEqualTo(IsolationLevel.PREFIX);
    }

    @Test
    void cyclesThroughRealTimeRuleOutNoneOfTheSix() {
        assertThat(CycleShape.weakestRuledOut(List.of("rt", "rw"))).isNull();
    }

    @Test
    void assumedOrdersOfVersionsRuleOutNoneOfTheSix() {
        List<String> types = List.of("ww", "rw");

        assertThat(CycleShape.weakestRuledOut(types, List.of("list", "value")))
                .isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
        assertThat(CycleShape.weakestRuledOut(types, List.of("list", "realtime")))
                .isNull();
        assertThat(CycleShape.weakestRuledOut(List.of("so", "wr"), List.of("session", "value")))
                .isEqualTo(IsolationLevel.READ_COMMITTED);
    }

    @Test
    void otherEdgesAreAMistake() {
        assertThatThrownBy(() -> CycleShape.weakestRuledOut(List.of("xx")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown edge type: type=xx");
    }
}
