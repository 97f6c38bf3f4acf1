package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of one attempt to find an order.
 *
 * @param reason why it is undecided; null otherwise
 * @param isTooLarge whether it is undecided because it exceeded the memory limit
 * @param witness if it holds
 * @param txns if it is violated: transactions that suffice, ascending
 * @param cycle if saturation alone found the violation and the steps were requested; else empty
 */
record Solution(
        Verdict verdict,
        @Nullable String reason,
        boolean isTooLarge,
        @Nullable CommitOrder witness,
        int @Nullable [] txns,
        List<Contradiction.Step> cycle,
        long states) {

    static Solution holds(@Nullable CommitOrder witness, long states) {
        return new Solution(Verdict.HOLDS, null, false, witness, null, List.of(), states);
    }

    static Solution undecided(String reason, long states) {
        return new Solution(Verdict.UNDECIDED, reason, false, null, null, List.of(), states);
    }

    static Solution tooLarge(String reason) {
        return new Solution(Verdict.UNDECIDED, reason, true, null, null, List.of(), 0);
    }

    static Solution violated(int[] txns, List<Contradiction.Step> cycle, long states) {
        return new Solution(Verdict.VIOLATED, null, false, null, txns, cycle, states);
    }

    boolean isViolated() {
        return verdict == Verdict.VIOLATED;
    }
}
