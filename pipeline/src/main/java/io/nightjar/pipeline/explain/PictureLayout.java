package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.explain.AnomalyPicture.Arrow;
import io.nightjar.pipeline.explain.AnomalyPicture.Box;
import io.nightjar.pipeline.explain.AnomalyPicture.Line;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Positions of the boxes and arrows of a picture. */
final class PictureLayout {

    /*
     * Boxes with arrows are on an ellipse, in their order, clockwise from the top; two are placed side by side. The
     * ellipse grows until no two boxes, widened by the space for a label, overlap. The others follow in rows below.
     *
     * An arrow is a curve of degree two from the edge of one box to the edge of the other. It is straight unless others
     * join the same two boxes, in either direction: then each bends to its own side. Arrows across the ellipse bend a
     * little too, so that opposite ones do not meet in the middle.
     */

    static final int MARGIN = 24;
    static final int PADDING = 9;
    static final int LINE_HEIGHT = 17;

    private static final double CHAR_WIDTH = 7.9;
    private static final int MAX_NOTE_CHARS = 50;
    private static final int MAX_SESSION_CHARS = 70; // of a part, and two numbers of 64 bits
    private static final int MAX_LABEL_KEY_CHARS = 16;
    private static final int LABEL_HEIGHT = 44;
    private static final int ROW_GAP = 28;

    /** Bounds of a box: its upper left corner and its size. */
    record Bounds(int x, int y, int width, int height) {

        double centreX() {
            return x + width / 2.0;
        }

        double centreY() {
            return y + height / 2.0;
        }

        Bounds moved(int dx, int dy) {
            return new Bounds(x + dx, y + dy, width, height);
        }

        boolean overlaps(Bounds other, int marginX, int marginY) {
            return x < other.x + other.width + marginX
                    && other.x < x + width + marginX
                    && y < other.y + other.height + marginY
                    && other.y < y + height + marginY;
        }
    }

    /** A curve from one point to another, bent towards a third, and the middle of its label. */
    record Curve(int x1, int y1, int controlX, int controlY, int x2, int y2, int labelX, int labelY) {}

    private final AnomalyPicture picture;
    private final Bounds[] boundsOf;
    private final Curve[] curveOf;
    private final int width;
    private final int height;

    private PictureLayout(AnomalyPicture picture) {
        this.picture = picture;
        this.boundsOf = new Bounds[picture.boxes().size()];
        this.curveOf = new Curve[picture.arrows().size()];
        for (int box = 0; box < boundsOf.length; box++) {
            boundsOf[box] = sized(picture.boxes().get(box));
        }
        int connected = picture.connectedCount();
        placeConnected(connected);
        placeRows(connected);
        bendArrows(connected);
        Bounds extent = extent();
        moveBy(MARGIN - extent.x, MARGIN / 2 - extent.y);
        int right = extent.width + MARGIN;
        int bottom = extent.height + MARGIN / 2;
        this.width = right + MARGIN;
        this.height = bottom + MARGIN;
    }

