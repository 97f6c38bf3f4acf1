package io.nightjar.jobs.mock;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import java.util.Arrays;

/** Draws answers as a mode says, notes what it drew, and draws what it is told first. */
public final class AnswerChooser implements Chooser {

    private static final int CHOICES_OF_A_TURN = 24;
    private static final ChoiceMode[] TURNS = {ChoiceMode.UNIFORM, ChoiceMode.UNIFORM, ChoiceMode.DEPTH};
    private static final int ONE_IN_SO_MANY_IS_OLD = 6;

    private final ChoiceMode mode;
    private final SeededRandom random;
    private final boolean isExact;

    private int[] script = {};
    private int[] scriptBounds = {};
    private int divergedAt = -1;
    private int count;
    private int[] drawn = new int[64];
    private int[] bound = new int[64];

    /** @param isExact whether each choice is one number among all answers that are allowed, so that it can be told again */
    public AnswerChooser(ChoiceMode mode, long seed, boolean isExact) {
        this.mode = mode;
        this.isExact = isExact;
        this.random = new SeededRandom(mix(seed));
    }

    /** Small seeds that follow each other begin alike otherwise. */
    private static long mix(long seed) {
        return new SeededRandom(seed).next();
    }

    /**
     * Answers so many versions behind the newest, one for each choice, and as the mode says after these.
     *
     * @param bounds how many answers each of these choices had; where it has another number, the run is another one
     */
    public void follow(int[] behindNewest, int[] bounds) {
        script = behindNewest.clone();
        scriptBounds = bounds.clone();
    }

    /** The first choice that had another number of answers than it was said to have, -1 if there was none. */
    public int divergedAt() {
        return divergedAt;
    }

    /** How many versions behind the newest allowed one each answer was. */
    public int[] behindNewest() {
        int[] behind = new int[count];
        for (int choice = 0; choice < count; choice++) {
            behind[choice] = bound[choice] - 1 - drawn[choice];
        }
        return behind;
    }

    /** How many answers each choice had. */
    public int[] bounds() {
        return Arrays.copyOf(bound, count);
    }

    /** How many choices there have been. */
    public int count() {
        return count;
    }

    @Override
    public boolean isUniform() {
        return !isExact && modeNow() == ChoiceMode.UNIFORM;
    }

    @Override
    public int below(int many) {
        if (divergedAt < 0 && count < scriptBounds.length && scriptBounds[count] != many) {
            divergedAt = count;
        }
        int answer = count < script.length ? Math.max(0, many - 1 - script[count]) : draw(many);
        if (count == drawn.length) {
            drawn = Arrays.copyOf(drawn, 2 * count);
            bound = Arrays.copyOf(bound, 2 * count);
        }
        drawn[count] = answer;
        bound[count++] = many;
        return answer;
    }

    private int draw(int many) {
        if (many == 1) {
            return 0;
        }
        return switch (modeNow()) {
            case NEWEST -> many - 1;
            case DEPTH -> random.below(ONE_IN_SO_MANY_IS_OLD) == 0 ? random.below(many) : many - 1;
            case UNIFORM, MIXED -> random.below(many);
        };
    }

    private ChoiceMode modeNow() {
        return mode == ChoiceMode.MIXED ? TURNS[count / CHOICES_OF_A_TURN % TURNS.length] : mode;
    }
}
