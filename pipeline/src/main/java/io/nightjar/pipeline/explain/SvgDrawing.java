package io.nightjar.pipeline.explain;

import io.nightjar.pipeline.explain.AnomalyPicture.Arrow;
import io.nightjar.pipeline.explain.AnomalyPicture.Box;
import io.nightjar.pipeline.explain.AnomalyPicture.Line;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Output of a picture as one self-contained SVG document: no script, no font, no other file. */
public final class SvgDrawing {

    /*
     *        title
     *        subtitle
     *
     *            ┌─────┐  ww x
     *            │ T1  │─────────►┌─────┐
     *            └─────┘          │ T2  │      boxes with arrows on an ellipse, clockwise from the top (PictureLayout)
     *               ▲      rw y   └─────┘
     *               └────────────────┘
     *        ┌─────┐ ┌─────┐                   boxes without arrows in rows below
     *        └─────┘ └─────┘
     *        legend of the types of arrows
     *
     * Lines are drawn first, boxes over them, labels last, so that no line hides a word.
     */

    private static final int TEXT_SIZE = 13;
    private static final int TITLE_HEIGHT = 58;
    private static final int LEGEND_LINE = 20;

    /** The colors of a drawing: its own, or variables of the surrounding page. */
    private record Ink(
            String paper, String text, String faint, String muted, String line, String box, String rest, String fault) {

        static final Ink OF_DOCUMENT =
                new Ink("#ffffff", "#202124", "#5f6368", "#70757a", "#3c4043", "#f5f8fe", "#fafafa", "#b3261e");

        static final Ink OF_PAGE = new Ink(
                "var(--card)",
                "var(--text)",
                "var(--soft)",
                "var(--soft)",
                "var(--line-strong)",
                "var(--box)",
                "var(--card)",
                "var(--bad)");
    }

    private final AnomalyPicture picture;
    private final PictureLayout layout;
    private final @Nullable String idInPage; // null in a separate document
    private final Ink ink;
    private final Set<EdgeKind> kinds = new LinkedHashSet<>(); // of the arrows
    private final StringBuilder svg = new StringBuilder();

    private SvgDrawing(AnomalyPicture picture, @Nullable String idInPage) {
        this.picture = picture;
        this.layout = PictureLayout.of(picture);
        picture.arrows().forEach(arrow -> kinds.add(EdgeKind.of(arrow.type())));
        this.idInPage = idInPage;
        this.ink = idInPage == null ? Ink.OF_DOCUMENT : Ink.OF_PAGE;
    }

    /** Returns the document; equal pictures have equal texts. */
    public static String draw(AnomalyPicture picture) {
        return new SvgDrawing(picture, null).draw();
    }

    /**
     * Returns the drawing alone, without title and legend, in the colors of a page: the variables {@code --card --text
     * --soft --line-strong --box --bad} and one for each type of arrow, as {@code --edge-ww}.
     *
     * @param id unique name of the drawing on the page
     */
    public static String inPage(AnomalyPicture picture, String id) {
        return new SvgDrawing(picture, id).drawInPage();
    }

    /** Returns the meaning of a type of arrow, in words. */
    public static String meaningOf(String type) {
        return EdgeKind.of(type).meaning;
    }

    private String drawInPage() {
        open(layout.width(), layout.height());
        markers();
        drawAll();
        return svg.append("</svg>\n").toString();
    }

    private String colourOf(EdgeKind kind) {
        return idInPage == null ? kind.colour : "var(--edge-" + (kind.type.isEmpty() ? "other" : kind.type) + ")";
    }

    private String draw() {
        int titleWidth = 2 * PictureLayout.MARGIN
                + 10 * Math.max(PictureLayout.columns(picture.title()), PictureLayout.columns(picture.subtitle()));
        int width = Math.max(Math.max(layout.width(), titleWidth), kinds.isEmpty() ? 0 : 380);
        int height = TITLE_HEIGHT + layout.height() + kinds.size() * LEGEND_LINE + PictureLayout.MARGIN;
        begin(width, height);
        svg.append("<g transform=\"translate(" + ((width - layout.width()) / 2) + " " + TITLE_HEIGHT + ")\">\n");
        drawAll();
        svg.append("</g>\n");
        drawLegend(TITLE_HEIGHT + layout.height());
        return svg.append("</svg>\n").toString();
    }

