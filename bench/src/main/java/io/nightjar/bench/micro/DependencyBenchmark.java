package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.EnumSet;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Stages 3 to 5 for dependencies: versions of lists, edges with session order, cycles. */
public class DependencyBenchmark extends KernelBenchmark {

    @Param("AWDIT")
    public Shape shape;

    @Param("0")
    public long transactions;

    private OperationLog log;
    private Set<Anomaly> expected;

    @Setup(Level.Trial)
    public void generate() {
        log = ClientView.log(shape.options(transactions).model(DataModel.LIST).build());
        expected = check().found();
    }

    @Benchmark
    public DependencyAnswer checkDependencies() {
        DependencyAnswer answer = check();
        if (!answer.found().equals(expected)) {
            throw new IllegalStateException("wrong anomalies: found=" + answer.found() + " expected=" + expected);
        }
        return answer;
    }

    private DependencyAnswer check() {
        DependencyChecker.Options options =
                new DependencyChecker.Options(EnumSet.noneOf(VersionSource.class), true, false);
        return DependencyChecker.check(ReadResolution.of(log), options, Budget.unlimited());
    }
}
