package io.nightjar.formats.history;

/** Selects what of a transaction is copied; everything by default. */
public interface CopyFilter {

    /** Nothing is left out. */
    CopyFilter ALL = new CopyFilter() {};

    /** Whether a nullable number is. */
    default boolean keepsColumn(HistoryColumn column) {
        return true;
    }

    /** Whether an operation of the slice is. */
    default boolean keepsOp(int op) {
        return true;
    }

    /** Whether an element is, of what reads of the key returned. */
    default boolean keepsElement(long key, long element) {
        return true;
    }
}
