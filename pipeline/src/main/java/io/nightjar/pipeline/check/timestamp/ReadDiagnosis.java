package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.partition.LaneOp;
import org.jspecify.annotations.Nullable;

/**
 * Diagnosis of a wrong read: the expected value, the origin of the observed value, and the shift of the snapshot that
 * would explain it.
 */
final class ReadDiagnosis {

    /*
     * Definitions. A value is current from the commit of its writer until the next commit to the key. Slack is the
     * distance from the reader's snapshot to the nearest moment at which the observed value is current:
     *
     *        writer          next                 snapshot
     *   --------|--------------|----------------------|--------> [ value current )<------ slack -------
     *
     * Algorithm. Of several writers of the observed value, the writer with the smallest slack is named; if no shift
     * helps, the last writer before the snapshot, else the first after it.
     */

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private final KeyWriters writers;
    private final KeyStates states;
    private final FindingMaker maker;

    // the current read, and its diagnosis so far
    private int reader;
    private int key;
    private long snapshotTs;
    private int firstUnseen; // the first effective entry of the key that the snapshot does not show
    private int observedWriter;
    private @Nullable Origin origin;
    private @Nullable Long slack;

    ReadDiagnosis(Lane lane, KeyWriters writers, KeyStates states, FindingMaker maker) {
        this.lane = lane;
        this.writers = writers;
        this.states = states;
        this.maker = maker;
    }

    /** Returns the finding for a first read; {@code snapshot} is the timestamp whose state should have been read. */
    Finding explainFirstRead(Mismatches mismatches, int i, long snapshot) {
        int op = mismatches.read(i);
        begin(mismatches, i, snapshot);
        int expectedWriter = mismatches.expectedWriter(i);
        ListView seen = observed(op);
        if (!lane.isList(key)) {
            explainValue(op, expectedWriter != NONE);
            String expected = expectedWriter == NONE ? null : lane.valueText(writers.value(firstUnseen - 1));
            return finding(Anomaly.EXT, expectedWriter, expected, valueText(op));
        }
        ListView snapshotList = snapshotList(mismatches.expectedLength(i));
        explainList(snapshotList, seen);
        ListView own = ownAppendsBefore(op);
        if (lane.kind().get(op) == LaneOp.READ_LIST_LOOSE) {
            return finding(Anomaly.EXT, expectedWriter, text(snapshotList.with(own)), text(seen));
        }
        slack = shiftToList(seen);
        return finding(Anomaly.EXT, expectedWriter, text(snapshotList.with(own)), text(seen.with(own)));
    }

    /** Returns the finding for a read that disagrees with its own transaction, from the pair that the scan left. */
    Finding explainOwnRead(Mismatches pairs, int i, long snapshot) {
        int pair = pairs.read(i);
        begin(pairs, i, snapshot);
        boolean wrote = wroteBefore(pair);
        int expectedWriter = wrote ? reader : NONE;
        if (!lane.isList(key)) {
            explainValue(pair + 1, wrote || pairs.expectedWriter(i) != NONE);
            slack = null;
            return finding(Anomaly.INT, expectedWriter, valueText(pair), valueText(pair + 1));
        }
        ListView expected = observed(pair);
        if (lane.kind().get(pair - 1) == LaneOp.READ_LIST_LOOSE && lane.key().get(pair - 1) == key) {
            expected = snapshotList(pairs.expectedLength(i)).with(expected);
        }
        ListView seen = observed(pair + 1);
        explainList(expected, seen);
        return finding(Anomaly.INT, expectedWriter, text(expected), text(seen));
    }

    private void begin(Mismatches mismatches, int i, long snapshot) {
        reader = mismatches.reader(i);
        key = lane.key().get(mismatches.read(i));
        snapshotTs = snapshot;
        firstUnseen = lane.isList(key)
                ? writers.firstEffective(key) + mismatches.expectedLength(i)
                : entryOf(mismatches.expectedWriter(i)) + 1;
        observedWriter = NONE;
        origin = null;
        slack = null;
    }

    private Finding finding(Anomaly anomaly, int expectedWriter, @Nullable String expected, @Nullable String observed) {
        return maker.wrongRead(anomaly, reader, key, expectedWriter, expected, observedWriter, observed, origin, slack);
    }

    /** Returns the effective entry of a register's writer; for the initial state, the number before the first entry. */
    private int entryOf(int writer) {
        return writer == NONE ? writers.firstEffective(key) - 1 : writers.effectiveEntry(key, writer);
    }

