package io.nightjar.jobs.cli;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.HistoryAddressConverter;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.ResultStream;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.TextWrap;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.local.HistoryInspector;
import io.nightjar.jobs.local.InspectedHistory;
import io.nightjar.jobs.local.InspectedProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reports the content of histories, the levels that they can prove, and their lint findings. Decides nothing. */
@Command(
        name = "inspect",
        footer = {
            "  nightjar inspect history.parquet              size, keys, decidable levels, lint",
            "  nightjar inspect --json *.jsonl               one JSON object a line for each history",
            "  nightjar inspect --initial-value 0 h.jsonl    reading 0 means the initial state"
        },
        description = "Describe a history: its contents, the levels it can prove, its lint findings. Decides nothing.")
final class InspectCommand implements Callable<Integer> {

    /** Fraction of memory for tables; the rest is for slices read ahead and for the JVM. */
    private static final double TABLE_SHARE = 0.4;

    /** Fraction of memory for the components. */
    private static final double GRAPH_SHARE = 0.4;

    private static final long MIN_BYTES = 16L << 20;

    /** Ratio of the memory of a process to its heap. */
    private static final double SHARE_OF_JVM = 1.15;

    private static final long BYTES_OF_JVM = 112L << 20;

    @Parameters(
            converter = HistoryAddressConverter.class,
            paramLabel = "HISTORY",
            arity = "1..*",
            description = "A file, a pipe, - for standard input, or a directory that is one history.")
    private List<Path> histories;

    @Option(names = "--json", description = "Print one JSON object a line for each history.")
    private boolean json;

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = {
                "The input format; recognised by content and extension otherwise.",
                "One of ${COMPLETION-CANDIDATES}."
            })
    private @Nullable String format;

    @Mixin
    private ColumnOptions columns;

    @Option(
            names = "--initial-value",
            paramLabel = "V",
            description = "Reading V means the initial state, as null does.")
    private @Nullable String initialValue;

    @Option(
            names = "--max-dead-letters",
            paramLabel = "N",
            description = "Maximum number of malformed rows to skip (default: 0).")
    private long maxDeadLetters;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemoryConverter.class,
            description = "Memory of the process, such as 4g; less means reading more often.")
    private @Nullable Long memoryBytes;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that read (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        if (maxDeadLetters < 0 || threads < 1) {
            throw new UsageException("number out of range: max-dead-letters=" + maxDeadLetters + " threads=" + threads);
        }
        format = columns.formatName(format);
        HistoryArgument.checkTogether(histories);
        int code = ExitCode.HOLDS;
        boolean isFirst = true;
        for (Path history : histories) {
            if (!isFirst && !json) {
                System.out.println();
            }
            isFirst = false;
            code = ExitCode.worse(code, inspect(history));
        }
        return code;
    }

    private int inspect(Path history) {
        HistoryInspector inspector = new HistoryInspector(
                initialValue, shareOfMemory(TABLE_SHARE), shareOfMemory(GRAPH_SHARE), threads, maxDeadLetters);
        try (HistoryArgument given = Inputs.find(history);
                HistorySource source = given.open(format)) {
            InspectedHistory inspected = inspect(source, inspector);
            if (json) {
                System.out.println(InspectJson.write(inspected));
            } else {
                print(InspectText.lines(inspected));
            }
            return ExitCode.HOLDS;
        } catch (MalformedHistoryException rejected) {
            return reject(HistoryArgument.nameOf(history), rejected, inspector.problems());
        } catch (ResultStream.BrokenException broken) {
            throw broken; // the reader of the output has closed it
        } catch (IOException | RuntimeException | Error failed) {
            if (json) {
                System.out.println(Failures.json(HistoryArgument.nameOf(history), failed));
            }
            return Failures.report(failed);
        }
    }

    private int reject(String history, MalformedHistoryException rejected, List<InspectedProblem> problems) {
        if (json) {
            System.out.println(InspectJson.rejected(history, String.valueOf(rejected.getMessage()), problems));
            return ExitCode.REJECTED;
        }
        if (!problems.isEmpty()) {
            System.out.println(SanitizedText.flat(history) + ": rejected");
            print(InspectText.problems(problems));
            System.out.flush();
        }
        return Failures.report(rejected);
    }

    private static InspectedHistory inspect(HistorySource source, HistoryInspector inspector) throws IOException {
        long total = 0;
        for (HistorySource.Split split : source.splits()) {
            total = total < 0 || split.txnCount() < 0 ? -1 : total + split.txnCount();
        }
        try (Progress progress = Progress.start("inspecting", "transactions", total)) {
            return inspector.inspect(source, progress::advance);
        }
    }

    private static void print(List<String> lines) {
        System.out.println(TextWrap.fit(String.join("\n", lines), Terminal.resultWidth()));
    }

    /**
     * Returns the value of {@code --memory} with which the components may use the given amount; the JVM has its part as
     * well.
     */
    static long memoryFor(long componentBytes) {
        return (long) (componentBytes / GRAPH_SHARE * SHARE_OF_JVM) + BYTES_OF_JVM;
    }

    private long shareOfMemory(double share) {
        long heap = Runtime.getRuntime().maxMemory();
        long allowed = memoryBytes == null ? heap : Math.min(memoryBytes, heap);
        return Math.max(MIN_BYTES, (long) (allowed * share));
    }
}
