package io.nightjar.pipeline.check;

import io.nightjar.formats.level.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of a checker on one level for a history or part of it.
 *
 * @param reason why it is undecided and how far it got; null otherwise
 * @param witness an order that satisfies the level; null where none is needed or the level does not hold
 * @param contradictions proofs that rule out the level; empty unless it is violated
 * @param searchStates guesses made or states visited
 */
public record LevelAnswer(
        Verdict verdict,
        @Nullable String reason,
        @Nullable CommitOrder witness,
        List<Contradiction> contradictions,
        long searchStates) {

    public LevelAnswer {
        contradictions = List.copyOf(contradictions);
    }

    public static LevelAnswer holds(@Nullable CommitOrder witness, long searchStates) {
        return new LevelAnswer(Verdict.HOLDS, null, witness, List.of(), searchStates);
    }

    /** Returns that the level holds by a theorem: the required graph is acyclic. */
    public static LevelAnswer holds() {
        return holds(null, 0);
    }

    public static LevelAnswer violated(List<Contradiction> contradictions, long searchStates) {
        return new LevelAnswer(Verdict.VIOLATED, null, null, contradictions, searchStates);
    }

    public static LevelAnswer undecided(@Nullable String reason, long searchStates) {
        return new LevelAnswer(Verdict.UNDECIDED, reason, null, List.of(), searchStates);
    }
}
