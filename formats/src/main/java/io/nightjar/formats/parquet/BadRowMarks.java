package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputFault;
import java.util.Arrays;

/** Why rows of a batch are bad: the first fault of each, none for most. */
final class BadRowMarks {

    private InputFault[] faultOf = new InputFault[0];
    private boolean any;

    /** Forgets the marks of the batch before. */
    void begin(int rows) {
        if (any) {
            Arrays.fill(faultOf, null);
        }
        any = false;
        if (faultOf.length < rows) {
            faultOf = new InputFault[rows];
        }
    }

    boolean any() {
        return any;
    }

    void add(int row, InputFault fault) {
        any = true;
        if (faultOf[row] == null) {
            faultOf[row] = fault;
        }
    }

    /** Null if the row is good. */
    InputFault fault(int row) {
        return faultOf[row];
    }
}
