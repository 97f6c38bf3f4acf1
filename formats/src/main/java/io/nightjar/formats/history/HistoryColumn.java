package io.nightjar.formats.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a history, or a field of its operations. This is the only declaration: builders, codecs, readers, writers
 * and documents follow its order, names and types.
 *
 * <p>A further nullable number of transactions or operations needs a constant here and, in the notation, a distinct
 * sign.
 */
public enum HistoryColumn {
    TXN_ID("txn_id", "txn", Type.INT64, Presence.REQUIRED, null),
    SESSION_ID("session_id", "session", Type.INT64, Presence.REQUIRED, null),
    SESSION_SEQ("session_seq", "seq", Type.INT64, Presence.REQUIRED, null),
    STATUS("status", "status", Type.STRING, Presence.DEFAULTED, null),
    START_TS("start_ts", "start", Type.INT64, Presence.NULLABLE, ColumnGroup.TIMESTAMPS),
    COMMIT_TS("commit_ts", "commit", Type.INT64, Presence.NULLABLE, ColumnGroup.TIMESTAMPS),
    INVOKE_NS("invoke_ns", "invoke", Type.INT64, Presence.NULLABLE, ColumnGroup.CLIENT_TIMES),
    COMPLETE_NS("complete_ns", "complete", Type.INT64, Presence.NULLABLE, ColumnGroup.CLIENT_TIMES),
    OPS("ops", "ops", Type.OPERATIONS, Presence.REQUIRED, ColumnGroup.OPERATIONS),
    EXTRA("extra", "extra", Type.STRING, Presence.NULLABLE, ColumnGroup.EXTRA),

    KIND("kind", Type.STRING, Presence.REQUIRED, ColumnGroup.OPERATIONS),
    KEY("key", Type.KEY, Presence.REQUIRED, ColumnGroup.OPERATIONS),
    VALUE("value", Type.VALUE, Presence.NULLABLE, ColumnGroup.OPERATIONS),
    ELEMENTS("elements", Type.VALUES, Presence.NULLABLE, ColumnGroup.OPERATIONS),
    VERSION("version", "version", Type.INT64, Presence.NULLABLE, ColumnGroup.VERSIONS, true),
    WRITER_TXN("writer_txn", "writer", Type.INT64, Presence.NULLABLE, ColumnGroup.WRITERS, true),
    PREDICATE("predicate", Type.STRING, Presence.NULLABLE, ColumnGroup.PREDICATES),
    PARAMS("params", Type.STRING, Presence.NULLABLE, ColumnGroup.PREDICATES),
    ROWS("rows", Type.INT32, Presence.NULLABLE, ColumnGroup.PREDICATES),
    READ_TS("read_ts", "read_ts", Type.INT64, Presence.NULLABLE, ColumnGroup.PREDICATES, true),
    DONE("done", "done", Type.BOOLEAN, Presence.NULLABLE, ColumnGroup.PREDICATES, true),
    RESULT("result", "result", Type.INT64, Presence.NULLABLE, ColumnGroup.PREDICATES, true),
    LIMIT("limit", "limit", Type.INT64, Presence.NULLABLE, ColumnGroup.PREDICATES, true),
    ORDER("order", "order", Type.STRING, Presence.NULLABLE, ColumnGroup.PREDICATES, true);

    /** Type of a column's values. */
    public enum Type {
        INT64,
        INT32,
        /** Stored in slices as 0 and 1. */
        BOOLEAN,
        STRING,
        /** The type of the history's keys: int64 or string. */
        KEY,
        /** The type of the history's values: int64 or string. */
        VALUE,
        /** A list of values. */
        VALUES,
        /** A list of operations, whose fields are the columns of {@link #OF_OPS}. */
        OPERATIONS
    }

    /** Nullability: whether files may omit a column, and rows its value. */
    public enum Presence {
        /** Every file has the column, and every row a value. */
        REQUIRED,
        /** Always written; if the column is missing, a default applies. */
        DEFAULTED,
        NULLABLE
    }

    /** Columns of transactions, in the order of files. */
    public static final List<HistoryColumn> OF_TXNS = where(false);

    /** Fields of operations, in the order of files. */
    public static final List<HistoryColumn> OF_OPS = where(true);

