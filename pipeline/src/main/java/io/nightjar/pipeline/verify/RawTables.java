package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * History of tables restricted to the queries of findings, as plain objects: versions of rows, and the versions that
 * each operation read.
 */
final class RawTables {

    /** A column, and how it is sorted. */
    private static final Pattern ORDER = Pattern.compile("(?s)(.+?)((?:\\s+(?:asc|desc|nulls|first|last))*)");

    /** A transaction with its operations. */
    record Txn(long id, long session, long seq, byte status, long start, long commit, List<Op> ops) {}

    /** An operation; of a predicate read the key is its relation, or null. */
    record Op(
            long txn,
            int position,
            byte kind,
            @Nullable String key,
            @Nullable String value,
            @Nullable Long version,
            @Nullable Long writer,
            @Nullable String predicate,
            @Nullable String params,
            @Nullable Long rows,
            @Nullable Long readTs,
            @Nullable Long limit,
            @Nullable String order) {

        /** Returns the key of an operation on a row. */
        String row() {
            return requireNonNull(key);
        }

        boolean isOn(@Nullable String row) {
            return key != null && key.equals(row);
        }

        boolean makesVersion() {
            return kind == OpKind.WRITE || kind == OpKind.DELETE;
        }

        /** Returns a copy that reads nothing. */
        Op ofNothing() {
            return new Op(
                    txn, position, OpKind.READ_NOTHING, key, null, version, writer, null, null, null, null, null, null);
        }
    }

    /** The transactions queried as a whole, and the writers of queried versions of rows, with only these versions. */
    final Map<Long, Txn> txns = new HashMap<>();

    private final Set<Long> wantedTxns;
    private final @Nullable Set<String> wantedKeys; // null for all
    private final ScalarPool keys = new ScalarPool(); // of the wanted rows
    private final LongSet wantedScalars = new LongOpenHashSet();
    private final @Nullable String initialValue; // null if no value means the initial state
    private final LongSet namedByCommitted = new LongOpenHashSet(); // the writers that reads name
    private final Map<Long, LongSet> namedByUnknown = new HashMap<>();
    private final Map<String, List<Op>> versionsOf = new TreeMap<>();
    private final Set<String> sharedKeys = new HashSet<>(); // two transactions made versions of one number
    // keys whose version numbers belong to one transaction each
    private final Set<String> numberedKeys = new HashSet<>();
    private final Map<String, ConditionReplay> conditions = new HashMap<>();
    private final Map<String, Map<String, Object>> rows = new HashMap<>();
    private boolean areTimed = true; // every committed transaction

    /**
     * @param wantedTxns transactions of which all operations are queried
     * @param wantedKeys rows whose versions are queried; null for all
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     */
    RawTables(Set<Long> wantedTxns, @Nullable Set<String> wantedKeys, @Nullable String initialValue) {
        this.initialValue = initialValue;
        this.wantedTxns = wantedTxns;
        this.wantedKeys = wantedKeys;
    }

    void add(HistorySlice slice) {
        if (keys.learn(slice.keyType) && wantedKeys != null) {
            wantedKeys.stream().filter(keys::isPossible).forEach(key -> wantedScalars.add(keys.intern(key)));
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            add(slice, txn);
        }
    }

