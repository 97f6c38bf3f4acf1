package io.nightjar.formats.finding;

import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.level.Anomaly;
import org.jspecify.annotations.Nullable;

/**
 * Readable name of an anomaly: the classic name first, its type in parentheses, as in {@code lost update (NOCONFLICT)}.
 */
public final class AnomalyTitle {

    private AnomalyTitle() {}

    public static String of(Finding finding) {
        Origin origin =
                finding.expectation() == null ? null : finding.expectation().origin();
        return of(finding.anomaly().spelling(), finding.pattern(), origin == null ? null : origin.word());
    }

    /**
     * Returns the name of an anomaly read from tables or JSON.
     *
     * @param type as spelled in tables
     * @param pattern as spelled in tables; null if none fits
     * @param origin where the observed value was written, as spelled in tables; null if that is unknown or no read is
     * involved
     */
    public static String of(String type, @Nullable String pattern, @Nullable String origin) {
        String name = name(type, pattern, origin);
        return name.equals(type) ? type : name + " (" + type + ")";
    }

    /** Returns the classic name alone; the type if this version does not support it. */
    public static String name(String type, @Nullable String pattern, @Nullable String origin) {
        Anomaly anomaly = Anomaly.bySpelling(type);
        String classic = pattern != null ? pattern : anomaly == null ? null : classic(anomaly, origin);
        return classic == null ? type : spaced(classic);
    }

    /** Returns words instead of a hyphenated name; prefixes keep their hyphen. */
    private static String spaced(String name) {
        return name.replace('-', ' ').replaceFirst("\\b(non|anti) ", "$1-");
    }

    /** Returns the name of a type without a pattern. */
    private static String classic(Anomaly anomaly, @Nullable String origin) {
        return switch (anomaly) {
            case SESSION -> "session-order-violation";
            case INT, INTERNAL -> "internal-inconsistency";
            case EXT -> external(origin);
            case NOCONFLICT -> "write-conflict";
            case TIMESTAMP_ORDER -> "commit-before-start";
            case G1A -> "aborted-read";
            case G1B -> "intermediate-read";
            case G0, G0_PROCESS, G0_REALTIME -> "write-cycle";
            case G1C, G1C_PROCESS, G1C_REALTIME -> "circular-information-flow";
            case G_SINGLE_ITEM,
                    G_SINGLE_ITEM_PROCESS,
                    G_SINGLE_ITEM_REALTIME,
                    G_SINGLE,
                    G_SINGLE_PROCESS,
                    G_SINGLE_REALTIME -> "single-anti-dependency-cycle";
            case G_NONADJACENT_ITEM,
                    G_NONADJACENT_ITEM_PROCESS,
                    G_NONADJACENT_ITEM_REALTIME,
                    G_NONADJACENT,
                    G_NONADJACENT_PROCESS,
                    G_NONADJACENT_REALTIME -> "nonadjacent-anti-dependency-cycle";
            case G2_ITEM, G2_ITEM_PROCESS, G2_ITEM_REALTIME, G2, G2_PROCESS, G2_REALTIME -> "anti-dependency-cycle";
            case GARBAGE_READ,
                    FUTURE_READ,
                    DUPLICATE_WRITE,
                    DUPLICATE_ELEMENTS,
                    INCOMPATIBLE_ORDER,
                    DIRTY_UPDATE,
                    LOST_UPDATE,
                    CYCLIC_VERSIONS,
                    RESULT_SET_MISMATCH,
                    PREDICATE_READ_MISS,
                    NO_SERIAL_ORDER,
                    NO_SNAPSHOT_ORDER,
                    NO_PREFIX_ORDER -> anomaly.spelling();
            case COMMIT_ORDER_CYCLE -> "dependency-cycle";
        };
    }

    private static String external(@Nullable String origin) {
        if (origin == null) {
            return "wrong-read";
        }
        return Origin.NEVER.word().equals(origin) ? Anomaly.GARBAGE_READ.spelling() : origin + "-read";
    }
}
