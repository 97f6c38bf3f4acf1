package io.nightjar.pipeline.validate;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Format of numbers in sentences; a formatter would take as long as the check of a small history. */
public final class CountFormat {

    private CountFormat() {}

    /** Formats a count: {@code 1 row}, {@code 12,345 rows}. */
    public static String of(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    static String number(long count) {
        StringBuilder digits = new StringBuilder().append(count);
        for (int at = digits.length() - 3; at > (count < 0 ? 1 : 0); at -= 3) {
            digits.insert(at, ',');
        }
        return digits.toString();
    }

    /** Formats a percentage: {@code 12 %}; one decimal below 10. */
    static String percent(long count, long whole) {
        return percent(whole == 0 ? 0 : (double) count / whole);
    }

    static String percent(double share) {
        double percent = 100 * share;
        return BigDecimal.valueOf(percent)
                        .setScale(percent >= 10 ? 0 : 1, RoundingMode.HALF_UP)
                        .toPlainString()
                + " %";
    }
}
