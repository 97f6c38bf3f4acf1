package io.nightjar.jobs.cli;

import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.UsageException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The roles of columns of a table, or of the rows in a log of changes. */
final class ColumnOptions {

    @Option(
            names = "--map",
            paramLabel = "NAME=COLUMN",
            split = ",",
            description = {
                "For tables and logs of changes: the column of NAME, if it has none of the usual names.",
                "NAME is txn, session, op, key, value, status, start, commit, invoke, complete, version and so on."
            })
    private List<String> columns = List.of();

    /** Returns the format with the named columns, in the syntax of the classes that open histories. */
    @Nullable
    String formatName(@Nullable String from) {
        String name = columns.isEmpty() ? from : (from == null ? "auto" : from) + ":" + String.join(",", columns);
        try {
            Histories.checkFormatName(name);
        } catch (IllegalArgumentException unknown) {
            throw new UsageException(unknown.getMessage(), unknown);
        }
        return name;
    }
}
