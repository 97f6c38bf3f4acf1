package io.nightjar.pipeline.explain;

import io.nightjar.formats.history.SanitizedText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Model of a drawing of an anomaly: a box for each transaction, and arrows from earlier to later ones. The boxes on the
 * cycle come first, in its order. Every text is on one line. Drawn by {@link SvgDrawing}.
 *
 * @param title the anomaly's type and its other names
 * @param subtitle the anomaly in a line; null if none
 */
public record AnomalyPicture(String title, @Nullable String subtitle, List<Box> boxes, List<Arrow> arrows) {

    private static final int MAX_VALUE_LENGTH = 14;

    public AnomalyPicture {
        title = SanitizedText.flat(title);
        subtitle = SanitizedText.flat(subtitle);
        boxes = List.copyOf(boxes);
        arrows = List.copyOf(arrows);
        for (Arrow arrow : arrows) {
            if (arrow.from >= boxes.size() || arrow.to >= boxes.size()) {
                throw new IllegalArgumentException("arrow without box: from=" + arrow.from + " to=" + arrow.to);
            }
        }
    }

    /** Returns the number of boxes with arrows, which come first. */
    int connectedCount() {
        int count = 0;
        for (Arrow arrow : arrows) {
            count = Math.max(count, Math.max(arrow.from, arrow.to) + 1);
        }
        return count;
    }

    /**
     * A transaction.
     *
     * @param name T and its id
     * @param note its part, session and times; may be empty
     * @param isAtFault whether the sentence of the anomaly blames it
     */
    public record Box(String name, String note, boolean isAtFault, List<Line> lines) {

        public Box {
            lines = List.copyOf(lines);
        }
    }

    /** An operation, or a count of omitted ones. */
    public record Line(String text, boolean matters, boolean isAtFault) {

        public Line {
            text = SanitizedText.flat(text);
        }
    }

    /**
     * Precedence of one transaction over another.
     *
     * @param from ordinal of a box
     * @param type ww wr rw so rt ts
     * @param key null where none is involved
     * @param detail the versions and the evidence of their order, in short; null if none
     * @param reason the edge reason as a sentence; null if type and key suffice
     */
    public record Arrow(
            int from, int to, String type, @Nullable String key, @Nullable String detail, @Nullable String reason) {

        public Arrow {
            key = SanitizedText.flat(key);
            detail = SanitizedText.flat(detail);
            reason = SanitizedText.flat(reason);
        }

        /**
         * Returns the versions that an edge is about and how it is known, in short: {@code 1 → 2 · list}.
         *
         * @param evidence null if it is not known how
         */
        public static String detailOf(
                String type,
                @Nullable String key,
                @Nullable String fromValue,
                @Nullable String toValue,
                @Nullable String evidence) {
            boolean hasValues = key != null && !(fromValue == null && toValue == null);
            String values =
                    !hasValues ? "" : type.equals("wr") ? shown(toValue) : shown(fromValue) + " → " + shown(toValue);
            String known = evidence == null || key == null ? "" : "by " + evidence;
            return values.isEmpty() ? known : known.isEmpty() ? values : values + " · " + known;
        }

        private static String shown(@Nullable String value) {
            return value == null ? "_" : ListCut.cut(value, List.of(), MAX_VALUE_LENGTH);
        }
    }
}
