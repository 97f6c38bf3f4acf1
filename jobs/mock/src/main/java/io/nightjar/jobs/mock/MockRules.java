package io.nightjar.jobs.mock;

import java.util.Map;

/**
 * Rules of a mock beyond the defaults: columns read one by one, choices by table, and delays.
 *
 * @param isByCell whether each column of a row is read and written by itself, instead of the row as a whole
 * @param choiceOfTable which of the allowed versions a read of a table returns, where it is another one than elsewhere
 * @param greatestDelayMs how long a statement waits at most before it runs, so that those of other clients come in between
 */
public record MockRules(boolean isByCell, Map<String, ChoiceMode> choiceOfTable, long greatestDelayMs) {

    public static final MockRules NONE = new MockRules(false, Map.of(), 0);

    MockRules byCell() {
        return new MockRules(true, choiceOfTable, greatestDelayMs);
    }
}
