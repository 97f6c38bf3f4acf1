package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.Terminal;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.jobs.read.DeadLetters;
import org.jspecify.annotations.Nullable;

/** Sets aside as many bad rows as are allowed, saying each; one more rejects the history. */
final class LeftOutRows implements BadRows {

    private final long allowed;
    private long count;

    LeftOutRows(long allowed) {
        this.allowed = allowed;
    }

    @Override
    public synchronized void add(String file, long row, InputFault fault, @Nullable String rawText) {
        Place place = Place.row(file, row);
        if (count == allowed) {
            throw new MalformedHistoryException(place, DeadLetters.tooMany(fault, allowed));
        }
        count++;
        Terminal.note(place + " set aside: " + fault.text());
    }

    synchronized long count() {
        return count;
    }
}
