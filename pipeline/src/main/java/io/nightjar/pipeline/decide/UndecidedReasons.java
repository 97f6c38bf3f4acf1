package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.LevelLattice.ProvedBy;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.decide.ValueVerdicts.Answer;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.validate.CountFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reasons why levels that nothing rules out in a group of sessions are undecided there. */
final class UndecidedReasons {

    private final OperationLog log;
    private final ReadInference inference;
    private final @Nullable ValueVerdicts decided;
    private final @Nullable ValueVerdicts withoutSessions;
    private final @Nullable ValueVerdicts inRealTime;
    private final @Nullable CycleDecision cyclesOfOthers;
    private final @Nullable SharedVersion shared;
    private final boolean areListsCut;

    /**
     * @param decided verdicts of the search; null if none was needed
     * @param withoutSessions verdicts with a separate session for each transaction; null if not requested
     * @param inRealTime verdicts of a search that respects the clients' clocks; null if not requested
     * @param cyclesOfOthers decision of the other levels; null if only the six were requested
     * @param shared why versions are no evidence; null if they are, or were not used
     * @param areListsCut whether the six were decided of lists without the own appends at their end
     */
    UndecidedReasons(
            OperationLog log,
            ReadInference inference,
            @Nullable ValueVerdicts decided,
            @Nullable ValueVerdicts withoutSessions,
            @Nullable ValueVerdicts inRealTime,
            @Nullable CycleDecision cyclesOfOthers,
            @Nullable SharedVersion shared,
            boolean areListsCut) {
        this.log = log;
        this.inference = inference;
        this.decided = decided;
        this.withoutSessions = withoutSessions;
        this.inRealTime = inRealTime;
        this.cyclesOfOthers = cyclesOfOthers;
        this.shared = shared;
        this.areListsCut = areListsCut;
    }

    /** Returns the undecided reason of a level that nothing rules out; null if it holds. */
    @Nullable
    String doubt(IsolationLevel level) {
        if (shared != null) {
            return shared.reason();
        }
        return IsolationLevel.all().contains(level) ? doubtOfSix(level) : doubtOfOther(level);
    }

    /** Returns whether a violated level is proved to hold apart from the reads and writes that were found at fault. */
    boolean isOtherwiseProved(IsolationLevel level) {
        if (!IsolationLevel.all().contains(level)) {
            return shared == null && requireNonNull(cyclesOfOthers).doubt(level) == null;
        }
        Answer answer = decided == null ? null : decided.answers().get(level);
        return answer != null && answer.verdict() == Verdict.HOLDS && isEverythingJudged();
    }

    private static Answer answer(@Nullable ValueVerdicts of, IsolationLevel level) {
        return requireNonNull(requireNonNull(of).answers().get(level), level::longName);
    }

    private @Nullable String doubtOfSix(IsolationLevel level) {
        Answer answer = answer(decided, level);
        if (hasFaults(inference) || answer.verdict() == Verdict.VIOLATED) {
            throw new AssertionError("bug: violated without a finding: level=" + level.longName() + " faultyReads="
                    + inference.faultyReads());
        }
        if (answer.verdict() == Verdict.UNDECIDED) {
            return answer.reason();
        }
        if (inference.ambiguousReads() > 0) {
            return CountFormat.of(inference.ambiguousReads(), "read")
                    + " returned a value that several transactions wrote to the key, so its writer is ambiguous";
        }
        if (inference.openGuards() > 0) {
            return CountFormat.of(inference.openGuards(), "condition")
                    + " did not hold, which a transaction of unknown outcome may explain";
        }
        if (inference.partialReads() > 0) {
            return CountFormat.of(inference.partialReads(), "read")
                    + " returned a list with only some of a transaction's appends, or with them in another order, so the"
                    + " version read is undetermined";
        }
        if (inference.unjudgedKeys() > 0) {
            return "values cannot decide large sets, counters without numbers and keys used in two ways: "
                    + CountFormat.of(inference.unjudgedKeys(), "key");
        }
        return null;
    }

