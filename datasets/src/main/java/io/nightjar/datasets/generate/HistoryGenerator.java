package io.nightjar.datasets.generate;

import java.io.IOException;
import java.util.List;

/** Makes histories from options: the same options give the same slices, on any machine. */
public final class HistoryGenerator {

    private static final int MOST_AUTOMATIC_CONCURRENCY = 16;
    private static final int LEAST_AUTOMATIC_CONCURRENCY = 2;

    /** Conflicting commits that a transaction may expect during its life: about one in five is then aborted. */
    private static final double TOLERATED_CONFLICTS = 0.25;

    private HistoryGenerator() {}

    /**
     * Runs the simulation and hands its rows on in the order in which transactions ended.
     *
     * <p>Without faults one pass is made and memory does not depend on the number of transactions.
     */
    public static GeneratedHistory generate(GeneratorOptions options, SliceConsumer out) throws IOException {
        KeySampler keys = KeySampler.of(options.distribution(), options.keys());
        HistorySimulator simulator = new HistorySimulator(options, keys, concurrencyOf(options, keys));
        simulator.run(out);
        return new GeneratedHistory(
                simulator.rowCount(), simulator.committedCount(), simulator.operationCount(), List.of());
    }

    /** The number of transactions that are open at once, with {@link GeneratorOptions#AUTOMATIC} resolved. */
    public static int concurrencyOf(GeneratorOptions options) {
        return concurrencyOf(options, KeySampler.of(options.distribution(), options.keys()));
    }

    private static int concurrencyOf(GeneratorOptions options, KeySampler keys) {
        if (options.concurrency() != GeneratorOptions.AUTOMATIC) {
            return Math.min(options.concurrency(), options.sessions());
        }
        double writes = options.ops() * (1 - options.reads());
        double exposed = options.store() == StoreKind.SER ? options.ops() : writes;
        double conflictsPerNeighbour = writes * exposed * keys.collision();
        double neighbours = Math.min(MOST_AUTOMATIC_CONCURRENCY, TOLERATED_CONFLICTS / conflictsPerNeighbour);
        int concurrency = 1 + (int) neighbours;
        int sensible = Math.max(LEAST_AUTOMATIC_CONCURRENCY, Math.min(MOST_AUTOMATIC_CONCURRENCY, concurrency));
        return Math.min(sensible, options.sessions());
    }
}
