package io.nightjar.jobs.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Drawing of small SVG plots with an equivalent text for readers who cannot see them. */
final class PlotDrawing {

    private static final int WIDTH = 320;
    private static final int HEIGHT = 84;
    private static final int ROW = 22;

    private PlotDrawing() {}

    /** A bar with its name and number. */
    record Row(String name, long value, String shown) {}

    /**
     * Draws columns from left to right.
     *
     * @param words description of the plot
     * @param hovers tooltip of each column; null for none
     */
    static String columns(long[] values, String words, String from, String to, @Nullable List<String> hovers) {
        long max = 1;
        for (long value : values) {
            max = Math.max(max, value);
        }
        Markup svg = begin(HEIGHT + 18, words);
        double step = (double) WIDTH / Math.max(1, values.length);
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 0) {
                double height = Math.max(1.5, (double) values[i] / max * HEIGHT);
                svg.raw("<rect class=\"column\" x=\"" + round(i * step) + "\" y=\"" + round(HEIGHT - height)
                        + "\" width=\"" + round(Math.max(0.8, step - (step > 4 ? 1 : 0))) + "\" height=\""
                        + round(height) + "\">");
                if (hovers != null) {
                    svg.raw("<title>").text(hovers.get(i)).raw("</title>");
                }
                svg.raw("</rect>");
            }
        }
        return axis(svg, from, to);
    }

    private static String axis(Markup svg, String from, String to) {
        svg.raw("<line class=\"base\" x1=\"0\" x2=\"" + WIDTH + "\" y1=\"" + HEIGHT + "\" y2=\"" + HEIGHT
                + "\"/><text x=\"0\" y=\"" + (HEIGHT + 14) + "\">");
        svg.text(from).raw("</text><text text-anchor=\"end\" x=\"" + WIDTH + "\" y=\"" + (HEIGHT + 14) + "\">");
        return svg.text(to).raw("</text></svg>").toString();
    }

    /** Draws horizontal bars, each with its name and number. */
    static String rows(List<Row> rows, String words) {
        long max = Math.max(1, rows.stream().mapToLong(Row::value).max().orElse(1));
        Markup svg = begin(Math.max(1, rows.size()) * ROW, words);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int y = i * ROW;
            double width = Math.max(row.value() == 0 ? 0 : 1.5, (double) row.value() / max * 112);
            svg.raw("<text x=\"0\" y=\"" + (y + 15) + "\">")
                    .text(clipped(row.name()))
                    .raw("</text><rect class=\"column\" x=\"104\" y=\""
                            + (y + 4) + "\" width=\"" + round(width)
                            + "\" height=\"14\" rx=\"2\"/><text class=\"value\" x=\""
                            + round(104 + width + 6) + "\" y=\"" + (y + 15) + "\">");
            svg.text(row.shown()).raw("</text>");
        }
        return svg.raw("</svg>").toString();
    }

    private static Markup begin(int height, String words) {
        Markup svg = new Markup();
        svg.raw("<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + height
                + "\" role=\"img\" aria-label=\"");
        return svg.text(words).raw("\">");
    }

    private static String clipped(String name) {
        return name.codePointCount(0, name.length()) <= 13
                ? name
                : name.substring(0, name.offsetByCodePoints(0, 12)) + "…";
    }

    private static String round(double coordinate) {
        return String.format(Locale.ROOT, "%.1f", coordinate);
    }
}
