package io.nightjar.datasets.generate;

import io.nightjar.datasets.inject.PlantedFault;
import java.util.List;

/**
 * The counts of a generated history and its faults.
 *
 * @param transactions rows, aborted ones included
 * @param faults the injected faults, in the order of {@code Fault}
 */
public record GeneratedHistory(long transactions, long committed, long operations, List<PlantedFault> faults) {

    public GeneratedHistory {
        faults = List.copyOf(faults);
    }

    public long aborted() {
        return transactions - committed;
    }

    GeneratedHistory withFaults(List<PlantedFault> planted) {
        return new GeneratedHistory(transactions, committed, operations, planted);
    }
}
