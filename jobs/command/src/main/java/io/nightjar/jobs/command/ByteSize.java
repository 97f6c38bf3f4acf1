package io.nightjar.jobs.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes as people write them: {@code 4g}, {@code 512m}, {@code 64k}, {@code 1.5g}, {@code 100b}. */
public final class ByteSize {

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)(?:([kmgt])(?:i?b)?|b)");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    /** @throws IllegalArgumentException if it is no size, or exceeds the range of a long */
    public static long parse(String text) {
        String number = text.strip().toLowerCase(Locale.ROOT);
        if (NUMBER.matcher(number).matches()) {
            throw new IllegalArgumentException(
                    "size without a unit: value=%1$s; write %1$sg, %1$sm or %1$sk".formatted(number));
        }
        Matcher matcher = SIZE.matcher(number);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a size: value=" + text + " expected=a number with k, m, g or t, such as 4g");
        }
        double bytes = Double.parseDouble(matcher.group(1));
        if (matcher.group(2) != null) {
            bytes *= Math.pow(1024, UNITS.indexOf(matcher.group(2)) + 1);
        }
        if (bytes < 1 || bytes >= Long.MAX_VALUE) {
            throw new IllegalArgumentException("size out of range: value=" + text);
        }
        return (long) bytes;
    }
}
