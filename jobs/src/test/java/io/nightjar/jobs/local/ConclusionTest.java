package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConclusionTest {

    private static final Witness WITNESS =
            new Witness(IsolationLevel.SERIALIZABLE, 1, new long[] {1}, new int[] {0}, new int[] {0});

    @Test
    void anOrderOfEverythingIsAProof() {
        Conclusion conclusion = conclusion(null);

        assertThat(conclusion.isProvedByWitness()).isTrue();
        assertThat(serializable(conclusion).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void anOrderOfWhatFittedIsNone() {
        Conclusion conclusion = conclusion("dependencies do not fit into memory");

        assertThat(conclusion.isProvedByWitness()).isFalse();
        assertThat(serializable(conclusion).verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(serializable(conclusion).reason()).isEqualTo("dependencies do not fit into memory");
    }

    private static Conclusion conclusion(String valuesUnfit) {
        HistorySummary history = new HistorySummary(
                new HistorySummary.Counts(1, 1, 1, 0, 0, 0, 0, 0),
                1,
                false,
                ValueType.LONG,
                ValueType.LONG,
                List.of(),
                null);
        ValueOutcome values = new ValueOutcome(
                1,
                1,
                new Findings(1),
                new ValueOutcome.Basis(false, null, LongSets.EMPTY_SET),
                ValueOutcome.Refuted.NOTHING,
                Map.of(),
                List.of(),
                new ValueOutcome.Orders(List.of(WITNESS), true));
        CheckOptions options =
                new TestOptions().levels(IsolationLevel.SERIALIZABLE).build();
        return new Conclusion(options, history, null, values, false, valuesUnfit, 1, 0, 0, MemoryAdvice.MORE, null);
    }

    private static LevelResult serializable(Conclusion conclusion) {
        return conclusion.levels().get(IsolationLevel.SERIALIZABLE);
    }
}
