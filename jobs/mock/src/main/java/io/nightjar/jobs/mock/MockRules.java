package io.nightjar.jobs.mock;

import java.util.Map;

/**
 * Rules of a mock beyond the defaults: columns read one by one, choices by table, and delays.
 *
 * @param isByCell whether each column of a row is an object, instead of the whole row
 * @param choiceOfTable choice mode by table, where it differs from the default
 * @param greatestDelayMs maximum delay of a statement before it runs, so that statements of other clients can
 *     interleave
 */
public record MockRules(boolean isByCell, Map<String, ChoiceMode> choiceOfTable, long greatestDelayMs) {

    public static final MockRules NONE = new MockRules(false, Map.of(), 0);

    MockRules byCell() {
        return new MockRules(true, choiceOfTable, greatestDelayMs);
    }
}
