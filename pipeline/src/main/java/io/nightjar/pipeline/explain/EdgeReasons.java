package io.nightjar.pipeline.explain;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.IsolationLevel;

/** Why one transaction comes before another, in half a sentence that follows "T1 &lt; T2, because". */
public final class EdgeReasons {

    private EdgeReasons() {}

    public static String session(long from, long to, long session) {
        return "T%d came before T%d in session %d".formatted(from, to, session);
    }

    public static String realTime(long from, long to, long completeNs, long invokeNs) {
        return "T%d had completed at %d when T%d was invoked at %d".formatted(from, completeNs, to, invokeNs);
    }

    /** @param kind that of the write: whether the value is an element of a list or set */
    public static String read(long writer, long reader, String key, String value, byte kind) {
        return kind == OpKind.WRITE
                ? "T%d read %s=%s, which T%d wrote".formatted(reader, key, value, writer)
                : "T%d observed T%d's %s of %s to %s".formatted(reader, writer, OpKind.name(kind), value, key);
    }

    /** @param read null for the initial state */
    public static String overwrites(long reader, long writer, String key, String read, String written) {
        return read == null
                ? "T%d read the initial state of %s, which T%d replaced by %s".formatted(reader, key, writer, written)
                : "T%d read %s=%s and not the newer %s of T%d".formatted(reader, key, read, written, writer);
    }

    /**
     * @param reader who read the newer version and had to see the older one's writer; null if nobody is named
     * @param level says why that writer had to be seen; null if no level is named
     */
    public static String overwritten(
            long from, long to, String key, String older, String newer, Long reader, IsolationLevel level) {
        return reader == null
                ? "T%d's %s=%s was there before T%d's %s".formatted(from, key, older, to, newer)
                : "T%d read T%d's %s=%s while T%d's %s=%s was visible to it (%s), so T%d's is the older version"
                        .formatted(reader, to, key, newer, from, key, older, whyVisible(from, reader, level), from);
    }

    private static String whyVisible(long writer, long reader, IsolationLevel level) {
        if (level == null) {
            return "T%d comes before T%d".formatted(writer, reader);
        }
        return switch (level) {
            case READ_COMMITTED -> "T%d had read from T%d by then".formatted(reader, writer);
            case READ_ATOMIC -> "T%d also read from T%d, or follows it in its session".formatted(reader, writer);
            case CAUSAL -> "by sessions and reads, T%d follows T%d".formatted(reader, writer);
            default -> "T%d comes before T%d".formatted(writer, reader);
        };
    }

    /** @param missed what the later one wrote and the earlier one did not see; null if it is known in another way */
    public static String noOverlap(long from, long to, String key, String missed) {
        String notSeen = missed == null
                ? "T%d had not committed when T%d began".formatted(to, from)
                : "T%d did not see %s of T%d, which had not committed when T%d began".formatted(from, missed, to, from);
        return "%s; both wrote %s and must not overlap, so T%d committed before T%d began"
                .formatted(notSeen, key, from, to);
    }

    /** @param reader whose list shows the order; null if nobody is named */
    public static String listed(long from, long to, String key, String older, String newer, Long reader) {
        return "%s T%d's %s before T%d's %s".formatted(shower(key, reader), from, older, to, newer);
    }

    /** The newer one was never read. */
    public static String unlisted(long from, long to, String key, String older, String newer, Long reader) {
        return "%s T%d's %s and not T%d's %s, which therefore came later"
                .formatted(shower(key, reader), from, older, to, newer);
    }

    private static String shower(String key, Long reader) {
        return reader == null ? "reads of %s show".formatted(key) : "T%d's read of %s shows".formatted(reader, key);
    }

    /** The source numbers versions. */
    public static String numbered(long from, long to, String key, String older, String newer) {
        return "the history numbers T%d's %s=%s before T%d's %s".formatted(from, key, older, to, newer);
    }
}
