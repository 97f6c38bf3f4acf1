package io.nightjar.pipeline.predicate;

import org.jspecify.annotations.Nullable;

/** Predicate reads that did not return what the snapshot shows that they name themselves: one of the two is wrong. */
final class StatementSnapshots implements TableReplay.Mismatches {

    /*
     * A row that its transaction writes behind the predicate read is left out: at read committed a database locks such rows
     * and takes them as they are then.
     */

    private final TableHistory history;
    private final UndecidedReasons doubts = new UndecidedReasons();

    private StatementSnapshots(TableHistory history) {
        this.history = history;
    }

    /** The first one, how many rows there are and why it is one; null if there is none. Needs complete timestamps. */
    static @Nullable String first(TableHistory history, TableVersions versions) {
        StatementSnapshots statements = new StatementSnapshots(history);
        new TableReplay(history, versions, new UndecidedReasons(), statements).byStatements();
        return statements.doubts.first();
    }

    private void add(int txn, int op, String what) {
        doubts.add(
                "predicate read that did not return what its own snapshot shows",
                history.placeOf(txn) + " read_ts=" + history.readTs(op) + what);
    }

    @Override
    public void result(int txn, int op, int key, int expectedSlot, int row) {
        for (int later = op + 1; later < history.firstOpOf[txn + 1]; later++) {
            if (history.key[later] == key && TableVersions.isWrite(history.kind[later])) {
                return;
            }
        }
        add(txn, op, " key=" + history.keyName(key));
    }

    @Override
    public void answer(int txn, int op, String expected) {
        add(txn, op, " expected=" + expected);
    }

    @Override
    public void read(int txn, int op, int expectedSlot, boolean isOwn) {}

    @Override
    public void repeated(int txn, int op, int before) {}
}
