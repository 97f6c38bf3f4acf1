package io.nightjar.jobs.cli;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.read.DeadLetters;
import org.jspecify.annotations.Nullable;

/** Skips malformed rows up to the limit and reports each; one more rejects the history. */
final class BadRowLimit implements BadRowHandler {

    private final long allowed;
    private long count;

    BadRowLimit(long allowed) {
        this.allowed = allowed;
    }

    @Override
    public synchronized void add(String file, long row, InputError fault, @Nullable String rawText) {
        InputLocation location = InputLocation.row(file, row);
        if (count == allowed) {
            throw new MalformedHistoryException(location, DeadLetters.tooMany(fault, allowed));
        }
        count++;
        Terminal.printNote(location + " skipped: " + fault.text());
    }

    synchronized long count() {
        return count;
    }
}