    private void add(HistorySlice slice, int txn) {
        long id = slice.txnId[txn];
        boolean isWhole = wantedTxns.contains(id);
        boolean writes = false;
        List<Op> ops = new ArrayList<>(0);
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            boolean makesVersion = kind == OpKind.WRITE || kind == OpKind.DELETE;
            writes |= makesVersion;
            recordWriter(slice, txn, op);
            if (isWhole || makesVersion && isWanted(slice, op)) {
                ops.add(op(slice, id, op - slice.firstOpOf[txn], op));
            }
        }
        long start = slice.startTs == null ? HistorySlice.NONE : slice.startTs[txn];
        long commit = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
        boolean isOnlyRead = !writes && FindingVerifier.isMissing(commit);
        long end = isOnlyRead ? start : commit;
        areTimed &= slice.status[txn] != TxnStatus.COMMITTED || start != HistorySlice.NONE && end != HistorySlice.NONE;
        if (isWhole || !ops.isEmpty()) {
            txns.put(id, new Txn(id, slice.sessionId[txn], slice.sessionSeq[txn], slice.status[txn], start, end, ops));
        }
    }

    private boolean isWanted(HistorySlice slice, int op) {
        return wantedKeys == null || wantedScalars.contains(keys.find(slice.keyNames, slice.key[op]));
    }

    private void recordWriter(HistorySlice slice, int txn, int op) {
        long[] writers = slice.numbers(HistoryColumn.WRITER_TXN);
        if (writers == null || writers[op] == HistorySlice.NONE) {
            return;
        }
        if (slice.status[txn] == TxnStatus.COMMITTED) {
            namedByCommitted.add(writers[op]);
        } else if (slice.status[txn] == TxnStatus.UNKNOWN) {
            namedByUnknown
                    .computeIfAbsent(slice.txnId[txn], absent -> new LongOpenHashSet())
                    .add(writers[op]);
        }
    }

    private static Op op(HistorySlice slice, long txn, int position, int op) {
        return new Op(
                txn,
                position,
                slice.kind[op],
                slice.keyText(op),
                OpKind.hasValue(slice.kind[op]) ? slice.valueText(slice.value[op]) : null,
                number(slice, HistoryColumn.VERSION, op),
                number(slice, HistoryColumn.WRITER_TXN, op),
                slice.text(HistoryColumn.PREDICATE, op),
                slice.text(HistoryColumn.PARAMS, op),
                number(slice, HistoryColumn.ROWS, op),
                number(slice, HistoryColumn.READ_TS, op),
                number(slice, HistoryColumn.LIMIT, op),
                slice.text(HistoryColumn.ORDER, op));
    }

    private static @Nullable Long number(HistorySlice slice, HistoryColumn column, int op) {
        long[] numbers = slice.numbers(column);
        return numbers == null || numbers[op] == HistorySlice.NONE ? null : numbers[op];
    }

    /**
     * Turns reads of the initial value into reads of nothing, unless a transaction that may have committed wrote it to
     * the key.
     */
    private void turnInitialReads() {
        Set<String> written = new HashSet<>();
        for (Txn txn : txns.values()) {
            txn.ops().stream()
                    .filter(op -> op.makesVersion() && txn.status() != TxnStatus.ABORTED)
                    .filter(op -> Objects.equals(initialValue, op.value()))
                    .forEach(op -> written.add(op.row()));
        }
        for (Txn txn : txns.values()) {
            txn.ops().replaceAll(op -> isInitial(op) && !written.contains(op.key()) ? op.ofNothing() : op);
        }
    }

    private boolean isInitial(Op op) {
        return op.kind() == OpKind.READ
                && Objects.equals(initialValue, op.value())
                && op.version() == null
                && op.writer() == null;
    }

    /** Completes the rows once all transactions are there. */
    void finish() {
        if (initialValue != null) {
            turnInitialReads();
        }
        LongSet named = namedBySomebodyWhoCounts();
        for (Txn txn : txns.values()) {
            boolean counts = txn.status() == TxnStatus.COMMITTED
                    || txn.status() == TxnStatus.UNKNOWN && named.contains(txn.id());
            for (Op op : txn.ops()) {
                if (counts && op.makesVersion()) {
                    versionsOf
                            .computeIfAbsent(op.row(), absent -> new ArrayList<>())
                            .add(op);
                }
            }
        }
        for (List<Op> versions : versionsOf.values()) {
            if (isAnyShared(versions)) {
                sharedKeys.add(versions.get(0).row());
            }
            boolean areNumbered = versions.stream().allMatch(op -> op.version() != null)
                    && !sharedKeys.contains(versions.get(0).key());
            if (areNumbered) {
                numberedKeys.add(versions.get(0).key());
            }
            Comparator<Op> inTxn = Comparator.comparingLong((Op op) -> op.position());
            Comparator<Op> initialFirst =
                    Comparator.comparing((Op op) -> !Long.valueOf(0).equals(op.version()));
            versions.sort(
                    areNumbered
                            ? Comparator.comparingLong(Op::version)
                            : initialFirst
                                    .thenComparingLong(op -> txn(op.txn()).commit())
                                    .thenComparing(inTxn));
        }
    }

    /** Returns whether two transactions made versions of equal number, which then prove nothing. */
    private static boolean isAnyShared(List<Op> versions) {
        Map<Long, Long> txnOf = new HashMap<>();
        for (Op version : versions) {
            Long before = version.version() == null ? null : txnOf.put(version.version(), version.txn());
            if (before != null && before != version.txn()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the writers named by committed transactions, and by unknown transactions that these name. */
    private LongSet namedBySomebodyWhoCounts() {
        LongSet named = new LongOpenHashSet(namedByCommitted);
        Deque<Long> open = new ArrayDeque<>(namedByUnknown.keySet());
        open.removeIf(txn -> !named.contains((long) txn));
        while (!open.isEmpty()) {
            for (long writer : requireNonNull(namedByUnknown.get(open.remove()))) {
                if (named.add(writer) && namedByUnknown.containsKey(writer)) {
                    open.add(writer);
                }
            }
        }
        return named;
    }

    /** Returns a transaction that is there. */
    Txn txn(long id) {
        return requireNonNull(txns.get(id));
    }

    /** Returns the versions of a row in their order. */
    List<Op> versions(String key) {
        return versionsOf.getOrDefault(key, List.of());
    }

    Iterable<String> keys() {
        return versionsOf.keySet();
    }

    boolean isFinal(Op version) {
        return txn(version.txn()).ops().stream()
                .noneMatch(op -> op.makesVersion() && op.isOn(version.key()) && op.position() > version.position());
    }

    static boolean isOfRelation(@Nullable String key, Op predicate) {
        return predicate.key() == null
                || key != null
                        && (key.startsWith(predicate.key() + "/")
                                || predicate.key().isEmpty() && key.indexOf('/') < 0);
    }

    /** Returns the index of the version that a row read returned: -1 for the initial state; null if undetermined. */
    @Nullable
    Integer positionRead(Op predicate) {
        return positionRead(predicate, txn(predicate.txn()).start());
    }

    /** @param snapshot which distinguishes versions with equal rows */
    private @Nullable Integer positionRead(Op predicate, long snapshot) {
        List<Op> versions = versions(predicate.row());
        if (predicate.version() != null && !sharedKeys.contains(predicate.key())) {
            for (int i = 0; i < versions.size(); i++) {
                if (predicate.version().equals(versions.get(i).version())) {
                    return i;
                }
            }
            if (numberedKeys.contains(predicate.key())) {
                return null; // none that counts
            }
        }
        if (predicate.writer() != null) {
            for (int i = versions.size() - 1; i >= 0; i--) {
                boolean isSame = predicate.kind() == OpKind.UNMATCHED
                        || Objects.equals(predicate.value(), versions.get(i).value());
                if (versions.get(i).txn() == predicate.writer() && isSame) {
                    return i;
                }
            }
            if (txns.containsKey(predicate.writer())) {
                return null;
            }
        }
        if (predicate.kind() == OpKind.UNMATCHED) {
            return null;
        }
        Integer found = null;
        int count = 0;
        for (int i = 0; i < versions.size(); i++) {
            if (Objects.equals(predicate.value(), versions.get(i).value())) {
                found = i;
                count++;
            }
        }
        if (count == 1 && (predicate.value() != null || isThereFromTheStart(predicate.row()))) {
            return found;
        }
        if (count == 0) {
            return predicate.value() == null ? (Integer) (-1) : null;
        }
        if (ownBefore(predicate, predicate.row()) != null) {
            return null; // its own or another transaction's
        }
        int shown = positionAt(predicate.row(), snapshot, predicate.txn());
        String row = shown < 0 ? null : versions.get(shown).value();
        return snapshot != HistorySlice.NONE && Objects.equals(row, predicate.value()) ? shown : null;
    }

    /** Returns the position of the version that a snapshot shows. */
    int positionAt(String key, long snapshot, long self) {
        List<Op> versions = versions(key);
        int position = -1;
        for (int i = 0; i < versions.size(); i++) {
            Txn writer = txn(versions.get(i).txn());
            if (writer.id() != self && writer.commit() <= snapshot && isFinal(versions.get(i))) {
                position = i;
            }
        }
        return position;
    }

    /**
     * Returns the last of the versions with which other transactions left a row; null if none.
     *
     * @param place the place of a transaction in an order, at most the given one
     */
    @Nullable
    Op lastLeft(String key, ToLongFunction<Txn> place, long max, long self) {
        Op last = null;
        long placeOfLast = 0;
        for (Op version : versions(key)) {
            long ofVersion = place.applyAsLong(txn(version.txn()));
            boolean isShown = version.txn() != self && ofVersion <= max && isFinal(version);
            if (isShown && (last == null || placeOfLast <= ofVersion)) {
                last = version;
                placeOfLast = ofVersion;
            }
        }
        return last;
    }

    /** Returns whether another transaction's version of the same row has the number that a look names. */
    private boolean isNumberOfAnother(Op predicate, Op version) {
        return versions(predicate.row()).stream()
                .anyMatch(other -> Objects.equals(predicate.version(), other.version())
                        && other.txn() != version.txn()
                        && Objects.equals(other.value(), predicate.value()));
    }

    /** Returns whether a look returned a version: its row, and the version and the writer that it names. */
    boolean isOf(Op predicate, @Nullable Op version) {
        String row = version == null ? null : version.value();
        boolean isOther = predicate.version() != null
                && !sharedKeys.contains(predicate.key())
                && (version == null
                        || version.version() != null && !predicate.version().equals(version.version())
                        || version.version() == null && isNumberOfAnother(predicate, version));
        boolean isOthers = predicate.writer() != null && (version == null || version.txn() != predicate.writer());
        return Objects.equals(row, predicate.value()) && !isOther && !isOthers;
    }

    /** Returns whether two reads of a row agree: in the row, and in the version and the writer if both name them. */
    static boolean areAlike(Op one, Op other) {
        return Objects.equals(one.value(), other.value())
                && (one.version() == null
                        || other.version() == null
                        || one.version().equals(other.version()))
                && (one.writer() == null
                        || other.writer() == null
                        || one.writer().equals(other.writer()));
    }

    ConditionReplay condition(Op predicate) {
        return conditions.computeIfAbsent(predicate.predicate(), ConditionReplay::of);
    }

    Map<String, Object> row(@Nullable String json) {
        return rows.computeIfAbsent(json, RowReading::row);
    }

    /** Returns whether a row matches a predicate read; null means that no row exists. */
    boolean matches(Op predicate, @Nullable String row) {
        return row != null && condition(predicate).matches(row(row), RowReading.params(predicate.params()));
    }

    /**
     * Returns whether a row matches a predicate read, and the read had to return it or did. A read that returned as
     * many rows as its limit did not have to return rows that sort after its last one.
     */
    boolean matches(Op predicate, String key, @Nullable String row) {
        Long rowCount = predicate.rows();
        if (!matches(predicate, row) || predicate.limit() == null || rowCount == null) {
            return matches(predicate, row);
        }
        List<Op> ops = txn(predicate.txn()).ops();
        int first = predicate.position() + 1;
        List<Op> returned = ops.subList(first, first + rowCount.intValue()).stream()
                .filter(op -> OpKind.isRead(op.kind()))
                .toList();
        boolean isFull = returned.size() >= predicate.limit();
        return !isFull
                || returned.stream().anyMatch(op -> op.isOn(key))
                || predicate.order() != null
                        && returned.stream().anyMatch(op -> isFirst(predicate.order(), row(row), row(op.value())));
    }

    /** Returns whether a row precedes another in an order such as {@code c1 DESC NULLS LAST}. */
    private static boolean isFirst(String order, Map<String, Object> row, Map<String, Object> other) {
        Matcher parts = ORDER.matcher(order.strip().toLowerCase(Locale.ROOT));
        boolean isColumn = parts.matches();
        String name = isColumn ? requireNonNull(parts.group(1)) : order;
        String direction = isColumn ? requireNonNull(parts.group(2)) : "";
        String column = name.substring(name.lastIndexOf('.') + 1);
        if (name.endsWith("\"") || name.endsWith("`")) {
            int from = name.indexOf(name.charAt(name.length() - 1)) + 1;
            column = name.substring(from, Math.max(from, name.length() - 1));
        }
        boolean isDescending = direction.contains("desc");
        Object one = row.get(column);
        Object two = other.get(column);
        if (one == null || two == null) {
            boolean areNullsFirst = direction.contains("first") || isDescending && !direction.contains("last");
            return (areNullsFirst ? one : two) == null && one != two;
        }
        int compared = ConditionReplay.order(one, two);
        return isDescending ? compared > 0 : compared < 0;
    }

    /** Returns whether the aggregate of one row differs from that of another. */
    boolean differ(Op predicate, @Nullable String one, @Nullable String other) {
        return condition(predicate).differ(row(one), row(other), RowReading.params(predicate.params()));
    }

    /** Returns the row of a version by its position. */
    @Nullable
    String rowAt(String key, int position) {
        return position < 0 ? null : versions(key).get(position).value();
    }

    /** Returns the last version that a transaction made itself of a row before one of its operations; null if it made none. */
    @Nullable
    Op ownBefore(Op predicate, String key) {
        Op own = null;
        for (Op op : txn(predicate.txn()).ops()) {
            own = op.position() < predicate.position() && op.makesVersion() && op.isOn(key) ? op : own;
        }
        return own;
    }

    /** Returns the operation among the rows of a predicate read that is about a row; null if none is. */
    @Nullable
    Op rowOf(Op predicate, String key) {
        List<Op> ops = txn(predicate.txn()).ops();
        for (int i = 1; predicate.rows() != null && i <= predicate.rows(); i++) {
            if (ops.get(predicate.position() + i).isOn(key)) {
                return ops.get(predicate.position() + i);
            }
        }
        return null;
    }

    /**
     * Returns the indexes of the versions of a row that a predicate read may have evaluated; empty if it is an own
     * version or unknown.
     */
    List<Integer> examinedPositions(Op predicate, String key) {
        Op row = rowOf(predicate, key);
        Txn txn = txn(predicate.txn());
        long snapshot = predicate.readTs() != null ? predicate.readTs() : txn.start();
        Integer position = row == null ? null : positionRead(row, snapshot);
        if (position != null) {
            return List.of(position);
        }
        if (row != null && OpKind.isRead(row.kind()) || ownBefore(predicate, key) != null) {
            return List.of();
        }
        if (areTimed && snapshot != HistorySlice.NONE) {
            int shown = positionAt(key, snapshot, predicate.txn());
            boolean isLeftOut = row == null
                    && predicate.rows() != null
                    && condition(predicate).asksForRows()
                    && matches(predicate, rowAt(key, shown));
            return isLeftOut ? remainingPositions(predicate, key) : List.of(shown); // it saw something else
        }
        return remainingPositions(predicate, key);
    }

    /** Returns whether a row has an initial version, numbered 0. */
    private boolean isThereFromTheStart(String key) {
        List<Op> versions = versions(key);
        return !versions.isEmpty() && Objects.equals(versions.get(0).version(), 0L);
    }

    /** Returns the versions that do not match, any of which may have been seen of a row that was not returned. */
    List<Integer> remainingPositions(Op predicate, String key) {
        List<Op> versions = versions(key);
        List<Integer> positions = new ArrayList<>();
        if (!isThereFromTheStart(key)) {
            positions.add(-1);
        }
        for (int position = 0; position < versions.size(); position++) {
            Op version = versions.get(position);
            if (version.txn() != predicate.txn() && isFinal(version) && !matches(predicate, key, version.value())) {
                positions.add(position);
            }
        }
        return positions;
    }
}
