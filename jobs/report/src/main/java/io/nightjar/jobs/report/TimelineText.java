package io.nightjar.jobs.report;

import io.nightjar.jobs.report.AnomalyTimeline.Axis;
import io.nightjar.jobs.report.AnomalyTimeline.Bar;
import io.nightjar.jobs.report.AnomalyTimeline.Lane;
import io.nightjar.jobs.report.AnomalyTimeline.Mark;
import io.nightjar.jobs.report.AnomalyTimeline.Tick;
import io.nightjar.jobs.sql.StoredAnomaly;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Timeline for a terminal, limited to the terminal's width and to {@value #MAX_LINES} lines. */
public final class TimelineText {

    /*
     *             50        90                 150      times
     *   session 0 ├T3──●────┤                           a bar from start to commit
     *             ╎╌╌╌╌╌╌╌╌╌╌╌╌╎                        client times, on a separate axis
     *                  w(870,33)                        label of ●
     *   session 3                     ├T6──────×────┤
     *                                          r(870,_)
     */

    static final int MAX_LINES = 25;

    private static final int MIN_WIDTH = 40;
    private static final int MAX_NAME = 20;
    private static final int MAX_LABEL_ROWS = 2;
    private static final char GAP = ' ';

    private final StoredAnomaly anomaly;
    private final AnomalyTimeline timeline;
    private final int width;
    private final int left;

    /** @param columns maximum line width; at least {@value #MIN_WIDTH} is used */
    public TimelineText(StoredAnomaly anomaly, int columns) {
        this.anomaly = anomaly;
        this.timeline = AnomalyTimeline.of(anomaly);
        this.width = Math.max(MIN_WIDTH, columns);
        int maxLabel = timeline.lanes().stream()
                .mapToInt(lane -> columns("session " + lane.session()))
                .max()
                .orElse(0);
        this.left = Math.min(MAX_NAME, maxLabel) + 1;
    }

    public List<String> lines() {
        return draw().lines();
    }

    /** Returns the lines below the title if every session fits, else none. */
    public List<String> linesIfWhole() {
        Drawing drawing = draw();
        return drawing.isWhole() ? drawing.lines().subList(1, drawing.lines().size()) : List.of();
    }

    /** @param isWhole whether every session is shown, and at least one */
    private record Drawing(List<String> lines, boolean isWhole) {}

    private Drawing draw() {
        List<String> keys = anomaly.keys();
        List<String> lines = new ArrayList<>();
        lines.add(clipped(
                anomaly.id() + "  "
                        + anomaly.row().title()
                        + (keys.isEmpty()
                                ? ""
                                : (keys.size() == 1 ? " on key " : " on keys ") + String.join(", ", keys)),
                width));
        if (timeline.lanes().isEmpty()) {
            lines.add(clipped("no timeline: the tables lack the sessions of its transactions", width));
            return new Drawing(lines, false);
        }
        if (!timeline.ticks().isEmpty()) {
            lines.add(ticks());
        }
        boolean hasClient = !timeline.clientTicks().isEmpty();
        List<String> legend = legend(hasClient);
        int capacity = MAX_LINES - lines.size() - legend.size();
        List<List<String>> lanes = lanes(MAX_LABEL_ROWS, hasClient);
        if (height(lanes) > capacity) {
            lanes = lanes(1, hasClient);
        }
        if (height(lanes) > capacity && hasClient) { // more lanes are preferred to client times
            legend = legend(false);
            capacity = MAX_LINES - lines.size() - legend.size();
            lanes = lanes(1, false);
        }
        int shown = 0;
        for (List<String> lane : lanes) {
            boolean isLast = shown == lanes.size() - 1;
            if (lane.size() > capacity - (isLast ? 0 : 1)) {
                break;
            }
            lines.addAll(lane);
            capacity -= lane.size();
            shown++;
        }
        if (shown < lanes.size()) {
            lines.add("and " + (lanes.size() - shown) + " more sessions");
        }
        lines.addAll(legend);
        return new Drawing(lines, shown == lanes.size());
    }

    private static int height(List<List<String>> lanes) {
        return lanes.stream().mapToInt(List::size).sum();
    }

    private List<String> legend(boolean hasClient) {
        boolean isWrong = timeline.bars().stream().anyMatch(Bar::isOffending);
        boolean isMarked =
                timeline.bars().stream().flatMap(bar -> bar.marks().stream()).anyMatch(mark -> !mark.isOffending());
        String bars =
                switch (timeline.axis()) {
                    case DATABASE -> "├─┤ start to commit";
                    case CLIENTS -> "├─┤ invocation to completion";
                    case ORDER -> "├─┤ a transaction; no times are recorded";
                };
        List<String> notes = new ArrayList<>(List.of(bars));
        if (hasClient) {
            notes.add("╎╌╎ its client's clock, own axis");
        }
        if (isWrong) {
            notes.add("× at fault");
        }
        if (isMarked) {
            notes.add("● takes part");
        }
        if (timeline.axis() != Axis.ORDER) {
            notes.add("not to scale" + (timeline.unit().isEmpty() ? "" : ", " + timeline.unit()));
        }
        if (timeline.leftOut() > 0) {
            notes.add(timeline.leftOut() + " without a time");
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String note : notes) {
            if (!line.isEmpty() && columns(line.toString()) + 3 + columns(note) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : "   ").append(note);
        }
        lines.add(clipped(line.toString(), width));
        return lines;
    }

