package io.nightjar.pipeline.predicate;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;

/** Computed answers that differ from their snapshots: no snapshot explains them. */
final class AggregateMismatches implements TableReplay.Mismatches {

    private final TableHistory history;
    private final IntOpenHashSet ops = new IntOpenHashSet();
    private boolean isOfStatements;

    private AggregateMismatches(TableHistory history) {
        this.history = history;
    }

    /** Replays a history, if it has answers and complete timestamps. */
    static AggregateMismatches of(TableHistory history, TableVersions versions) {
        AggregateMismatches answers = new AggregateMismatches(history);
        if (versions.areTimestampsComplete && history.hasAnswers()) {
            new TableReplay(history, versions, new UndecidedReasons(), answers).bySnapshots();
            answers.isOfStatements = true;
            if (history.saysReadTs) {
                new TableReplay(history, versions, new UndecidedReasons(), answers).byStatements();
            }
        }
        return answers;
    }

    boolean has(int op) {
        return ops.contains(op);
    }

    /**
     * Adds a predicate read if it is compared with this kind of snapshot: the transaction's, or the snapshot that the
     * read names itself.
     */
    private void add(int op) {
        if (isOfStatements == (history.readTs(op) != TableHistory.NO_NUMBER)) {
            ops.add(op);
        }
    }

    @Override
    public void result(int txn, int op, int key, int expectedSlot, int row) {
        if (history.condition(op).aggregate() != null) {
            add(op);
        }
    }

    @Override
    public void answer(int txn, int op, String expected) {
        add(op);
    }

    @Override
    public void openAnswer(int op) {
        add(op);
    }

    @Override
    public void read(int txn, int op, int expectedSlot, boolean isOwn) {}

    @Override
    public void repeated(int txn, int op, int before) {}
}
