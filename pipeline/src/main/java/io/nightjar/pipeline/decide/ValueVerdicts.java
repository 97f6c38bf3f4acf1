package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts of values on a history.
 *
 * @param answers by requested level
 * @param refutations every contradiction once
 * @param witnessLevel the strongest level with a witness; null if none has one
 * @param witness an order of the whole history that satisfies it; null if none was found
 */
public record ValueVerdicts(
        Map<IsolationLevel, Answer> answers,
        List<Refutation> refutations,
        @Nullable IsolationLevel witnessLevel,
        @Nullable CommitOrder witness) {

    public ValueVerdicts {
        refutations = List.copyOf(refutations);
    }

    /**
     * The verdict on one level.
     *
     * @param reason why it is undecided; null otherwise
     */
    public record Answer(Verdict verdict, @Nullable String reason) {}

    /** A contradiction and the history, or part of it, whose ordinals it uses. */
    public record Refutation(ClientHistory history, Contradiction contradiction) {}
}
