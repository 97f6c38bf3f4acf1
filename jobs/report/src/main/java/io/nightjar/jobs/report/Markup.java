package io.nightjar.jobs.report;

import io.nightjar.formats.history.SanitizedText;
import org.jspecify.annotations.Nullable;

/** Writer of HTML that escapes all text from a history, so that no such text is interpreted as markup. */
final class Markup {

    private final StringBuilder html;

    Markup() {
        this(new StringBuilder(1 << 16));
    }

    Markup(StringBuilder html) {
        this.html = html;
    }

    /** Appends trusted HTML. */
    Markup raw(String markup) {
        html.append(markup);
        return this;
    }

    /** Appends escaped text. */
    Markup text(Object text) {
        html.append(escaped(String.valueOf(text)));
        return this;
    }

    /** Appends an element that contains only text. */
    Markup element(String tag, String attributes, Object text) {
        html.append('<').append(tag);
        html.append(attributes.isEmpty() ? "" : " ").append(attributes).append('>');
        text(text);
        html.append("</").append(tag).append('>');
        return this;
    }

    /**
     * Appends an untrusted text, such as a key or value, isolated so that it cannot change the direction of surrounding
     * text.
     */
    Markup value(@Nullable String text) {
        html.append("<bdi>").append(escaped(text)).append("</bdi>");
        return this;
    }

    /** Appends an English sentence, which may begin with an untrusted text and yet runs from left to right. */
    Markup sentence(@Nullable String text) {
        html.append("<bdi dir=\"ltr\">").append(escaped(text)).append("</bdi>");
        return this;
    }

    @Override
    public String toString() {
        return html.toString();
    }

    /** Escapes text to be copied from an attribute; line ends and tabs are preserved. */
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

    /** Escapes text for elements and double-quoted attributes; invisible characters are written as escapes. */
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

    /** Returns a text on one line, with escapes for characters that reverse or hide surrounding text. */
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

    /** Returns whether a character is a direction mark, zero-width, an unpaired surrogate or unassigned. */
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
