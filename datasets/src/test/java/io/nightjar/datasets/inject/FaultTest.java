package io.nightjar.datasets.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultTest {

    @Test
    void countsAreReadFromNamesAndNumbers() {
        assertThat(Fault.parseCounts("stale-read=3, lost-update=1"))
                .isEqualTo(Map.of(Fault.STALE_READ, 3, Fault.LOST_UPDATE, 1));
        assertThat(Fault.parseCounts("")).isEmpty();
    }

    @Test
    void anUnknownFaultIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> Fault.parseCounts("bit-rot=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown fault: fault=bit-rot expected=stale-read|lost-update|session-break|aborted-read"
                        + "|intermediate-read|clock-skew|start-after-commit|garbage-value"
                        + "|lost-increment|double-cas|resurrected-row|left-over-element"
                        + "|row-left-out|row-too-many|stale-row|phantom|predicate-write-skew|wrong-aggregate");
    }

    @Test
    void aCountMustBeANumber() {
        assertThatThrownBy(() -> Fault.parseCounts("stale-read=many"))
                .hasMessage("count of a fault is not a number: fault=stale-read count=many; write NAME=COUNT");
        assertThatThrownBy(() -> Fault.parseCounts("stale-read=-1"))
                .hasMessage("count of a fault is not a number: fault=stale-read count=-1; write NAME=COUNT");
        assertThatThrownBy(() -> Fault.parseCounts("stale-read"))
                .hasMessage("fault without a count: fault=stale-read; write NAME=COUNT");
    }

    @Test
    void aFaultIsNamedOnce() {
        assertThatThrownBy(() -> Fault.parseCounts("stale-read=1,stale-read=2"))
                .hasMessage("fault named twice: fault=stale-read");
    }
}
