package io.nightjar.pipeline.predicate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reasons why some operations could not be checked, each with its number of occurrences and the first location. */
final class UndecidedReasons {

    private final Map<String, Integer> countOf = new LinkedHashMap<>();
    private final Map<String, String> firstOf = new LinkedHashMap<>();

    void add(String reason, String location) {
        countOf.merge(reason, 1, Integer::sum);
        firstOf.putIfAbsent(reason, location);
    }

    boolean isEmpty() {
        return countOf.isEmpty();
    }

    /** Returns the first reason with its location; null if none. */
    @Nullable
    String first() {
        for (Map.Entry<String, Integer> reason : countOf.entrySet()) {
            return reason.getKey() + ": [" + firstOf.get(reason.getKey()) + "] operations=" + reason.getValue();
        }
        return null;
    }
}
