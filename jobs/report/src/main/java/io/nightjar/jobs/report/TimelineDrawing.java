package io.nightjar.jobs.report;

import io.nightjar.jobs.report.AnomalyTimeline.Axis;
import io.nightjar.jobs.report.AnomalyTimeline.Bar;
import io.nightjar.jobs.report.AnomalyTimeline.Lane;
import io.nightjar.jobs.report.AnomalyTimeline.Mark;
import io.nightjar.jobs.report.AnomalyTimeline.Span;
import io.nightjar.jobs.report.AnomalyTimeline.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * SVG drawing of a timeline for a page. Elements that move on zoom have their position in {@code data-a} and {@code
 * data-b}.
 */
final class TimelineDrawing {

    /*
     *   session 1 │    ┌─────── T3 ──────◆ r(x,1) ┐        a bar from start to commit
     *             │  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒       client times below the bar, on a separate axis
     *   session 2 │
     *             └────┬──────────┬──────────────┬────     ticks: times of the database
     */

    static final int MAX_LANES = 12;

    private static final int LEFT = 96;
    private static final int WIDTH = 860;
    private static final int RIGHT = 24;
    private static final int SESSION_CHARS = 10;
    private static final int LANE = 40;
    private static final int MAX_LABEL_CHARS = 34;
    private static final int LABEL = 15;
    private static final int MAX_LABEL_ROWS = 3;
    private static final double LABEL_CHAR = 7.2;
    private static final int TOP = 12;
    private static final int BAR = 22;
    private static final int CHAR = 8;
    private static final int TICK_CHARS = 8;

    private final AnomalyTimeline timeline;
    private final String id;
    private final Markup svg = new Markup();
    private int[] topOf = {}; // by lane; the last entry is the bottom of the last lane
    private final List<List<Label>> labelsOf = new ArrayList<>(); // by lane

    private TimelineDrawing(AnomalyTimeline timeline, String id) {
        this.timeline = timeline;
        this.id = id;
    }

    /** @param id an id that is unique on the page */
    static String draw(AnomalyTimeline timeline, String id) {
        return new TimelineDrawing(timeline, id).draw();
    }

    private String draw() {
        List<Lane> lanes =
                timeline.lanes().subList(0, Math.min(MAX_LANES, timeline.lanes().size()));
        topOf = new int[lanes.size() + 1];
        topOf[0] = TOP;
        for (int lane = 0; lane < lanes.size(); lane++) {
            List<Label> labels = labels(lanes.get(lane));
            labelsOf.add(labels);
            int rows = labels.stream().mapToInt(label -> label.row() + 1).max().orElse(0);
            topOf[lane + 1] = topOf[lane] + LANE + rows * LABEL;
        }
        int bottom = topOf[lanes.size()];
        int height = bottom
                + (timeline.ticks().isEmpty() ? 8 : 26)
                + (timeline.clientTicks().isEmpty() ? 0 : 20);
        int width = LEFT + WIDTH + RIGHT;
        svg.raw("<svg class=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + width
                + "\" height=\""
                + height + "\" viewBox=\"0 0 " + width + " " + height + "\" data-left=\"" + LEFT + "\" data-width=\""
                + WIDTH
                + "\"><title>Timeline</title><desc>");
        describe(lanes);
        svg.raw("</desc><clipPath id=\"" + id + "-clip\"><rect x=\"" + (LEFT - 6) + "\" y=\"0\" width=\"" + (WIDTH + 12)
                + "\" height=\"" + height + "\"/></clipPath>\n");
        for (int lane = 0; lane < lanes.size(); lane++) {
            int y = topOf[lane];
            svg.raw("<rect class=\"lane" + lane % 2 + "\" x=\"0\" y=\"" + y + "\" width=\"" + width + "\" height=\""
                    + (topOf[lane + 1] - y) + "\"/>");
            session(lanes.get(lane).session(), y);
        }
        svg.raw("<g clip-path=\"url(#" + id + "-clip)\">\n");
        axis(timeline.ticks(), bottom, "tick", 16);
        axis(timeline.clientTicks(), bottom, "tick client", 36);
        for (int lane = 0; lane < lanes.size(); lane++) {
            for (Bar bar : lanes.get(lane).bars()) {
                bar(bar, topOf[lane]);
            }
            for (boolean isOffending : new boolean[] {false, true}) { // over the others
                for (Label label : labelsOf.get(lane)) {
                    if (label.mark().isOffending() == isOffending) {
                        mark(label, topOf[lane]);
                    }
                }
            }
        }
        svg.raw("</g>\n");
        if (!timeline.clientTicks().isEmpty()) {
            svg.raw("<text class=\"axis\" x=\"8\" y=\"" + (bottom + 16)
                    + "\">database</text><text class=\"axis\" x=\"8\" y=\"" + (bottom + 36) + "\">client, "
                    + firstWord(timeline.clientUnit()) + "</text>");
        }
        return svg.raw("</svg>").toString();
    }

