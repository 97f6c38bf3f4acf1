package io.nightjar.jobs.mock;

import io.nightjar.formats.level.IsolationLevel;

/**
 * How a mock answers.
 *
 * @param level what every history keeps
 * @param seed same seed and same order of statements, same answers
 * @param choice which of the allowed versions a read returns
 * @param updatesReadNewest whether UPDATE, DELETE and FOR UPDATE read what was committed last
 * @param constraintsReadNewest whether unique and foreign keys are judged by what was committed last
 * @param staleness how many versions behind the last one a read returns at most
 * @param isSerial whether transactions run one after the other
 * @param patienceMs how long a transaction may keep others waiting where they run one after the other
 * @param faults what goes wrong on purpose
 * @param rules what most do without
 */
public record MockOptions(
        IsolationLevel level,
        long seed,
        ChoiceMode choice,
        boolean updatesReadNewest,
        boolean constraintsReadNewest,
        int staleness,
        boolean isSerial,
        long patienceMs,
        MockFaults faults,
        MockRules rules) {

    private static final long DEFAULT_PATIENCE_MS = 30_000;

    /** Without rules. */
    public MockOptions(
            IsolationLevel level,
            long seed,
            ChoiceMode choice,
            boolean updatesReadNewest,
            boolean constraintsReadNewest,
            int staleness,
            boolean isSerial,
            long patienceMs,
            MockFaults faults) {
        this(
                level,
                seed,
                choice,
                updatesReadNewest,
                constraintsReadNewest,
                staleness,
                isSerial,
                patienceMs,
                faults,
                MockRules.NONE);
    }

    /** What a SQL database could do, at a level. */
    public static MockOptions of(IsolationLevel level, long seed) {
        return new MockOptions(
                level,
                seed,
                ChoiceMode.MIXED,
                true,
                true,
                Integer.MAX_VALUE,
                false,
                DEFAULT_PATIENCE_MS,
                MockFaults.NONE);
    }

    private MockOptions with(
            IsolationLevel ofLevel, long ofSeed, ChoiceMode ofChoice, boolean inSeries, MockRules ofRules) {
        return new MockOptions(
                ofLevel,
                ofSeed,
                ofChoice,
                updatesReadNewest,
                constraintsReadNewest,
                staleness,
                inSeries,
                patienceMs,
                faults,
                ofRules);
    }

    /** The same at another level. */
    public MockOptions at(IsolationLevel other) {
        return with(other, seed, choice, isSerial, rules);
    }

    /** The same with another seed. */
    public MockOptions withSeed(long other) {
        return with(level, other, choice, isSerial, rules);
    }

    /** The same with other rules. */
    public MockOptions with(MockRules others) {
        return with(level, seed, choice, isSerial, others);
    }

    /** The same with columns that are read and written by themselves. */
    public MockOptions byCell() {
        return with(rules.byCell());
    }

    /** The same with transactions that run one after the other. */
    public MockOptions inSeries() {
        return with(level, seed, choice, true, rules);
    }
}
