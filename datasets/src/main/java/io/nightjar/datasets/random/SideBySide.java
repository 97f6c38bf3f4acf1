package io.nightjar.datasets.random;

import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Histories made distinct and put side by side into one, as the tenants of a store leave them: no transaction, session or
 * key is in two of them, and their rows are interleaved.
 *
 * @param parts each for itself, with the names that it has in the whole
 * @param whole all rows; those of a part are in its order
 */
public record SideBySide(List<SmallHistory> parts, SmallHistory whole) {

    private static final int IDS_PER_PART = 1_000;

    public SideBySide {
        parts = List.copyOf(parts);
    }

    /** The initial value is that of the first history. */
    public static SideBySide of(List<SmallHistory> histories, long seed) {
        String initialValue = histories.get(0).initialValue();
        List<SmallHistory> parts = new ArrayList<>();
        for (int part = 0; part < histories.size(); part++) {
            parts.add(new SmallHistory(renamed(histories.get(part), part + 1), initialValue));
        }
        return new SideBySide(parts, new SmallHistory(interleaved(parts, new Random(seed)), initialValue));
    }

    private static List<Txn> renamed(SmallHistory history, int part) {
        List<Txn> renamed = new ArrayList<>();
        long offset = (long) IDS_PER_PART * part;
        for (Txn txn : history.txns()) {
            List<Op> ops = txn.ops().stream()
                    .map(op -> new Op(op.kind(), part + "00" + op.key(), op.value(), op.elements()))
                    .toList();
            renamed.add(new Txn(
                    offset + txn.id(),
                    offset + txn.session(),
                    txn.seq(),
                    txn.status(),
                    txn.start(),
                    txn.commit(),
                    ops));
        }
        return renamed;
    }

    private static List<Txn> interleaved(List<SmallHistory> parts, Random random) {
        int[] next = new int[parts.size()];
        List<Integer> turns = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            turns.addAll(Collections.nCopies(parts.get(part).txns().size(), part));
        }
        Collections.shuffle(turns, random);
        List<Txn> rows = new ArrayList<>();
        for (int part : turns) {
            rows.add(parts.get(part).txns().get(next[part]++));
        }
        return rows;
    }
}