    /** Writes the name of a lane; a long id takes the line of the word, too. */
    private void session(String id, int top) {
        boolean isLong = id.length() > SESSION_CHARS;
        String head = isLong ? id.substring(0, id.length() - SESSION_CHARS) : "session";
        svg.raw("<text class=\"session" + (isLong ? "-id" : "") + "\" x=\"8\" y=\"" + (top + 25) + "\">")
                .text(clipped(head, SESSION_CHARS))
                .raw("</text><text class=\"session-id\" x=\"8\" y=\"" + (top + 41) + "\">")
                .text(id.substring(isLong ? id.length() - SESSION_CHARS : 0))
                .raw("</text>\n");
    }

    private static String firstWord(String unit) {
        int end = unit.indexOf(' ');
        return end < 0 ? unit : unit.substring(0, end);
    }

    private void describe(List<Lane> lanes) {
        for (Lane lane : lanes) {
            svg.text("Session " + lane.session() + ": ");
            for (Bar bar : lane.bars()) {
                svg.text(hover(bar) + ". ");
            }
        }
    }

    /** Draws an axis; the first of overlapping ticks is shown, and zooming reveals the others. */
    private void axis(List<Tick> ticks, int bottom, String style, int labelAt) {
        double free = -1;
        for (Tick tick : ticks) {
            double x = x(tick.x());
            String text = tick.text();
            double labelWidth = Math.max(TICK_CHARS, text.length()) * 7.0 / 2;
            boolean isHidden = x - labelWidth < free;
            if (!isHidden) {
                free = x + labelWidth;
            }
            svg.raw("<g class=\"" + style + (isHidden ? " crowded" : "") + "\" data-a=\"" + share(tick.x())
                    + "\" transform=\"translate(" + coordinate(x) + " 0)\">");
            if (!style.endsWith("client")) {
                svg.raw("<line y1=\"" + TOP + "\" y2=\"" + (bottom + 4) + "\"/>");
            }
            String anchor = tick.x() < 0.06 ? "start" : tick.x() > 0.94 ? "end" : "middle";
            svg.raw("<text text-anchor=\"" + anchor + "\" y=\"" + (bottom + labelAt) + "\">")
                    .text(text)
                    .raw("</text></g>\n");
        }
    }

    private void bar(Bar bar, int top) {
        Span span = bar.span();
        double from = x(span.from());
        double width = Math.max(3, x(span.to()) - from);
        boolean isOffending = bar.isOffending();
        svg.raw("<g class=\"txn " + (isOffending ? "offending" : "")
                + (bar.status() == null || bar.status().equals("committed") ? "" : " uncertain") + "\" data-txn=\"");
        svg.text(bar.name()).raw("\"><title>").text(hover(bar)).raw("</title>");
        if (bar.client() != null) {
            double clientFrom = x(bar.client().from());
            svg.raw("<rect class=\"client\" rx=\"2\" data-a=\""
                    + share(bar.client().from()) + "\" data-b=\""
                    + share(bar.client().to()) + "\" x=\"" + coordinate(clientFrom) + "\" y=\"" + (top + 4)
                    + "\" width=\""
                    + coordinate(Math.max(3, x(bar.client().to()) - clientFrom)) + "\" height=\"" + (BAR + 8) + "\"/>");
        }
        svg.raw("<rect class=\"bar\" rx=\"4\" data-a=\"" + share(span.from()) + "\" data-b=\"" + share(span.to())
                + "\" x=\"" + coordinate(from) + "\" y=\"" + (top + 8) + "\" width=\"" + coordinate(width)
                + "\" height=\"" + BAR + "\"/>");
        boolean fits = isNameInside(bar);
        double nameAt = fits ? from + 7 : from;
        svg.raw("<g data-a=\"" + share(span.from()) + "\" transform=\"translate(" + coordinate(nameAt)
                + " 0)\" data-dx=\"" + (fits ? 7 : 0) + "\"><text class=\"name\" y=\"" + (top + 24) + "\">");
        svg.text(bar.name()).raw("</text></g>");
        svg.raw("</g>\n");
    }

