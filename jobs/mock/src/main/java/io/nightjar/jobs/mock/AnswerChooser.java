package io.nightjar.jobs.mock;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Draws the answers of a mock by a mode, records them, and can first replay recorded choices. */
public final class AnswerChooser implements Chooser {

    private static final int CHOICES_OF_A_TURN = 24;
    private static final ChoiceMode[] TURNS = {ChoiceMode.UNIFORM, ChoiceMode.UNIFORM, ChoiceMode.DEPTH};
    private static final int ONE_IN_SO_MANY_IS_OLD = 6;
    private static final int ONE_IN_SO_MANY_IS_ANY = 10;

    /**
     * Number of choices for which sessions may stay apart; long enough to diverge as far as some assertions require.
     */
    private static final int CHOICES_APART = 500;

    private final ChoiceMode mode;
    private final SeededRandom random;
    private final boolean isExact;

    private @Nullable ChoiceMode modeOfTable;
    private ChoiceLog script = ChoiceLog.NONE;
    private int divergedAt = -1;
    private long about;
    private @Nullable LongPredicate isKnownVersion;
    private Runnable onNothingNew = () -> {};
    private final IntArrayList taken = new IntArrayList();
    private final IntArrayList bound = new IntArrayList();
    private boolean[] isTurn = new boolean[64];
    private final LongArrayList context = new LongArrayList();
    private final IntArrayList other = new IntArrayList();
    private final LongArrayList locations = new LongArrayList();
    private final Long2IntOpenHashMap versionAt = new Long2IntOpenHashMap();
    private long location;
    private int turns;
    private boolean mayBeApart;
    private final int firstApart;

    /** @param isExact whether a choice is recorded as a number among all allowed answers, so that it can be replayed */
    public AnswerChooser(ChoiceMode mode, long seed, boolean isExact) {
        this.mode = mode;
        this.isExact = isExact;
        this.random = new SeededRandom(mix(seed));
        this.firstApart = (int) (mix(~seed) & 1);
    }

    /** Mixes the seed because consecutive small seeds start with similar numbers. */
    private static long mix(long seed) {
        return new SeededRandom(seed).next();
    }

    /**
     * Replays these choices before drawing by the mode; a choice with another bound or subject marks the run as
     * diverged.
     */
    public void follow(ChoiceLog first) {
        script = first;
        versionAt.clear();
        for (int choice = 0; first.isByLocation() && choice < first.count(); choice++) {
            versionAt.put(first.locations()[choice], first.taken()[choice]);
        }
    }

    /** Returns the first choice that differed from the replayed log, -1 if none did. */
    public int divergedAt() {
        return divergedAt;
    }

    /** Returns the choices made so far. */
    public ChoiceLog choices() {
        return new ChoiceLog(
                taken.toIntArray(),
                bound.toIntArray(),
                Arrays.copyOf(isTurn, taken.size()),
                context.toLongArray(),
                other.toIntArray(),
                locations.toLongArray());
    }

    /**
     * Sets whether the mixed mode may seldom show sessions each other's versions for a while. A session without an
     * order of the versions visible to it would not even observe its own.
     */
    void mayBeApart(boolean isAllowed) {
        mayBeApart = isAllowed;
    }

    /** Sets the mode of the next answers; null for the default mode. */
    void draw(@Nullable ChoiceMode ofTable) {
        modeOfTable = ofTable;
    }

    /** Sets a hash of the subject of the next choice; equal if the subject is the same in another run. */
    void about(long what) {
        about = what;
    }

    /**
     * Sets a hash of the location of the next choice; equal in a slightly different run that reaches the same location.
     */
    void at(long where) {
        location = where;
    }

    /**
     * Sets which answers to the next read lead only to explored runs. After the replayed choices, other answers are
     * preferred.
     *
     * @param isKnown whether an answer leads only to explored runs; null if none is known to
     * @param onNothing the action if all answers do
     */
    void avoid(@Nullable LongPredicate isKnown, Runnable onNothing) {
        isKnownVersion = isKnown;
        onNothingNew = onNothing;
    }

