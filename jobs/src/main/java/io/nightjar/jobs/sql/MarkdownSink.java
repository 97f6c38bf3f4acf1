package io.nightjar.jobs.sql;

import io.nightjar.formats.history.PlainText;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** A Markdown table, for issues and reports. */
final class MarkdownSink implements ResultSink {

    private final PrintStream out;
    private boolean isFirst = true;

    MarkdownSink(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<String> columns) {
        if (!isFirst) {
            out.println();
        }
        isFirst = false;
        out.println(columns.stream().map(MarkdownSink::cell).collect(Collectors.joining(" | ", "| ", " |")));
        out.println(columns.stream().map(column -> "---").collect(Collectors.joining(" | ", "| ", " |")));
    }

    @Override
    public void row(List<Object> cells) {
        out.println(cells.stream()
                .map(cell -> cell == null ? "" : cell(CellText.text(cell)))
                .collect(Collectors.joining(" | ", "| ", " |")));
    }

    @Override
    public void end() {}

    private static String cell(String text) {
        return PlainText.lines(text).replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>");
    }
}
