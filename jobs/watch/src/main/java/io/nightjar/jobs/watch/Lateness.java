package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maximum lateness of transactions: the option {@code --lateness}. */
public record Lateness(Unit unit, long amount) {

    private static final Pattern COUNTED = Pattern.compile("(\\d{1,18})(txns|ts)");

    /** The units in which lateness is counted. */
    public enum Unit {
        /** Microseconds of wall-clock time. */
        MICROS,
        TXNS,
        /** Units of the commit timestamps. */
        TICKS,
        /** Each session delivers in order. */
        SESSIONS
    }

    /**
     * Parses the option.
     *
     * @param times parser of durations
     * @throws UsageException if the text is invalid
     */
    public static Lateness parse(String text, Function<String, Duration> times) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (word.equals("sessions")) {
            return new Lateness(Unit.SESSIONS, 0);
        }
        Matcher counted = COUNTED.matcher(word);
        if (counted.matches()) {
            Unit unit = counted.group(2).equals("txns") ? Unit.TXNS : Unit.TICKS;
            return new Lateness(unit, Long.parseLong(counted.group(1)));
        }
        try {
            return new Lateness(Unit.MICROS, times.apply(word).toMillis() * 1_000);
        } catch (RuntimeException noTime) {
            throw new UsageException(
                    "not a lateness: lateness=" + text + " expected=5s, 5000txns, 5000ts or sessions", noTime);
        }
    }
}