    static PictureLayout of(AnomalyPicture picture) {
        return new PictureLayout(picture);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    Bounds bounds(int box) {
        return boundsOf[box];
    }

    Curve curve(int arrow) {
        return curveOf[arrow];
    }

    static String label(Arrow arrow) {
        return arrow.key() == null
                ? arrow.type()
                : arrow.type() + " " + ListCut.cutText(arrow.key(), MAX_LABEL_KEY_CHARS);
    }

    /** Returns the part and session of a box, with its times if they are short. */
    static String note(Box box) {
        int times = box.note().indexOf(" [");
        String note =
                box.note().length() > MAX_NOTE_CHARS && times > 0 ? box.note().substring(0, times) : box.note();
        return ListCut.cutText(note, MAX_SESSION_CHARS);
    }

    static int textWidth(String text) {
        return (int) Math.ceil(columns(text) * CHAR_WIDTH);
    }

    /**
     * Returns the number of columns of a text in a fixed font; wide characters and characters of unknown width take
     * two.
     */
    static int columns(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        return text.codePoints()
                .map(c -> c < 0x1100 || (c >= 0x2000 && c < 0x2E80) ? 1 : 2)
                .sum();
    }

    private static Bounds sized(Box box) {
        int width = Math.max(textWidth(box.name()), textWidth(note(box)) * 11 / 13);
        for (Line line : box.lines()) {
            width = Math.max(width, textWidth(line.text()));
        }
        int lines = 1 + (box.note().isEmpty() ? 0 : 1) + box.lines().size();
        return new Bounds(0, 0, Math.max(60, width) + 2 * PADDING, lines * LINE_HEIGHT + 2 * PADDING - 2);
    }

    private int labelWidth(int arrow) {
        Arrow of = picture.arrows().get(arrow);
        int detail = of.detail() == null ? 0 : textWidth(of.detail()) * 11 / 13;
        return Math.max(textWidth(label(of)), detail) + 8;
    }

    private void placeConnected(int count) {
        if (count == 0) {
            return;
        }
        int marginX = 40;
        int marginY = LABEL_HEIGHT + 34;
        int boxWidth = 0;
        int boxHeight = 0;
        for (int arrow = 0; arrow < curveOf.length; arrow++) {
            marginX = Math.max(marginX, labelWidth(arrow) + (count == 2 ? 84 : 40));
        }
        for (int box = 0; box < count; box++) {
            boxWidth = Math.max(boxWidth, boundsOf[box].width);
            boxHeight = Math.max(boxHeight, boundsOf[box].height);
        }
        double scale = 0.5;
        do {
            scale *= 1.04;
            for (int box = 0; box < count; box++) {
                double angle = count == 2 ? Math.PI * (1 - box) : 2 * Math.PI * box / count - Math.PI / 2;
                int x = (int) Math.round(scale * (boxWidth + marginX) * Math.cos(angle) - boundsOf[box].width / 2.0);
                int y = (int) Math.round(scale * (boxHeight + marginY) * Math.sin(angle) - boundsOf[box].height / 2.0);
                boundsOf[box] = new Bounds(x, y, boundsOf[box].width, boundsOf[box].height);
            }
        } while (anyOverlap(count, marginX, marginY));
    }

    private boolean anyOverlap(int count, int marginX, int marginY) {
        for (int one = 0; one < count; one++) {
            for (int other = 0; other < one; other++) {
                if (boundsOf[one].overlaps(boundsOf[other], marginX, marginY)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Places the boxes without arrows, in rows about as wide as the ellipse above them. */
    private void placeRows(int connected) {
        int left = 0;
        int right = 760;
        int y = 0;
        for (int box = 0; box < connected; box++) {
            left = box == 0 ? boundsOf[box].x : Math.min(left, boundsOf[box].x);
            y = Math.max(y, boundsOf[box].y + boundsOf[box].height + ROW_GAP + LABEL_HEIGHT);
        }
        for (int box = 0; box < connected; box++) {
            right = Math.max(right, boundsOf[box].x + boundsOf[box].width - left);
        }
        int x = left;
        int rowHeight = 0;
        for (int box = connected; box < boundsOf.length; box++) {
            if (x > left && x + boundsOf[box].width > left + right) {
                x = left;
                y += rowHeight + ROW_GAP;
                rowHeight = 0;
            }
            boundsOf[box] = new Bounds(x, y, boundsOf[box].width, boundsOf[box].height);
            x += boundsOf[box].width + ROW_GAP;
            rowHeight = Math.max(rowHeight, boundsOf[box].height);
        }
    }

    private void bendArrows(int connected) {
        List<Arrow> arrows = picture.arrows();
        Map<Long, Integer> countOf = new HashMap<>();
        for (Arrow arrow : arrows) {
            countOf.merge(pair(arrow), 1, Integer::sum);
        }
        Map<Long, Integer> seenOf = new HashMap<>();
        for (int i = 0; i < curveOf.length; i++) {
            Arrow arrow = arrows.get(i);
            int count = requireNonNull(countOf.get(pair(arrow)));
            int seen = seenOf.merge(pair(arrow), 1, Integer::sum) - 1;
            boolean isNeighbour =
                    Math.abs(arrow.from() - arrow.to()) == 1 || Math.abs(arrow.from() - arrow.to()) == connected - 1;
            double bend = isNeighbour ? 0 : 46;
            if (count > 1) {
                double side = (seen - (count - 1) / 2.0) * 96;
                bend = arrow.from() < arrow.to() ? side : -side;
            }
            curveOf[i] = arrow.from() == arrow.to()
                    ? loop(boundsOf[arrow.from()])
                    : curve(boundsOf[arrow.from()], boundsOf[arrow.to()], bend);
        }
    }

    private static long pair(Arrow arrow) {
        return (long) Math.min(arrow.from(), arrow.to()) << Integer.SIZE | Math.max(arrow.from(), arrow.to());
    }

    /** @param bend how far the middle of the curve lies to the right of the straight line, seen from its start */
    private static Curve curve(Bounds from, Bounds to, double bend) {
        double dx = to.centreX() - from.centreX();
        double dy = to.centreY() - from.centreY();
        double length = Math.max(1, Math.hypot(dx, dy));
        double controlX = (from.centreX() + to.centreX()) / 2 - dy / length * 2 * bend;
        double controlY = (from.centreY() + to.centreY()) / 2 + dx / length * 2 * bend;
        double[] start = border(from, controlX, controlY, 2);
        double[] end = border(to, controlX, controlY, 3);
        double labelX = start[0] / 4 + controlX / 2 + end[0] / 4;
        double labelY = start[1] / 4 + controlY / 2 + end[1] / 4;
        return new Curve(
                round(start[0]),
                round(start[1]),
                round(controlX),
                round(controlY),
                round(end[0]),
                round(end[1]),
                round(labelX),
                round(labelY));
    }

    private static Curve loop(Bounds box) {
        int x = box.x + box.width;
        int y = (int) box.centreY();
        return new Curve(x + 2, y - 10, x + 60, y, x + 3, y + 10, x + 52, y);
    }

    /** Returns where the line from a box's centre to a point leaves the box, a little outside. */
    private static double[] border(Bounds box, double x, double y, int outside) {
        double dx = x - box.centreX();
        double dy = y - box.centreY();
        double halfWidth = box.width / 2.0 + outside;
        double halfHeight = box.height / 2.0 + outside;
        double scale = Math.min(
                dx == 0 ? Double.MAX_VALUE : halfWidth / Math.abs(dx),
                dy == 0 ? Double.MAX_VALUE : halfHeight / Math.abs(dy));
        return scale == Double.MAX_VALUE
                ? new double[] {box.centreX(), box.centreY()}
                : new double[] {box.centreX() + dx * scale, box.centreY() + dy * scale};
    }

    private static int round(double coordinate) {
        return (int) Math.round(coordinate);
    }

    /** Returns the bounds of all boxes, labels and bends. */
    private Bounds extent() {
        int left = boundsOf.length == 0 ? 0 : boundsOf[0].x;
        int top = boundsOf.length == 0 ? 0 : boundsOf[0].y;
        int right = left;
        int bottom = top;
        for (Bounds bounds : boundsOf) {
            left = Math.min(left, bounds.x);
            top = Math.min(top, bounds.y);
            right = Math.max(right, bounds.x + bounds.width);
            bottom = Math.max(bottom, bounds.y + bounds.height);
        }
        for (int arrow = 0; arrow < curveOf.length; arrow++) {
            Curve curve = curveOf[arrow];
            left = Math.min(left, curve.labelX - labelWidth(arrow) / 2);
            top = Math.min(top, Math.min(curve.controlY, curve.labelY - LABEL_HEIGHT / 2));
            right = Math.max(right, curve.labelX + labelWidth(arrow) / 2);
            bottom = Math.max(bottom, Math.max(curve.controlY, curve.labelY + LABEL_HEIGHT / 2));
        }
        return new Bounds(left, top, right - left, bottom - top);
    }

    private void moveBy(int dx, int dy) {
        for (int box = 0; box < boundsOf.length; box++) {
            boundsOf[box] = boundsOf[box].moved(dx, dy);
        }
        for (int arrow = 0; arrow < curveOf.length; arrow++) {
            Curve curve = curveOf[arrow];
            curveOf[arrow] = new Curve(
                    curve.x1 + dx,
                    curve.y1 + dy,
                    curve.controlX + dx,
                    curve.controlY + dy,
                    curve.x2 + dx,
                    curve.y2 + dy,
                    curve.labelX + dx,
                    curve.labelY + dy);
        }
    }
}
