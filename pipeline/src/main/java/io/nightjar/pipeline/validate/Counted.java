package io.nightjar.pipeline.validate;

import java.util.Locale;

/** Numbers as sentences show them. */
final class Counted {

    private Counted() {}

    /** {@code 1 row}, {@code 12,345 rows}. */
    static String of(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** {@code 12 %}; one decimal below 10. */
    static String percent(long part, long whole) {
        return percent(whole == 0 ? 0 : (double) part / whole);
    }

    static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent >= 10 ? "%.0f %%" : "%.1f %%", percent);
    }
}
