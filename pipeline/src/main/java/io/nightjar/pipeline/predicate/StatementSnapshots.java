package io.nightjar.pipeline.predicate;

import org.jspecify.annotations.Nullable;

/** Predicate reads that contradict the snapshots that they name: one of the two is wrong. */
final class StatementSnapshots implements TableReplay.Mismatches {

    /*
     * Algorithm. A row that its transaction writes after the predicate read is excluded: at read committed a database
     * locks such rows and uses their state at that time.
     */

    private final TableHistory history;
    private final UndecidedReasons doubts = new UndecidedReasons();

    private StatementSnapshots(TableHistory history) {
        this.history = history;
    }

    /**
     * Returns the first mismatching read, the number of rows and the reason; null if none mismatches. Requires complete
     * timestamps.
     */
    static @Nullable String first(TableHistory history, TableVersions versions) {
        StatementSnapshots statements = new StatementSnapshots(history);
        new TableReplay(history, versions, new UndecidedReasons(), statements).byStatements();
        return statements.doubts.first();
    }

    private void add(int txn, int op, String what) {
        doubts.add(
                "predicate read that differs from its own snapshot",
                history.locationOf(txn) + " read_ts=" + history.readTs(op) + what);
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
