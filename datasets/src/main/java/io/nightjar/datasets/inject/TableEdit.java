package io.nightjar.datasets.inject;

/** One change to one transaction of a history of tables. */
sealed interface TableEdit {

    long txnId();

    /** A row is removed from a result. @param row the operation that returned it */
    record Remove(long txnId, int predicate, int row) implements TableEdit {}

    /** A range begins later, so that a row that was returned is outside. */
    record Narrow(long txnId, int predicate, long minAmount) implements TableEdit {}

    /** A row is returned as another version. */
    record Replace(long txnId, int predicate, int row, long amount, long version) implements TableEdit {}

    /** A predicate read is done again at the end, and one more row is there. */
    record Repeat(long txnId, int predicate, int key, long amount, long version) implements TableEdit {}

    /** At the end a predicate read of a range finds no row, and a row is inserted into the range. */
    record Insert(long txnId, long minAmount, int key, long amount, long version) implements TableEdit {}

    /** Replaces the rows by their number plus one. */
    record Count(long txnId, int predicate) implements TableEdit {}
}
