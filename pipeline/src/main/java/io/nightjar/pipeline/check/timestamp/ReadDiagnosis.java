package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.pipeline.split.LaneOp;

/**
 * Says of each mismatching read where the observed value comes from, and which shift of the snapshot would explain it.
 */
final class ReadDiagnosis {

    /*
     * A value stood in its key from the commit of its writer until the next commit to the key. A snapshot taken then
     * would have been right, so slack is the way from the reader's snapshot to the nearest such moment:
     *
     *        writer          next                 snapshot
     *   --------|--------------|----------------------|-------->
     *           [ value stands )<------- slack -------
     */

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private final KeyWriters writers;
    private final KeyStates states;
    private final FindingMaker maker;

    // what is known of the read being looked at
    private long snapshotTs;
    private int observedWriter;
    private Origin origin;
    private Long slack;

    ReadDiagnosis(Lane lane, KeyWriters writers, KeyStates states, FindingMaker maker) {
        this.lane = lane;
        this.writers = writers;
        this.states = states;
        this.maker = maker;
    }

    /** The finding for one mismatch; {@code snapshot} is the timestamp whose state should have been read. */
    Finding explain(Mismatches mismatches, int i, long snapshot) {
        snapshotTs = snapshot;
        observedWriter = NONE;
        origin = Origin.NEVER;
        slack = null;
        int reader = mismatches.reader(i);
        int op = mismatches.read(i);
        int expectedWriter = mismatches.expectedWriter(i);
        int key = lane.key().get(op);
        byte kind = lane.kind().get(op);
        boolean list = lane.isList(key);
        if (list) {
            explainList(key, op, mismatches.expectedLength(i));
        } else {
            explainValue(key, op, frontier(key, expectedWriter));
        }
        String expected = expectedWriter == NONE ? null : lane.valueText(frontierValue(key, expectedWriter, list));
        if (list) {
            int length = mismatches.expectedLength(i);
            expected = expectedWriter == NONE ? null : maker.listText(length, at -> states.logged(key, at));
        }
        String observed = kind == LaneOp.READ_NOTHING
                ? null
                : list
                        ? maker.listText(lane.lists().length(lane.value().get(op)), at -> observedElement(key, op, at))
                        : lane.valueText(lane.value().get(op));
        return maker.mismatch(reader, key, expectedWriter, expected, observedWriter, observed, origin, slack);
    }

    // ---------------------------------------------------------------- registers

    private long frontierValue(int key, int writer, boolean list) {
        return list ? 0 : writers.value(frontier(key, writer));
    }

    /** The entry of the write that the snapshot shows; before the first effective one if it shows the initial state. */
    private int frontier(int key, int writer) {
        if (writer == NONE) {
            return writers.firstEffective(key) - 1;
        }
        for (int op = lane.firstOp().get(writer); op < lane.firstOp().get(writer + 1); op++) {
            if (lane.key().get(op) == key && lane.kind().get(op) == LaneOp.WRITE) {
                long value = lane.value().get(op);
                for (int entry = writers.first(key, value); entry != NONE; entry = writers.next(entry, key, value)) {
                    if (writers.txn(entry) == writer && writers.isEffective(key, entry)) {
                        return entry;
                    }
                }
            }
        }
        throw new AssertionError("cannot happen: expected writer did not write: txnId="
                + lane.txnId().get(writer) + " key=" + lane.keyText(key));
    }

    private void explainValue(int key, int op, int frontier) {
        if (states.readsInitial(op)) {
            explainInitial(key);
            return;
        }
        long value = lane.value().get(op);
        boolean effective = false;
        boolean committed = false;
        for (int entry = writers.first(key, value); entry != NONE; entry = writers.next(entry, key, value)) {
            if (writers.isEffective(key, entry)) {
                Long shift = shiftTo(key, entry, entry, entry > frontier);
                if (!effective || isCloser(shift)) {
                    observedWriter = writers.txn(entry);
                    origin = entry > frontier ? Origin.FUTURE : Origin.STALE;
                    slack = shift;
                }
                effective = true;
            } else if (!effective && !committed) {
                committed = writers.isCommitted(entry);
                observedWriter = writers.txn(entry);
                origin = committed ? Origin.INTERMEDIATE : Origin.ABORTED;
            }
        }
    }