    private String ticks() {
        Row row = new Row();
        int free = 0;
        for (Tick tick : timeline.ticks()) {
            int at = Math.min(column(tick.x()), width - tick.text().length());
            if (at >= free && at >= left) {
                row.put(at, tick.text());
                free = at + tick.text().length() + 1;
            }
        }
        return row.toString();
    }

    private List<List<String>> lanes(int labelRows, boolean hasClient) {
        List<List<String>> lanes = new ArrayList<>();
        for (Lane lane : timeline.lanes()) {
            lanes.add(lane(lane, labelRows, hasClient));
        }
        return lanes;
    }

    private List<String> lane(Lane lane, int labelRows, boolean hasClient) {
        Row bars = new Row();
        Row client = new Row();
        Row[] labels = new Row[labelRows];
        int[] free = new int[labelRows];
        for (int row = 0; row < labelRows; row++) {
            labels[row] = new Row();
            free[row] = left;
        }
        bars.put(0, clipped("session " + lane.session(), MAX_NAME));
        for (Bar bar : lane.bars()) {
            int from = column(bar.span().from());
            int to = column(bar.span().to());
            for (int at = from; at <= to; at++) {
                bars.put(at, at == from ? (from == to ? "│" : "├") : at == to ? "┤" : "─");
            }
            boolean isNameInside = columns(bar.label()) < to - from;
            if (isNameInside) {
                bars.put(from + 1, bar.label());
            }
            if (hasClient && bar.client() != null) {
                int clientFrom = column(bar.client().from());
                int clientTo = column(bar.client().to());
                for (int at = clientFrom; at <= clientTo; at++) {
                    client.put(at, at == clientFrom || at == clientTo ? "╎" : "╌");
                }
            }
            int afterName = isNameInside ? from + 1 + columns(bar.label()) : from;
            boolean isNamed = isNameInside;
            for (Mark mark : bar.marks()) {
                int at = (int) Math.round(from + (to - from) * mark.x());
                at = Math.max(Math.min(afterName, to), Math.min(to, at));
                afterName = at + 1;
                if (to - from > 1) {
                    bars.put(at, mark.isOffending() ? "×" : "●");
                }
                label(
                        labels,
                        free,
                        at,
                        (isNamed ? "" : bar.label() + " ") + (mark.isOffending() ? "× " : "") + mark.text());
                isNamed = true;
            }
            if (!isNamed) {
                label(labels, free, from, bar.label());
            }
        }
        List<String> lines = new ArrayList<>(List.of(bars.toString()));
        for (Row row : client.isEmpty() ? labels : prepended(client, labels)) {
            if (!row.isEmpty()) {
                lines.add(row.toString());
            }
        }
        return lines;
    }

    private static Row[] prepended(Row first, Row[] rows) {
        Row[] all = new Row[rows.length + 1];
        all[0] = first;
        System.arraycopy(rows, 0, all, 1, rows.length);
        return all;
    }

    /**
     * Writes a label into the first row free at its column; otherwise into the last row after its content, truncated.
     */
    private void label(Row[] labels, int[] free, int at, String label) {
        String text = clipped(label, width - left);
        int wanted = Math.max(left, Math.min(at, width - columns(text)));
        int row = 0;
        while (row < labels.length - 1 && free[row] > wanted) {
            row++;
        }
        int start = Math.max(wanted, free[row]);
        if (width - start < 4) {
            return;
        }
        String shown = clipped(text, width - start);
        labels[row].put(start, shown);
        free[row] = start + columns(shown) + 1;
    }

    private int column(double column) {
        return left + (int) Math.round(column * (width - left - 1));
    }

    /** Returns the display width; wide characters and characters of unknown width take two columns. */
    private static int columns(String text) {
        return text.codePoints().map(TimelineText::columnsOf).sum();
    }

    private static int columnsOf(int c) {
        return c < 0x1100 || (c >= 0x2000 && c < 0x2E80) ? 1 : 2;
    }

    private static String clipped(String text, int max) {
        String visible = Markup.visible(text);
        if (columns(visible) <= max) {
            return visible;
        }
        StringBuilder clipped = new StringBuilder();
        int taken = 0;
        for (int c : visible.codePoints().toArray()) {
            taken += columnsOf(c);
            if (taken > max - 1) {
                break;
            }
            clipped.appendCodePoint(c);
        }
        return clipped.append('…').toString();
    }

    /** A line of cells; later text overwrites earlier text. */
    private final class Row {

        private final String[] cells = new String[width];
        private boolean isEmpty = true;

        void put(int at, String text) {
            int cell = at;
            for (int c : text.codePoints().toArray()) {
                if (cell + columnsOf(c) > width) {
                    return;
                }
                cells[cell] = Character.toString(c);
                if (columnsOf(c) == 2) {
                    cells[cell + 1] = "";
                }
                cell += columnsOf(c);
                isEmpty = false;
            }
        }

        boolean isEmpty() {
            return isEmpty;
        }

        @Override
        public String toString() {
            StringBuilder line = new StringBuilder();
            Arrays.stream(cells).forEach(cell -> line.append(cell == null ? String.valueOf(GAP) : cell));
            return line.toString().stripTrailing();
        }
    }
}
