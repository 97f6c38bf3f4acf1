package io.nightjar.datasets.generate;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.inject.FaultPlanner;
import io.nightjar.datasets.inject.FaultRewriter;
import io.nightjar.datasets.inject.TableFaultPlanner;
import io.nightjar.datasets.inject.TableFaultRewriter;
import io.nightjar.datasets.inject.TooFewSitesException;
import io.nightjar.datasets.store.Store;
import io.nightjar.datasets.workload.ClientWorkload;
import io.nightjar.datasets.workload.Simulation;
import io.nightjar.datasets.workload.SliceRecorder;
import io.nightjar.datasets.workload.TxnRecorder;
import io.nightjar.formats.history.SliceConsumer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes histories from options: the same options produce the same slices, on any machine. */
public final class HistoryGenerator {

    private static final int MAX_AUTOMATIC_CONCURRENCY = 16;
    private static final int MIN_AUTOMATIC_CONCURRENCY = 2;

    /** Conflicting commits that a transaction may expect during its life: about one in five is then aborted. */
    private static final double TOLERATED_CONFLICTS = 0.25;

    /** Default number of transactions of an application that are open at once. */
    private static final int OPEN_PROGRAMS = 4;

    /** Makes the random numbers of the store independent of the random numbers of the sessions. */
    private static final long SEED_OF_STORE = 0x6A09E667F3BCC909L;

    private HistoryGenerator() {}

    /**
     * Runs the simulation and passes its rows on in the order in which transactions ended.
     *
     * <p>Without faults, the simulation runs once, and its memory does not depend on the number of transactions. With
     * faults it runs twice, and the first run chooses their sites: memory grows with the number of keys that were ever
     * used.
     *
     * @throws TooFewSitesException if the history has too few sites for the requested faults; nothing was passed on
     * then
     */
    public static GeneratedHistory generate(GeneratorOptions options, SliceConsumer out) throws IOException {
        KeySampler keys = KeySampler.of(options.programs().distribution(), options.keysPerTenant());
        int concurrency = concurrencyOf(options, keys);
        ClientWorkload program = options.program(keys);
        if (program != null) {
            return options.faults().isEmpty()
                    ? simulate(options, program, recorder(options, program, out))
                    : generateFaulty(options, program, out);
        }
        if (options.faults().isEmpty()
                || CellOperations.WORKLOADS.contains(options.programs().workload())) {
            return simulate(options, keys, concurrency, out);
        }
        boolean isList = options.programs().model() == DataModel.LIST;
        FaultPlanner planner = new FaultPlanner(options.store().level(), isList, options.faults(), options.seed());
        simulate(options, keys, concurrency, planner::scan);
        FaultRewriter rewriter = new FaultRewriter(planner.plan());
        SliceConsumer faulty = slice -> {
            rewriter.rewrite(slice);
            out.accept(slice);
        };
        GeneratedHistory generated = simulate(options, keys, concurrency, faulty);
        return generated.withFaults(rewriter.planted());
    }

    private static SliceRecorder recorder(GeneratorOptions options, ClientWorkload program, SliceConsumer out) {
        SliceRecorder recorder = new SliceRecorder(program.keys(), out::accept);
        return options.programs().values() == GeneratorOptions.UNIQUE ? recorder : recorder.withoutVersions();
    }

    private static GeneratedHistory simulate(
            GeneratorOptions options, KeySampler keys, int concurrency, SliceConsumer out) throws IOException {
        HistorySimulator simulator = new HistorySimulator(options, keys, concurrency);
        simulator.run(out);
        return new GeneratedHistory(
                simulator.rowCount(), simulator.committedCount(), simulator.operationCount(), simulator.planted());
    }

    private static GeneratedHistory generateFaulty(GeneratorOptions options, ClientWorkload program, SliceConsumer out)
            throws IOException {
        TableFaultPlanner planner =
                new TableFaultPlanner(program.keys(), options.store().level(), options.faults(), options.seed());
        simulate(options, program, planner);
        TableFaultRewriter rewriter =
                new TableFaultRewriter(program.keys(), planner.plan(), recorder(options, program, out));
        return simulate(
                        options,
                        options.program(KeySampler.of(options.programs().distribution(), options.keysPerTenant())),
                        rewriter)
                .withFaults(rewriter.planted());
    }

    private static GeneratedHistory simulate(
            GeneratorOptions options, @Nullable ClientWorkload workload, TxnRecorder to) throws IOException {
        Store store = options.store()
                .open(
                        options.sessions(),
                        requireNonNull(workload).keys().count(),
                        FaultPlanner.GRID,
                        options.seed() ^ SEED_OF_STORE);
        int concurrency = options.concurrency() == GeneratorOptions.AUTOMATIC ? OPEN_PROGRAMS : options.concurrency();
        Simulation simulation = new Simulation(
                workload, store, options.sessions(), Math.min(concurrency, options.sessions()), options.seed());
        simulation.run(options.transactions(), options.recordAborted(), to);
        return new GeneratedHistory(
                simulation.rowCount(), simulation.committedCount(), simulation.operationCount(), List.of());
    }

    /** Returns the number of transactions that are open at once, with {@link GeneratorOptions#AUTOMATIC} resolved. */
    public static int concurrencyOf(GeneratorOptions options) {
        return concurrencyOf(options, KeySampler.of(options.programs().distribution(), options.keysPerTenant()));
    }

    private static int concurrencyOf(GeneratorOptions options, KeySampler keys) {
        if (options.concurrency() != GeneratorOptions.AUTOMATIC) {
            return Math.min(options.concurrency(), options.sessions());
        }
        double writes = options.programs().ops() * (1 - options.programs().reads());
        double exposed = options.store() == StoreKind.SER ? options.programs().ops() : writes;
        double conflictsPerNeighbour = writes * exposed * keys.collision() / options.tenants();
        double neighbours = Math.min(MAX_AUTOMATIC_CONCURRENCY, TOLERATED_CONFLICTS / conflictsPerNeighbour);
        int concurrency = 1 + (int) neighbours;
        int sensible = Math.max(MIN_AUTOMATIC_CONCURRENCY, Math.min(MAX_AUTOMATIC_CONCURRENCY, concurrency));
        return Math.min(sensible, options.sessions());
    }
}
