package io.nightjar.bench.micro;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.frontier.AntichainSearch;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Stage 5 by the search over frontiers of sessions, which is for few sessions and for second opinions. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class AntichainBenchmark {

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