    private void explainInitial(int key) {
        origin = Origin.STALE;
        if (writers.firstEffective(key) < writers.effectiveEnd(key)) {
            slack = writers.commitTs(writers.firstEffective(key)) - 1 - snapshotTs;
        }
    }

    private boolean isCloser(Long shift) {
        return shift != null && (slack == null || Math.abs(shift) < Math.abs(slack));
    }

    /** The way to the time when the state stood that {@code first} began and {@code last} was part of, or null. */
    private Long shiftTo(int key, int first, int last, boolean future) {
        long from = writers.commitTs(first);
        int following = last + 1;
        boolean replaced = following < writers.effectiveEnd(key);
        if (replaced && writers.commitTs(following) <= from) {
            return null;
        }
        if (future) {
            return from - snapshotTs;
        }
        return replaced ? writers.commitTs(following) - 1 - snapshotTs : null;
    }

    // ---------------------------------------------------------------- lists

    private void explainList(int key, int op, int expectedLength) {
        int observedLength = lane.kind().get(op) == LaneOp.READ_NOTHING
                ? 0
                : lane.lists().length(lane.value().get(op));
        int common = Math.min(observedLength, expectedLength);
        int agreed = 0;
        while (agreed < common && observedElement(key, op, agreed) == states.logged(key, agreed)) {
            agreed++;
        }
        if (agreed == observedLength) {
            origin = Origin.STALE;
            observedWriter = agreed == 0 ? NONE : writers.txn(writers.firstEffective(key) + agreed - 1);
            slack = shiftToLength(key, agreed, false);
        } else {
            explainElement(key, observedElement(key, op, agreed), expectedLength);
            if (origin == Origin.FUTURE && isLogUpTo(key, op, agreed, observedLength)) {
                slack = shiftToLength(key, observedLength, true);
            }
        }
    }

    private long observedElement(int key, int op, int position) {
        return lane.lists().element(key, lane.value().get(op), position);
    }

    /** Whether the observed list goes on as the key's log does, from where the expected list ended. */
    private boolean isLogUpTo(int key, int op, int from, int length) {
        int logLength = writers.effectiveEnd(key) - writers.firstEffective(key);
        if (length > logLength) {
            return false;
        }
        for (int at = from; at < length; at++) {
            if (observedElement(key, op, at) != states.logged(key, at)) {
                return false;
            }
        }
        return true;
    }

    /** The way to the time when the list had a length, null if no snapshot ever showed it. */
    private Long shiftToLength(int key, int length, boolean future) {
        int first = writers.firstEffective(key);
        int end = writers.effectiveEnd(key);
        if (length == 0) {
            return first < end ? Long.valueOf(writers.commitTs(first) - 1 - snapshotTs) : null;
        }
        int last = first + length - 1;
        boolean splitsTransaction = last + 1 < end && writers.txn(last + 1) == writers.txn(last);
        return splitsTransaction ? null : shiftTo(key, last, last, future);
    }

    private void explainElement(int key, long element, int expectedLength) {
        for (int entry = writers.first(key, element); entry != NONE; entry = writers.next(entry, key, element)) {
            observedWriter = writers.txn(entry);
            if (writers.isEffective(key, entry)) {
                boolean visible = entry - writers.firstEffective(key) < expectedLength;
                origin = visible ? Origin.STALE : Origin.FUTURE;
                return;
            }
            origin = writers.isCommitted(entry) ? Origin.INTERMEDIATE : Origin.ABORTED;
        }
    }
}
