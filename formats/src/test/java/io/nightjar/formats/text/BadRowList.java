package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.InputFault;
import java.util.ArrayList;
import java.util.List;

/** Keeps bad rows as lines of text. */
final class BadRowList implements BadRows {

    final List<String> rows = new ArrayList<>();

    @Override
    public void add(String file, long row, InputFault fault, String rawText) {
        rows.add(row + ": " + fault.text() + " | " + rawText);
    }
}