    /** Returns why another level is open: a level that no anomaly proves holds where a stronger one does. */
    private @Nullable String doubtOfOther(IsolationLevel level) {
        String doubt = requireNonNull(cyclesOfOthers).doubt(level);
        boolean isOutOfReach = LevelLattice.provedBy(level) == ProvedBy.NOTHING;
        if (doubt == null || isOutOfReach || hasFaults(inference)) {
            return doubt;
        }
        if (LevelLattice.implies(IsolationLevel.STRICT_SERIALIZABLE, level) && isProvedInRealTime()) {
            return null;
        }
        if (isEverythingJudged() && isImpliedByOneOfSix(level)) {
            return null;
        }
        if (inRealTime != null && level == IsolationLevel.STRICT_SERIALIZABLE) {
            Answer answer = answer(inRealTime, IsolationLevel.SERIALIZABLE);
            boolean isOpen = answer.verdict() == Verdict.UNDECIDED;
            return isOpen ? doubt + "; the search for an order in real time: " + answer.reason() : doubt;
        }
        return withoutSessions == null ? doubt : doubtWithoutSessions(level, doubt);
    }

    private boolean isImpliedByOneOfSix(IsolationLevel level) {
        return decided != null
                && decided.answers().entrySet().stream()
                        .anyMatch(answer -> answer.getValue().verdict() == Verdict.HOLDS
                                && isProof(answer.getKey())
                                && LevelLattice.implies(answer.getKey(), level));
    }

    /**
     * Returns whether a level of the six that holds proves levels of Elle: with own appends at the end of lists, only
     * those at which writers of a key do not overlap place these appends in its order as Elle does.
     */
    boolean isProof(IsolationLevel ofSix) {
        return !areListsCut || ofSix.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
    }

    private @Nullable String doubtWithoutSessions(IsolationLevel level, String doubt) {
        String reason = null;
        for (Map.Entry<IsolationLevel, Answer> asked :
                requireNonNull(withoutSessions).answers().entrySet()) {
            Answer answer = asked.getValue();
            if (!LevelLattice.isProvedWithoutSessions(level, asked.getKey())) {
                continue;
            }
            if (answer.verdict() == Verdict.HOLDS && isEverythingJudged() && isProof(asked.getKey())) {
                return null;
            }
            reason = answer.verdict() == Verdict.UNDECIDED && reason == null ? answer.reason() : reason;
        }
        return reason == null ? doubt : doubt + "; the search for an order: " + reason;
    }

    /** Returns whether a serial order was found that also keeps the order of the clients' clocks. */
    /** Returns whether an order that explains every read keeps the clients' times. */
    boolean isProvedInRealTime() {
        return isProvedInRealTime(decided) || isProvedInRealTime(inRealTime);
    }

    private boolean isProvedInRealTime(@Nullable ValueVerdicts searched) {
        return searched != null
                && searched.witness() != null
                && isEverythingJudged()
                && searched.witnessLevel() == IsolationLevel.SERIALIZABLE
                && RealTimeWitness.keepsRealTime(log, inference, searched.witness());
    }

    /** Returns whether an order was found that explains every read; one that leaves reads out proves nothing. */
    boolean hasWitness() {
        return decided != null && decided.witness() != null && isEverythingJudged();
    }

    /** Returns whether an order was found that need not respect sessions, and all reads were checked. */
    boolean hasWitnessWithoutSessions() {
        return withoutSessions != null && withoutSessions.witness() != null && isEverythingJudged();
    }

    private boolean isEverythingJudged() {
        return shared == null
                && inference.ambiguousReads() == 0
                && inference.openGuards() == 0
                && inference.partialReads() == 0
                && inference.unjudgedKeys() == 0;
    }

    /** Returns whether reads are at fault that rule out every level. */
    static boolean hasFaults(ReadInference inference) {
        return inference.faultyReads() > 0;
    }
}
