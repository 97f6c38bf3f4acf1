package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Replays a history, transaction by transaction, and tells of every read and predicate read that saw something else. */
final class TableReplay {

    /*
     * What a transaction should see of a key is the last version that it made itself before, else
     *
     *   serially       the last version of the transactions in front of it
     *   by snapshots   the version committed last at or before its start, whatever the numbers of versions say
     *
     * At a snapshot a row that was read before must be read alike again. Values are compared, and versions only where a look
     * says no value. A predicate read costs a look at each key of its relation.
     */

    /** Told of what does not fit. */
    interface Mismatches {

        /** A row outside of predicate reads: {@code isOwn} if the transaction itself says what it should have been. */
        void read(int txn, int op, int expectedSlot, boolean isOwn);

        /** A row that the transaction read before, as another one. */
        void repeated(int txn, int op, int before);

        /** A row of a predicate read: {@code row} is the operation that returned it, or NONE. */
        void result(int txn, int op, int key, int expectedSlot, int row);

        /** An answer that was computed. */
        void answer(int txn, int op, String expected);
    }

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateMatches matches;
    private final PredicateDoubts doubts;
    private final Mismatches to;
    private final int[] current; // by key, in a serial replay
    private boolean isSerial;
    private long snapshot;

    TableReplay(TableHistory history, TableVersions versions, PredicateDoubts doubts, Mismatches to) {
        this.history = history;
        this.versions = versions;
        this.matches = new PredicateMatches(history, versions, doubts);
        this.doubts = doubts;
        this.to = to;
        this.current = new int[history.keyCount()];
    }

    /** Replays transactions in an order; those that do not count are passed over. */
    void serially(int[] order) {
        isSerial = true;
        Arrays.fill(current, TableVersions.UNBORN);
        for (int txn : order) {
            if (!versions.counts[txn]) {
                continue;
            }
            judge(txn);
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                if (TableVersions.isWrite(history.kind[op])) {
                    current[history.key[op]] = versions.slotOfWrite(op);
                }
            }
        }
    }

    /** Replays every transaction at its own start. */
    void bySnapshots() {
        isSerial = false;
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (versions.counts[txn]) {
                snapshot = history.startTs[txn];
                judge(txn);
            }
        }
    }

    private int visible(int txn, int key) {
        return isSerial ? current[key] : versions.latestAt(key, snapshot, txn);
    }

    private void judge(int txn) {
        if (history.status[txn] != TxnStatus.COMMITTED) {
            return;
        }
        Map<Integer, Integer> seen = new HashMap<>(); // the first read of each row
        int endOfRows = TableHistory.NONE;
        boolean wrote = false;
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            byte kind = history.kind[op];
            boolean isRow = TableVersions.isLook(kind) || TableVersions.isWrite(kind) || OpKind.isPredicate(kind);
            if (!isRow) {
                doubts.add("lists, sets and counters are not replayed", history.placeOf(txn));
            } else if (OpKind.isPredicate(kind)) {
                endOfRows = history.rows[op] == TableHistory.NONE ? op : op + history.rows[op];
                judgePredicate(txn, op, wrote);
            } else if (OpKind.isRead(kind) && op > endOfRows) {
                judgeRead(txn, op, wrote, seen);
            }
            wrote |= TableVersions.isWrite(kind);
        }
    }

    private void judgeRead(int txn, int op, boolean wrote, Map<Integer, Integer> seen) {
        int key = history.key[op];
        int own = wrote ? versions.ownBefore(txn, key, op) : TableVersions.NOWHERE;
        Integer before = seen.putIfAbsent(key, op);
        if (own >= 0) {
            if (!isSame(op, own)) {
                to.read(txn, op, own, true);
            }
        } else if (before == null || isSerial) {
            int expected = visible(txn, key);
            if (!isSame(op, expected)) {
                to.read(txn, op, expected, false);
            }
        } else if (history.value[op] != history.value[before]) {
            to.repeated(txn, op, before);
        }
    }

    /** Whether what a look returned is a version. */
    private boolean isSame(int op, int slot) {
        return history.value[op] == versions.valueOf(slot);
    }

    private void judgePredicate(int txn, int op, boolean wrote) {
        if (!matches.begin(txn, op)) {
            return;
        }
        boolean isAggregate = matches.isAggregate();
        if (!isAggregate && !matches.areRowsKnown()) {
            doubts.add("predicate read whose rows are not known", history.placeOf(txn));
            return;
        }
        Object computed = null;
        try {
            for (int key : history.keysOf(op)) {
                int own = wrote ? versions.ownBefore(txn, key, op) : TableVersions.NOWHERE;
                int expected = own >= 0 ? own : visible(txn, key);
                boolean isMatch = matches.matches(expected);
                if (isAggregate) {
                    computed = isMatch ? matches.add(computed, expected) : computed;
                    continue;
                }
                int row = matches.rowOf(key);
                if (isMatch != (row != TableHistory.NONE) || isMatch && !isSame(row, expected)) {
                    to.result(txn, op, key, expected, row);
                }
            }
            if (isAggregate && history.value[op] == TableHistory.NONE && history.kind[op] == OpKind.PREDICATE) {
                doubts.add("predicate read without its answer", history.placeOf(txn));
            } else if (isAggregate && !matches.isAnswer(computed)) {
                to.answer(txn, op, matches.answerText(computed));
            }
        } catch (ConditionException fault) {
            matches.noteFault(txn, fault);
        }
    }
}
