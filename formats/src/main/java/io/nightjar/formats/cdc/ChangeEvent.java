package io.nightjar.formats.cdc;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event of a log of changes; a parser fills it again for the next. */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class ChangeEvent {

    /** What happened. */
    enum Type {
        /** A transaction began; changes behind it that name none are its. */
        BEGIN,
        /** A row was inserted, or has a new content. */
        WRITE,
        /** A row was deleted. */
        DELETE,
        /** A transaction committed. */
        COMMIT,
        /** A transaction was rolled back. */
        ABORT,
        /** An event that changes no row: a heartbeat, a change of a schema. */
        NOTHING
    }

    Type type;

    /** The database's name of the transaction; null for the one that is open. */
    String txn;

    /** The connection that ran it; null if the log does not say. */
    String session;

    /** The table, qualified as far as the log does it. */
    String table;

    /** Columns of the row, and what is in them: null, Long, Double, Boolean, String, or a list or map of these. */
    final List<String> names = new ArrayList<>();

    final List<Object> values = new ArrayList<>();

    /** The columns that identify the row, as far as the log says it. */
    final List<String> keyNames = new ArrayList<>();

    /** The values of the key, where the log gives them without the names of their columns; else null. */
    List<?> key;

    /** The row as it was, or the part of it that identified it, where the log says it. */
    final List<String> oldNames = new ArrayList<>();

    final List<Object> oldValues = new ArrayList<>();

    /** A number, or a pair of numbers, that orders commits. */
    long order;

    long suborder;

    /** What makes the event one of its kind, for logs that may deliver it twice; null if nothing does. */
    String identity;

    /** The place of the change in its transaction, where the log says it. */
    long position;

    /** How many changes the end of a transaction says that it had. */
    long count;

    /** The database's timestamps, where it has true ones. */
    long start;

    long commit;

    /** A member for {@code extra} of the transaction: the name and the text. */
    String extraName;

    String extraText;

    void clear() {
        type = Type.NOTHING;
        txn = null;
        session = null;
        table = null;
        names.clear();
        values.clear();
        keyNames.clear();
        key = null;
        oldNames.clear();
        oldValues.clear();
        order = HistorySlice.NONE;
        suborder = 0;
        identity = null;
        position = HistorySlice.NONE;
        count = HistorySlice.NONE;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
        extraName = null;
        extraText = null;
    }

    /** Takes the cells read so far for those of the row before the change. */
    void becomeOld() {
        oldNames.addAll(names);
        oldValues.addAll(values);
        names.clear();
        values.clear();
    }

    void add(String name, @Nullable Object value) {
        names.add(name);
        values.add(value);
    }
}
