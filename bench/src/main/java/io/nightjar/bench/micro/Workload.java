package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;

/** The two extremes of the effect of keys on a cache: few hot keys, and more keys than fit. */
public enum Workload {
    ZIPFIAN_1K(KeyDistribution.ZIPFIAN, 1000),
    UNIFORM_1M(KeyDistribution.UNIFORM, 1_000_000);

    private final KeyDistribution distribution;
    private final int keys;

    Workload(KeyDistribution distribution, int keys) {
        this.distribution = distribution;
        this.keys = keys;
    }

    /**
     * Returns options of committed transactions with 15 operations, half of them reads: the default of the command line
     * except for its aborts.
     */
    GeneratorOptions options(long transactions) {
        return GeneratorOptions.builder()
                .transactions(transactions)
                .recordAborted(false)
                .distribution(distribution)
                .keys(keys)
                .build();
    }
}
