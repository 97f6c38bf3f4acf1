package io.nightjar.pipeline.infer;

import io.nightjar.formats.level.EdgeEvidence;

/** How it is known that one version of a key comes before another. */
public enum VersionSource {
    /** The initial state comes before everything that was written. */
    INITIAL_STATE("initial-state", EdgeEvidence.VALUE),
    /** A list that was read shows the order of its elements. */
    LIST("list", EdgeEvidence.LIST),
    /** The history numbers the versions. */
    VERSION("version", EdgeEvidence.VERSION),
    /** The writers' commit timestamps. */
    TIMESTAMP("commit-timestamp", EdgeEvidence.TIMESTAMP),
    /** A transaction read the one and wrote the other. */
    WRITES_FOLLOW_READS("wfr-keys", EdgeEvidence.VALUE),
    /** A session saw or wrote first the one, then the other. */
    SESSION("sequential-keys", EdgeEvidence.SESSION),
    /** A client was done with the one before a client began with the other. */
    REALTIME("linearizable-keys", EdgeEvidence.REALTIME);

    private final String spelling;
    private final EdgeEvidence evidence;

    VersionSource(String spelling, EdgeEvidence evidence) {
        this.spelling = spelling;
        this.evidence = evidence;
    }

    /** Returns what cyclic versions are blamed on. */
    public String spelling() {
        return spelling;
    }

    /** Returns what an edge says of it. */
    public EdgeEvidence evidence() {
        return evidence;
    }
}
