package io.nightjar.bench.micro;

import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.weak.WeakLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Stage 5 for the weak levels, which hold; each includes those below it, as in a check of the level alone. */
public class WeakLevelsBenchmark extends KernelBenchmark {

    @Param("AWDIT")
    public Shape shape;

    @Param("0")
    public long transactions;

    private ClientHistory history;

    @Setup(Level.Trial)
    public void generate() {
        history = ClientView.history(shape.options(transactions).build());
    }

    @Benchmark
    public LevelAnswer decideReadCommitted() {
        return held(weakLevels().readCommitted());
    }

    @Benchmark
    public LevelAnswer decideReadAtomic() {
        return held(weakLevels().readAtomic());
    }

    @Benchmark
    public LevelAnswer decideCausal() {
        return held(weakLevels().causal());
    }

    private WeakLevels weakLevels() {
        return new WeakLevels(history, Budget.unlimited());
    }

    private static LevelAnswer held(LevelAnswer answer) {
        if (answer.verdict() != Verdict.HOLDS) {
            throw new IllegalStateException("it must hold: answer=" + answer);
        }
        return answer;
    }
}
