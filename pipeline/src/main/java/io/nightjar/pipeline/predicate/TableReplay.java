package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * Replay of a history, transaction by transaction, that reports every read and predicate read with an unexpected
 * result.
 */
final class TableReplay {

    /*
     * Definitions. The expected version of a key is the last version that the transaction wrote itself before, else
     *
     *   serially       the last version of the preceding transactions
     *   by snapshots   the version committed last at or before its start, independent of version numbers
     *   by statements  the same at the snapshot that a predicate read names, for predicate reads that name one
     *
     * Algorithm. Commits and reads are processed in their order, so each key has one current version. At a snapshot a
     * row that was read before must be read alike again. Values are compared, and the version or writer if a read names
     * it.
     *
     * Cost. A predicate read with a range costs the current rows in it, any other predicate read all keys of its
     * relation.
     */

    /** Receiver of mismatches. */
    interface Mismatches {

        /**
         * Reports a row read outside of predicate reads: {@code isOwn} if the transaction's own operations determine
         * the expected version.
         */
        void read(int txn, int op, int expectedSlot, boolean isOwn);

        /** Takes a row that the transaction read before, as another one. */
        void repeated(int txn, int op, int before);

        /** Takes a row of a predicate read: {@code row} is the operation that returned it, or NONE. */
        void result(int txn, int op, int key, int expectedSlot, int row);

        /** Takes an answer that was computed. */
        void answer(int txn, int op, String expected);

        /** Takes an answer that was computed, and that a transaction of unknown outcome may explain. */
        default void openAnswer(int op) {}

        /** Returns whether reads outside of predicate reads are replayed, too. */
        default boolean concernsItems() {
            return true;
        }

        /** Returns whether no further mismatch needs to be reported. */
        default boolean isEnough() {
            return false;
        }
    }

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateMatches matches;
    private final UndecidedReasons doubts;
    private final Mismatches to;
    private final CurrentRows current;
    private final OwnWrites own;
    private final int[] seenBy; // by key, the transaction that read it last, plus one
    private final int[] firstReadOf; // by key, the first read of that transaction
    private boolean isSerial;
    private long snapshot;
    private int self; // transaction whose versions the snapshot excludes; NONE if it includes none of them

    TableReplay(TableHistory history, TableVersions versions, UndecidedReasons doubts, Mismatches to) {
        this.history = history;
        this.versions = versions;
        this.matches = new PredicateMatches(history, versions, doubts);
        this.doubts = doubts;
        this.to = to;
        this.current = new CurrentRows(history, versions);
        this.own = new OwnWrites(history, versions);
        this.seenBy = new int[history.keyCount()];
        this.firstReadOf = new int[history.keyCount()];
    }

