package io.nightjar.formats.history;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sanitizer of history text shown to users: keys and values may contain any characters, including terminal control
 * sequences.
 */
public final class SanitizedText {

    private SanitizedText() {}

    /** Returns the text on one line, control characters as JSON writes them: {@code \n}, {@code \u001b}. */
    @Contract("!null -> !null")
    public static @Nullable String flat(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (isControl(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    /**
     * Returns the text with control characters escaped. Backslashes are unchanged, so that sanitizing is idempotent.
     */
    private static String escaped(String text) {
        StringBuilder flat = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> flat.append("\\n");
                case '\r' -> flat.append("\\r");
                case '\t' -> flat.append("\\t");
                default -> flat.append(isControl(c) ? "\\u%04x".formatted((int) c) : c);
            }
        }
        return flat.toString();
    }

    /**
     * Returns whether a character controls the display: line and paragraph separators end a line in some viewers;
     * directional marks reverse the text after them.
     */
    private static boolean isControl(char c) {
        return Character.isISOControl(c)
                || c >= '\u2028' && c <= '\u202e'
                || c >= '\u2066' && c <= '\u2069'
                || c == '\u200e'
                || c == '\u200f'
                || c == '\u061c';
    }

    /** Returns text of several lines, each sanitized. */
    @Contract("!null -> !null")
    public static @Nullable String lines(@Nullable String text) {
        return text == null ? null : text.lines().map(SanitizedText::flat).collect(Collectors.joining("\n"));
    }

    /** Returns an explanation of several lines on one line, for lists and tables. */
    @Contract("!null -> !null")
    public static @Nullable String oneLine(@Nullable String text) {
        return text == null ? null : flat(text.strip().replaceAll("\\s*\\R\\s*", " "));
    }
}
