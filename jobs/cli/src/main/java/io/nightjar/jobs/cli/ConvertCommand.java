package io.nightjar.jobs.cli;

import io.nightjar.formats.file.IncompleteRecording;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.HistoryAddressConverter;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.join.CommitJoin;
import io.nightjar.jobs.join.JoinReport;
import io.nightjar.jobs.sql.CellText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts a history into another format. */
@Command(
        name = "convert",
        description = "Write a history in another format.",
        footer = {
            "  nightjar convert history.jsonl history.parquet        archive it",
            "  nightjar convert timekiller.json history.jsonl.zst    import another tool's history",
            "  nightjar convert small.parquet - --to notation        read it in notation"
        })
final class ConvertCommand implements Callable<Integer> {

    @Parameters(
            converter = HistoryAddressConverter.class,
            paramLabel = "IN OUT",
            arity = "0..2",
            description = {
                "IN: a file, a pipe, - for standard input, or a directory that is one history; omitted with --reads.",
                "OUT: a file, a pipe, or - for standard output; a file of that name is replaced when the new one is complete."
            })
    private List<Path> named = List.of();

    @Option(
            names = "--reads",
            paramLabel = "HISTORY",
            description = "History of reads by clients, to be joined with --commits.")
    private @Nullable Path reads;

    @Option(
            names = "--commits",
            paramLabel = "LOG",
            description = "The database's log of changes for --reads, which has the order of commits.")
    private @Nullable Path commits;

    @Option(
            names = "--join-on",
            paramLabel = "COLUMN",
            description = "Member that both have for a transaction: txn_id, or a further member such as xid or gtid.")
    private @Nullable String joinOn;

    @Option(
            names = "--committed-only",
            description = "Omit transactions that aborted or whose outcome is unknown, for formats without them.")
    private boolean committedOnly;

