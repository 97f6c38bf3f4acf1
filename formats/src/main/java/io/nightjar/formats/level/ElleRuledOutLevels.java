package io.nightjar.formats.level;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Elle's levels that the anomalies of a history rule out, by Elle's names, each list sorted. Here {@code
 * read-committed}, {@code snapshot-isolation} and {@code serializable} are the levels without session order, PL-2,
 * PL-SI and PL-3.
 *
 * @param not the weakest levels that are ruled out
 * @param alsoNot the stronger ones
 * @param because for each level in {@code not}, the anomalies that rule it out
 */
public record ElleRuledOutLevels(List<String> not, List<String> alsoNot, Map<String, List<String>> because) {

    /** No level is ruled out. */
    public static final ElleRuledOutLevels NONE = new ElleRuledOutLevels(List.of(), List.of(), Map.of());

    public ElleRuledOutLevels {
        not = List.copyOf(not);
        alsoNot = List.copyOf(alsoNot);
        because = Collections.unmodifiableMap(new LinkedHashMap<>(because));
    }
}
