package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;

/** Search for snapshots that explain reads and predicate reads, given only the order of commits. */
final class SnapshotPlacement {

    /*
     * Algorithm. Given the order of commits, the snapshot of each transaction is chosen independently: after all
     * commits that precede it in its session or wrote one of its rows, and before its own commit. A read-only
     * transaction has no position among the commits; it must precede the snapshot of the next transaction in its
     * session, so sessions are processed from their ends.
     *
     * Cost. The greatest snapshot that explains everything is found from above: a mismatch caused by a version persists
     * as long as that version is the latest. So the next snapshot to try is just before its commit.
     */

    private static final long FOR_EVER = Long.MAX_VALUE / 4;
    private static final long NOWHERE = Long.MIN_VALUE;
    private static final long MAX_LOOKS = 200_000_000;

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateMatches matches;
    private final OwnWrites own;
    private long looks;

    SnapshotPlacement(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.matches = new PredicateMatches(history, versions, new UndecidedReasons());
        this.own = new OwnWrites(history, versions);
    }

    /** Moves each transaction to such a snapshot; one that has none stays where it was. */
    void place() {
        int[] order = TransactionOrders.bySession(history);
        long[] commitOfPredecessor = new long[order.length]; // the commit of the last writer before it in its session
        for (int i = 0; i < order.length; i++) {
            boolean isFirst = i == 0 || history.sessionId[order[i - 1]] != history.sessionId[order[i]];
            boolean followsWriter = !isFirst && versions.writes(order[i - 1]);
            commitOfPredecessor[i] =
                    isFirst ? NOWHERE : followsWriter ? versions.commitTs(order[i - 1]) : commitOfPredecessor[i - 1];
        }
        for (int i = order.length - 1; i >= 0 && looks < MAX_LOOKS; i--) {
            int txn = order[i];
            boolean isLast = i == order.length - 1 || history.sessionId[order[i + 1]] != history.sessionId[txn];
            long high = versions.writes(txn)
                    ? versions.commitTs(txn) - 1
                    : isLast ? FOR_EVER : history.startTs[order[i + 1]];
            long snapshot = greatest(txn, Math.max(commitOfPredecessor[i], lastOverwritten(txn)), high);
            if (snapshot != NOWHERE) {
                history.startTs[txn] = snapshot;
                versions.readsAt(txn, snapshot);
            }
        }
    }

    /** Returns when the last of the versions was committed that a transaction replaced. */
    private long lastOverwritten(int txn) {
        long last = NOWHERE;
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            int slot = TableVersions.isWrite(history.kind[op]) ? versions.slotOfWrite(op) : TableVersions.NOWHERE;
            int before = slot < 0 ? slot : versions.latestAt(history.key[op], versions.commitTs(txn), txn);
            last = before < 0 ? last : Math.max(last, versions.commitTs(versions.txnOf[before]));
        }
        return last;
    }

    private long greatest(int txn, long low, long high) {
        long snapshot = high;
        while (snapshot >= low && looks < MAX_LOOKS) {
            long next = next(txn, snapshot);
            if (next == snapshot) {
                return snapshot;
            }
            snapshot = next;
        }
        return NOWHERE;
    }

    /** Returns a snapshot itself if it explains a transaction, else the greatest one below that may. */
    private long next(int txn, long snapshot) {
        long next = snapshot;
        int endOfRows = TableHistory.NONE;
        own.begin();
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            if (OpKind.isPredicate(history.kind[op])) {
                endOfRows = op + Math.max(0, history.rowCount(op));
                next = Math.min(next, ofPredicate(txn, op, snapshot));
            } else if (OpKind.isRead(history.kind[op]) && op > endOfRows && own.of(history.key[op]) < 0) {
                int slot = latest(history.key[op], snapshot, txn);
                next = versions.isSame(op, slot) ? next : Math.min(next, before(slot));
            }
            own.take(op);
        }
        return next;
    }

    private int latest(int key, long snapshot, int txn) {
        looks++;
        return versions.latestAt(key, snapshot, txn);
    }

    private long before(int slot) {
        return slot < 0 ? NOWHERE : versions.commitTs(versions.txnOf[slot]) - 1;
    }

    private long ofPredicate(int txn, int op, long snapshot) {
        boolean isJudged = matches.begin(txn, op) && (matches.isAggregate() || matches.areRowsKnown());
        if (!isJudged) {
            return snapshot; // the replay reports the reason
        }
        try {
            return matches.isAggregate() ? ofAnswer(txn, op, snapshot) : ofRows(txn, op, snapshot);
        } catch (ConditionException notUnderstood) {
            return snapshot;
        }
    }

    private long ofRows(int txn, int op, long snapshot) {
        long next = snapshot;
        for (int key : history.keysOf(op)) {
            if (own.of(key) >= 0) {
                continue;
            }
            int slot = latest(key, snapshot, txn);
            int row = matches.rowOf(key);
            boolean isRight = row == TableHistory.NONE
                    ? !matches.matches(slot)
                    : matches.matches(slot) && versions.isSame(row, slot);
            next = isRight ? next : Math.min(next, before(slot));
        }
        return next;
    }

    /**
     * Places the snapshot of an answer: the row that makes it wrong is unknown, so the latest version of all is
     * excluded first.
     */
    private long ofAnswer(int txn, int op, long snapshot) {
        Object computed = null;
        long latest = NOWHERE;
        long next = snapshot;
        for (int key : history.keysOf(op)) {
            int mine = own.of(key);
            int slot = mine >= 0 ? mine : latest(key, snapshot, txn);
            computed = matches.matches(slot) ? matches.add(computed, slot) : computed;
            latest = mine >= 0 ? latest : Math.max(latest, before(slot));
            int row = mine >= 0 ? TableHistory.NONE : matches.rowOf(key);
            boolean isRight = row == TableHistory.NONE || versions.isSame(row, slot);
            next = isRight ? next : Math.min(next, before(slot));
        }
        return matches.isAnswer(computed) ? next : Math.min(next, latest);
    }
}
