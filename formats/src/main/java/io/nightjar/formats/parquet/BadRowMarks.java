package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.util.Arrays;

/** Why rows of a batch are bad: the first fault of each, none for most. */
final class BadRowMarks {

    private InputError[] faultOf = new InputError[0];
    private boolean any;

    /** Forgets the marks of the batch before. */
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

    /** Null if the row is good. */
    InputError fault(int row) {
        return faultOf[row];
    }
}
