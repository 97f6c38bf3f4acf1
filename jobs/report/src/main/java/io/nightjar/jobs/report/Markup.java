package io.nightjar.jobs.report;

import io.nightjar.formats.history.SanitizedText;
import org.jspecify.annotations.Nullable;

/** Writes HTML. Whatever comes from a history goes through here, and comes out as text that can only be seen. */
final class Markup {

    private final StringBuilder html;

    Markup() {
        this(new StringBuilder(1 << 16));
    }

    Markup(StringBuilder html) {
        this.html = html;
    }

    /** Adds what is HTML already, written by hand. */
    Markup raw(String markup) {
        html.append(markup);
        return this;
    }

    /** Adds a text. */
    Markup text(Object text) {
        html.append(escaped(String.valueOf(text)));
        return this;
    }

    /** Adds an element with nothing but a text in it. */
    Markup element(String tag, String attributes, Object text) {
        html.append('<').append(tag);
        html.append(attributes.isEmpty() ? "" : " ").append(attributes).append('>');
        text(text);
        html.append("</").append(tag).append('>');
        return this;
    }

    /** Adds a key, a value or another text that a stranger chose: it cannot turn around what stands beside it. */
    Markup value(@Nullable String text) {
        html.append("<bdi>").append(escaped(text)).append("</bdi>");
        return this;
    }

    @Override
    public String toString() {
        return html.toString();
    }

    /** Escapes what is copied from an attribute; ends of lines and tabulators of our own are kept. */
    static String kept(String text) {
        StringBuilder kept = new StringBuilder();
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '\n' || text.charAt(i) == '\t') {
                kept.append(escaped(text.substring(from, i)));
                kept.append(i == text.length() ? "" : text.charAt(i) == '\n' ? "&#10;" : "&#9;");
                from = i + 1;
            }
        }
        return kept.toString();
    }

    /** A text as it stands in elements and in attributes with double quotes; what cannot be seen is written out. */
    static String escaped(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String visible = visible(text);
        StringBuilder escaped = new StringBuilder(visible.length() + 16);
        for (int i = 0; i < visible.length(); i++) {
            char c = visible.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                case '`' -> escaped.append("&#96;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** A text on one line, with everything in it to be seen: marks that turn or hide what stands beside them are written out. */
    static String visible(String text) {
        String flat = SanitizedText.flat(text);
        StringBuilder visible = null;
        for (int i = 0; i < flat.length(); i++) {
            char c = flat.charAt(i);
            boolean isPair = isPairAt(flat, i);
            if (visible == null && !isPair && isHidden(c)) {
                visible = new StringBuilder(flat.length() + 16).append(flat, 0, i);
            }
            if (visible != null) {
                visible.append(!isPair && isHidden(c) ? "\\u%04x".formatted((int) c) : String.valueOf(c));
            }
            if (isPair) {
                i++;
                if (visible != null) {
                    visible.append(flat.charAt(i));
                }
            }
        }
        return visible == null ? flat : visible.toString();
    }

    private static boolean isPairAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    /** Marks of direction, of no width, halves of a character and what is none. */
    private static boolean isHidden(char c) {
        return (c >= 0x200B && c <= 0x200F)
                || (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2060 && c <= 0x206F)
                || c == 0x061C
                || c == 0xFEFF
                || c == 0x00AD
                || c >= 0xFFFE
                || Character.isSurrogate(c);
    }
}