    /** Replays transactions in an order; transactions that do not count are skipped. */
    void serially(int[] order) {
        isSerial = true;
        self = TableHistory.NONE;
        for (int txn : order) {
            if (!versions.counts[txn]) {
                continue;
            }
            if (to.isEnough()) {
                return;
            }
            check(txn);
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                if (TableVersions.isWrite(history.kind[op])) {
                    current.set(history.key[op], versions.slotOfWrite(op));
                }
            }
        }
    }

    /** Replays every transaction at its own start. */
    void bySnapshots() {
        replay(
                TimeOrder.of(history.txnCount, txn -> versions.counts[txn], txn -> history.startTs[txn]),
                txn -> txn,
                this::check);
    }

    /** Replays every predicate read that names a snapshot, at that. */
    void byStatements() {
        TimeOrder looks = TimeOrder.of(history.opCount, this::namesSnapshot, history::readTs);
        replay(looks, history::txnOfOp, op -> {
            int txn = history.txnOfOp(op);
            own.begin();
            for (int before = history.firstOpOf[txn]; before < op; before++) {
                own.take(before);
            }
            checkPredicate(txn, op);
        });
    }

    private boolean namesSnapshot(int op) {
        return OpKind.isPredicate(history.kind[op])
                && history.readTs(op) != TableHistory.NO_NUMBER
                && history.status[history.txnOfOp(op)] == TxnStatus.COMMITTED;
    }

    /** Replays reads at their snapshots. */
    private void replay(TimeOrder looks, IntUnaryOperator txnOf, IntConsumer check) {
        isSerial = false;
        Commits commits = new Commits();
        for (int i = 0; i < looks.count() && !to.isEnough(); i++) {
            snapshot = looks.times()[i];
            commits.upTo(snapshot);
            int txn = txnOf.applyAsInt(looks.items()[i]);
            self = versions.writes(txn) && versions.commitTs(txn) <= snapshot ? txn : TableHistory.NONE;
            check.accept(looks.items()[i]);
        }
    }

    /** The commits in their order, applied to the current rows as time advances. */
    private final class Commits {

        private final TimeOrder writers = TimeOrder.ofWriters(history, versions);
        private int next;

        void upTo(long time) {
            for (; next < writers.count() && writers.times()[next] <= time; next++) {
                int txn = writers.items()[next];
                for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                    int slot = versions.slotOfWrite(op);
                    if (slot >= 0 && versions.isFinal[slot] && !isEarlier(slot, current.of(history.key[op]))) {
                        current.set(history.key[op], slot);
                    }
                }
            }
        }
    }

    /**
     * Returns whether a version is earlier than another: of versions committed at one time the first is as good as
     * replaced.
     */
    private boolean isEarlier(int slot, int than) {
        return slot < than && versions.commitTs(versions.txnOf[slot]) == versions.commitTs(versions.txnOf[than]);
    }

    private int visible(int key) {
        int slot = current.of(key);
        boolean isOwn = slot >= 0 && versions.txnOf[slot] == self;
        return isOwn ? versions.latestAt(key, snapshot, self) : slot;
    }

    private void check(int txn) {
        if (history.status[txn] != TxnStatus.COMMITTED) {
            return;
        }
        own.begin();
        int endOfRows = TableHistory.NONE;
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            byte kind = history.kind[op];
            boolean isRow = TableVersions.isRead(kind) || TableVersions.isWrite(kind) || OpKind.isPredicate(kind);
            if (!isRow && to.concernsItems()) {
                doubts.add("lists, sets and counters are not replayed", history.locationOf(txn));
            } else if (OpKind.isPredicate(kind)) {
                endOfRows = op + Math.max(0, history.rowCount(op));
                checkPredicate(txn, op);
            } else if (isRow && OpKind.isRead(kind) && op > endOfRows && to.concernsItems()) {
                checkRead(txn, op);
            }
            own.take(op);
        }
    }

    private void checkRead(int txn, int op) {
        int key = history.key[op];
        int written = own.of(key);
        boolean isFirst = seenBy[key] != txn + 1;
        if (isFirst) {
            seenBy[key] = txn + 1;
            firstReadOf[key] = op;
        }
        if (written >= 0) {
            if (!versions.isSame(op, written)) {
                to.read(txn, op, written, true);
            }
        } else if (isSerial || isFirst) {
            int expected = visible(key);
            if (!versions.isSame(op, expected) && !isExplained(txn, key)) {
                to.read(txn, op, expected, false);
            }
        } else if (!versions.areAlike(op, firstReadOf[key])) {
            to.repeated(txn, op, firstReadOf[key]);
        } else if (versions.isNaming(op)) { // the first read may have named nothing
            int expected = visible(key);
            boolean isNew = !versions.isSame(op, expected) && versions.isSame(firstReadOf[key], expected);
            if (isNew && !isExplained(txn, key)) {
                to.read(txn, op, expected, false);
            }
        }
    }

    private void checkPredicate(int txn, int op) {
        if (!matches.begin(txn, op)) {
            return;
        }
        if (!matches.isAggregate() && !matches.areRowsKnown()) {
            doubts.add("predicate read whose rows are not known", history.locationOf(txn));
            return;
        }
        try {
            if (matches.isAggregate()) {
                checkAnswer(txn, op);
                checkRowsOfAnswer(txn, op);
            } else {
                checkRows(txn, op);
            }
        } catch (ConditionException fault) {
            matches.recordFault(txn, fault);
        }
    }

    /** Shows each version that the predicate read should have seen and that matches. */
    private void forEachMatch(int op, IntConsumer to) {
        for (int i = 0; i < own.count(); i++) {
            int written = own.of(own.key(i));
            if (history.isOfRelation(own.key(i), op) && matches.matches(written)) {
                to.accept(written);
            }
        }
        IntConsumer others = slot -> {
            if (own.of(versions.keyOf(slot)) < 0 && matches.matches(slot)) {
                to.accept(slot);
            }
        };
        if (self == TableHistory.NONE && matches.hasRange()) {
            matches.forEachInRange(current, others);
            return;
        }
        for (int key : history.keysOf(op)) {
            int slot = visible(key);
            if (slot >= 0) {
                others.accept(slot);
            }
        }
    }

    private void checkRows(int txn, int op) {
        forEachMatch(op, slot -> {
            int key = versions.keyOf(slot);
            int row = matches.rowOf(key);
            boolean isWrong = row == TableHistory.NONE || !versions.isSame(row, slot);
            if (isWrong && !isExplained(txn, key)) {
                to.result(txn, op, key, slot, row);
            }
        });
        for (int row = matches.firstRow(); row < matches.endOfRows(); row++) {
            int key = history.key[row];
            if (matches.rowOf(key) == row) {
                int expected = own.of(key) >= 0 ? own.of(key) : visible(key);
                if (!matches.matches(expected) && !isExplained(txn, key)) {
                    to.result(txn, op, key, expected, row);
                }
            } else if (matches.unmatchedOf(key) == row && versions.isUnseeable(txn, row)) {
                doubts.add(
                        "a predicate read evaluated a version that no transaction may observe: key="
                                + history.keyName(key),
                        history.locationOf(txn));
            }
        }
    }

    /** Checks the rows listed for a computed answer: the list may be incomplete, but each listed row must be right. */
    private void checkRowsOfAnswer(int txn, int op) {
        for (int row = matches.firstRow(); row < matches.endOfRows(); row++) {
            int key = history.key[row];
            if (matches.rowOf(key) == row) {
                int expected = own.of(key) >= 0 ? own.of(key) : visible(key);
                boolean isRight = versions.isSame(row, expected) && matches.matches(expected);
                if (!isRight && !isExplained(txn, key)) {
                    to.result(txn, op, key, expected, row);
                }
            }
        }
    }

    private void checkAnswer(int txn, int op) {
        Object[] computed = new Object[1];
        forEachMatch(op, slot -> computed[0] = matches.add(computed[0], slot));
        if (history.value[op] == TableHistory.NONE && !matches.mayBeNull()) {
            doubts.add("predicate read without its answer", history.locationOf(txn));
        } else if (matches.isAnswer(computed[0])) {
            return;
        } else if (versions.outcomes.isAnyOpen()) {
            doubts.add("a transaction whose outcome is unknown may explain an answer", history.locationOf(txn));
            to.openAnswer(op);
        } else {
            to.answer(txn, op, matches.answerText(computed[0]));
        }
    }

    /** Returns whether a transaction of unknown outcome may have changed a row, and records that. */
    private boolean isExplained(int txn, int key) {
        boolean isExplained = versions.outcomes.isOpen[key] && own.of(key) < 0;
        if (isExplained) {
            doubts.add(versions.outcomes.openText(key), history.locationOf(txn));
        }
        return isExplained;
    }
}
