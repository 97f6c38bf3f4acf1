package io.nightjar.formats.parquet;

import java.util.Arrays;

/** Why rows of a batch are bad: the first reason for each, none for most. */
final class BadRowMarks {

    private String[] reasonOf = new String[0];
    private boolean any;

    /** Forgets the marks of the batch before. */
    void begin(int rows) {
        if (any) {
            Arrays.fill(reasonOf, null);
        }
        any = false;
        if (reasonOf.length < rows) {
            reasonOf = new String[rows];
        }
    }

    boolean any() {
        return any;
    }

    void add(int row, String reason) {
        any = true;
        if (reasonOf[row] == null) {
            reasonOf[row] = reason;
        }
    }

    /** Null if the row is good. */
    String reason(int row) {
        return reasonOf[row];
    }
}