    private void drawAll() {
        for (int arrow = 0; arrow < picture.arrows().size(); arrow++) {
            drawLine(arrow);
        }
        for (int box = 0; box < picture.boxes().size(); box++) {
            drawBox(box);
        }
        for (int arrow = 0; arrow < picture.arrows().size(); arrow++) {
            drawLabel(arrow);
        }
    }

    private void open(int width, int height) {
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        .formatted(width, height, width, height));
        svg.append(" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\""
                + TEXT_SIZE + "\">\n<title>" + escaped(picture.title()) + "</title>\n<desc>" + escaped(description())
                + "</desc>\n");
    }

    private void markers() {
        svg.append("<defs>\n");
        for (EdgeKind kind : kinds) {
            svg.append(
                    "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\""
                            .formatted(markerId(kind)));
            svg.append(
                    " markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"%s\"/></marker>\n"
                            .formatted(colourOf(kind)));
        }
        svg.append("</defs>\n");
    }

    private void begin(int width, int height) {
        open(width, height);
        markers();
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(
                PictureLayout.MARGIN,
                26,
                picture.title(),
                "font-size=\"16\" font-weight=\"bold\" fill=\"" + ink.text() + "\"");
        if (picture.subtitle() != null) {
            text(PictureLayout.MARGIN, 46, picture.subtitle(), "fill=\"" + ink.faint() + "\"");
        }
    }

    /** Returns a description for readers who use a screen reader. */
    private String description() {
        StringBuilder words = new StringBuilder();
        for (Arrow arrow : picture.arrows()) {
            words.append(words.isEmpty() ? "" : "; ")
                    .append(picture.boxes().get(arrow.from()).name())
                    .append(" before ")
                    .append(picture.boxes().get(arrow.to()).name())
                    .append(" (")
                    .append(PictureLayout.label(arrow))
                    .append(")");
        }
        return words.isEmpty() ? "Transactions without arrows" : words.toString();
    }

    private String markerId(EdgeKind kind) {
        return (idInPage == null ? "" : idInPage + "-") + "to-" + kind.name().toLowerCase(Locale.ROOT);
    }

    private void drawLine(int arrow) {
        EdgeKind kind = EdgeKind.of(picture.arrows().get(arrow).type());
        PictureLayout.Curve curve = layout.curve(arrow);
        svg.append(
                "<path d=\"M%d %d Q%d %d %d %d\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s marker-end=\"url(#%s)\">"
                        .formatted(
                                curve.x1(),
                                curve.y1(),
                                curve.controlX(),
                                curve.controlY(),
                                curve.x2(),
                                curve.y2(),
                                colourOf(kind),
                                kind.dashes.isEmpty() ? "" : " stroke-dasharray=\"" + kind.dashes + "\"",
                                markerId(kind)));
        String reason = picture.arrows().get(arrow).reason();
        svg.append("<title>" + escaped(reason == null ? kind.meaning : reason) + "</title></path>\n");
    }

    private void drawLabel(int arrow) {
        EdgeKind kind = EdgeKind.of(picture.arrows().get(arrow).type());
        PictureLayout.Curve curve = layout.curve(arrow);
        String label = PictureLayout.label(picture.arrows().get(arrow));
        String detail = picture.arrows().get(arrow).detail();
        boolean hasDetail = detail != null && !detail.isEmpty();
        int width = PictureLayout.textWidth(label) + 8;
        if (detail != null && hasDetail) {
            width = Math.max(width, PictureLayout.textWidth(detail) * 11 / 13 + 8);
        }
        int above = hasDetail ? 16 : 9;
        svg.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\"/>\n"
                .formatted(curve.labelX() - width / 2, curve.labelY() - above, width, 2 * above, ink.paper()));
        text(
                curve.labelX(),
                curve.labelY() + (hasDetail ? -3 : 4),
                label,
                "text-anchor=\"middle\" font-weight=\"bold\" fill=\"" + colourOf(kind) + "\"");
        if (detail != null && hasDetail) {
            text(
                    curve.labelX(),
                    curve.labelY() + 11,
                    detail,
                    "text-anchor=\"middle\" font-size=\"11\" fill=\"" + ink.faint() + "\"");
        }
    }

    private void drawBox(int index) {
        Box box = picture.boxes().get(index);
        PictureLayout.Bounds bounds = layout.bounds(index);
        if (idInPage != null) {
            svg.append("<g class=\"txn\" data-txn=\"" + escaped(box.name()) + "\">");
        }
        boolean isConnected = index < picture.connectedCount();
        svg.append(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"7\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"/>\n"
                        .formatted(
                                bounds.x(),
                                bounds.y(),
                                bounds.width(),
                                bounds.height(),
                                isConnected ? ink.box() : ink.rest(),
                                box.isAtFault() ? ink.fault() : ink.line(),
                                isConnected ? "1.5" : "1"));
        int x = bounds.x() + PictureLayout.PADDING;
        int y = bounds.y() + PictureLayout.PADDING + 11;
        text(x, y, box.name(), "font-weight=\"bold\" fill=\"" + ink.text() + "\"");
        if (!box.note().isEmpty()) {
            y += PictureLayout.LINE_HEIGHT;
            text(x, y, PictureLayout.note(box), "font-size=\"11\" fill=\"" + ink.faint() + "\"");
        }
        for (Line line : box.lines()) {
            y += PictureLayout.LINE_HEIGHT;
            text(
                    x,
                    y,
                    line.text(),
                    line.isAtFault()
                            ? "font-weight=\"bold\" fill=\"" + ink.fault() + "\""
                            : line.matters()
                                    ? "font-weight=\"bold\" fill=\"" + ink.text() + "\""
                                    : "fill=\"" + ink.muted() + "\"");
        }
        if (idInPage != null) {
            svg.append("</g>\n");
        }
    }

    private void drawLegend(int top) {
        int y = top + 8;
        for (EdgeKind kind : kinds) {
            svg.append("<path d=\"M%d %d h36\" stroke=\"%s\" stroke-width=\"1.8\"%s marker-end=\"url(#%s)\"/>\n"
                    .formatted(
                            PictureLayout.MARGIN,
                            y,
                            colourOf(kind),
                            kind.dashes.isEmpty() ? "" : " stroke-dasharray=\"" + kind.dashes + "\"",
                            markerId(kind)));
            text(
                    PictureLayout.MARGIN + 48,
                    y + 4,
                    (kind.type + "  " + kind.meaning).strip(),
                    "fill=\"" + ink.faint() + "\"");
            y += LEGEND_LINE;
        }
    }

    private void text(int x, int y, String text, String attributes) {
        svg.append("<text x=\"%d\" y=\"%d\" xml:space=\"preserve\" ".formatted(x, y) + attributes + ">" + escaped(text)
                + "</text>\n");
    }

    /** Escapes text. Keys and values may hold anything; XML allows no control characters, not even escaped. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : ' ');
            }
        });
        return escaped.toString();
    }

    /**
     * Returns whether a character is allowed: marks that change the direction of writing, or are invisible, could
     * disguise a value.
     */
    static boolean isAllowed(int c) {
        boolean isSurrogate = c >= 0xD800 && c <= 0xDFFF;
        boolean turnsDirection = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x061C;
        boolean isHidden = (c >= 0x200B && c <= 0x200F) || (c >= 0x2060 && c <= 0x2065) || c == 0xFEFF || c == 0x00AD;
        return !Character.isISOControl(c) && !isSurrogate && !turnsDirection && !isHidden && c != 0xFFFE && c != 0xFFFF;
    }
}
