package io.nightjar.jobs.mock;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Draws answers as a mode says, notes what it drew, and draws what it is told first. */
public final class AnswerChooser implements Chooser {

    private static final int CHOICES_OF_A_TURN = 24;
    private static final ChoiceMode[] TURNS = {ChoiceMode.UNIFORM, ChoiceMode.UNIFORM, ChoiceMode.DEPTH};
    private static final int ONE_IN_SO_MANY_IS_OLD = 6;
    private static final int ONE_IN_SO_MANY_IS_ANY = 10;

    /** Long enough for sessions to go on in worlds of their own, which is what some assertions need to break. */
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
    private int count;
    private int[] taken = new int[64];
    private int[] bound = new int[64];
    private boolean[] isTurn = new boolean[64];
    private long[] context = new long[64];
    private int[] other = new int[64];
    private long[] places = new long[64];
    private final Long2IntOpenHashMap toldAt = new Long2IntOpenHashMap();
    private long place;
    private int turns;
    private boolean mayBeApart;
    private final int firstApart;

    /** @param isExact whether each choice is one number among all answers that are allowed, so that it can be told again */
    public AnswerChooser(ChoiceMode mode, long seed, boolean isExact) {
        this.mode = mode;
        this.isExact = isExact;
        this.random = new SeededRandom(mix(seed));
        this.firstApart = (int) (mix(~seed) & 1);
    }

    /** Small seeds that follow each other begin alike otherwise. */
    private static long mix(long seed) {
        return new SeededRandom(seed).next();
    }

    /** Chooses so first, and as the mode says after these; where a choice is another one, the run is another one. */
    public void follow(ChoiceLog first) {
        script = first;
        toldAt.clear();
        for (int choice = 0; first.isByPlace() && choice < first.count(); choice++) {
            toldAt.put(first.places()[choice], first.taken()[choice]);
        }
    }

    /** The first choice that was another one than it was said to be, -1 if there was none. */
    public int divergedAt() {
        return divergedAt;
    }

    /** Returns what was chosen so far. */
    public ChoiceLog choices() {
        return new ChoiceLog(taken, bound, isTurn, context, other, places).first(count);
    }

    /**
     * Says whether sessions may seldom hear of each other for a while, where modes are mixed. Without an order of what a session
     * sees, it would not even see what it did itself.
     */
    void mayBeApart(boolean isAllowed) {
        mayBeApart = isAllowed;
    }

    /** Says how the next answers are drawn, null for as elsewhere. */
    void draw(@Nullable ChoiceMode ofTable) {
        modeOfTable = ofTable;
    }

    /** Says what the next choice is about; equal where it is the same in another run. */
    void about(long what) {
        about = what;
    }

    /** Says where the next answer is chosen; equal where another run that is a little different comes by too. */
    void at(long where) {
        place = where;
    }

    /**
     * Says which answers to the next read lead to nothing that has not been tried, null for none; behind what it is told, others
     * are chosen.
     *
     * @param onNothing what is done if all of them do
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
     * Returns which of the given number of sessions is next.
     *
     * @param isKnown whether that leads to nothing that has not been tried; null for none
     */
    public int turn(int waiting, @Nullable IntPredicate isKnown) {
        place = -1L - turns++;
        int told = told(waiting, true);
        return choose(
                told >= 0 ? told : modeNow() == ChoiceMode.NEWEST ? 0 : random.below(waiting), waiting, true, isKnown);
    }

    @Override
    public int below(int many) {
        return drawn(many, null);
    }

    @Override
    public int below(int many, IntToLongFunction versionOf) {
        LongPredicate isKnown = isKnownVersion;
        return drawn(many, isKnown == null ? null : behind -> isKnown.test(versionOf.applyAsLong(many - 1 - behind)));
    }

    private int drawn(int many, @Nullable IntPredicate isKnownBehind) {
        int told = told(many, false);
        return many - 1 - choose(told >= 0 ? told : many - 1 - draw(many), many, false, isKnownBehind);
    }

    /** The choice, or the next one that leads to something new if it is the last that is told, or behind. */
    private int choose(int asTold, int many, boolean ofTurn, @Nullable IntPredicate isKnown) {
        int choice = count < script.count() - 1 ? asTold : nextNew(asTold, many, isKnown);
        if (choice == many) {
            note(asTold, many, ofTurn, many);
            onNothingNew.run();
            return asTold;
        }
        note(choice, many, ofTurn, nextNew(choice + 1, many, isKnown));
        return choice;
    }

    private static int nextNew(int from, int many, @Nullable IntPredicate isKnown) {
        int next = from;
        while (isKnown != null && next < many && isKnown.test(next)) {
            next++;
        }
        return next;
    }

    /** Returns what the script says of this choice, as far as that can be; -1 if nothing. */
    private int told(int many, boolean ofTurn) {
        if (script.isByPlace()) {
            return Math.min(many - 1, toldAt.get(place));
        }
        if (divergedAt < 0 && !script.fits(count, many, ofTurn, about)) {
            divergedAt = count;
        }
        return count < script.count() ? Math.min(many - 1, script.taken()[count]) : -1;
    }

    private void note(int choice, int many, boolean ofTurn, int otherChoice) {
        if (count == taken.length) {
            taken = Arrays.copyOf(taken, 2 * count);
            bound = Arrays.copyOf(bound, 2 * count);
            isTurn = Arrays.copyOf(isTurn, 2 * count);
            context = Arrays.copyOf(context, 2 * count);
            other = Arrays.copyOf(other, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
        }
        taken[count] = choice;
        bound[count] = many;
        isTurn[count] = ofTurn;
        other[count] = otherChoice;
        places[count] = place;
        context[count++] = about;
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
        return mayBeApart && now == ChoiceMode.MIXED && (count / CHOICES_APART + firstApart) % 2 == 0;
    }

    private ChoiceMode modeNow() {
        ChoiceMode now = modeOfTable == null ? mode : modeOfTable;
        return now == ChoiceMode.MIXED ? TURNS[count / CHOICES_OF_A_TURN % TURNS.length] : now;
    }
}
