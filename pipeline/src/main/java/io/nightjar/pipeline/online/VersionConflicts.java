package io.nightjar.pipeline.online;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;

/** Writers of one register that overlap: each pair is reported once, when the later of them arrives. */
final class VersionConflicts {

    private static final int NONE = SortedRows.NONE;

    private final IsolationLevel level;
    private final WindowTxns txns;
    private final OnlineKeys keys;
    private final OnlineFindings findings;
    private final SortedRows versions;
    private final LastVersions bases;

    VersionConflicts(
            IsolationLevel level,
            WindowTxns txns,
            OnlineKeys keys,
            OnlineFindings findings,
            SortedRows versions,
            LastVersions bases) {
        this.level = level;
        this.txns = txns;
        this.keys = keys;
        this.findings = findings;
        this.versions = versions;
        this.bases = bases;
    }

    /**
     * Reports every writer that the transaction of a new version overlaps; conflicts with removed versions are found by
     * a check of their segment.
     *
     * @param successor the first version that is not before the new one, or NONE
     */
    void find(int key, int slot, int successor) {
        long start = txns.start(slot);
        long commit = txns.commit(slot);
        int position = successor == NONE ? versions.last(key) : versions.previous(key, successor);
        while (position != NONE && overlaps(versions.at(key, position), start, commit)) {
            report(key, RowMeta.slot(versions.meta(key, position)), slot);
            position = versions.previous(key, position);
        }
        if (position == NONE && bases.has(key) && overlaps(bases.at(key), start, commit)) {
            findings.leaveToSegment(commit);
        }
        long before = commit == Long.MAX_VALUE ? commit : commit + 1;
        position = versions.nextOpenBefore(key, successor, before);
        while (position != NONE) {
            if (versions.start(key, position) < commit || versions.at(key, position) == commit) {
                report(key, slot, RowMeta.slot(versions.meta(key, position)));
            }
            position = versions.nextOpenBefore(key, versions.next(key, position), before);
        }
    }

    /** Returns whether a commit no later than the own one comes after the own start, or at the own commit. */
    private static boolean overlaps(long otherCommit, long start, long commit) {
        return otherCommit > start || otherCommit == commit;
    }

    private void report(int key, int earlier, int later) {
        boolean areJudged = txns.start(earlier) <= txns.commit(earlier) && txns.start(later) <= txns.commit(later);
        if (areJudged) {
            findings.addFinal(new OnlineFinding(
                    level,
                    Anomaly.NOCONFLICT,
                    keys.keyText(key),
                    new OnlineFinding.Parties(txns.participant(earlier), txns.participant(later), null),
                    OnlineFinding.Reading.NONE,
                    Math.max(txns.arrived(earlier), txns.arrived(later)),
                    0));
        }
    }
}
