package io.nightjar.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.decide.ValueCheckRequest;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueCheckTest {

    private static final Set<IsolationLevel> SIX = EnumSet.copyOf(IsolationLevel.all());

    @Test
    void noAnswerDependsOnHowManyThreadsShareTheMemory() throws IOException {
        OperationLog log = log(600, 40);
        int undecided = 0;
        for (long memoryBytes = 16 << 10; memoryBytes <= 16 << 20; memoryBytes *= 4) {
            Map<IsolationLevel, Doubt> alone = check(log, memoryBytes, 1).doubts();

            assertThat(check(log, memoryBytes, 4).doubts())
                    .as("memoryBytes=%d", memoryBytes)
                    .isEqualTo(alone);
            undecided += alone.size();
        }
        assertThat(undecided).as("some memory was too little").isPositive();
        assertThat(check(log, 16 << 20, 4).doubts()).isEmpty();
    }

    @Test
    void acquiredMemoryNeverExceedsTotal() throws Exception {
        MemoryGate gate = new MemoryGate(100);
        long first = gate.enter(70);
        Thread second = new Thread(() -> gate.leave(gate.enter(1_000)));
        second.start();
        while (second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        gate.leave(first);
        second.join();

        assertThat(gate.enter(1_000)).isEqualTo(100);
    }

    private static ValueOutcome check(OperationLog log, long memoryBytes, int threads) throws IOException {
        ValueCheckRequest question = new ValueCheckRequest(SIX, false, false, Set.of(), 0, false, 1_000);
        return new ValueCheck(question, memoryBytes, threads, Budget.unlimited(), StageMetrics.untold()).check(log);
    }

    private static OperationLog log(int txns, int keys) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(txns)
                        .keys(keys)
                        .sessions(12)
                        .ops(4)
                        .build(),
                slices::add);
        OperationLogBuilder builder = new OperationLogBuilder(null);
        slices.forEach(builder::add);
        return builder.build();
    }
}
