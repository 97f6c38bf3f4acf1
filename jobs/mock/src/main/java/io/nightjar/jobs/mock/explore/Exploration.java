package io.nightjar.jobs.mock.explore;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.StepPredictor;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tries answers until a test breaks, and then takes out all stale reads that it breaks without. */
@SuppressWarnings("NullAway.Init") // the answers are those of the run before
public final class Exploration {

    /*
     * A run is told by its choices: how many versions behind the newest that was allowed each read was, and, where
     * transactions run one after the other, whose turn it was. All runs are a tree of these, as long as the test sends the same
     * statements when it gets the same answers. Trying all of them goes through the tree depth first: the last choice that can be
     * another one is made the next, and what comes after begins with the newest again. A choice that is about something else
     * than before, or has another number of answers, tells that the test does not keep to that; then nothing can be said of all
     * runs. Of the orders of transactions that make one history all but one are cut (CanonicalOrder); what is left is counted by history.
     *
     * Taking out: first all stale reads, then each half, each quarter and so on, down to single ones, as long as one can be
     * taken out; each time the test is run again. Others stay where they were: the same statement of the same transaction of the
     * same session, however the run has changed. What broke last is what is told.
     */

    /** How an exploration ended. */
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

    /** Why nothing more is tried. */
    public enum End {
        /** Nothing is left to be tried. */
        DONE,
        /** The test was not the same with the same answers. */
        DIVERGED,
        /** The time is up. */
        TIME,
        /** It was asked to stop. */
        STOPPED
    }

    /**
     * What was found.
     *
     * @param runs before the one that broke, and that
     * @param histories how many different ones they made, of those that were not cut
     * @param replays runs that took out stale reads
     * @param broken the run that is left, null if none broke
     * @param end what kept it from going on
     * @param last how the run was answered that is told, or the last one; null if there was none
     */
    public record Found(
            Verdict verdict,
            long runs,
            long histories,
            int replays,
            Trial.@Nullable Result broken,
            End end,
            @Nullable AnswerPolicy last) {

        /** Whether the run that broke did so each time that it was run again. */
        public boolean repeats() {
            return broken != null && end != End.DIVERGED;
        }
    }

    private final Trial trial;
    private final BooleanSupplier isTimeUp;

    private final LongOpenHashSet histories = new LongOpenHashSet();
    private int replays;
    private AnswerPolicy last;
    private volatile boolean isStopped;

    /** @param isTimeUp asked before each run that may break */
    public Exploration(Trial trial, BooleanSupplier isTimeUp) {
        this.trial = trial;
        this.isTimeUp = isTimeUp;
    }

    /** Begins no run any more, from any thread. */
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

    /** Tries all answers there are. */
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
                known = null; // what was left out may have been new
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
        Trial.Result least = replay(broken.choices(), seed);
        if (least == null) {
            return broken(runs, broken, End.STOPPED);
        }
        if (!least.isBroken()) {
            return broken(runs, broken, End.DIVERGED);
        }
        for (int size = least.choices().staleCount(); size >= 1 && goesOn(); ) {
            Trial.Result smaller = withoutSome(least, size, seed);
            boolean isLess = smaller != least;
            least = smaller;
            size = size > 1 ? Math.min(size / 2, Math.max(1, least.choices().staleCount())) : isLess ? 1 : 0;
        }
        Trial.Result told = replay(least.choices(), seed);
        if (told == null) {
            return broken(runs, least, End.STOPPED);
        }
        return told.isBroken() ? broken(runs, told, End.DONE) : broken(runs, least, End.DIVERGED);
    }

    private boolean goesOn() {
        return !isStopped && replays < trial.mostReplays();
    }

    /** Takes stale reads out of a run as long as it still breaks, the given number of neighbours at a time. */
    private Trial.Result withoutSome(Trial.Result from, int size, long seed) throws IOException, InterruptedException {
        Trial.Result least = from;
        for (int first = 0; first < least.choices().staleCount() && goesOn(); ) {
            Trial.Result result = replay(without(least.choices(), first, size), seed);
            if (result == null) {
                return least;
            }
            if (result.isBroken()
                    && result.choices().staleCount() < least.choices().staleCount()) {
                least = result;
            } else {
                first += size;
            }
        }
        return least;
    }

    /** Returns the choices with some stale reads made current: as many as given, from the given one on. */
    private static ChoiceLog without(ChoiceLog from, int first, int size) {
        int[] taken = from.taken().clone();
        int number = 0;
        for (int choice = 0; choice < taken.length; choice++) {
            if (from.isStale(choice)) {
                taken[choice] = number >= first && number - first < size ? 0 : taken[choice];
                number++;
            }
        }
        return from.inTheirPlaces(taken);
    }

    /** Runs the test with given choices; null if it was stopped. */
    private Trial.@Nullable Result replay(ChoiceLog choices, long seed) throws IOException, InterruptedException {
        if (isStopped) {
            return null;
        }
        replays++;
        return run(AnswerPolicy.script(choices.inTheirPlaces(choices.taken()), seed));
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
