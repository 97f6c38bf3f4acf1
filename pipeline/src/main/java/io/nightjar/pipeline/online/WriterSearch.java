package io.nightjar.pipeline.online;

import org.jspecify.annotations.Nullable;

/**
 * Search for the writer of the value that a read returned: among the versions in the window, the closest to the read.
 */
final class WriterSearch {

    private static final int FARTHEST = 1_000;
    private static final int NEAR_ENOUGH = 32; // maximum distance if findings are numerous
    private static final int NONE = SortedRows.NONE;

    private final WindowTxns txns;
    private final OnlineFindings findings;
    private final SortedRows versions;

    WriterSearch(WindowTxns txns, OnlineFindings findings, SortedRows versions) {
        this.txns = txns;
        this.findings = findings;
        this.versions = versions;
    }

    /**
     * Returns the writer for a read at a position, or null. A version that no snapshot contained is the last choice.
     */
    @Nullable
    OnlineTxn nearest(int key, long at, int rowClass, long id, long value) {
        int unseen = versions.notBefore(key, at, rowClass, id);
        NearestWriter nearest = new NearestWriter(at, id);
        int maxDistance = findings.areMany() ? NEAR_ENOUGH : FARTHEST;
        long following = unseen == NONE ? Long.MAX_VALUE : versions.at(key, unseen);
        int steps = 0;
        int position = unseen == NONE ? versions.last(key) : versions.previous(key, unseen);
        for (; position != NONE && steps++ < maxDistance; position = versions.previous(key, position)) {
            long from = versions.at(key, position);
            if (versions.value(key, position) == value && nearest.offerSeen(writer(key, position), from, following)) {
                break;
            }
            following = from;
        }
        steps = 0;
        for (position = unseen; position != NONE && steps++ < maxDistance; position = versions.next(key, position)) {
            int next = versions.next(key, position);
            long until = next == NONE ? Long.MAX_VALUE : versions.at(key, next);
            if (versions.value(key, position) == value
                    && nearest.offerUnseen(writer(key, position), versions.at(key, position), until)) {
                break;
            }
        }
        return nearest.writer();
    }

    private long writer(int key, int position) {
        return txns.id(RowMeta.slot(versions.meta(key, position)));
    }
}
