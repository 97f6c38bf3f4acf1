package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.run.ProgressListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Log of rejected rows with their reasons: all are counted, the first ones kept. */
final class DeadLetterLog implements BadRowHandler {

    private static final int MAX_KEPT = 10_000;

    private final long allowed;
    private final ProgressListener watcher;
    private final DeadLetters kept = new DeadLetters(Long.MAX_VALUE);
    private List<DeadLetters.DeadLetter> news = new ArrayList<>(); // kept since they were taken
    private long count;

    /**
     * @param allowed maximum number of rejected rows
     * @param watcher called for the first one
     */
    DeadLetterLog(long allowed, ProgressListener watcher) {
        this.allowed = allowed;
        this.watcher = watcher;
    }

    @Override
    public synchronized void add(String file, long row, InputError fault, @Nullable String rawText) {
        count++;
        if (count == 1 && allowed > 0) {
            watcher.printNote(SanitizedText.flat(InputLocation.line(file, row) + " first bad row: " + fault.text()));
        }
        if (count <= MAX_KEPT) {
            kept.add(file, row, fault, rawText);
            news.add(new DeadLetters.DeadLetter(file, row, fault, rawText));
        } else {
            kept.addUnkept(1);
        }
    }

    synchronized long count() {
        return count;
    }

    /** @throws MalformedHistoryException if more rows were rejected than allowed */
    synchronized void refuseTooMany() {
        if (count > allowed) {
            List<DeadLetters.DeadLetter> inOrder = kept.inOrder();
            DeadLetters.DeadLetter last = inOrder.get(inOrder.size() - 1);
            throw new MalformedHistoryException(
                    InputLocation.line(last.file(), last.row()), DeadLetters.tooMany(last.fault(), allowed));
        }
    }

    synchronized void addAll(List<DeadLetters.DeadLetter> letters) {
        letters.forEach(letter -> add(letter.file(), letter.row(), letter.fault(), letter.rawText()));
    }

    /** Continues the count of an earlier log, of which the first letters have been added. */
    synchronized void resume(long countBefore) {
        kept.addUnkept(countBefore - count);
        count = countBefore;
    }

    /** Returns the rows that were kept since the last call. */
    synchronized List<DeadLetters.DeadLetter> takeNews() {
        List<DeadLetters.DeadLetter> taken = news;
        news = new ArrayList<>();
        return taken;
    }

    DeadLetters all() {
        return kept;
    }
}
