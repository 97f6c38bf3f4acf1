package io.nightjar.pipeline.infer;

/** How it is known that one version of a key comes before another. */
public enum VersionSource {
    /** The initial state comes before everything that was written. */
    INITIAL_STATE("initial-state", "value"),
    /** A list that was read shows the order of its elements. */
    LIST("list", "list"),
    /** The history numbers the versions. */
    VERSION("version", "version"),
    /** The writers' commit timestamps. */
    TIMESTAMP("commit-timestamp", "timestamp"),
    /** A transaction read the one and wrote the other. */
    WRITES_FOLLOW_READS("wfr-keys", "value"),
    /** A session saw or wrote first the one, then the other. */
    SESSION("sequential-keys", "session"),
    /** Somebody was done with the one before somebody began with the other. */
    REALTIME("linearizable-keys", "realtime");

    private final String spelling;
    private final String evidence;

    VersionSource(String spelling, String evidence) {
        this.spelling = spelling;
        this.evidence = evidence;
    }

    /** What cyclic versions are blamed on. */
    public String spelling() {
        return spelling;
    }

    /** The word for it in the column {@code evidence}. */
    public String evidence() {
        return evidence;
    }
}
