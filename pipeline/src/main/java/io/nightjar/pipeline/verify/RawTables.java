package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    private Boolean areTimed; // whether every committed transaction is; null until asked

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
        Set<Long> counted = counted();
        for (Txn txn : txns.values()) {
            for (Op op : txn.ops()) {
                if (op.makesVersion() && counted.contains(txn.id())) {
                    versionsOf
                            .computeIfAbsent(op.key(), absent -> new ArrayList<>())
                            .add(op);
                }
            }
        }
        for (List<Op> versions : versionsOf.values()) {
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

    /** Committed transactions, and unknown ones that such a one names as the writer of what it read. */
    private Set<Long> counted() {
        Set<Long> counted = new HashSet<>();
        Deque<Txn> open = new ArrayDeque<>();
        for (Txn txn : txns.values()) {
            if (txn.status() == TxnStatus.COMMITTED) {
                counted.add(txn.id());
                open.add(txn);
            }
        }
        while (!open.isEmpty()) {
            for (Op op : open.remove().ops()) {
                Txn writer = op.writer() == null ? null : txns.get(op.writer());
                if (writer != null && writer.status() == TxnStatus.UNKNOWN && counted.add(writer.id())) {
                    open.add(writer);
                }
            }
        }
        return counted;
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
            if (!versions.isEmpty() && versions.get(versions.size() - 1).version() != null) {
                return null; // none that counts
            }
        }
        if (look.writer() != null) {
            for (int i = versions.size() - 1; i >= 0; i--) {
                boolean isSame = look.kind() == OpKind.UNMATCHED
                        || Objects.equals(look.value(), versions.get(i).value());
                if (versions.get(i).txn() == look.writer() && isSame) {
                    return i;
                }
            }
            if (txns.containsKey(look.writer())) {
                return null;
            }
        }
        if (look.kind() == OpKind.UNMATCHED) {
            return null;
        }
        Integer found = null;
        int count = 0;
        for (int i = 0; i < versions.size(); i++) {
            if (Objects.equals(look.value(), versions.get(i).value())) {
                found = i;
                count++;
            }
        }
        if (count == 1 && (look.value() != null || isThereFromTheStart(look.key()))) {
            return found;
        }
        if (count == 0) {
            return look.value() == null ? (Integer) (-1) : null;
        }
        Txn reader = txns.get(look.txn());
        int shown = placeAt(look.key(), reader.start(), look.txn());
        String row = shown < 0 ? null : versions.get(shown).value();
        return reader.start() != HistorySlice.NONE && Objects.equals(row, look.value()) ? shown : null;
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

    /** The row that a snapshot shows, as the commits say that it is the last; null for none. */
    String rowAtSnapshot(String key, long snapshot, long self) {
        Op last = null;
        for (Op version : versions(key)) {
            long commit = txns.get(version.txn()).commit();
            boolean isShown = version.txn() != self && commit <= snapshot && isFinal(version);
            if (isShown && (last == null || txns.get(last.txn()).commit() <= commit)) {
                last = version;
            }
        }
        return last == null ? null : last.value();
    }

    ConditionReplay condition(Op predicate) {
        return conditions.computeIfAbsent(predicate.predicate(), ConditionReplay::of);
    }

    Map<String, Object> row(String json) {
        return rows.computeIfAbsent(json, RowReading::row);
    }

    /** Whether a row matches a predicate read; null stands for no row. */
    boolean matches(Op predicate, String row) {
        return row != null && condition(predicate).matches(row(row), RowReading.params(predicate.params()));
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

    private boolean areTimed() {
        if (areTimed == null) {
            areTimed = txns.values().stream()
                    .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                    .allMatch(txn -> txn.start() != HistorySlice.NONE && txn.commit() != HistorySlice.NONE);
        }
        return areTimed;
    }

    /** The places of the versions that a predicate read may have looked at of a row; empty if that is its own or unknown. */
    List<Integer> placesLookedAt(Op predicate, String key) {
        Op row = rowOf(predicate, key);
        Integer place = row == null ? null : placeRead(row);
        if (place != null) {
            return List.of(place);
        }
        if (row != null && OpKind.isRead(row.kind()) || ownBefore(predicate, key) != null) {
            return List.of();
        }
        Txn txn = txns.get(predicate.txn());
        long snapshot = predicate.readTs() != null ? predicate.readTs() : txn.start();
        if (areTimed() && snapshot != HistorySlice.NONE) {
            return List.of(placeAt(key, snapshot, predicate.txn()));
        }
        return placesLeft(predicate, key);
    }

    /** Whether a row has an initial version, numbered 0. */
    private boolean isThereFromTheStart(String key) {
        List<Op> versions = versions(key);
        return !versions.isEmpty() && Objects.equals(versions.get(0).version(), 0L);
    }

    /** The versions that do not match, any of which may have been seen of a row that was not returned. */
    List<Integer> placesLeft(Op predicate, String key) {
        List<Op> versions = versions(key);
        List<Integer> places = new ArrayList<>();
        if (!isThereFromTheStart(key)) {
            places.add(-1);
        }
        for (int place = 0; place < versions.size(); place++) {
            Op version = versions.get(place);
            if (version.txn() != predicate.txn() && isFinal(version) && !matches(predicate, version.value())) {
                places.add(place);
            }
        }
        return places;
    }
}
