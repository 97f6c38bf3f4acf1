package io.nightjar.jobs.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes as people write them: {@code 4g}, {@code 512m}, {@code 64k}, {@code 1.5g}, or a plain number. */
final class ByteSize {

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([kmgt]?)(?:i?b)?");
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    /** @throws IllegalArgumentException if it is no size, or one that no number holds */
    static long parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a size: value=" + text + " expected=a number with k, m, g or t, such as 4g");
        }
        double bytes = Double.parseDouble(matcher.group(1));
        if (!matcher.group(2).isEmpty()) {
            bytes *= Math.pow(1024, UNITS.indexOf(matcher.group(2)) + 1);
        }
        if (bytes < 1 || bytes >= Long.MAX_VALUE) {
            throw new IllegalArgumentException("size out of range: value=" + text);
        }
        return (long) bytes;
    }
}
