package io.nightjar.jobs.sql;

import io.nightjar.formats.history.SanitizedText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Aligned columns, in a box or without; long texts are wrapped to fit the maximum width. If that leaves too little for
 * them, each row is a record: a line for each column. The first rows determine the widths, so that a long result begins
 * to appear before it is complete.
 */
final class TableSink implements ResultSink {

    private static final int ROWS_MEASURED = 1_000;
    private static final Frame NONE = new Frame("", "  ", "");
    private static final Frame BOX = new Frame("│ ", " │ ", " │");
    private static final int MIN_WRAPPED = 20; // width of a column
    private static final int MIN_CUT = 8;
    private static final int MAX_CELL_LINES = 40;

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
    private final boolean isWrapped; // otherwise cells are cut
    private final List<List<String>> waiting = new ArrayList<>();
    private List<String> columns = List.of();
    private boolean[] isNumber = {};
    private boolean[] isWords = {}; // has cells with blanks, unlike an id
    private int[] width = {};
    private boolean isMeasured;
    private boolean isRecords;
    private long printed; // rows
    private boolean isFirst = true;

    /**
     * @param isBoxed whether lines are drawn around the cells
     * @param maxCellWidth width at which cells are cut; without a limit they are wrapped where the table is too wide
     * @param maxWidth maximum width of all columns together
     */
    TableSink(PrintStream out, boolean isBoxed, int maxCellWidth, int maxWidth) {
        this.out = out;
        this.frame = isBoxed ? BOX : NONE;
        this.maxCellWidth = maxCellWidth;
        this.maxWidth = maxWidth;
        this.isWrapped = maxWidth < Integer.MAX_VALUE && maxCellWidth == Integer.MAX_VALUE;
    }

    @Override
    public void begin(List<String> columns) {
        this.columns = columns;
        this.isNumber = new boolean[columns.size()];
        this.isWords = new boolean[columns.size()];
        this.width = new int[columns.size()];
        Arrays.fill(isNumber, true);
        for (int column = 0; column < width.length; column++) {
            width[column] = length(columns.get(column));
        }
        isMeasured = false;
        isRecords = false;
        printed = 0;
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
                isWords[column] |= row.get(column).indexOf(' ') >= 0;
                for (String line : row.get(column).split("\n", -1)) {
                    width[column] = Math.max(width[column], length(line));
                }
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
        if (frame == BOX && !isRecords) {
            printRule("└─", "─┴─", "─┘");
        }
    }

    private void printWaiting() {
        isMeasured = true;
        fit();
        if (isRecords) {
            waiting.forEach(this::print);
            waiting.clear();
            return;
        }
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
        for (int column = 0; column < width.length; column++) {
            line.append(column == 0 ? "" : between).append("─".repeat(width[column]));
        }
        out.println(line.append(right));
    }

    /** Narrows the widest texts until all columns fit, sentences before ids; numbers are neither wrapped nor cut. */
    private void fit() {
        long excess = (long) frame.width(width.length) - maxWidth;
        for (int each : width) {
            excess += each;
        }
        while (excess > 0) {
            int widest = widest(true);
            widest = widest < 0 ? widest(false) : widest;
            if (widest < 0) {
                isRecords = true;
                return;
            }
            width[widest]--;
            excess--;
        }
    }

    /** Returns the widest column that may become narrower: a column of words, or another one; -1 if none may. */
    private int widest(boolean ofWords) {
        int min = isWrapped ? MIN_WRAPPED : MIN_CUT;
        int widest = -1;
        for (int column = 0; column < width.length; column++) {
            boolean canShrink = !isNumber[column] && isWords[column] == ofWords && width[column] > min;
            widest = canShrink && (widest < 0 || width[column] > width[widest]) ? column : widest;
        }
        return widest;
    }

    private void print(List<String> row) {
        if (isRecords) {
            printRecord(row);
            return;
        }
        List<List<String>> cells = new ArrayList<>();
        int height = 1;
        for (int column = 0; column < width.length; column++) {
            List<String> lines = lines(row.get(column), isNumber[column] ? Integer.MAX_VALUE : width[column]);
            cells.add(lines);
            height = Math.max(height, lines.size());
        }
        for (int each = 0; each < height; each++) {
            StringBuilder line = new StringBuilder(frame.left);
            for (int column = 0; column < width.length; column++) {
                String cell =
                        each < cells.get(column).size() ? cells.get(column).get(each) : "";
                String padding = " ".repeat(Math.max(0, width[column] - length(cell)));
                line.append(column == 0 ? "" : frame.between);
                line.append(isNumber[column] ? padding + cell : cell + padding);
            }
            out.println(line.append(frame.right).toString().stripTrailing());
        }
    }

    /** Prints a row as lines of a name and a value, after a blank line unless it is the first. */
    private void printRecord(List<String> row) {
        if (printed++ > 0) {
            out.println();
        }
        int name = columns.stream().mapToInt(TableSink::length).max().orElse(0);
        for (int column = 0; column < width.length; column++) {
            String label = columns.get(column);
            for (String line : lines(row.get(column), Math.max(MIN_WRAPPED, maxWidth - name - 2))) {
                out.println((label + " ".repeat(name - length(label) + 2) + line).stripTrailing());
                label = "";
            }
        }
    }

    /** Returns the lines of a cell, wrapped between words where possible, or one line if cells are cut. */
    private List<String> lines(String cell, int max) {
        if (!isWrapped) {
            return List.of(maxWidth < Integer.MAX_VALUE ? cut(cell, max) : cell);
        }
        List<String> lines = new ArrayList<>();
        for (String line : cell.split("\n", -1)) {
            String rest = line;
            while (length(rest) > max) {
                int end = rest.offsetByCodePoints(0, max);
                int blank = rest.lastIndexOf(' ', end);
                int cut = blank > 0 && !rest.substring(0, blank).isBlank() ? blank : end;
                lines.add(rest.substring(0, cut));
                rest = rest.substring(cut).stripLeading();
            }
            lines.add(rest);
        }
        if (lines.size() <= MAX_CELL_LINES) {
            return lines;
        }
        String last = lines.get(MAX_CELL_LINES - 1);
        lines.set(MAX_CELL_LINES - 1, length(last) < max ? last + "…" : cut(last + " ", max));
        return lines.subList(0, MAX_CELL_LINES);
    }

    /** Returns a cell on one line, and not wider than wanted, or with its lines if it may be wrapped. */
    private String shown(String text) {
        return isWrapped ? SanitizedText.lines(text) : cut(SanitizedText.flat(text), maxCellWidth);
    }

    private static String cut(String line, int max) {
        return length(line) <= max ? line : line.substring(0, line.offsetByCodePoints(0, max - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
