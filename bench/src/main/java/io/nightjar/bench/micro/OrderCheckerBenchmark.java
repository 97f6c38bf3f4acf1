package io.nightjar.bench.micro;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Stage 5 by saturation and backtracking. No order of the rows is one of commits, so no candidate order is right at
 * once.
 *
 * <p>Snapshot isolation holds everywhere; serializability holds for a serializable store, and for the other one the
 * verdict must be the same each time.
 */
public class OrderCheckerBenchmark extends KernelBenchmark {

    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

    @Param({"BISWAS_ENEA", "POLYSI", "COBRA", "FEW_READS", "HARDLY_ANY_READS"})
    public Shape shape;

    @Param("0")
    public long transactions;

    private ClientHistory history;
    private Verdict serially;

    @Setup(Level.Trial)
    public void generate() {
        history = ClientView.history(shape.options(transactions).build());
        serially = decide(IsolationLevel.SERIALIZABLE).verdict();
        if (serially == Verdict.UNDECIDED) {
            throw new IllegalStateException("not decided in time: shape=" + shape);
        }
    }

    @Benchmark
    public LevelAnswer decideSnapshots() {
        return verified(decide(IsolationLevel.SNAPSHOT_ISOLATION), Verdict.HOLDS);
    }

    @Benchmark
    public LevelAnswer decideSerially() {
        return verified(decide(IsolationLevel.SERIALIZABLE), serially);
    }

    private LevelAnswer decide(IsolationLevel level) {
        return new OrderChecker(history, Budget.ofNanos(MAX_NANOS)).decide(level);
    }

    private static LevelAnswer verified(LevelAnswer answer, Verdict expected) {
        if (answer.verdict() != expected) {
            throw new IllegalStateException("wrong verdict: verdict=" + answer.verdict() + " expected=" + expected);
        }
        return answer;
    }
}
