package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.flink.BadRowsMessage.BadRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers bad rows, up to one more than a history may have. */
final class BadRowCollector implements BadRowHandler {

    /** Thrown to end the reading of a split in which more rows are bad than any history may have. */
    static final class EnoughException extends RuntimeException {

        private static final long serialVersionUID = 1;

        EnoughException() {
            super(null, null, false, false);
        }
    }

    private final long maxBadRows;
    private final List<BadRow> rows = new ArrayList<>();

    /** @param maxBadRows how many bad rows a history may have */
    BadRowCollector(long maxBadRows) {
        this.maxBadRows = maxBadRows;
    }

    @Override
    public void add(String file, long row, InputError fault, @Nullable String rawText) {
        rows.add(new BadRow(file, row, fault, rawText));
        if (rows.size() > maxBadRows) {
            throw new EnoughException();
        }
    }

    List<BadRow> rows() {
        return rows;
    }
}
