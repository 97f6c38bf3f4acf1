package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.StoreKind;

/** Sizes of histories that papers about checking from values report, or their like. */
public enum Shape {
    /** For the weak levels: as many transactions as fit into a short benchmark, many sessions, many keys. */
    AWDIT(100_000, 50, 15, 0.5, 10_000, StoreKind.SI),
    /** The largest of the grid of Biswas and Enea. */
    BISWAS_ENEA(900, 15, 20, 0.5, 1000, StoreKind.SER),
    /** The smaller half of PolySI's grid, on few keys. */
    POLYSI(2000, 20, 15, 0.5, 1000, StoreKind.SI),
    /** A history of Cobra's grid. */
    COBRA(9600, 24, 8, 0.5, 10_000, StoreKind.SER),
    /** With few reads, most of the order stays open. */
    FEW_READS(1500, 15, 15, 0.2, 900, StoreKind.SER),
    /** Fewer reads, and many writers of every key. */
    HARDLY_ANY_READS(1000, 10, 15, 0.05, 60, StoreKind.SER);

    private final long transactions;
    private final int sessions;
    private final int ops;
    private final double reads;
    private final int keys;
    final StoreKind store;

    Shape(long transactions, int sessions, int ops, double reads, int keys, StoreKind store) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.ops = ops;
        this.reads = reads;
        this.keys = keys;
        this.store = store;
    }

    /** @param asked number of transactions; 0 for the number of the shape */
    GeneratorOptions.Builder options(long asked) {
        return GeneratorOptions.builder()
                .transactions(asked == 0 ? transactions : asked)
                .recordAborted(false)
                .sessions(sessions)
                .ops(ops)
                .reads(reads)
                .keys(keys)
                .store(store);
    }
}