    /** The columns of operations in a history without relational and conditional operations. */
    public static final List<HistoryColumn> OF_ITEM_OPS = withoutGroup(OF_OPS, ColumnGroup.PREDICATES);

    /** Nullable numbers of transactions; a slice has all or none of a group. */
    public static final List<HistoryColumn> TXN_NUMBERS = nullables(OF_TXNS, false);

    /** Nullable numbers of operations; a slice contains only the columns that occur. */
    public static final List<HistoryColumn> OP_NUMBERS = nullables(OF_OPS, false);

    /** Nullable texts of operations, stored in slices as ordinals of their texts. */
    public static final List<HistoryColumn> OP_TEXTS = nullables(OF_OPS, true);

    /** Number of columns, for arrays indexed by ordinal. */
    public static final int COUNT = values().length;

    private final String columnName;
    private final @Nullable String shortName;
    private final Type type;
    private final Presence presence;
    private final @Nullable ColumnGroup group;
    private final boolean isOfOps;

    /** Creates a column of transactions. */
    HistoryColumn(String columnName, String shortName, Type type, Presence presence, @Nullable ColumnGroup group) {
        this(columnName, shortName, type, presence, group, false);
    }

    /** Creates a field of operations that compact formats identify by position. */
    HistoryColumn(String columnName, Type type, Presence presence, ColumnGroup group) {
        this(columnName, null, type, presence, group, true);
    }

    HistoryColumn(
            String columnName,
            @Nullable String shortName,
            Type type,
            Presence presence,
            @Nullable ColumnGroup group,
            boolean isOfOps) {
        this.columnName = columnName;
        this.shortName = shortName;
        this.type = type;
        this.presence = presence;
        this.group = group;
        this.isOfOps = isOfOps;
    }

    /** Returns the name of the column in Parquet, Arrow and SQL. */
    public String columnName() {
        return columnName;
    }

    /** Returns the name in JSON Lines; null if the column is identified by its position there. */
    public @Nullable String shortName() {
        return shortName;
    }

    public Type type() {
        return type;
    }

    public Presence presence() {
        return presence;
    }

    public boolean isNullable() {
        return presence == Presence.NULLABLE;
    }

    /** Returns the group with which the column is read or omitted; null if it is always read. */
    public @Nullable ColumnGroup group() {
        return group;
    }

    public boolean isOfOps() {
        return isOfOps;
    }

    /**
     * Returns whether rows of a file may lack the column: in a relational history also the key, for a predicate read.
     */
    public boolean isNullable(boolean isRelational) {
        return isNullable() || isRelational && this == KEY;
    }

    /** Returns the {@link #columnName}s of some columns, in their order. */
    public static List<String> columnNames(List<HistoryColumn> columns) {
        List<String> names = new ArrayList<>();
        for (HistoryColumn column : columns) {
            names.add(column.columnName);
        }
        return List.copyOf(names);
    }

    /** Returns the {@link #shortName}s of some columns that have a short name, in their order. */
    public static List<String> shortNames(List<HistoryColumn> columns) {
        List<String> names = new ArrayList<>();
        for (HistoryColumn column : columns) {
            names.add(column.shortName);
        }
        return List.copyOf(names);
    }

    // Uses loops instead of streams: each command loads this class, and linking lambdas would take most of its loading
    // time.

    private static List<HistoryColumn> where(boolean isOfOps) {
        List<HistoryColumn> found = new ArrayList<>();
        for (HistoryColumn column : values()) {
            if (column.isOfOps == isOfOps) {
                found.add(column);
            }
        }
        return List.copyOf(found);
    }

    private static List<HistoryColumn> withoutGroup(List<HistoryColumn> columns, ColumnGroup group) {
        List<HistoryColumn> others = new ArrayList<>();
        for (HistoryColumn column : columns) {
            if (column.group != group) {
                others.add(column);
            }
        }
        return List.copyOf(others);
    }

    private static List<HistoryColumn> nullables(List<HistoryColumn> columns, boolean areTexts) {
        List<HistoryColumn> nullables = new ArrayList<>();
        for (HistoryColumn column : columns) {
            boolean isNumber = column.type == Type.INT64 || column.type == Type.INT32 || column.type == Type.BOOLEAN;
            if (column.isNullable() && (areTexts ? column.type == Type.STRING : isNumber)) {
                nullables.add(column);
            }
        }
        return List.copyOf(nullables);
    }
}
