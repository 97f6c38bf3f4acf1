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

/** Stage 4 for values: a history of many tenants, each with separate sessions and keys, cut into one part for each. */
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
            ClientHistory part = ClientView.history(Shape.COBRA
                    .options(each)
                    .sessions(10)
                    .keys(100)
                    .seed(tenant)
                    .build());
            append(builder, part, firstTxn, firstKey);
            firstTxn += part.txnCount;
            firstKey += part.keyCount;
        }
        history = builder.build();
    }

    @Benchmark
    public List<Component> splitComponents() {
        List<Component> parts = ComponentSplitter.split(history);
        if (parts.size() < tenants) {
            throw new IllegalStateException("too few components: components=" + parts.size() + " tenants=" + tenants);
        }
        return parts;
    }

    private static void append(ClientHistory.Builder builder, ClientHistory part, int firstTxn, int firstKey) {
        for (int session = 0; session < part.sessionCount; session++) {
            builder.beginSession();
            for (int txn = part.firstTxnOf[session]; txn < part.firstTxnOf[session + 1]; txn++) {
                builder.beginTxn(firstTxn + part.txnIdOf[txn]);
                for (int read = part.firstReadOf[txn]; read < part.firstReadOf[txn + 1]; read++) {
                    int writer = part.writerOf[read];
                    builder.read(
                            firstKey + part.keyOfRead[read],
                            writer == ClientHistory.INITIAL ? ClientHistory.INITIAL : firstTxn + writer);
                }
                for (int write = part.firstWriteOf[txn]; write < part.firstWriteOf[txn + 1]; write++) {
                    builder.write(firstKey + part.keyOfWrite[write]);
                }
            }
        }
    }
}