    @Override
    public boolean isUniform() {
        return !isExact && !isApart() && modeNow() == ChoiceMode.UNIFORM;
    }

    /**
     * Returns the index of the next session to run.
     *
     * @param isKnown whether a session leads only to explored runs; null if none is known to
     */
    public int turn(int waiting, @Nullable IntPredicate isKnown) {
        location = -1L - turns++;
        int replayed = replayed(waiting, true);
        return choose(
                replayed >= 0 ? replayed : modeNow() == ChoiceMode.NEWEST ? 0 : random.below(waiting),
                waiting,
                true,
                isKnown);
    }

    @Override
    public int below(int many) {
        return drawn(many, null);
    }

    @Override
    public int below(int many, IntToLongFunction versionOf) {
        LongPredicate isKnown = isKnownVersion;
        return drawn(many, isKnown == null ? null : back -> isKnown.test(versionOf.applyAsLong(many - 1 - back)));
    }

    private int drawn(int many, @Nullable IntPredicate isKnownBack) {
        int replayed = replayed(many, false);
        return many - 1 - choose(replayed >= 0 ? replayed : many - 1 - draw(many), many, false, isKnownBack);
    }

    /**
     * Returns the choice; after the last replayed choice, or as its substitute, the next choice that leads to a new
     * run.
     */
    private int choose(int replayed, int many, boolean ofTurn, @Nullable IntPredicate isKnown) {
        int choice = taken.size() < script.count() - 1 ? replayed : nextNew(replayed, many, isKnown);
        if (choice == many) {
            record(replayed, many, ofTurn, many);
            onNothingNew.run();
            return replayed;
        }
        record(choice, many, ofTurn, nextNew(choice + 1, many, isKnown));
        return choice;
    }

    private static int nextNew(int from, int many, @Nullable IntPredicate isKnown) {
        int next = from;
        while (isKnown != null && next < many && isKnown.test(next)) {
            next++;
        }
        return next;
    }

    /** Returns the replayed value of this choice, limited to its bound; -1 if none. */
    private int replayed(int many, boolean ofTurn) {
        if (script.isByLocation()) {
            return Math.min(many - 1, versionAt.get(location));
        }
        if (divergedAt < 0 && !script.fits(taken.size(), many, ofTurn, about)) {
            divergedAt = taken.size();
        }
        return taken.size() < script.count() ? Math.min(many - 1, script.taken()[taken.size()]) : -1;
    }

    private void record(int choice, int many, boolean ofTurn, int otherChoice) {
        if (taken.size() == isTurn.length) {
            isTurn = Arrays.copyOf(isTurn, 2 * isTurn.length);
        }
        isTurn[taken.size()] = ofTurn;
        taken.add(choice);
        bound.add(many);
        other.add(otherChoice);
        locations.add(location);
        context.add(about);
    }

    private int draw(int many) {
        if (many == 1) {
            return 0;
        }
        if (isApart()) {
            return random.below(ONE_IN_SO_MANY_IS_ANY) == 0 ? random.below(many) : 0;
        }
        return switch (modeNow()) {
            case NEWEST -> many - 1;
            case DEPTH -> random.below(ONE_IN_SO_MANY_IS_OLD) == 0 ? random.below(many) : many - 1;
            case UNIFORM, MIXED -> random.below(many);
        };
    }

    private boolean isApart() {
        ChoiceMode now = modeOfTable == null ? mode : modeOfTable;
        return mayBeApart && now == ChoiceMode.MIXED && (taken.size() / CHOICES_APART + firstApart) % 2 == 0;
    }

    private ChoiceMode modeNow() {
        ChoiceMode now = modeOfTable == null ? mode : modeOfTable;
        return now == ChoiceMode.MIXED ? TURNS[taken.size() / CHOICES_OF_A_TURN % TURNS.length] : now;
    }
}
