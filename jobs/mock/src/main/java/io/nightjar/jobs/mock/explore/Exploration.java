package io.nightjar.jobs.mock.explore;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.StepPredictor;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Search for answers that break a test, followed by removal of the stale reads that are not required to break it. */
public final class Exploration {

    /*
     * Definitions. A run is identified by its choices: for each read, the distance of the answer from the newest
     * allowed version, and, where transactions run one after the other, whose turn it was. A stale read returns an
     * older version. The choices of all runs form a tree, as long as the test sends equal statements after equal
     * answers.
     *
     * Algorithm. Exhaustive search traverses the tree depth first: it advances the last choice that has an alternative,
     * and later choices start with the newest version again. A choice with another subject or number of answers than
     * before shows that the test violates the assumption; then the search cannot be exhaustive. Of the equivalent
     * orders of transactions, a single order is explored and the others are cut (CanonicalOrder); complete runs are
     * counted by history.
     *
     * Removal first tries all stale reads, then each half, each quarter and so on, down to single reads, as long as any
     * can be removed; each attempt reruns the test. The remaining stale reads keep their location: the same statement
     * of the same transaction of the same session, however the run has changed. The last broken run is reported.
     */

    /** Result of an exploration. */
    public enum Verdict {
        /** The test breaks. */
        BROKEN,
        /** The test did not break in the requested number of runs. */
        NOT_FOUND,
        /** The test cannot break: all choices were explored. */
        CANNOT,
        /** The time did not suffice to explore all choices, or the test is nondeterministic. */
        UNDECIDED
    }

    /** Reason for the end of an exploration. */
    public enum End {
        /** All choices are explored. */
        DONE,
        /** The test behaved differently after equal answers. */
        DIVERGED,
        /** The time limit was reached. */
        TIME,
        /** A stop was requested. */
        STOPPED
    }

    /**
     * Result of an exploration.
     *
     * @param runs number of runs up to and including the first broken run
     * @param histories number of distinct histories of runs that were not cut
     * @param replays number of runs that removed stale reads
     * @param broken the smallest broken run, null if none broke
     * @param end reason for the end
     * @param last answers of the reported or last run; null if no run was started
     */
    public record Found(
            Verdict verdict,
            long runs,
            long histories,
            int replays,
            Trial.@Nullable Result broken,
            End end,
            @Nullable AnswerPolicy last) {

        /** Returns whether the broken run broke in each of its repetitions. */
        public boolean repeats() {
            return broken != null && end != End.DIVERGED;
        }
    }

    private final Trial trial;
    private final BooleanSupplier isTimeUp;

    private final LongOpenHashSet histories = new LongOpenHashSet();
    private int replays;
    private @Nullable AnswerPolicy last;
    private volatile boolean isStopped;

    /** @param isTimeUp checked before each run that may break */
    public Exploration(Trial trial, BooleanSupplier isTimeUp) {
        this.trial = trial;
        this.isTimeUp = isTimeUp;
    }

    /** Stops starting runs; may be called from any thread. */
    public void stop() {
        isStopped = true;
    }

    /** Runs the test the given number of times with answers drawn from seeds. */
    public Found random(long runs, ChoiceMode mode, long seed) throws IOException, InterruptedException {
        SeededRandom seeds = new SeededRandom(seed);
        for (long run = 1; run <= runs; run++) {
            long seedOfRun = seeds.next();
            Trial.Result result = isOver() ? null : run(AnswerPolicy.drawn(modeOf(run, mode), seedOfRun));
            if (result == null) {
                return unfinished(run - 1);
            }
            histories.add(result.history());
            if (result.isBroken()) {
                return shrunk(run, result, seedOfRun);
            }
        }
        return found(Verdict.NOT_FOUND, runs, End.DONE);
    }

    private boolean isOver() {
        return isStopped || isTimeUp.getAsBoolean();
    }

    private Found unfinished(long runs) {
        return found(Verdict.UNDECIDED, runs, isStopped ? End.STOPPED : End.TIME);
    }

    private Found found(Verdict verdict, long runs, End end) {
        return new Found(verdict, runs, histories.size(), replays, null, end, last);
    }

    private Found broken(long runs, Trial.Result run, End end) {
        return new Found(Verdict.BROKEN, runs, histories.size(), replays, run, end, last);
    }

