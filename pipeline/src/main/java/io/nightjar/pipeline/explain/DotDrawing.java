package io.nightjar.pipeline.explain;

import io.nightjar.pipeline.explain.AnomalyPicture.Arrow;
import io.nightjar.pipeline.explain.AnomalyPicture.Box;
import io.nightjar.pipeline.explain.AnomalyPicture.Line;

/** Output of a picture in the language of Graphviz, for readers who do the layout themselves. */
public final class DotDrawing {

    /** Marks an operation at fault, as timelines do. */
    private static final String FAULT = "× ";

    private DotDrawing() {}

    /** Returns the document; equal pictures have equal texts. */
    public static String draw(AnomalyPicture picture) {
        StringBuilder dot = new StringBuilder("digraph anomaly {\n");
        dot.append("  label=\"").append(escaped(picture.title()));
        if (picture.subtitle() != null) {
            dot.append("\\n").append(escaped(picture.subtitle()));
        }
        dot.append("\";\n  labelloc=t;\n  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];\n");
        dot.append("  edge [fontname=\"monospace\", fontsize=11];\n");
        for (int index = 0; index < picture.boxes().size(); index++) {
            Box box = picture.boxes().get(index);
            dot.append("  t")
                    .append(index)
                    .append(" [label=\"")
                    .append(escaped(box.name()))
                    .append("\\l");
            if (!box.note().isEmpty()) {
                dot.append(escaped(box.note())).append("\\l");
            }
            for (Line line : box.lines()) {
                dot.append(line.isAtFault() ? FAULT : "")
                        .append(escaped(line.text()))
                        .append("\\l");
            }
            dot.append(box.isAtFault() ? "\", color=\"#b3261e\"];\n" : "\"];\n");
        }
        for (Arrow arrow : picture.arrows()) {
            EdgeKind kind = EdgeKind.of(arrow.type());
            String style = kind.dashes.isEmpty() ? "" : kind == EdgeKind.RW ? ", style=dashed" : ", style=dotted";
            dot.append("  t%d -> t%d [label=\"%s\", color=\"%s\", fontcolor=\"%s\"%s];\n"
                    .formatted(
                            arrow.from(),
                            arrow.to(),
                            escaped(PictureLayout.label(arrow)),
                            kind.colour,
                            kind.colour,
                            style));
        }
        return dot.append("}\n").toString();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                escaped.append('\\');
            }
            escaped.appendCodePoint(SvgDrawing.isAllowed(c) ? c : ' ');
        });
        return escaped.toString();
    }
}
