package io.nightjar.bench.micro;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.ComponentSplitter;
import java.util.List;
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

/** Stage 4 for values: a history of many tenants, each with separate sessions and keys, cut into one component for each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class SplitterBenchmark {

    @Param({"1", "100"})
    public int tenants;

    @Param("100000")
    public long transactions;

    private ClientHistory history;

    @Setup(Level.Trial)
    public void generate() {
        long each = Math.max(1, transactions / tenants);
        ClientHistory.Builder builder = new ClientHistory.Builder();
        int firstTxn = 0;
        int firstKey = 0;
        for (int tenant = 0; tenant < tenants; tenant++) {
            ClientHistory group = ClientView.history(Shape.COBRA
                    .options(each)
                    .sessions(10)
                    .keys(100)
                    .seed(tenant)
                    .build());
            append(builder, group, firstTxn, firstKey);
            firstTxn += group.txnCount;
            firstKey += group.keyCount;
        }
        history = builder.build();
    }

    @Benchmark
    public List<Component> splitComponents() {
        List<Component> components = ComponentSplitter.split(history);
        if (components.size() < tenants) {
            throw new IllegalStateException(
                    "too few components: components=" + components.size() + " tenants=" + tenants);
        }
        return components;
    }

    private static void append(ClientHistory.Builder builder, ClientHistory group, int firstTxn, int firstKey) {
        for (int session = 0; session < group.sessionCount; session++) {
            builder.beginSession();
            for (int txn = group.firstTxnOf[session]; txn < group.firstTxnOf[session + 1]; txn++) {
                builder.beginTxn(firstTxn + group.txnIdOf[txn]);
                for (int read = group.firstReadOf[txn]; read < group.firstReadOf[txn + 1]; read++) {
                    int writer = group.writerOf[read];
                    builder.read(
                            firstKey + group.keyOfRead[read],
                            writer == ClientHistory.INITIAL ? ClientHistory.INITIAL : firstTxn + writer);
                }
                for (int write = group.firstWriteOf[txn]; write < group.firstWriteOf[txn + 1]; write++) {
                    builder.write(firstKey + group.keyOfWrite[write]);
                }
            }
        }
    }
}