    private static ChoiceMode modeOf(long run, ChoiceMode mode) {
        if (mode != ChoiceMode.MIXED) {
            return mode;
        }
        return run % 3 == 0 ? ChoiceMode.DEPTH : ChoiceMode.UNIFORM;
    }

    /** Runs the test with all possible answers. */
    public Found all(long seed) throws IOException, InterruptedException {
        ChoiceLog first = ChoiceLog.NONE;
        StepPredictor known = new StepPredictor();
        for (long run = 1; ; run++) {
            Trial.Result result = isOver() ? null : run(new AnswerPolicy(first, ChoiceMode.NEWEST, seed, true, known));
            if (result == null) {
                return unfinished(run - 1);
            }
            ChoiceLog choices = result.choices();
            if (result.isBroken()) {
                histories.add(result.history());
                return shrunk(run, result, seed);
            }
            if (result.divergedAt() >= 0 || choices.count() < first.count()) {
                return found(Verdict.UNDECIDED, run, End.DIVERGED);
            }
            if (!result.isCut()) {
                histories.add(result.history());
            }
            if (known != null && known.isContradicted()) {
                known = null; // the omitted order may have been new
                first = ChoiceLog.NONE;
                continue;
            }
            first = choices.next();
            if (first == null) {
                return found(Verdict.CANNOT, run, End.DONE);
            }
        }
    }

    private Found shrunk(long runs, Trial.Result broken, long seed) throws IOException, InterruptedException {
        Trial.Result smallest = replay(broken.choices(), seed);
        if (smallest == null) {
            return broken(runs, broken, End.STOPPED);
        }
        if (!smallest.isBroken()) {
            return broken(runs, broken, End.DIVERGED);
        }
        for (int size = smallest.choices().staleCount(); size >= 1 && continues(); ) {
            Trial.Result smaller = withoutSome(smallest, size, seed);
            boolean isLess = smaller != smallest;
            smallest = smaller;
            size = size > 1 ? Math.min(size / 2, Math.max(1, smallest.choices().staleCount())) : isLess ? 1 : 0;
        }
        Trial.Result replayed = replay(smallest.choices(), seed);
        if (replayed == null) {
            return broken(runs, smallest, End.STOPPED);
        }
        return replayed.isBroken() ? broken(runs, replayed, End.DONE) : broken(runs, smallest, End.DIVERGED);
    }

    private boolean continues() {
        return !isStopped && replays < trial.maxReplays();
    }

    /** Removes stale reads from a run as long as it still breaks, the given number of neighbors at a time. */
    private Trial.Result withoutSome(Trial.Result from, int size, long seed) throws IOException, InterruptedException {
        Trial.Result smallest = from;
        for (int first = 0; first < smallest.choices().staleCount() && continues(); ) {
            Trial.Result result = replay(without(smallest.choices(), first, size), seed);
            if (result == null) {
                return smallest;
            }
            if (result.isBroken()
                    && result.choices().staleCount() < smallest.choices().staleCount()) {
                smallest = result;
            } else {
                first += size;
            }
        }
        return smallest;
    }

    /**
     * Returns the choices with {@code size} stale reads replaced by current reads, starting with number {@code first}.
     */
    private static ChoiceLog without(ChoiceLog from, int first, int size) {
        int[] taken = from.taken().clone();
        int number = 0;
        for (int choice = 0; choice < taken.length; choice++) {
            if (from.isStale(choice)) {
                taken[choice] = number >= first && number - first < size ? 0 : taken[choice];
                number++;
            }
        }
        return from.atTheirLocations(taken);
    }

    /** Runs the test with given choices; null if it was stopped. */
    private Trial.@Nullable Result replay(ChoiceLog choices, long seed) throws IOException, InterruptedException {
        if (isStopped) {
            return null;
        }
        replays++;
        return run(AnswerPolicy.script(choices.atTheirLocations(choices.taken()), seed));
    }

    /** Runs the test with new answers; null if it was stopped. */
    private Trial.@Nullable Result run(AnswerPolicy answers) throws IOException, InterruptedException {
        Trial.Result result = trial.run(answers);
        if (isStopped) {
            return null;
        }
        last = answers;
        return result;
    }
}
