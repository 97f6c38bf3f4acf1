package io.nightjar.jobs.command;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Time spans as people write them: {@code 20m}, {@code 60s}, {@code 500ms}, {@code 2h}. */
public final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h|d)");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    /** Parses a time span. */
    public static Duration parse(String text) {
        String given = text.strip().toLowerCase(Locale.ROOT);
        if (NUMBER.matcher(given).matches()) {
            throw new TypeConversionException(
                    "time span without a unit: value=%1$s; write %1$ss, %1$sm or %1$sh".formatted(given));
        }
        Matcher matcher = DURATION.matcher(given);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "not a time span: value=" + text + " expected=a number with ms, s, m, h or d");
        }
        double number = Double.parseDouble(matcher.group(1));
        return Duration.ofMillis(Math.round(number * millisOf(matcher.group(2))));
    }

    private static long millisOf(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 1_000;
        };
    }
}
