package io.nightjar.jobs.report;

import io.nightjar.formats.level.IsolationLevel;

/** What stands behind a level that holds, in half a sentence. */
final class LevelProof {

    private LevelProof() {}

    static String of(IsolationLevel level, String evidence) {
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
                "what every order must agree with has no cycle, or an order of commits was found and replayed";
            case PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE ->
                "an order of commits was found that explains every read, and replayed";
            case STRICT_SERIALIZABLE ->
                "an order of commits was found that explains every read and agrees with real time, and replayed";
            default -> "every order of versions that it needs is known, and no cycle that it forbids exists";
        };
    }
}
