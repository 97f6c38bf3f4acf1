package io.nightjar.jobs.cli;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.datasets.inject.TooFewSitesException;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a history from a seed, with injected faults listed next to it. */
@Command(
        name = "generate",
        description = "Make a history from a workload, a simulated store and a seed, with faults on demand.",
        footer = {
            "  nightjar generate clean.parquet --transactions 1000000 --distribution zipfian",
            "  nightjar generate faulty.parquet --fault stale-read=3,lost-update=2",
            "  nightjar generate lists.jsonl --model list --store ser --seed 7"
        })
final class GenerateCommand implements Callable<Integer> {

    @Parameters(
            converter = StoreAddressConverter.class,
            paramLabel = "OUT",
            description =
                    "A file, its format by the extension; one of that name is replaced when the new one is complete.")
    private Path out;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "register (or default): keys drawn one by one. list: the same on lists. tenants: every four"
                    + " sessions share separate keys. kv sets counters cas: operations with outcomes. Applications: hot-keys blind-writes bank write-skew predicate"
                    + " ranges deletes smallbank tpcc voter twitter courseware shopping-cart stack wikipedia epinions.")
    private String workload;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            defaultValue = "register",
            description = "register or list (default: ${DEFAULT-VALUE}).")
    private String model;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "si",
            description =
                    "si or ser: a database with snapshots. rc, ra, cc or pc: one that answers each read with anything"
                            + " that level allows (default: ${DEFAULT-VALUE}).")
    private String store;

    @Option(
            names = "--transactions",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Rows, aborted transactions included (default: ${DEFAULT-VALUE}).")
    private long transactions;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "50",
            description = "Client sessions (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Option(
            names = "--ops",
            paramLabel = "N",
            defaultValue = "15",
            description = "Operations of each transaction (default: ${DEFAULT-VALUE}).")
    private int ops;

    @Option(
            names = "--reads",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "Share of operations that read, 0 to 1 (default: ${DEFAULT-VALUE}).")
    private double reads;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Keys in use (default: ${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = "--values",
            paramLabel = "N",
            description = "Distinct values of writes, which then repeat (default: each write has another value).")
    private @Nullable Integer values;

    @Option(
            names = "--distribution",
            paramLabel = "NAME",
            defaultValue = "uniform",
            description = "uniform, zipfian or hotspot: how operations spread over keys (default: ${DEFAULT-VALUE}).")
    private String distribution;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Transactions open at once (default: as many as rarely conflict).")
    private @Nullable Integer concurrency;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Same arguments, same bytes (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--fault",
            paramLabel = "NAME=COUNT,…",
            description =
                    "Faults to plant, listed in OUT.faults.jsonl: stale-read lost-update session-break aborted-read"
                            + " intermediate-read clock-skew start-after-commit garbage-value; in ranges row-left-out"
                            + " row-too-many stale-row phantom wrong-aggregate, and predicate-write-skew at ser;"
                            + " lost-increment (counters), double-cas (cas), resurrected-row (kv), left-over-element"
                            + " (sets).")
    private @Nullable String fault;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = {"Format of OUT; by its extension if not given.", "One of ${COMPLETION-CANDIDATES}."})
    private @Nullable String to;

    @Option(names = "--json", description = "Print a summary of the generated history as a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        long startNs = System.nanoTime();
        GeneratorOptions options = options();
        GeneratedHistory history = generate(options);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        Terminal.printNote(String.format(
                Locale.ROOT,
                "wrote %s: transactions=%d aborted=%d operations=%d faults=%d seconds=%.1f",
                out,
                history.transactions(),
                history.aborted(),
                history.operations(),
                history.faults().size(),
                seconds));
        if (json) {
            System.out.println(summary(history, seconds));
        }
        return ExitCode.HOLDS;
    }

    private GeneratorOptions options() {
        if (concurrency != null && concurrency < 1) {
            throw new UsageException("out of range: concurrency=" + concurrency + " min=1");
        }
        if (values != null && values < 1) {
            throw new UsageException("out of range: values=" + values + " min=1");
        }
        try {
            return GeneratorOptions.builder()
                    .workload(workload)
                    .model(DataModel.byName(model))
                    .store(StoreKind.byName(store))
                    .transactions(transactions)
                    .sessions(sessions)
                    .ops(ops)
                    .reads(reads)
                    .keys(keys)
                    .distribution(KeyDistribution.byName(distribution))
                    .concurrency(concurrency == null ? GeneratorOptions.AUTOMATIC : concurrency)
                    .seed(seed)
                    .values(values == null ? GeneratorOptions.UNIQUE : values)
                    .faults(fault == null ? Map.of() : Fault.parseCounts(fault))
                    .build();
        } catch (IllegalArgumentException outOfRange) {
            throw new UsageException(outOfRange.getMessage(), outOfRange);
        }
    }

    private GeneratedHistory generate(GeneratorOptions options) throws IOException {
        try (WriterThread writer = new WriterThread(Outputs.create(out, to));
                FaultList faults = FaultList.forHistory(out, fault != null);
                Progress progress = Progress.start("generating", "transactions", transactions)) {
            GeneratedHistory history = HistoryGenerator.generate(options, slice -> {
                writer.write(slice);
                progress.advance(slice.txnCount);
            });
            faults.write(history.faults());
            writer.finish();
            faults.publish();
            return history;
        } catch (TooFewSitesException tooSmall) {
            throw new UsageException(tooSmall.getMessage(), tooSmall);
        }
    }

    private String summary(GeneratedHistory history, double seconds) throws IOException {
        return JsonObjectText.of(object -> {
            object.writeNumberField("schema", 1);
            object.writeStringField("history", out.toString());
            object.writeNumberField("transactions", history.transactions());
            object.writeNumberField("committed", history.committed());
            object.writeNumberField("aborted", history.aborted());
            object.writeNumberField("operations", history.operations());
            object.writeNumberField("faults", history.faults().size());
            JsonNumbers.writeSeconds(object, "seconds", seconds);
        });
    }
}
