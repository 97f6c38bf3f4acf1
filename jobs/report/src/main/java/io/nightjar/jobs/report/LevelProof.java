package io.nightjar.jobs.report;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import java.util.Map;

/** Describes the proof of a level that holds, as half a sentence. */
final class LevelProof {

    private LevelProof() {}

    /** Returns the proof of a level of a run; a stronger level decided in the same way is the proof. */
    static String of(IsolationLevel level, Map<IsolationLevel, LevelResult> verdicts) {
        String evidence = requireNonNull(verdicts.get(level)).evidence();
        for (Map.Entry<IsolationLevel, LevelResult> other : verdicts.entrySet()) {
            boolean isProved = other.getValue().verdict() == Verdict.HOLDS
                    && other.getValue().evidence().equals(evidence);
            if (isProved && other.getKey() != level && LevelLattice.implies(other.getKey(), level)) {
                return "follows from " + ReadableText.level(other.getKey()) + ", which holds by the same evidence";
            }
        }
        String reason = requireNonNull(verdicts.get(level)).reason();
        return reason == null ? of(level, evidence) : reason;
    }

    private static String of(IsolationLevel level, String evidence) {
        return switch (evidence) {
            case "timestamps" ->
                level == IsolationLevel.SNAPSHOT_ISOLATION
                        ? "every transaction meets SESSION, INT, EXT and NOCONFLICT: each read its snapshot, and no two writers of a key overlap"
                        : "replayed in the order of commit timestamps, every transaction meets SESSION, INT and EXT";
            case "versions" -> "the versions are complete, and their order has no cycle that the level forbids";
            default -> byValues(level);
        };
    }

    private static String byValues(IsolationLevel level) {
        return switch (level) {
            case READ_COMMITTED, READ_ATOMIC, CAUSAL ->
                "the dependencies of every possible order have no cycle, or an order of commits was found and replayed";
            case PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE ->
                "an order of commits was found that explains every read, and replayed";
            case STRICT_SERIALIZABLE ->
                "an order of commits was found that explains every read and agrees with real time, and replayed";
            default -> "every order of versions that it needs is known, and no cycle that it forbids exists";
        };
    }
}
