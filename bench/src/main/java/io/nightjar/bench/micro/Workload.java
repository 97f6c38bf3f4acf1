package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;

/** The two ends of what keys do to a cache: few hot ones, and as many as there is no room for. */
public enum Workload {
    ZIPFIAN_1K(KeyDistribution.ZIPFIAN, 1000),
    UNIFORM_1M(KeyDistribution.UNIFORM, 1_000_000);

    private final KeyDistribution distribution;
    private final int keys;

    Workload(KeyDistribution distribution, int keys) {
        this.distribution = distribution;
        this.keys = keys;
    }

    /** Committed transactions of 15 operations, half of them reads: the default of the command line but for its aborts. */
    GeneratorOptions options(long transactions) {
        return GeneratorOptions.builder()
                .transactions(transactions)
                .recordAborted(false)
                .distribution(distribution)
                .keys(keys)
                .build();
    }
}