    private static boolean isNameInside(Bar bar) {
        return bar.name().length() * CHAR + 12
                < x(bar.span().to()) - x(bar.span().from());
    }

    /** Returns the labels of a lane's operations, each in the first row with sufficient space. */
    private static List<Label> labels(Lane lane) {
        List<Label> labels = new ArrayList<>();
        double[] freeFrom = new double[MAX_LABEL_ROWS];
        for (Bar bar : lane.bars()) {
            double from = x(bar.span().from());
            double width = x(bar.span().to()) - from;
            double minWidth = isNameInside(bar) ? Math.min(width, bar.name().length() * CHAR + 20.0) : 0;
            for (Mark mark : bar.marks()) {
                double at = from + Math.max(minWidth, width * mark.x());
                String text = clipped(mark.text(), MAX_LABEL_CHARS);
                double labelWidth = text.length() * LABEL_CHAR;
                String anchor =
                        at - labelWidth / 2 < LEFT ? "start" : at + labelWidth / 2 > LEFT + WIDTH ? "end" : "middle";
                double start =
                        anchor.equals("start") ? at : anchor.equals("end") ? at - labelWidth : at - labelWidth / 2;
                int row = 0;
                while (row < MAX_LABEL_ROWS - 1 && freeFrom[row] > start) {
                    row++;
                }
                freeFrom[row] = start + labelWidth + LABEL_CHAR;
                labels.add(new Label(bar, mark, (at - LEFT) / WIDTH, text, anchor, row));
            }
        }
        return labels;
    }

    /** Draws a diamond in the bar, and its label below the bar. */
    private void mark(Label label, int top) {
        double x = x(label.x());
        svg.raw("<g class=\"txn" + (label.mark().isOffending() ? " offending" : "") + "\" data-txn=\"");
        svg.text(label.bar().name())
                .raw("\"><g class=\"mark\" data-a=\"" + share(label.x()) + "\" transform=\"translate("
                        + coordinate(x) + " 0)\"><path d=\"M0 " + (top + 13)
                        + " l6 6 l-6 6 l-6 -6 z\"/><text text-anchor=\""
                        + label.anchor() + "\" y=\"" + (top + 46 + label.row() * LABEL) + "\">");
        svg.text(label.text()).raw("</text></g></g>\n");
    }

    private record Label(Bar bar, Mark mark, double x, String text, String anchor, int row) {}

    private String hover(Bar bar) {
        Span span = bar.span();
        boolean isByDatabase = timeline.axis() == Axis.DATABASE;
        StringBuilder text = new StringBuilder(bar.name());
        text.append(bar.roles().isEmpty() ? "" : " (" + bar.roles() + ")");
        text.append(bar.status() == null || bar.status().equals("committed") ? "" : ", " + bar.status());
        if (span.fromText() != null) {
            text.append(isByDatabase ? ", start " : ", invoked ").append(span.fromText());
            text.append(isByDatabase ? ", commit " : ", complete ").append(span.toText());
        }
        if (bar.client() != null) {
            text.append(", for its client ").append(bar.client().fromText());
            text.append(" to ").append(bar.client().toText()).append(' ').append(timeline.clientUnit());
        }
        for (Mark mark : bar.marks()) {
            text.append(mark.isOffending() ? ", at fault: " : ", ").append(mark.text());
        }
        return text.toString();
    }

    private static double x(double x) {
        return LEFT + x * WIDTH;
    }

    private static String coordinate(double x) {
        return String.format(Locale.ROOT, "%.1f", x);
    }

    private static String share(double x) {
        return String.format(Locale.ROOT, "%.5f", x);
    }

    private static String clipped(String text, int chars) {
        return text.codePointCount(0, text.length()) <= chars
                ? text
                : text.substring(0, text.offsetByCodePoints(0, chars - 1)) + "…";
    }
}
