package io.nightjar.jobs.join;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.JsonItems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The transactions of a log of changes in memory, by the name that joins them with those of clients. */
final class CommitLog {

    /** What the database calls a transaction, where that is no number. */
    private static final String NAME = "txn";

    /**
     * A transaction of the log.
     *
     * @param name what joins it
     * @param place of its row
     */
    record Commit(String name, long commitTs, String place, List<Change> changes) {}

    /**
     * A change of a row.
     *
     * @param value null if the row was deleted
     */
    record Change(String key, String value, long version) {}

    private final Map<String, Commit> byName = new HashMap<>();
    private final List<Commit> inOrder = new ArrayList<>();

    static CommitLog read(HistorySource source, String column, BadRows badRows) throws IOException {
        CommitLog log = new CommitLog();
        for (int split = 0; split < source.splits().size(); split++) {
            try (SliceReader reader = source.open(split, Column.all(), badRows)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    for (int txn = 0; txn < slice.txnCount; txn++) {
                        if (slice.status[txn] == TxnStatus.COMMITTED) {
                            log.add(slice, txn, column);
                        }
                    }
                }
            }
        }
        return log;
    }

    private void add(HistorySlice slice, int txn, String column) {
        String extra = slice.extra == null ? null : slice.extra[txn];
        String name = nameOf(extra, slice.txnId[txn], column);
        long commit = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
        long[] versions = slice.numbers(HistoryColumn.VERSION);
        List<Change> changes = new ArrayList<>();
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            if (OpKind.isWrite(kind)) {
                String value = OpKind.hasValue(kind) ? value(slice, slice.value[op]) : null;
                changes.add(new Change(key(slice, op), value, versions == null ? HistorySlice.NONE : versions[op]));
            }
        }
        Commit added = new Commit(name, commit, slice.placeOf(txn) + " " + column + "=" + name, changes);
        byName.put(name, added);
        inOrder.add(added);
    }

    /** What joins a transaction of the log: the member of this name that its source has beside the columns, else its id. */
    static String nameOf(String extra, long id, String column) {
        Object members = extra == null ? null : JsonItems.parse(extra);
        String named = JsonItems.text(JsonItems.member(members, column));
        String original = named != null ? named : JsonItems.text(JsonItems.member(members, NAME));
        return original != null ? original : Long.toString(id);
    }

    /** What joins a transaction of a client; null if its row does not say it. */
    static String nameOfClient(String extra, long id, String column) {
        if (column.equals("txn_id") || column.equals(NAME)) {
            return Long.toString(id);
        }
        Object members = extra == null ? null : JsonItems.parse(extra);
        return JsonItems.text(JsonItems.member(members, column));
    }

    static String key(HistorySlice slice, int op) {
        return slice.keyType == ValueType.STRING
                ? slice.keyNames.get((int) slice.key[op])
                : Long.toString(slice.key[op]);
    }

    static String value(HistorySlice slice, long scalar) {
        return slice.valueType == ValueType.STRING ? slice.valueNames.get((int) scalar) : Long.toString(scalar);
    }

    /** Null if the log does not have it. */
    Commit find(String name) {
        return name == null ? null : byName.get(name);
    }

    List<Commit> inOrder() {
        return inOrder;
    }
}
