package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;

/** Participants that the sentence of an anomaly blames. All renderings mark them, and their operations, as at fault. */
public final class Blame {

    private Blame() {}

    /** Returns whether a participant of this role is blamed. Sentences of cycles and of searches blame none of theirs. */
    public static boolean isBlamed(Anomaly anomaly, Role role) {
        return switch (anomaly) {
            case EXT,
                    INT,
                    G1A,
                    G1B,
                    GARBAGE_READ,
                    INTERNAL,
                    FUTURE_READ,
                    DUPLICATE_ELEMENTS,
                    INCOMPATIBLE_ORDER,
                    RESULT_SET_MISMATCH,
                    PREDICATE_READ_MISS -> role == Role.READER;
            case NOCONFLICT, DIRTY_UPDATE -> role == Role.LATER_WRITER;
            case SESSION, TIMESTAMP_ORDER, LOST_UPDATE -> role == Role.SUBJECT;
            case DUPLICATE_WRITE -> role == Role.EXPECTED_WRITER || role == Role.OBSERVED_WRITER;
            case CYCLIC_VERSIONS,
                    G0,
                    G0_PROCESS,
                    G0_REALTIME,
                    G1C,
                    G1C_PROCESS,
                    G1C_REALTIME,
                    G_SINGLE_ITEM,
                    G_SINGLE_ITEM_PROCESS,
                    G_SINGLE_ITEM_REALTIME,
                    G_SINGLE,
                    G_SINGLE_PROCESS,
                    G_SINGLE_REALTIME,
                    G_NONADJACENT_ITEM,
                    G_NONADJACENT_ITEM_PROCESS,
                    G_NONADJACENT_ITEM_REALTIME,
                    G_NONADJACENT,
                    G_NONADJACENT_PROCESS,
                    G_NONADJACENT_REALTIME,
                    G2_ITEM,
                    G2_ITEM_PROCESS,
                    G2_ITEM_REALTIME,
                    G2,
                    G2_PROCESS,
                    G2_REALTIME,
                    COMMIT_ORDER_CYCLE,
                    NO_SERIAL_ORDER,
                    NO_SNAPSHOT_ORDER,
                    NO_PREFIX_ORDER -> false;
        };
    }

    /** Returns the same for an anomaly and a role as tables spell them; unknown ones are not blamed. */
    public static boolean isBlamed(String anomaly, String role) {
        Anomaly known = Anomaly.bySpelling(anomaly);
        for (Role each : Role.values()) {
            if (known != null && each.word().equals(role)) {
                return isBlamed(known, each);
            }
        }
        return false;
    }
}
