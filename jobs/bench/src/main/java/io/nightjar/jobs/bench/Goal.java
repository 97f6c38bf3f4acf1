package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Upper bounds for the cost of a case: ratios to another case of the same run, and a bound of memory.
 *
 * @param max by quantity: {@code wall} and {@code cpu} as a multiple of the other case, {@code rss} in megabytes
 * @param to the other case; empty if only memory is bounded
 */
record Goal(Map<String, Double> max, String to) {

    static final List<String> QUANTITIES = List.of("wall", "cpu", "rss");

    /** Returns whether a bound of the quantity is a ratio to another case. */
    static boolean isRatio(String quantity) {
        return !quantity.equals("rss");
    }

    String words() {
        List<String> words = new ArrayList<>();
        max.forEach((quantity, value) -> words.add(bound(quantity, value)));
        return String.join(", ", words);
    }

    private String bound(String quantity, double value) {
        return amount(quantity, value) + (isRatio(quantity) ? " of \"" + to + "\"" : "");
    }

    /**
     * Returns the quantities that exceed their bounds, in words.
     *
     * @param cost of this case, by quantity
     * @param costOfOther of the other case, by quantity
     */
    List<String> missed(Function<String, Double> cost, Function<String, Double> costOfOther) {
        List<String> missed = new ArrayList<>();
        max.forEach((quantity, bound) -> {
            double value = cost.apply(quantity) / (isRatio(quantity) ? costOfOther.apply(quantity) : 1);
            if (value > bound) {
                missed.add(amount(quantity, value) + " instead of " + amount(quantity, bound));
            }
        });
        return missed;
    }

    private static String amount(String quantity, double value) {
        return switch (quantity) {
            case "rss" -> String.format(Locale.ROOT, "%,.0f MB", value);
            case "cpu" -> String.format(Locale.ROOT, "%.2f times the CPU", value);
            default -> String.format(Locale.ROOT, "%.2f times the time", value);
        };
    }
}