    @Option(names = "--json", description = "Print a summary of output and join as one JSON object.")
    private boolean json;

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = {"Format of IN; recognised if not given.", "One of ${COMPLETION-CANDIDATES}."})
    private @Nullable String from;

    @Mixin
    private ColumnOptions columns;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.Written.class,
            description = {
                "Format of OUT; by its extension if not given, jsonl for standard output.",
                "One of ${COMPLETION-CANDIDATES}."
            })
    private @Nullable String to;

    @Option(
            names = "--max-dead-letters",
            paramLabel = "N",
            defaultValue = "0",
            description = "Maximum number of malformed rows to skip (default: ${DEFAULT-VALUE}).")
    private long maxDeadLetters;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Memory limit of the process, set by the launcher; a join takes about 100 bytes a transaction of"
                            + " the log.",
            converter = MemoryConverter.class)
    private @Nullable Long memory;

    @Override
    public Integer call() throws IOException {
        if (reads != null || commits != null || joinOn != null) {
            return join();
        }
        if (named.size() != 2) {
            throw new UsageException("two files expected: arguments=" + named.size() + "; give IN and OUT");
        }
        Path in = named.get(0);
        Path out = named.get(1);
        Outputs.checkApart(out, in);
        BadRowLimit leftOut = new BadRowLimit(maxDeadLetters);
        try (HistoryArgument given = Inputs.find(in);
                HistorySource source = open(given);
                CountingWriter writer = create(out);
                Progress progress = Progress.start("converting", "transactions", transactionsOf(source))) {
            if (writer.takesMixedTypes()) {
                source.allowMixedTypes();
            }
            for (int split = 0; split < source.splits().size(); split++) {
                copy(source, split, leftOut, writer, progress);
            }
            source.checkUnchanged();
            keepDoubts(source, writer);
            writer.finish();
            reportWritten(out, leftOut, writer, Map.of());
            recordInitialValue(source);
            source.remarks().forEach(remark -> Terminal.printNote(remark.ruleId() + " " + remark.message()));
            if (IncompleteRecording.isAt(in.toString())) {
                Terminal.complain("L30 the recording is incomplete, which the copy does not record: " + in
                        + "; check the recording itself");
            }
        }
        return ExitCode.HOLDS;
    }

    private Integer join() throws IOException {
        if (reads == null || commits == null || joinOn == null || named.size() > 1) {
            throw new UsageException(
                    "--reads, --commits and --join-on belong together, followed by OUT: arguments=" + named.size());
        }
        Path out = named.isEmpty() ? Path.of(HistoryArgument.STANDARD_INPUT) : named.get(0);
        Outputs.checkApart(out, reads);
        Outputs.checkApart(out, commits);
        HistoryArgument.checkTogether(List.of(reads, commits));
        BadRowLimit leftOut = new BadRowLimit(maxDeadLetters);
        try (HistoryArgument givenReads = Inputs.find(reads);
                HistoryArgument givenCommits = Inputs.find(commits);
                HistorySource clients = givenReads.open(null);
                HistorySource log = open(givenCommits);
                CountingWriter writer = create(out)) {
            JoinReport report = CommitJoin.join(clients, log, joinOn, leftOut, writer);
            clients.checkUnchanged();
            log.checkUnchanged();
            keepDoubts(clients, writer);
            writer.finish();
            report.lines().forEach(Terminal::printNote);
            log.remarks().stream()
                    .filter(remark -> remark.doubt() == null) // its reads are in the log now
                    .forEach(remark -> Terminal.printNote(remark.ruleId() + " " + remark.message()));
            reportWritten(out, leftOut, writer, report.members());
        }
        return ExitCode.HOLDS;
    }

    private static void keepDoubts(HistorySource source, HistoryWriter writer) {
        for (SourceDiagnostic remark : source.remarks()) {
            if (remark.doubt() != null && !writer.doubt(remark.doubt())) {
                Terminal.printNote(
                        "this format cannot store the reasons that leave levels undecided, so a check of it may report that they hold;"
                                + " convert to parquet, arrow, jsonl or notation: " + remark.doubt());
            }
        }
    }

    private HistorySource open(HistoryArgument given) throws IOException {
        try {
            return given.open(columns.formatName(from));
        } catch (IllegalArgumentException noSuchFormat) {
            throw new UsageException(noSuchFormat.getMessage(), noSuchFormat);
        }
    }

    private void copy(HistorySource source, int split, BadRowLimit leftOut, HistoryWriter writer, Progress progress)
            throws IOException {
        try (SliceReader reader = source.open(split, ColumnGroup.all(), leftOut)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                writer.write(slice);
                progress.advance(slice.txnCount);
            }
        }
    }

    private CountingWriter create(Path out) throws IOException {
        return new CountingWriter(Outputs.create(out, to), committedOnly);
    }

    /** Reports the counts of a written file, for people and, on request, as JSON with further members. */
    private void reportWritten(Path out, BadRowLimit leftOut, CountingWriter writer, Map<String, Object> further)
            throws IOException {
        String bad = leftOut.count() == 0 ? "" : " deadLetters=" + leftOut.count();
        Terminal.printNote("wrote " + out + ": " + writer.summary() + bad);
        if (json && !HistoryArgument.isStandardInput(out)) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("schema", 1L);
            members.put("out", out.toString());
            writer.addTo(members);
            members.put("dead_letters", leftOut.count());
            members.putAll(further);
            System.out.println(CellText.text(members));
        }
    }

    private static long transactionsOf(HistorySource source) {
        long sum = 0;
        for (HistorySource.Split split : source.splits()) {
            if (split.txnCount() < 0) {
                return -1;
            }
            sum += split.txnCount();
        }
        return sum;
    }

    private static void recordInitialValue(HistorySource source) {
        String value = source.impliedInitialValue();
        if (value != null) {
            Terminal.printNote("in " + source.format() + " a read of " + value
                    + " may mean the initial state: check the copy with --initial-value " + value);
        }
    }
}
