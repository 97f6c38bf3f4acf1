package io.nightjar.jobs.mock.explore;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.jobs.mock.ChoiceMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** Tries answers until a test breaks, and then takes out all stale reads that it breaks without. */
public final class Exploration {

    /*
     * A run is told by its choices: how many versions behind the newest that was allowed each read was. All runs are a tree of
     * these, as long as the test sends the same statements in the same order when it gets the same answers. Trying all of
     * them goes through the tree depth first: the last choice that can be older is made so, and what comes after begins with
     * the newest again. A choice that has another number of answers than it had before tells that the test does not keep to
     * that; then nothing can be said of all runs.
     *
     * Taking out: first every stale read, then halves, quarters and so on, down to single ones, as long as one can be
     * taken out; each time the test is run again. What broke last is what is told.
     */

    private static final int MOST_REPLAYS = 60;

    /** How it ended. */
    public enum Verdict {
        /** The test breaks. */
        BROKEN,
        /** It did not in as many runs as asked for. */
        NOT_FOUND,
        /** It cannot: all has been tried. */
        CANNOT,
        /** There was no time to try all, or the test is not the same each time. */
        UNDECIDED
    }

    /**
     * What was found.
     *
     * @param runs before the one that broke, and that
     * @param replays runs that took out stale reads
     * @param broken the run that is left, null if none broke
     * @param repeats whether the run that broke did so again when it was run again
     * @param isDiverged whether the test was not the same with the same answers
     */
    public record Found(
            Verdict verdict, long runs, int replays, Trial.Result broken, boolean repeats, boolean isDiverged) {}

    private final Trial trial;
    private final BooleanSupplier isTimeUp;

    private int replays;

    /** @param isTimeUp asked before each run */
    public Exploration(Trial trial, BooleanSupplier isTimeUp) {
        this.trial = trial;
        this.isTimeUp = isTimeUp;
    }

    /** Runs the test so many times with answers drawn from seeds. */
    public Found random(long runs, ChoiceMode mode, long seed) throws IOException, InterruptedException {
        SeededRandom seeds = new SeededRandom(seed);
        for (long run = 1; run <= runs; run++) {
            if (isTimeUp.getAsBoolean()) {
                return new Found(Verdict.UNDECIDED, run - 1, 0, null, false, false);
            }
            Trial.Result result = trial.run(new Answers(new int[0], new int[0], modeOf(run, mode), seeds.next()));
            if (result.isBroken()) {
                return shrunk(run, result);
            }
        }
        return new Found(Verdict.NOT_FOUND, runs, 0, null, false, false);
    }

    private static ChoiceMode modeOf(long run, ChoiceMode mode) {
        if (mode != ChoiceMode.MIXED) {
            return mode;
        }
        return run % 3 == 0 ? ChoiceMode.DEPTH : ChoiceMode.UNIFORM;
    }

    /** Tries all answers there are. */
    public Found all() throws IOException, InterruptedException {
        int[] behind = {};
        int[] bounds = {};
        for (long run = 1; ; run++) {
            if (isTimeUp.getAsBoolean()) {
                return new Found(Verdict.UNDECIDED, run - 1, 0, null, false, false);
            }
            Trial.Result result = trial.run(Answers.script(behind, bounds));
            if (result.isBroken()) {
                return shrunk(run, result);
            }
            if (result.divergedAt() >= 0 || result.behind().length < behind.length) {
                return new Found(Verdict.UNDECIDED, run, 0, null, false, true);
            }
            int last = result.behind().length - 1;
            while (last >= 0 && result.behind()[last] + 1 >= result.bounds()[last]) {
                last--;
            }
            if (last < 0) {
                return new Found(Verdict.CANNOT, run, 0, null, false, false);
            }
            behind = Arrays.copyOf(result.behind(), last + 1);
            behind[last]++;
            bounds = Arrays.copyOf(result.bounds(), last + 1);
        }
    }

    private Found shrunk(long runs, Trial.Result broken) throws IOException, InterruptedException {
        Trial.Result again = replay(broken.behind());
        if (!again.isBroken()) {
            return new Found(Verdict.BROKEN, runs, replays, broken, false, true);
        }
        Trial.Result least = again;
        Trial.Result newest = replay(new int[0]);
        if (newest.isBroken()) {
            return new Found(Verdict.BROKEN, runs, replays, newest, true, false);
        }
        int size = Math.max(1, Answers.staleOf(least.behind()) / 2);
        while (size >= 1 && replays < MOST_REPLAYS) {
            Trial.Result smaller = withoutSome(least, size);
            if (smaller == null) {
                size = size == 1 ? 0 : size / 2;
            } else {
                least = smaller;
                size = Math.min(size, Math.max(1, Answers.staleOf(least.behind())));
            }
        }
        Trial.Result told = replay(least.behind());
        return new Found(Verdict.BROKEN, runs, replays, told.isBroken() ? told : least, true, false);
    }

    /** The same run without so many neighbouring stale reads, if it still breaks; else null. */
    private Trial.Result withoutSome(Trial.Result from, int size) throws IOException, InterruptedException {
        int stale = Answers.staleOf(from.behind());
        for (int first = 0; first < stale && replays < MOST_REPLAYS; first += size) {
            int[] behind = from.behind().clone();
            int number = 0;
            for (int choice = 0; choice < behind.length; choice++) {
                if (behind[choice] > 0) {
                    behind[choice] = number >= first && number < first + size ? 0 : behind[choice];
                    number++;
                }
            }
            Trial.Result result = replay(behind);
            if (result.isBroken() && Answers.staleOf(result.behind()) < stale) {
                return result;
            }
        }
        return null;
    }

    private Trial.Result replay(int[] behind) throws IOException, InterruptedException {
        replays++;
        return trial.run(Answers.script(behind, new int[0]));
    }
}