    private boolean wroteBefore(int end) {
        for (int op = lane.firstOp().get(reader); op < end; op++) {
            byte kind = lane.kind().get(op);
            if (lane.key().get(op) == key && (LaneOp.isEffective(kind) || kind == LaneOp.INTERMEDIATE_WRITE)) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- registers

    private @Nullable String valueText(int op) {
        return LaneOp.holdsValue(lane.kind().get(op))
                ? lane.valueText(lane.value().get(op))
                : null;
    }

    private void explainValue(int op, boolean someoneWrote) {
        if (states.readsInitial(op)) {
            if (someoneWrote) {
                origin = Origin.STALE;
                slack = shiftToInitial();
            }
            return;
        }
        int group = writers.group(key, lane.value().get(op));
        if (group == NONE || !isEffective(group, 0)) {
            explainUncommitted(group);
        } else {
            explainCommitted(group);
        }
    }

    /**
     * Names the nearest effective entries on each side that were ever current; if none was, the last included in the
     * snapshot or the first excluded.
     */
    private void explainCommitted(int group) {
        int unseen = writers.positionOf(group, firstUnseen);
        int stale = unseen - 1;
        while (stale >= 0 && shiftTo(writers.member(group, stale)) == null) {
            stale--;
        }
        int future = unseen;
        while (isEffective(group, future) && shiftTo(writers.member(group, future)) == null) {
            future++;
        }
        Long back = stale >= 0 ? shiftTo(writers.member(group, stale)) : null;
        Long forth = isEffective(group, future) ? shiftTo(writers.member(group, future)) : null;
        if (back == null && forth == null) {
            take(writers.member(group, unseen > 0 ? unseen - 1 : unseen), null);
        } else if (forth == null || back != null && Math.abs(back) <= Math.abs(forth)) {
            take(writers.member(group, stale), back);
        } else {
            take(writers.member(group, future), forth);
        }
    }

    private boolean isEffective(int group, int position) {
        return position < writers.size(group) && writers.isEffective(key, writers.member(group, position));
    }

    private void take(int entry, @Nullable Long shift) {
        observedWriter = writers.txn(entry);
        origin = entry < firstUnseen ? Origin.STALE : Origin.FUTURE;
        slack = shift;
    }

    private void explainUncommitted(int group) {
        origin = Origin.NEVER;
        for (int position = 0; group != NONE && position < writers.size(group); position++) {
            int entry = writers.member(group, position);
            boolean committed = writers.isCommitted(entry);
            if (!committed && !writers.isAborted(entry) || origin == Origin.INTERMEDIATE && !committed) {
                continue;
            }
            Origin itsOrigin = committed ? Origin.INTERMEDIATE : Origin.ABORTED;
            int writer = writers.txn(entry);
            if (origin != itsOrigin || lane.txnId().get(writer) < lane.txnId().get(observedWriter)) {
                observedWriter = writer;
                origin = itsOrigin;
            }
        }
    }

    private @Nullable Long shiftToInitial() {
        int first = writers.firstEffective(key);
        boolean neverReplaced = first == writers.effectiveEnd(key) || snapshotTs < writers.commitTs(first);
        return neverReplaced ? null : Long.valueOf(writers.commitTs(first) - 1 - snapshotTs);
    }

    /**
     * Returns the shift to the time when the state begun by an entry's commit was current, or null if no other
     * transaction could observe it.
     */
    private @Nullable Long shiftTo(int entry) {
        if (writers.txn(entry) == reader) {
            return null;
        }
        long from = writers.commitTs(entry);
        int following = entry + 1;
        if (following < writers.effectiveEnd(key)) {
            long until = writers.commitTs(following) - 1;
            if (until < from) {
                return null;
            }
            if (until < snapshotTs) {
                return until - snapshotTs;
            }
        }
        return Math.max(0, from - snapshotTs);
    }

    // ---------------------------------------------------------------- lists

    private void explainList(ListView expected, ListView seen) {
        int same = 0;
        while (same < seen.length() && same < expected.length() && seen.at(same) == expected.at(same)) {
            same++;
        }
        if (same < seen.length()) {
            explainElement(seen.at(same));
        } else {
            if (same > 0) {
                explainElement(seen.at(same - 1));
            }
            origin = Origin.STALE;
        }
    }

    /**
     * Explains an element by an append, all of which are final: the last that the snapshot includes, else the first
     * after it.
     */
    private void explainElement(long element) {
        int group = writers.group(key, element);
        if (group == NONE || !isEffective(group, 0)) {
            explainUncommitted(group);
            return;
        }
        int unseen = writers.positionOf(group, firstUnseen);
        take(writers.member(group, unseen > 0 ? unseen - 1 : unseen), null);
    }

    /**
     * Returns the shift to the time when the list was exactly the given one, or null if no snapshot could return it.
     */
    private @Nullable Long shiftToList(ListView list) {
        int first = writers.firstEffective(key);
        int end = writers.effectiveEnd(key);
        if (list.length() > end - first) {
            return null;
        }
        for (int at = 0; at < list.length(); at++) {
            if (list.at(at) != states.logged(key, at)) {
                return null;
            }
        }
        if (list.length() == 0) {
            return shiftToInitial();
        }
        int last = first + list.length() - 1;
        boolean splitsTransaction = last + 1 < end && writers.txn(last + 1) == writers.txn(last);
        return splitsTransaction ? null : shiftTo(last);
    }

    private ListView snapshotList(int length) {
        int ofKey = key;
        return new ListView(length, at -> states.logged(ofKey, at));
    }

    private ListView observed(int op) {
        if (!LaneOp.holdsList(lane.kind().get(op))) {
            return ListView.NONE;
        }
        int ofKey = key;
        long code = lane.value().get(op);
        return new ListView(lane.lists().length(code), at -> lane.lists().element(ofKey, code, at));
    }

    private ListView ownAppendsBefore(int end) {
        long[] own = new long[end - lane.firstOp().get(reader)];
        int count = 0;
        for (int op = lane.firstOp().get(reader); op < end; op++) {
            byte kind = lane.kind().get(op);
            if (lane.key().get(op) == key && (kind == LaneOp.APPEND || kind == LaneOp.APPEND_AGAIN)) {
                own[count++] = lane.value().get(op);
            }
        }
        return new ListView(count, at -> own[at]);
    }

    private @Nullable String text(ListView list) {
        return list.length() == 0 ? null : maker.listText(list);
    }
}
