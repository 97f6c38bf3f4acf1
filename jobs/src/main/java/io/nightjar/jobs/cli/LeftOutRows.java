package io.nightjar.jobs.cli;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import org.jspecify.annotations.Nullable;

/** Sets aside as many bad rows as are allowed, saying each; one more rejects the history. */
final class LeftOutRows implements BadRows {

    private final long allowed;
    private long count;

    LeftOutRows(long allowed) {
        this.allowed = allowed;
    }

    @Override
    public synchronized void add(String file, long row, @Nullable String reason, @Nullable String rawText) {
        Place place = Place.row(file, row);
        if (count == allowed) {
            String more = allowed == 0 ? "" : "; more bad rows than allowed: maxDeadLetters=" + allowed;
            throw new MalformedHistoryException(place, reason + more);
        }
        count++;
        Terminal.note(place + " set aside: " + reason);
    }

    synchronized long count() {
        return count;
    }
}
