package io.nightjar.jobs.mock;

import io.nightjar.formats.level.IsolationLevel;

/**
 * Options that determine the answers of a mock.
 *
 * @param level the level that every history satisfies
 * @param seed equal seeds and statement orders produce equal answers
 * @param faults the injected faults
 * @param rules the rules beyond the defaults
 */
public record MockOptions(
        IsolationLevel level, long seed, Reads reads, Schedule schedule, MockFaults faults, MockRules rules) {

    private static final long DEFAULT_PATIENCE_MS = 30_000;

    /**
     * Options for the versions that reads return.
     *
     * @param choice policy for choosing among the allowed versions
     * @param updatesReadNewest whether UPDATE, DELETE and FOR UPDATE read the last committed version
     * @param constraintsReadNewest whether unique and foreign keys are checked against the last committed versions
     * @param staleness maximum number of versions between the returned and the last version
     */
    public record Reads(ChoiceMode choice, boolean updatesReadNewest, boolean constraintsReadNewest, int staleness) {}

    /**
     * Options for the scheduling of transactions.
     *
     * @param isSerial whether transactions run one after the other
     * @param patienceMs maximum time for which a serial transaction may block others
     */
    public record Schedule(boolean isSerial, long patienceMs) {}

    /** Creates options without rules. */
    public MockOptions(IsolationLevel level, long seed, Reads reads, Schedule schedule, MockFaults faults) {
        this(level, seed, reads, schedule, faults, MockRules.NONE);
    }

    /** Returns options that mimic a SQL database at a level. */
    public static MockOptions of(IsolationLevel level, long seed) {
        return new MockOptions(
                level,
                seed,
                new Reads(ChoiceMode.MIXED, true, true, Integer.MAX_VALUE),
                new Schedule(false, DEFAULT_PATIENCE_MS),
                MockFaults.NONE);
    }

    /** Returns a copy with another level. */
    public MockOptions at(IsolationLevel other) {
        return new MockOptions(other, seed, reads, schedule, faults, rules);
    }

    /** Returns a copy with another seed. */
    public MockOptions withSeed(long other) {
        return new MockOptions(level, other, reads, schedule, faults, rules);
    }

    /** Returns a copy with other rules. */
    public MockOptions with(MockRules others) {
        return new MockOptions(level, seed, reads, schedule, faults, others);
    }

    /** Returns a copy in which each column is read and written separately. */
    public MockOptions byCell() {
        return with(rules.byCell());
    }

    /** Returns a copy in which transactions run one after the other. */
    public MockOptions inSeries() {
        return new MockOptions(level, seed, reads, new Schedule(true, schedule.patienceMs()), faults, rules);
    }
}
