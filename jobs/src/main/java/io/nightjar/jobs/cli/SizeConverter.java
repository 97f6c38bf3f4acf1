package io.nightjar.jobs.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as people write them: {@code 4g}, {@code 512m}, {@code 64k}, {@code 1.5g}, or a plain number. */
public final class SizeConverter implements ITypeConverter<Long> {

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([kmgt]?)(?:i?b)?");
    private static final String UNITS = "kmgt";

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    /** The bytes that a text stands for. */
    public static long parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("not a size: value=" + text + " expected=a number with k, m, g or t");
        }
        double bytes = Double.parseDouble(matcher.group(1));
        if (!matcher.group(2).isEmpty()) {
            bytes *= Math.pow(1024, UNITS.indexOf(matcher.group(2)) + 1);
        }
        if (bytes < 1 || bytes >= Long.MAX_VALUE) {
            throw new TypeConversionException("size out of range: value=" + text);
        }
        return (long) bytes;
    }
}
