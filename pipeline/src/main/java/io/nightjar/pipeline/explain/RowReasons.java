package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.Finding.Edge;
import org.jspecify.annotations.Nullable;

/** Reason of an edge of a finding about tables, as a sentence composed of the edge and its fact. */
final class RowReasons {

    private static final int MAX_ROW_CHARS = 120;

    private RowReasons() {}

    static String of(Edge edge, OfRows reason) {
        long from = edge.fromTxnId();
        long to = edge.toTxnId();
        String key = edge.key();
        String older = shown(edge.fromValue());
        String newer = shown(edge.toValue());
        String condition = edge.predicate();
        return switch (reason.fact()) {
            case SHOULD_HAVE_READ ->
                "T%d read %s of %s%s, and should have read %s"
                        .formatted(to, newer, key, writer(reason), version(edge, reason.first()));
            case READ_BEFORE -> "T%d read %s of %s, after it had read %s".formatted(to, newer, key, older);
            case NOT_RETURNED ->
                "T%d asked for rows where %s and did not return %s, where it should have seen %s"
                        .formatted(to, condition, key, version(edge, reason.first()));
            case RETURNED ->
                "T%d asked for rows where %s and returned %s for %s%s, where it should have seen %s"
                        .formatted(to, condition, newer, key, writer(reason), version(edge, reason.first()));
            case ANSWERED ->
                "T%d asked for %s and got %s, and the rows that it should have seen make %s"
                        .formatted(to, condition, number(edge.toValue()), number(edge.fromValue()));
            case READ_UNWRITTEN -> "T%d read %s of %s, which no transaction wrote".formatted(to, newer, key);
            case LOOKED_AT_UNWRITTEN -> "T%d evaluated %s of %s, which no transaction wrote".formatted(to, newer, key);
            case READ_REPLACED -> "T%d read %s of %s, which T%d replaced itself".formatted(to, older, key, from);
            case LOOKED_AT_REPLACED ->
                "T%d evaluated %s of %s, which T%d replaced itself".formatted(to, older, key, from);
            case READ_TOO_EARLY -> "T%d read %s of %s, which it wrote itself only afterwards".formatted(to, newer, key);
            case READ_ABORTED ->
                "T%d read %s of %s, which T%d wrote and took back".formatted(to, newer, key, reason.first());
            case LOOKED_AT_ABORTED ->
                "T%d evaluated a version of %s, which T%d wrote and rolled back".formatted(to, key, reason.first());
            case MISSED_ALWAYS ->
                "T%d asked for rows where %s and did not get %s, of which every version matches"
                        .formatted(to, condition, key);
            case MISSED_OWN ->
                "T%d asked for rows where %s and did not get %s of %s, which it wrote itself before"
                        .formatted(to, condition, older, key);
            case RETURNED_UNMATCHED ->
                "T%d asked for rows where %s and got %s of %s, which does not match"
                        .formatted(to, condition, newer, key);
            case FOLLOWS -> "T%d follows T%d in its session".formatted(to, from);
            case REPLACED -> "T%d replaced %s of T%d by %s in %s".formatted(to, older, from, newer, key);
            case READ -> "T%d read %s of %s, which T%d wrote".formatted(to, older, key, from);
            case READ_THEN_REPLACED ->
                "T%d read %s of %s, which T%d then replaced by %s".formatted(from, older, key, to, newer);
            case MATCH_HAD_CHANGED ->
                "T%d searched for rows where %s, and the match of %s had changed with %s of T%d"
                        .formatted(to, condition, key, older, from);
            case MATCH_CHANGED ->
                "T%d searched for rows where %s and observed %s of %s, and T%d changed the match with %s"
                        .formatted(from, condition, older, key, to, newer);
            case LATE_START ->
                "T%d starts at %d, after its commit at %d".formatted(to, reason.first(), reason.second());
            case EARLY_START ->
                "T%d follows T%d in its session, and starts at %d, before T%d commits at %d"
                        .formatted(to, from, reason.first(), from, reason.second());
            case EARLY_COMMIT ->
                "T%d follows T%d in its session, and commits at %d, before T%d commits at %d"
                        .formatted(to, from, reason.first(), from, reason.second());
            case OVERLAP -> "T%d and T%d overlap and both wrote %s".formatted(from, to, key);
        };
    }

    private static String shown(@Nullable String row) {
        if (row == null) {
            return "no row";
        }
        return row.length() <= MAX_ROW_CHARS ? row : row.substring(0, MAX_ROW_CHARS) + "…";
    }

    private static String number(@Nullable String answer) {
        return answer == null || answer.equals("null") ? "NULL" : answer;
    }

    /** Returns the writer of the version read, if its row does not identify it. */
    private static String writer(OfRows reason) {
        return reason.second() == null ? "" : " as T" + reason.second() + " wrote it";
    }

    /** Returns the version that should have been seen, with its writer. */
    private static String version(Edge edge, @Nullable Long writer) {
        if (writer == null) {
            return "no row, as before its first version";
        }
        return edge.fromValue() == null ? "no row, deleted by T" + writer : shown(edge.fromValue()) + " of T" + writer;
    }
}
