package io.nightjar.jobs.sql;

import io.nightjar.formats.history.SanitizedText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Aligned columns, in a box or without. The first rows determine the widths, so that a long result begins to appear
 * before it is complete.
 */
final class TableSink implements ResultSink {

    private static final int ROWS_MEASURED = 1_000;
    private static final Frame NONE = new Frame("", "  ", "");
    private static final Frame BOX = new Frame("│ ", " │ ", " │");
    private static final int MIN_TEXT = 8;

    /** The texts around the cells of a row. */
    private record Frame(String left, String between, String right) {

        int width(int columns) {
            return left.length() + between.length() * (columns - 1) + right.length();
        }
    }

    private final PrintStream out;
    private final Frame frame;
    private final int maxCellWidth;
    private final int maxWidth;
    private final List<List<String>> waiting = new ArrayList<>();
    private List<String> columns = List.of();
    private boolean[] isNumber = {};
    private int[] width = {};
    private int shown; // columns, from the first
    private boolean isMeasured;
    private boolean isFirst = true;

    /**
     * @param isBoxed whether lines are drawn around the cells
     * @param maxWidth maximum width of all columns together, as far as cutting texts can achieve it
     */
    TableSink(PrintStream out, boolean isBoxed, int maxCellWidth, int maxWidth) {
        this.out = out;
        this.frame = isBoxed ? BOX : NONE;
        this.maxCellWidth = maxCellWidth;
        this.maxWidth = maxWidth;
    }

    @Override
    public void begin(List<String> columns) {
        this.columns = columns;
        this.isNumber = new boolean[columns.size()];
        this.width = new int[columns.size()];
        Arrays.fill(isNumber, true);
        for (int column = 0; column < width.length; column++) {
            width[column] = length(columns.get(column));
        }
        isMeasured = false;
        if (!isFirst) {
            out.println();
        }
        isFirst = false;
    }

    @Override
    public void row(List<Object> cells) {
        List<String> row = new ArrayList<>(cells.size());
        for (int column = 0; column < cells.size(); column++) {
            Object cell = cells.get(column);
            row.add(cell == null ? "" : shown(CellText.text(cell)));
            if (!isMeasured) {
                isNumber[column] &= cell == null || cell instanceof Number;
                width[column] = Math.max(width[column], length(row.get(column)));
            }
        }
        if (isMeasured) {
            print(row);
            return;
        }
        waiting.add(row);
        if (waiting.size() == ROWS_MEASURED) {
            printWaiting();
        }
    }

    @Override
    public void end() {
        if (!isMeasured) {
            printWaiting();
        }
        if (frame == BOX) {
            printRule("└─", "─┴─", "─┘");
        }
        if (shown < columns.size()) {
            List<String> hidden = columns.subList(shown, columns.size());
            out.println("columns that do not fit: " + String.join(" ", hidden));
        }
    }

    private void printWaiting() {
        isMeasured = true;
        fit();
        if (frame == BOX) {
            printRule("┌─", "─┬─", "─┐");
            print(columns);
            printRule("├─", "─┼─", "─┤");
        } else {
            print(columns);
            print(Arrays.stream(width).mapToObj("-"::repeat).toList());
        }
        for (List<String> row : waiting) {
            print(row);
        }
        waiting.clear();
    }

    private void printRule(String left, String between, String right) {
        StringBuilder line = new StringBuilder(left);
        for (int column = 0; column < shown; column++) {
            line.append(column == 0 ? "" : between).append("─".repeat(width[column]));
        }
        out.println(line.append(right));
    }

    /** Shortens the widest text until all fit; then omits columns from the end. Numbers are never cut. */
    private void fit() {
        shown = width.length;
        long excess = (long) frame.width(width.length) - maxWidth;
        for (int each : width) {
            excess += each;
        }
        while (excess > 0) {
            int widest = -1;
            for (int column = 0; column < width.length; column++) {
                boolean canGive = !isNumber[column] && width[column] > MIN_TEXT;
                widest = canGive && (widest < 0 || width[column] > width[widest]) ? column : widest;
            }
            if (widest >= 0) {
                width[widest]--;
                excess--;
            } else if (shown > 1) {
                shown--;
                excess -= width[shown] + frame.between.length();
            } else {
                return;
            }
        }
    }

    private void print(List<String> row) {
        StringBuilder line = new StringBuilder(frame.left);
        for (int column = 0; column < shown; column++) {
            boolean isText = !isNumber[column] && maxWidth < Integer.MAX_VALUE;
            String cell = isText ? cut(row.get(column), width[column]) : row.get(column);
            String padding = " ".repeat(Math.max(0, width[column] - length(cell)));
            line.append(column == 0 ? "" : frame.between);
            line.append(isNumber[column] ? padding + cell : cell + padding);
        }
        out.println(line.append(frame.right).toString().stripTrailing());
    }

    /** Returns a cell on one line, and not wider than wanted. */
    private String shown(String text) {
        return cut(SanitizedText.flat(text), maxCellWidth);
    }

    private static String cut(String line, int max) {
        return length(line) <= max ? line : line.substring(0, line.offsetByCodePoints(0, max - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
