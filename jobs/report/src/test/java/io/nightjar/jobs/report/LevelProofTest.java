package io.nightjar.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LevelProofTest {

    private final Map<IsolationLevel, LevelResult> verdicts = new EnumMap<>(IsolationLevel.class);

    @Test
    void levelFollowsFromStrongerLevelWithSameEvidence() {
        decide(IsolationLevel.CAUSAL, Verdict.HOLDS, "values");
        decide(IsolationLevel.PREFIX, Verdict.HOLDS, "values");
        decide(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.HOLDS, "timestamps");

        assertThat(LevelProof.of(IsolationLevel.CAUSAL, verdicts))
                .isEqualTo("follows from prefix, which holds by the same evidence");
        assertThat(LevelProof.of(IsolationLevel.PREFIX, verdicts)).contains("an order of commits was found");
        assertThat(LevelProof.of(IsolationLevel.SNAPSHOT_ISOLATION, verdicts)).contains("NOCONFLICT");
    }

    @Test
    void levelDoesNotFollowFromViolatedOrUndecidedLevel() {
        decide(IsolationLevel.CAUSAL, Verdict.HOLDS, "values");
        decide(IsolationLevel.PREFIX, Verdict.VIOLATED, "values");
        decide(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.UNDECIDED, "values");

        assertThat(LevelProof.of(IsolationLevel.CAUSAL, verdicts)).contains("no cycle");
    }

    private void decide(IsolationLevel level, Verdict verdict, String evidence) {
        verdicts.put(level, new LevelResult(verdict, evidence, null, 0, Map.of(), true, 0));
    }
}
