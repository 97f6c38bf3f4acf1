package io.nightjar.pipeline.infer;

import io.nightjar.formats.level.EdgeEvidence;

/** Reason why one version of a key precedes another. */
public enum VersionSource {
    /** The initial state comes before everything that was written. */
    INITIAL_STATE("initial-state", EdgeEvidence.VALUE),
    /** A list that was read shows the order of its elements. */
    LIST("list", EdgeEvidence.LIST),
    /** The history numbers the versions. */
    VERSION("version", EdgeEvidence.VERSION),
    /** The writers' commit timestamps. */
    TIMESTAMP("commit-timestamp", EdgeEvidence.TIMESTAMP),
    /** A transaction read the earlier version and wrote the later one. */
    WRITES_FOLLOW_READS("wfr-keys", EdgeEvidence.VALUE),
    /** A session accessed the earlier version before the later one. */
    SESSION("sequential-keys", EdgeEvidence.SESSION),
    /** A client's access to the earlier version ended before a client's access to the later one began. */
    REALTIME("linearizable-keys", EdgeEvidence.REALTIME);

    private final String spelling;
    private final EdgeEvidence evidence;

    VersionSource(String spelling, EdgeEvidence evidence) {
        this.spelling = spelling;
        this.evidence = evidence;
    }

    /** Returns the name of the source in reports of cyclic versions. */
    public String spelling() {
        return spelling;
    }

    /** Returns the evidence of an edge from this source. */
    public EdgeEvidence evidence() {
        return evidence;
    }
}
