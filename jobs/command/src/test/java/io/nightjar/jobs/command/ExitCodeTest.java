package io.nightjar.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Verdict;
import org.junit.jupiter.api.Test;

class ExitCodeTest {

    @Test
    void verdictsHaveTheirCodes() {
        assertThat(ExitCode.of(Verdict.HOLDS)).isZero();
        assertThat(ExitCode.of(Verdict.VIOLATED)).isEqualTo(1);
        assertThat(ExitCode.of(Verdict.UNDECIDED)).isEqualTo(2);
    }

    @Test
    void overSeveralHistoriesTheFirstOfTheContractsOrderWins() {
        int[] worstFirst = {70, 75, 3, 1, 2, 0};

        for (int i = 0; i < worstFirst.length; i++) {
            for (int j = i; j < worstFirst.length; j++) {
                assertThat(ExitCode.worse(worstFirst[i], worstFirst[j])).isEqualTo(worstFirst[i]);
                assertThat(ExitCode.worse(worstFirst[j], worstFirst[i])).isEqualTo(worstFirst[i]);
            }
        }
    }
}
