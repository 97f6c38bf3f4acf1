package io.nightjar.jobs.mock.command;

import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.Workloads;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.explore.WorkloadTrial;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Bundled application that {@code explore} runs instead of a command. */
final class ExploredWorkload {

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            required = true,
            description = "Run a bundled application and check its assertions at the end of each run:"
                    + " smallbank tpcc voter twitter courseware shopping-cart stack wikipedia epinions.")
    private String workload;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of sessions (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Option(
            names = "--transactions",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of transactions of each session (default: ${DEFAULT-VALUE}).")
    private int transactions;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "1",
            description = "Size of the application (default: ${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = "--reads",
            paramLabel = "SHARE",
            defaultValue = "0",
            description =
                    "Share of read-only transactions, if the application does not determine it (default: ${DEFAULT-VALUE}).")
    private double reads;

    WorkloadTrial trial(MockOptions options) {
        if (sessions < 1 || transactions < 1 || keys < 1 || reads < 0 || reads > 1) {
            throw new UsageException("out of range: sessions=" + sessions + " transactions=" + transactions + " keys="
                    + keys + " min=1, reads=" + reads + " min=0 max=1");
        }
        Workloads named = Workloads.byName(workload);
        if (named == null || !hasAssertions(named)) {
            throw new UsageException("no application with assertions: --workload=" + workload + " expected="
                    + Arrays.stream(Workloads.values())
                            .filter(this::hasAssertions)
                            .map(Workloads::word)
                            .collect(Collectors.joining("|")));
        }
        return new WorkloadTrial(() -> scaled(named), options, sessions, transactions);
    }

    private boolean hasAssertions(Workloads named) {
        return !scaled(named).assertions().isEmpty();
    }

    private ClientWorkload scaled(Workloads named) {
        return named.of(new Workloads.Scale(keys, 1, reads, random -> random.below(keys)));
    }
}
