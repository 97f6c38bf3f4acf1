package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.util.Arrays;

/** The bad rows of a batch: the first fault of each; null for most rows. */
final class BadRowMarks {

    private InputError[] faultOf = new InputError[0];
    private boolean any;

    /** Clears the marks of the previous batch. */
    void begin(int rows) {
        if (any) {
            Arrays.fill(faultOf, null);
        }
        any = false;
        if (faultOf.length < rows) {
            faultOf = new InputError[rows];
        }
    }

    boolean any() {
        return any;
    }

    void add(int row, InputError fault) {
        any = true;
        if (faultOf[row] == null) {
            faultOf[row] = fault;
        }
    }

    /** Returns the fault of a row; null if the row is good. */
    InputError fault(int row) {
        return faultOf[row];
    }
}
