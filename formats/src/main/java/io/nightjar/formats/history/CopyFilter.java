package io.nightjar.formats.history;

/** Filter of the parts of a transaction that are copied; everything by default. */
public interface CopyFilter {

    /** Copies everything. */
    CopyFilter ALL = new CopyFilter() {};

    /** Returns whether a column of nullable numbers is copied. */
    default boolean keepsColumn(HistoryColumn column) {
        return true;
    }

    /** Returns whether an operation of the slice is copied. */
    default boolean keepsOp(int op) {
        return true;
    }

    /** Returns whether an element of the lists read from the key is copied. */
    default boolean keepsElement(long key, long element) {
        return true;
    }
}
