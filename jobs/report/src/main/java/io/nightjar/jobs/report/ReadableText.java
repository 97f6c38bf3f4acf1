package io.nightjar.jobs.report;

import io.nightjar.formats.level.IsolationLevel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formatting of numbers, times and names for readers. */
final class ReadableText {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private ReadableText() {}

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String counted(long count, String one) {
        return counted(count, one, one + "s");
    }

    static String counted(long count, String one, String more) {
        return number(count) + " " + (count == 1 ? one : more);
    }

    static String seconds(double seconds) {
        if (seconds < 0.0005) {
            return "0 s";
        }
        return seconds < 1
                ? String.format(Locale.ROOT, "%.0f ms", seconds * 1000)
                : seconds < 120
                        ? String.format(Locale.ROOT, "%.1f s", seconds)
                        : String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double size = bytes / 1024.0;
        int unit = 0;
        while (size >= 1000 && unit < units.length - 1) {
            size /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, size < 10 ? "%.1f %s" : "%.0f %s", size, units[unit]);
    }

    /** Formats a duration in nanoseconds. */
    static String nanos(double nanos) {
        if (nanos < 1e3) {
            return String.format(Locale.ROOT, "%.0f ns", nanos);
        }
        if (nanos < 1e6) {
            return String.format(Locale.ROOT, "%.3g µs", nanos / 1e3);
        }
        return nanos < 1e9
                ? String.format(Locale.ROOT, "%.3g ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.3g s", nanos / 1e9);
    }

    static String time(Instant time) {
        return MINUTES.format(time) + " UTC";
    }

    /** Formats a time of the tables. */
    static String time(@Nullable String time) {
        return time == null ? "" : time(Instant.parse(time));
    }

    static String day(String time) {
        return DAY.format(Instant.parse(time));
    }

    /** Returns the name of a level in prose: {@code snapshot isolation}. */
    static String level(IsolationLevel level) {
        return spoken(level.longName());
    }

    static String spoken(String name) {
        return name.startsWith("PL-") ? name : name.replace('-', ' ');
    }

    /** Joins items with commas, and "and" before the last. */
    static String listed(List<String> things) {
        if (things.size() < 2) {
            return String.join("", things);
        }
        return String.join(", ", things.subList(0, things.size() - 1)) + " and " + things.get(things.size() - 1);
    }

    /** Returns the last part of an address, the usual name of a history. */
    static String nameOf(String address) {
        String whole =
                address.endsWith("/") && address.length() > 1 ? address.substring(0, address.length() - 1) : address;
        String name = whole.substring(whole.lastIndexOf('/') + 1);
        return name.isEmpty() ? whole : name;
    }
}
