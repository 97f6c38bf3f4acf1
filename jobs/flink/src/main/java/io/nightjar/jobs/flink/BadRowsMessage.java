package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bad rows, sent to the stage that decides on their consequences.
 *
 * @param rejection why a split cannot be read to its end; null if it can
 */
record BadRowsMessage(List<BadRow> rows, @Nullable Rejection rejection) implements Serializable {

    BadRowsMessage {
        rows = List.copyOf(rows);
    }

    /** A row and its error. */
    record BadRow(String file, long row, InputError fault, @Nullable String rawText) implements Serializable {}

    int size() {
        return rows.size();
    }

    /** Passes all rows on. */
    void replayTo(BadRowHandler to) {
        for (BadRow row : rows) {
            to.add(row.file, row.row, row.fault, row.rawText);
        }
    }
}
