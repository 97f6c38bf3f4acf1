package io.nightjar.pipeline.predicate;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Budget of parsing: the number of ways of reading brackets that may be tried for all conditions of a history. */
final class ParseBudget {

    /** One condition; about a second. */
    static final int MAX_STEPS = 1 << 19;

    /** Maximum of all conditions, without the usual steps. */
    private static final long MAX_OF_ALL = 8L * MAX_STEPS;

    private static final int USUAL_STEPS = 1 << 10;
    private static final Pattern CONSTANT = Pattern.compile("'[^']*'|\\b\\d+(\\.\\d+)?");

    private final Set<String> refused = new HashSet<>(); // conditions without their constants
    private long left = MAX_OF_ALL;

    /** Returns the maximum number of steps for the next condition. */
    int steps() {
        return (int) Math.max(USUAL_STEPS, Math.min(MAX_STEPS, left));
    }

    /** Deducts the unusual steps of one condition. */
    void spent(int steps) {
        left -= Math.max(0, steps - USUAL_STEPS);
    }

    /** Returns whether a condition equals a refused one except for its constants. */
    boolean isRefused(String text) {
        return !refused.isEmpty() && refused.contains(template(text));
    }

    void refuse(String text) {
        refused.add(template(text));
    }

    private static String template(String text) {
        return CONSTANT.matcher(text).replaceAll("?");
    }
}
