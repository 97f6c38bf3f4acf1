package io.nightjar.jobs.mock.explore;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.Choices;
import io.nightjar.jobs.mock.KnownSteps;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Tries answers until a test breaks, and then takes out all stale reads that it breaks without. */
public final class Exploration {

    /*
     * A run is told by its choices: how many versions behind the newest that was allowed each read was, and, where
     * transactions run one after the other, whose turn it was. All runs are a tree of these, as long as the test sends the same
     * statements when it gets the same answers. Trying all of them goes through the tree depth first: the last choice that can be
     * another one is made the next, and what comes after begins with the newest again. A choice that is about something else
     * than before, or has another number of answers, tells that the test does not keep to that; then nothing can be said of all
     * runs. Of the orders of transactions that make one history all but one are cut (RunOrder); what is left is counted by history.
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
     * @param histories how many different ones they made, of those that were not cut
     * @param replays runs that took out stale reads
     * @param broken the run that is left, null if none broke
     * @param repeats whether the run that broke did so again when it was run again
     * @param isDiverged whether the test was not the same with the same answers
     * @param last how the run was answered that is told, or the last one; null if there was none
     */
    public record Found(
            Verdict verdict,
            long runs,
            long histories,
            int replays,
            Trial.Result broken,
            boolean repeats,
            boolean isDiverged,
            Answers last) {}

    private final Trial trial;
    private final BooleanSupplier isTimeUp;

    private final LongOpenHashSet histories = new LongOpenHashSet();
    private int replays;
    private Answers last;

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
                return found(Verdict.UNDECIDED, run - 1, false);
            }
            long seedOfRun = seeds.next();
            Trial.Result result = run(Answers.drawn(modeOf(run, mode), seedOfRun));
            histories.add(result.history());
            if (result.isBroken()) {
                return shrunk(run, result, seedOfRun);
            }
        }
        return found(Verdict.NOT_FOUND, runs, false);
    }

    private Found found(Verdict verdict, long runs, boolean isDiverged) {
        return new Found(verdict, runs, histories.size(), replays, null, false, isDiverged, last);
    }

    private Found broken(long runs, Trial.Result run, boolean repeats) {
        return new Found(Verdict.BROKEN, runs, histories.size(), replays, run, repeats, !repeats, last);
    }

    private static ChoiceMode modeOf(long run, ChoiceMode mode) {
        if (mode != ChoiceMode.MIXED) {
            return mode;
        }
        return run % 3 == 0 ? ChoiceMode.DEPTH : ChoiceMode.UNIFORM;
    }

    /** Tries all answers there are. */
    public Found all(long seed) throws IOException, InterruptedException {
        Choices first = Choices.NONE;
        KnownSteps known = new KnownSteps();
        for (long run = 1; ; run++) {
            if (isTimeUp.getAsBoolean()) {
                return found(Verdict.UNDECIDED, run - 1, false);
            }
            Trial.Result result = run(new Answers(first, ChoiceMode.NEWEST, seed, true, known));
            Choices choices = result.choices();
            if (result.isBroken()) {
                histories.add(result.history());
                return shrunk(run, result, seed);
            }
            if (result.divergedAt() >= 0 || choices.count() < first.count()) {
                return found(Verdict.UNDECIDED, run, true);
            }
            if (!result.isCut()) {
                histories.add(result.history());
            }
            if (known != null && known.isContradicted()) {
                known = null; // what was left out may have been new
                first = Choices.NONE;
                continue;
            }
            first = choices.next();
            if (first == null) {
                return found(Verdict.CANNOT, run, false);
            }
        }
    }

    private Found shrunk(long runs, Trial.Result broken, long seed) throws IOException, InterruptedException {
        Trial.Result least = replay(broken.choices(), seed);
        if (!least.isBroken()) {
            return broken(runs, broken, false);
        }
        Trial.Result newest = replay(without(least.choices(), 0, Integer.MAX_VALUE), seed);
        if (newest.isBroken()) {
            return broken(runs, newest, true);
        }
        int size = Math.max(1, least.choices().staleCount() / 2);
        while (size >= 1 && replays < MOST_REPLAYS) {
            Trial.Result smaller = withoutSome(least, size, seed);
            if (smaller == null) {
                size = size == 1 ? 0 : size / 2;
            } else {
                least = smaller;
                size = Math.min(size, Math.max(1, least.choices().staleCount()));
            }
        }
        Trial.Result told = replay(least.choices(), seed);
        return broken(runs, told.isBroken() ? told : least, told.isBroken());
    }

    /** The same run without so many neighbouring stale reads, if it still breaks; else null. */
    private Trial.Result withoutSome(Trial.Result from, int size, long seed) throws IOException, InterruptedException {
        int stale = from.choices().staleCount();
        for (int first = 0; first < stale && replays < MOST_REPLAYS; first += size) {
            Trial.Result result = replay(without(from.choices(), first, size), seed);
            if (result.isBroken() && result.choices().staleCount() < stale) {
                return result;
            }
        }
        return null;
    }

    /** The same choices, but for so many stale reads from the first-th on, which return the newest. */
    private static Choices without(Choices from, int first, int size) {
        int[] taken = from.taken().clone();
        int number = 0;
        for (int choice = 0; choice < taken.length; choice++) {
            if (from.isStale(choice)) {
                taken[choice] = number >= first && number - first < size ? 0 : taken[choice];
                number++;
            }
        }
        return from.unbound(taken);
    }

    private Trial.Result replay(Choices choices, long seed) throws IOException, InterruptedException {
        replays++;
        return run(Answers.script(choices.unbound(choices.taken()), seed));
    }

    private Trial.Result run(Answers answers) throws IOException, InterruptedException {
        last = answers;
        return trial.run(answers);
    }
}
