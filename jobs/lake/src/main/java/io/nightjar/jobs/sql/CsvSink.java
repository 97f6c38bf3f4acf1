package io.nightjar.jobs.sql;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** Comma-separated values with a header, quoted where needed as RFC 4180 has it; null is empty. */
final class CsvSink implements ResultSink {

    private final PrintStream out;
    private boolean isFirst = true;

    CsvSink(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<String> columns) {
        if (!isFirst) {
            out.println();
        }
        isFirst = false;
        out.println(columns.stream().map(CsvSink::field).collect(Collectors.joining(",")));
    }

    @Override
    public void row(List<Object> cells) {
        out.println(cells.stream()
                .map(cell -> cell == null ? "" : field(CellText.text(cell)))
                .collect(Collectors.joining(",")));
    }

    @Override
    public void end() {}

    /** Returns a field; an empty string is quoted, which distinguishes it from null. */
    private static String field(String text) {
        boolean needsQuotes = text.isEmpty()
                || text.indexOf(',') >= 0
                || text.indexOf('"') >= 0
                || text.indexOf('\n') >= 0
                || text.indexOf('\r') >= 0;
        return needsQuotes ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
