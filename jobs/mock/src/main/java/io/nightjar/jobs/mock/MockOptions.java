package io.nightjar.jobs.mock;

import io.nightjar.formats.level.IsolationLevel;

/**
 * How a mock answers.
 *
 * @param level what every history keeps
 * @param seed same seed and same order of statements, same answers
 * @param faults what goes wrong on purpose
 * @param rules what most do without
 */
public record MockOptions(
        IsolationLevel level, long seed, Reads reads, Schedule schedule, MockFaults faults, MockRules rules) {

    private static final long DEFAULT_PATIENCE_MS = 30_000;

    /**
     * What reads return.
     *
     * @param choice which of the allowed versions
     * @param updatesReadNewest whether UPDATE, DELETE and FOR UPDATE read what was committed last
     * @param constraintsReadNewest whether unique and foreign keys are judged by what was committed last
     * @param staleness how many versions behind the last one a read returns at most
     */
    public record Reads(ChoiceMode choice, boolean updatesReadNewest, boolean constraintsReadNewest, int staleness) {}

    /**
     * When transactions run.
     *
     * @param isSerial whether one after the other
     * @param patienceMs how long one may keep others waiting then
     */
    public record Schedule(boolean isSerial, long patienceMs) {}

    /** Makes options without rules. */
    public MockOptions(IsolationLevel level, long seed, Reads reads, Schedule schedule, MockFaults faults) {
        this(level, seed, reads, schedule, faults, MockRules.NONE);
    }

    /** Returns what a SQL database could do, at a level. */
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

    /** Returns a copy in which columns are read and written one by one. */
    public MockOptions byCell() {
        return with(rules.byCell());
    }

    /** Returns a copy in which transactions run one after the other. */
    public MockOptions inSeries() {
        return new MockOptions(level, seed, reads, new Schedule(true, schedule.patienceMs()), faults, rules);
    }
}
