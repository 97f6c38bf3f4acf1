package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.jobs.read.DeadLetters;
import java.util.ArrayList;
import java.util.List;

/** Rows that were not taken and why: all counted, the first ones kept. */
final class WatchLetters implements BadRows {

    private static final int MOST_KEPT = 10_000;

    private final long allowed;
    private final DeadLetters kept = new DeadLetters(Long.MAX_VALUE);
    private final List<DeadLetters.DeadLetter> fresh = new ArrayList<>();
    private long count;

    /** @param allowed how many there may be */
    WatchLetters(long allowed) {
        this.allowed = allowed;
    }

    @Override
    public synchronized void add(String file, long row, String reason, String rawText) {
        count++;
        if (count <= MOST_KEPT) {
            kept.add(file, row, reason, rawText);
            fresh.add(new DeadLetters.DeadLetter(file, row, reason, rawText));
        } else {
            kept.addUnkept(1);
        }
    }

    synchronized long count() {
        return count;
    }

    /** Whether there are more than may be. */
    synchronized boolean areTooMany() {
        return count > allowed;
    }

    /** Those that came since the last call. */
    synchronized List<DeadLetters.DeadLetter> takeFresh() {
        List<DeadLetters.DeadLetter> taken = List.copyOf(fresh);
        fresh.clear();
        return taken;
    }

    DeadLetters all() {
        return kept;
    }
}
