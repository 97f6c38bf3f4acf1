package io.nightjar.pipeline.explain;

/** Why one transaction comes before another, in half a sentence that follows "T1 &lt; T2, because". */
public final class EdgeReasons {

    private EdgeReasons() {}

    public static String session(long from, long to, long session) {
        return "T%d came before T%d in session %d".formatted(from, to, session);
    }

    public static String realTime(long from, long to, long completeNs, long invokeNs) {
        return "T%d had completed at %d when T%d was invoked at %d".formatted(from, completeNs, to, invokeNs);
    }

    /** @param isElement whether the value is an element of a list or set */
    public static String read(long writer, long reader, String key, String value, boolean isElement) {
        return isElement
                ? "T%d observed T%d's append of %s to %s".formatted(reader, writer, value, key)
                : "T%d read %s=%s, which T%d wrote".formatted(reader, key, value, writer);
    }

    /** @param read null for the initial state */
    public static String overwrites(long reader, long writer, String key, String read, String written) {
        return read == null
                ? "T%d read the initial state of %s, which T%d replaced by %s".formatted(reader, key, writer, written)
                : "T%d read %s=%s and not the newer %s of T%d".formatted(reader, key, read, written, writer);
    }

    /** @param reader who read the newer version and must have seen the older one's writer; null if nobody is named */
    public static String overwritten(long from, long to, String key, String older, String newer, Long reader) {
        return reader == null
                ? "both wrote %s, and %s=%s of T%d was replaced before T%d wrote %s"
                        .formatted(key, key, older, from, to, newer)
                : "T%d read %s=%s of T%d although it had to see %s=%s of T%d: so that version is the older one"
                        .formatted(reader, key, newer, to, key, older, from);
    }

    public static String noOverlap(long from, long to, String key) {
        return "both wrote %s, so one committed before the other began, and T%d cannot have committed before T%d began"
                .formatted(key, to, from);
    }

    /** @param reader whose list shows the order; null if nobody is named */
    public static String listed(long from, long to, String key, String older, String newer, Long reader) {
        String who =
                reader == null ? "reads of %s show".formatted(key) : "T%d's read of %s shows".formatted(reader, key);
        return "%s T%d's %s before T%d's %s".formatted(who, from, older, to, newer);
    }
}
