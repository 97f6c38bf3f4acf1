package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A history of tables as plain objects: which versions rows had, and which of them an operation looked at. */
final class RawTables {

    /** A transaction. */
    record Txn(long id, long session, long seq, byte status, long start, long commit, List<Op> ops) {}

    /** An operation; of a predicate read the key is its relation, or null. */
    record Op(
            long txn,
            int place,
            byte kind,
            String key,
            String value,
            Long version,
            Long writer,
            String predicate,
            String params,
            Long rows,
            Long readTs) {

        boolean makesVersion() {
            return kind == OpKind.WRITE || kind == OpKind.DELETE;
        }
    }

    final Map<Long, Txn> txns = new HashMap<>();
    private final Map<String, List<Op>> versionsOf = new TreeMap<>();
    private final Map<String, ConditionReplay> conditions = new HashMap<>();
    private final Map<String, Map<String, Object>> rows = new HashMap<>();

    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            List<Op> ops = new ArrayList<>();
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                ops.add(new Op(
                        slice.txnId[txn],
                        ops.size(),
                        slice.kind[op],
                        slice.keyText(op),
                        OpKind.hasValue(slice.kind[op]) ? slice.valueText(slice.value[op]) : null,
                        number(slice, HistoryColumn.VERSION, op),
                        number(slice, HistoryColumn.WRITER_TXN, op),
                        slice.text(HistoryColumn.PREDICATE, op),
                        slice.text(HistoryColumn.PARAMS, op),
                        number(slice, HistoryColumn.ROWS, op),
                        number(slice, HistoryColumn.READ_TS, op)));
            }
            boolean writes = ops.stream().anyMatch(Op::makesVersion);
            long start = slice.startTs == null ? HistorySlice.NONE : slice.startTs[txn];
            long commit = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
            boolean isOnlyRead = !writes && (commit == HistorySlice.NONE || commit == 0);
            txns.put(
                    slice.txnId[txn],
                    new Txn(
                            slice.txnId[txn],
                            slice.sessionId[txn],
                            slice.sessionSeq[txn],
                            slice.status[txn],
                            start,
                            isOnlyRead ? start : commit,
                            ops));
        }
    }

    private static Long number(HistorySlice slice, HistoryColumn column, int op) {
        long[] numbers = slice.numbers(column);
        return numbers == null || numbers[op] == HistorySlice.NONE ? null : numbers[op];
    }

    /** All transactions are there. */
    void finish() {
        List<Op> looks = new ArrayList<>();
        for (Txn txn : txns.values()) {
            for (Op op : txn.ops()) {
                if (op.makesVersion() && txn.status() != TxnStatus.ABORTED) {
                    versionsOf
                            .computeIfAbsent(op.key(), absent -> new ArrayList<>())
                            .add(op);
                } else if (op.writer() != null) {
                    looks.add(op);
                }
            }
        }
        java.util.Set<Long> readFrom = new java.util.HashSet<>();
        looks.forEach(look -> readFrom.add(look.writer()));
        for (List<Op> versions : versionsOf.values()) {
            versions.removeIf(op -> txns.get(op.txn()).status() == TxnStatus.UNKNOWN && !readFrom.contains(op.txn()));
            boolean areNumbered = versions.stream().allMatch(op -> op.version() != null);
            Comparator<Op> inTxn = Comparator.comparingLong((Op op) -> op.place());
            Comparator<Op> initialFirst =
                    Comparator.comparing((Op op) -> !Long.valueOf(0).equals(op.version()));
            versions.sort(
                    areNumbered
                            ? Comparator.comparingLong(Op::version)
                            : initialFirst
                                    .thenComparingLong(op -> txns.get(op.txn()).commit())
                                    .thenComparing(inTxn));
        }
    }

    /** The versions of a row in their order. */
    List<Op> versions(String key) {
        return versionsOf.getOrDefault(key, List.of());
    }

    Iterable<String> keys() {
        return versionsOf.keySet();
    }

    boolean isFinal(Op version) {
        return txns.get(version.txn()).ops().stream()
                .noneMatch(op -> op.makesVersion() && op.key().equals(version.key()) && op.place() > version.place());
    }

    static boolean isOfRelation(String key, Op predicate) {
        return predicate.key() == null
                || key.startsWith(predicate.key() + "/")
                || predicate.key().isEmpty() && key.indexOf('/') < 0;
    }

    /** The version that a look returned, as its place in the order: -1 before all of them; null if that cannot be told. */
    Integer placeRead(Op look) {
        List<Op> versions = versions(look.key());
        if (look.version() != null) {
            for (int i = 0; i < versions.size(); i++) {
                if (look.version().equals(versions.get(i).version())) {
                    return i;
                }
            }
        }
        if (look.writer() != null) {
            for (int i = versions.size() - 1; i >= 0; i--) {
                boolean isSame = look.kind() == OpKind.UNMATCHED
                        || java.util.Objects.equals(
                                look.value(), versions.get(i).value());
                if (versions.get(i).txn() == look.writer() && isSame) {
                    return i;
                }
            }
        }
        if (look.kind() == OpKind.UNMATCHED) {
            return null;
        }
        Integer found = null;
        int count = 0;
        for (int i = 0; i < versions.size(); i++) {
            if (java.util.Objects.equals(look.value(), versions.get(i).value())) {
                found = i;
                count++;
            }
        }
        if (count == 1) {
            return found;
        }
        if (count == 0) {
            return look.value() == null ? -1 : null;
        }
        Txn reader = txns.get(look.txn());
        int shown = placeAt(look.key(), reader.start(), look.txn());
        String row = shown < 0 ? null : versions.get(shown).value();
        return reader.start() != HistorySlice.NONE && java.util.Objects.equals(row, look.value()) ? shown : null;
    }

    /** The place of the version that a snapshot shows. */
    int placeAt(String key, long snapshot, long self) {
        List<Op> versions = versions(key);
        int place = -1;
        for (int i = 0; i < versions.size(); i++) {
            Txn writer = txns.get(versions.get(i).txn());
            if (writer.id() != self && writer.commit() <= snapshot && isFinal(versions.get(i))) {
                place = i;
            }
        }
        return place;
    }

    /** Whether a row matches a predicate read; null stands for no row. */
    boolean matches(Op predicate, String row) {
        if (row == null) {
            return false;
        }
        return conditions
                .computeIfAbsent(predicate.predicate(), ConditionReplay::of)
                .matches(rows.computeIfAbsent(row, RowReading::row), RowReading.params(predicate.params()));
    }

    /** The row of a version by its place. */
    String rowAt(String key, int place) {
        return place < 0 ? null : versions(key).get(place).value();
    }

    /** The last version that a transaction made itself of a row before one of its operations; null if it made none. */
    Op ownBefore(Op look, String key) {
        Op own = null;
        for (Op op : txns.get(look.txn()).ops()) {
            own = op.place() < look.place() && op.makesVersion() && op.key().equals(key) ? op : own;
        }
        return own;
    }

    /** The operation among the rows of a predicate read that is about a row; null if none is. */
    Op rowOf(Op predicate, String key) {
        List<Op> ops = txns.get(predicate.txn()).ops();
        for (int i = 1; predicate.rows() != null && i <= predicate.rows(); i++) {
            if (ops.get(predicate.place() + i).key().equals(key)) {
                return ops.get(predicate.place() + i);
            }
        }
        return null;
    }
}
