package io.nightjar.formats.cdc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event of a change log; a parser reuses the object for the next event. */
final class ChangeEvent extends ChangeInfo {

    /** Kind of an event. */
    enum Type {
        /** Start of a transaction; later changes without a transaction name belong to it. */
        BEGIN,
        /** A row was inserted, or its content changed. */
        WRITE,
        /** A row was deleted. */
        DELETE,
        /** A transaction committed. */
        COMMIT,
        /** A transaction was rolled back. */
        ABORT,
        /** An event that changes no row: a heartbeat, a schema change. */
        NOTHING
    }

    /** The table, qualified as far as the log states it. */
    @Nullable
    String table;

    /** Columns of the row, and their values: null, Long, Double, Boolean, String, or a list or map of these. */
    final List<String> names = new ArrayList<>();

    final List<Object> values = new ArrayList<>();

    /** The columns that identify the row, as far as the log states them. */
    final List<String> keyNames = new ArrayList<>();

    /** The values of the key, if the log states them without column names; else null. */
    @Nullable
    List<?> key;

    /** The row before the change, or its identifying columns, if the log states them. */
    final List<String> oldNames = new ArrayList<>();

    final List<Object> oldValues = new ArrayList<>();

    @Override
    void clear() {
        super.clear();
        table = null;
        names.clear();
        values.clear();
        keyNames.clear();
        key = null;
        oldNames.clear();
        oldValues.clear();
    }

    /** Moves the cells read so far to the row before the change. */
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
