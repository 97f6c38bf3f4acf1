package io.nightjar.bench.micro;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.frontier.AntichainSearch;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Stage 5 by the search over frontiers of sessions, which is for few sessions and for second opinions. */
public class AntichainBenchmark extends KernelBenchmark {

    @Param("BISWAS_ENEA")
    public Shape shape;

    @Param("0")
    public long transactions;

    private ClientHistory history;

    @Setup(Level.Trial)
    public void generate() {
        history = ClientView.history(shape.options(transactions).build());
    }

    @Benchmark
    public LevelAnswer searchFrontiers() {
        LevelAnswer answer = new AntichainSearch(history, Budget.ofNanos(TimeUnit.SECONDS.toNanos(60)))
                .decide(IsolationLevel.SERIALIZABLE);
        if (answer.verdict() != Verdict.HOLDS) {
            throw new IllegalStateException("it must hold: answer=" + answer);
        }
        return answer;
    }
}
