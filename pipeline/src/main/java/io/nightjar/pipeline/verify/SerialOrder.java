package io.nightjar.pipeline.verify;

import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serial order of transactions. */
final class SerialOrder {

    private final RawTables tables;
    private final Map<Long, Integer> positionOf = new HashMap<>(); // of those transactions that findings ask about

    private SerialOrder(RawTables tables) {
        this.tables = tables;
    }

    static SerialOrder given(RawTables tables, long[] ids) {
        SerialOrder order = new SerialOrder(tables);
        for (int position = 0; position < ids.length; position++) {
            boolean isAsked = tables.txns.containsKey(ids[position]);
            if (isAsked && order.positionOf.put(ids[position], position) != null) {
                throw new IllegalArgumentException("order names a transaction twice: txn_id=" + ids[position]);
            }
        }
        return order;
    }

    /** Returns the order of commit timestamps; at one timestamp, writers precede read-only transactions. */
    static SerialOrder byCommit(RawTables tables) {
        List<Txn> sorted = new ArrayList<>(tables.txns.values());
        sorted.sort(Comparator.comparingLong(Txn::commit)
                .thenComparing(txn -> txn.ops().stream().noneMatch(Op::makesVersion))
                .thenComparingLong(Txn::start)
                .thenComparingLong(Txn::id));
        return given(tables, sorted.stream().mapToLong(Txn::id).toArray());
    }

    /** Returns the last version of a row by a transaction that precedes another; null if none. */
    @Nullable
    Op lastBefore(String key, long txn) {
        return tables.lastLeft(key, writer -> position(writer.id()), position(txn) - 1L, txn);
    }

    private int position(long txn) {
        Integer position = positionOf.get(txn);
        if (position == null) {
            throw new IllegalArgumentException("order leaves a transaction out: txn_id=" + txn);
        }
        return position;
    }
}
