package io.nightjar.pipeline.predicate;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSet;

/** Rows that predicate reads omitted though they match in the snapshot of their transaction. */
final class OmittedRows implements TableReplay.Mismatches {

    private final Int2ObjectOpenHashMap<IntArrayList> keysOf = new Int2ObjectOpenHashMap<>(); // by predicate read
    private final IntSet wrongAnswers = new IntLinkedOpenHashSet(0);

    /** Replays a history with timestamps for them. */
    static OmittedRows of(TableHistory history, TableVersions versions) {
        return of(history, versions, new UndecidedReasons());
    }

    /** @param doubts receives the reads that are not replayed */
    static OmittedRows of(TableHistory history, TableVersions versions, UndecidedReasons doubts) {
        OmittedRows leftOut = new OmittedRows();
        if (history.hasPredicates) {
            new TableReplay(history, versions, doubts, leftOut).bySnapshots();
        }
        return leftOut;
    }

    /** Returns the predicate reads whose computed answer is wrong, which no single row explains. */
    IntSet wrongAnswers() {
        return wrongAnswers;
    }

    /** Returns the predicate reads that omitted rows. */
    IntSet predicateReads() {
        return keysOf.keySet();
    }

    /** Returns the keys of a predicate read. */
    IntList of(int op) {
        IntArrayList keys = keysOf.get(op);
        return keys == null ? IntList.of() : keys;
    }

    @Override
    public void result(int txn, int op, int key, int expectedSlot, int row) {
        if (row == TableHistory.NONE) {
            keysOf.computeIfAbsent(op, unseen -> new IntArrayList()).add(key);
        }
    }

    @Override
    public boolean concernsItems() {
        return false;
    }

    @Override
    public void read(int txn, int op, int expectedSlot, boolean isOwn) {}

    @Override
    public void repeated(int txn, int op, int before) {}

    @Override
    public void answer(int txn, int op, String expected) {
        wrongAnswers.add(op);
    }
}
