package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serial order of transactions. */
final class SerialPlaces {

    private final RawTables tables;
    private final Map<Long, Integer> placeOf = new HashMap<>(); // of those transactions that findings ask about

    private SerialPlaces(RawTables tables) {
        this.tables = tables;
    }

    static SerialPlaces given(RawTables tables, long[] ids) {
        SerialPlaces order = new SerialPlaces(tables);
        for (int place = 0; place < ids.length; place++) {
            boolean isAsked = tables.txns.containsKey(ids[place]);
            if (isAsked && order.placeOf.put(ids[place], place) != null) {
                throw new IllegalArgumentException("order names a transaction twice: txn_id=" + ids[place]);
            }
        }
        return order;
    }

    /** Returns the order of commit timestamps; at one timestamp, writers precede read-only transactions. */
    static SerialPlaces byCommit(RawTables tables) {
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
        int end = requireNonNull(placeOf.get(txn));
        Op last = null;
        int lastPlace = 0;
        for (Op version : tables.versions(key)) {
            Integer place = placeOf.get(version.txn());
            if (place == null) {
                throw new IllegalArgumentException("order leaves a transaction out: txn_id=" + version.txn());
            }
            boolean isAfterLast = last == null || place > lastPlace;
            if (place < end && tables.isFinal(version) && isAfterLast) {
                last = version;
                lastPlace = place;
            }
        }
        return last;
    }
}
