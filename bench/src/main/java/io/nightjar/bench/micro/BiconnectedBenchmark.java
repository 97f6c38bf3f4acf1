package io.nightjar.bench.micro;

import io.nightjar.pipeline.graph.Biconnected;
import java.util.Random;
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

/** Sessions that meet in keys, as chains of tenants that are joined by one session each: one component for a tenant. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class BiconnectedBenchmark {

    private static final int SESSIONS_OF_TENANT = 10;
    private static final int SESSIONS_OF_KEY = 4;

    /** As many keys as a history of the given number of transactions may have. */
    @Param("1000000")
    public int transactions;

    private int sessions;
    private int[] firstSessionOf;
    private int[] sessionOf;
    private int tenants;

    @Setup(Level.Trial)
    public void generate() {
        Random random = new Random(1);
        tenants = Math.max(1, transactions / 100);
        sessions = tenants * (SESSIONS_OF_TENANT - 1) + 1; // the last of one is the first of the next
        int keys = tenants * SESSIONS_OF_TENANT;
        firstSessionOf = new int[keys + 1];
        sessionOf = new int[keys * SESSIONS_OF_KEY];
        for (int key = 0; key < keys; key++) {
            int first = key / SESSIONS_OF_TENANT * (SESSIONS_OF_TENANT - 1);
            int from = key % SESSIONS_OF_TENANT + random.nextInt(2); // keys of a tenant overlap all round
            for (int i = 0; i < SESSIONS_OF_KEY; i++) {
                sessionOf[key * SESSIONS_OF_KEY + i] = first + (from + i) % SESSIONS_OF_TENANT;
            }
            firstSessionOf[key + 1] = (key + 1) * SESSIONS_OF_KEY;
        }
    }

    @Benchmark
    public Biconnected splitCliques() {
        Biconnected components = Biconnected.ofCliques(sessions, firstSessionOf.length - 1, firstSessionOf, sessionOf);
        if (components.componentCount != tenants) {
            throw new IllegalStateException(
                    "wrong components: components=" + components.componentCount + " tenants=" + tenants);
        }
        return components;
    }
}
