package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import java.util.Comparator;
import java.util.List;

/**
 * An order of snapshots and commits that proves a level, as plain numbers: of a group of sessions, or of several groups
 * one after another.
 *
 * @param level the strongest that it proves
 * @param smallestTxnId of the group, which distinguishes it from others
 * @param txnIds the transactions that it places
 * @param snapshotOf positions by index in {@code txnIds}, not negative; a transaction observes the earlier commits
 * @param commitOf the same; each position occurs once
 */
public record Witness(IsolationLevel level, long smallestTxnId, long[] txnIds, int[] snapshotOf, int[] commitOf) {

    static final Comparator<Witness> BY_SMALLEST_ID = Comparator.comparingLong(Witness::smallestTxnId);

    /** Returns a witness of the weakest of the levels; only real time relates groups, so any order of them is valid. */
    static Witness concatenated(List<Witness> ofGroups) {
        if (ofGroups.size() == 1) {
            return ofGroups.get(0);
        }
        List<Witness> inOrder = ofGroups.stream().sorted(BY_SMALLEST_ID).toList();
        int count = 0;
        IsolationLevel weakest = inOrder.get(0).level;
        for (Witness witness : inOrder) {
            count = Math.addExact(count, witness.txnIds.length);
            weakest = witness.level.compareTo(weakest) < 0 ? witness.level : weakest;
        }
        Witness all =
                new Witness(weakest, inOrder.get(0).smallestTxnId, new long[count], new int[count], new int[count]);
        int at = 0;
        int position = 0;
        for (Witness witness : inOrder) {
            position = all.append(witness, at, position);
            at += witness.txnIds.length;
        }
        return all;
    }

    /** Appends a witness; returns the next free position. */
    private int append(Witness witness, int at, int position) {
        int end = position;
        for (int txn = 0; txn < witness.txnIds.length; txn++) {
            txnIds[at + txn] = witness.txnIds[txn];
            snapshotOf[at + txn] = position + witness.snapshotOf[txn];
            commitOf[at + txn] = position + witness.commitOf[txn];
            end = Math.max(end, 1 + Math.max(snapshotOf[at + txn], commitOf[at + txn]));
        }
        return end;
    }
}
