package io.nightjar.pipeline.online;

import org.jspecify.annotations.Nullable;

/** Search for the writer of the value that a read returned: among the versions in the window, the one closest to the read. */
final class WriterSearch {

    private static final int FARTHEST = 1_000;
    private static final int NEAR_ENOUGH = 32; // where there are many findings
    private static final int NONE = SortedRows.NONE;

    private final WindowTxns txns;
    private final OnlineFindings findings;
    private final SortedRows versions;

    WriterSearch(WindowTxns txns, OnlineFindings findings, SortedRows versions) {
        this.txns = txns;
        this.findings = findings;
        this.versions = versions;
    }

    /** The writer for a read at a place, or null; one whose version never stood alone only where no other is known. */
    @Nullable
    OnlineTxn nearest(int key, long at, int rowClass, long id, long value) {
        int unseen = versions.notBefore(key, at, rowClass, id);
        NearestWriter nearest = new NearestWriter(at, id);
        int maxDistance = findings.areMany() ? NEAR_ENOUGH : FARTHEST;
        long following = unseen == NONE ? Long.MAX_VALUE : versions.at(key, unseen);
        int steps = 0;
        int place = unseen == NONE ? versions.last(key) : versions.previous(key, unseen);
        for (; place != NONE && steps++ < maxDistance; place = versions.previous(key, place)) {
            long from = versions.at(key, place);
            if (versions.value(key, place) == value && nearest.offerSeen(writer(key, place), from, following)) {
                break;
            }
            following = from;
        }
        steps = 0;
        for (place = unseen; place != NONE && steps++ < maxDistance; place = versions.next(key, place)) {
            int next = versions.next(key, place);
            long until = next == NONE ? Long.MAX_VALUE : versions.at(key, next);
            if (versions.value(key, place) == value
                    && nearest.offerUnseen(writer(key, place), versions.at(key, place), until)) {
                break;
            }
        }
        return nearest.writer();
    }

    private long writer(int key, int place) {
        return txns.id(RowMeta.slot(versions.meta(key, place)));
    }
}
