package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/** Handler of bad rows of a source whose rows must contain their ids and positions. */
public record NumberedRows(BadRowHandler rows) implements BadRowHandler {

    @Override
    public void add(String file, long row, InputError fault, @Nullable String rawText) {
        rows.add(file, row, fault, rawText);
    }

    @Override
    public boolean requireExplicitIds() {
        return true;
    }
}
