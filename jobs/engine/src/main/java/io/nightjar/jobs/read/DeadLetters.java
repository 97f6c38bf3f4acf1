package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Malformed rows that were skipped, up to the user's limit; the next one rejects the history. */
public final class DeadLetters implements BadRowHandler {

    private static final int MAX_RAW_TEXT_LENGTH = 4_000;

    private final long allowed;
    private final List<DeadLetter> letters = new ArrayList<>();
    private long unkept;

    public DeadLetters(long allowed) {
        this.allowed = allowed;
    }

    @Override
    public synchronized void add(String file, long row, InputError fault, @Nullable String rawText) {
        if (letters.size() >= allowed) {
            throw new MalformedHistoryException(InputLocation.row(file, row), tooMany(fault, allowed));
        }
        String kept = rawText != null && rawText.length() > MAX_RAW_TEXT_LENGTH
                ? rawText.substring(0, MAX_RAW_TEXT_LENGTH)
                : rawText;
        letters.add(new DeadLetter(file, row, fault, kept));
    }

    /** Returns the error of a malformed row, with the advice that it exceeds the limit, if the limit is not 0. */
    public static InputError tooMany(InputError fault, long allowed) {
        return allowed == 0 ? fault : fault.advise("more bad rows than allowed: max-dead-letters=" + allowed);
    }

    /** Counts further rows without storing them. */
    public synchronized void addUnkept(long more) {
        unkept += more;
    }

    public synchronized long count() {
        return letters.size() + unkept;
    }

    /** Returns the letters by file and row. */
    public synchronized List<DeadLetter> inOrder() {
        List<DeadLetter> sorted = new ArrayList<>(letters);
        sorted.sort(Comparator.comparing(DeadLetter::file).thenComparingLong(DeadLetter::row));
        return sorted;
    }

    /** A row that was skipped. */
    public record DeadLetter(String file, long row, InputError fault, @Nullable String rawText) {}
}
