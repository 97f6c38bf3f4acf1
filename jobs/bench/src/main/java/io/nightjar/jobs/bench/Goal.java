package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What a case should cost at most.
 *
 * @param most by quantity: {@code wall} and {@code cpu} in seconds, {@code rss} in megabytes
 * @param beside another case, whose own cost is taken off first; empty for none
 * @param from whose figure it is, in words; empty for our own
 */
record Goal(Map<String, Double> most, String beside, String from) {

    static final List<String> QUANTITIES = List.of("wall", "cpu", "rss");

    String words() {
        List<String> words = new ArrayList<>();
        most.forEach((quantity, value) -> words.add(amount(quantity, value)));
        return String.join(", ", words)
                + (beside.isEmpty() ? "" : " more than \"" + beside + "\"")
                + (from.isEmpty() ? "" : " (" + from + ")");
    }

    /**
     * Says which quantities are above what was wanted; nothing where all are within.
     *
     * @param cost of this case, by quantity
     * @param costOf that of another case
     */
    List<String> missed(Function<String, Double> cost, Function<String, Double> costOf) {
        List<String> missed = new ArrayList<>();
        most.forEach((quantity, wanted) -> {
            double is = cost.apply(quantity) - (beside.isEmpty() ? 0 : costOf.apply(quantity));
            if (is > wanted) {
                missed.add(amount(quantity, is) + " of " + amount(quantity, wanted));
            }
        });
        return missed;
    }

    private static String amount(String quantity, double value) {
        return switch (quantity) {
            case "rss" -> String.format(Locale.ROOT, "%,.0f MB", value);
            case "cpu" -> seconds(value) + " CPU";
            default -> seconds(value);
        };
    }

    private static String seconds(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return (text.endsWith("0") ? text.substring(0, text.length() - 1) : text) + " s";
    }
}
