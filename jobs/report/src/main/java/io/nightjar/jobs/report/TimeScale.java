package io.nightjar.jobs.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Formatting of times of one clock, relative to an origin, so that a reader compares small numbers with units.
 *
 * @param origin the time that is 0
 * @param unit unit of the clock's numbers
 * @param divisor number of clock units in a shown unit
 */
record TimeScale(long origin, String unit, double divisor) {

    /** Maximum magnitude of a timestamp that is shown as it is. */
    private static final long MAX_PLAIN = 10_000_000L;

    /** Returns a scale for times of the database, whose unit is unknown; small numbers stay as the tables have them. */
    static TimeScale ofTicks(long first, long last) {
        boolean isPlain = first > -MAX_PLAIN && last < MAX_PLAIN;
        return new TimeScale(isPlain ? 0 : first, "ticks", 1);
    }

    /** Returns a scale for nanoseconds of clients, in a unit that suits their range. */
    static TimeScale ofNanos(long first, long last) {
        double range = distance(first, last);
        return range < 2e3
                ? new TimeScale(first, "ns", 1)
                : range < 2e6
                        ? new TimeScale(first, "µs", 1e3)
                        : range < 2e9 ? new TimeScale(first, "ms", 1e6) : new TimeScale(first, "s", 1e9);
    }

    /** Returns a copy with a round origin near the start of a range, for an axis rather than for times of transactions. */
    TimeScale withRoundOrigin(long first, long last) {
        double range = distance(first, last);
        if (isPlain() || range < 10) {
            return this;
        }
        long unit = (long) Math.pow(10, Math.floor(Math.log10(range)));
        return new TimeScale(Math.floorDiv(origin + unit / 2, unit) * unit, this.unit, divisor);
    }

    /** Returns the signed distance between times; large times differ by less than a double resolves. */
    static double distance(long from, long to) {
        long distance = to - from;
        boolean isOverflow = ((to ^ from) & (to ^ distance)) < 0;
        return isOverflow ? (double) to - from : distance;
    }

    /** Returns whether times are shown as the tables have them. */
    boolean isPlain() {
        return origin == 0 && divisor == 1;
    }

    /** Returns a time as {@link #number} does, or as the tables have it, without separators. */
    String digits(long time) {
        return isPlain() ? Long.toString(time) : number(time);
    }

    /** Returns a time without its unit; with a sign if it is relative. */
    String number(long time) {
        if (isPlain()) {
            return ReadableText.number(time);
        }
        double distance = distance(origin, time) / divisor;
        String digits = String.format(Locale.ROOT, divisor == 1 ? "%,.0f" : "%,.3f", distance);
        String shown = digits.contains(".") ? digits.replaceFirst("\\.?0+$", "") : digits;
        return distance > 0 ? "+" + shown : shown.equals("-0") ? "0" : shown;
    }

    /** Returns round times of a range for the labels of an axis, its start not among them if it is not round. */
    List<Long> labels(long first, long last, int maxCount) {
        double step = roundedUp(distance(first, last) / divisor / maxCount) * divisor;
        List<Long> labels = new ArrayList<>();
        long count = (long) Math.ceil(distance(origin, first) / step);
        for (double at = count * step; at <= distance(origin, last) && step > 0; at = ++count * step) {
            labels.add(origin + Math.round(at));
        }
        return labels;
    }

    /** Returns the next number of 1, 2 or 5 times a power of ten, which is at least 1 for a scale without fractions. */
    private double roundedUp(double number) {
        double min = divisor == 1 ? Math.max(1, number) : number;
        double power = Math.pow(10, Math.floor(Math.log10(min)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= min) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    /** Returns a time with its unit. */
    String text(long time) {
        return number(time) + " " + unit;
    }

    /** Returns the meaning of the numbers, as in {@code ms after 1,795,550,000 ns}. */
    String words() {
        return isPlain() ? unit : unit + " after " + ReadableText.number(origin) + (unit.equals("ticks") ? "" : " ns");
    }
}
