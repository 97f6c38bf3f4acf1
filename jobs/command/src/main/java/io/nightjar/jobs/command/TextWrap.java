package io.nightjar.jobs.command;

import java.util.StringJoiner;

/**
 * Breaks lines that are wider than the terminal, between words, and indents the continuation as its column or the line
 * was.
 */
public final class TextWrap {

    private static final int MIN_WIDTH = 20;

    private TextWrap() {}

    /** Returns the text with no line wider than this, unless a word is. */
    public static String fit(String text, int width) {
        StringJoiner lines = new StringJoiner("\n");
        text.lines().forEach(line -> addLine(lines, line, width));
        return lines.toString();
    }

    private static void addLine(StringJoiner lines, String line, int width) {
        String body = line.stripLeading();
        int indent = line.length() - body.length();
        if (visibleLength(line) <= width || width - indent < MIN_WIDTH) {
            lines.add(line);
            return;
        }
        String margin = " ".repeat(lastColumn(line, indent, width / 2));
        StringBuilder current = new StringBuilder(" ".repeat(indent));
        boolean hasWord = false;
        int start = 0;
        while (start < body.length()) {
            int end = start;
            while (end < body.length() && body.charAt(end) == ' ') {
                end++; // blanks between columns stay, except where a line is broken
            }
            int wordStart = end;
            while (end < body.length() && body.charAt(end) != ' ') {
                end++;
            }
            if (hasWord && visibleLength(current) + visibleLength(body.substring(start, end)) > width) {
                lines.add(current.toString());
                current = new StringBuilder(margin).append(body, wordStart, end);
            } else {
                current.append(body, start, end);
            }
            hasWord = true;
            start = end;
        }
        lines.add(current.toString());
    }

    /** Returns the start of the last column of a line that has enough width after it; columns are two blanks apart. */
    private static int lastColumn(String line, int indent, int maxWidth) {
        int column = indent;
        int at = 0; // without codes
        int blanks = 0;
        for (int i = 0; i < line.length() && at <= maxWidth; i++) {
            if (line.charAt(i) == '\u001b') {
                i = line.indexOf('m', i);
                continue;
            }
            if (line.charAt(i) == ' ') {
                blanks++;
            } else {
                column = blanks >= 2 && at > indent ? at : column;
                blanks = 0;
            }
            at++;
        }
        return column;
    }

    /** Returns the length without the codes for colors. */
    static int visibleLength(CharSequence text) {
        int length = 0;
        int i = 0;
        while (i < text.length()) {
            if (text.charAt(i) == '\u001b') {
                while (i < text.length() && text.charAt(i) != 'm') {
                    i++;
                }
                i++;
            } else {
                int point = Character.codePointAt(text, i);
                i += Character.charCount(point);
                length++;
            }
        }
        return length;
    }
}
