package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import java.util.ArrayList;
import java.util.List;

/** Collects bad rows as lines of text. */
final class BadRowList implements BadRowHandler {

    final List<String> rows = new ArrayList<>();

    @Override
    public void add(String file, long row, InputError fault, String rawText) {
        rows.add(row + ": " + fault.text() + " | " + rawText);
    }
}
