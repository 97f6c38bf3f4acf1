package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keys held before the first write: what {@code --initial} says.
 *
 * @param isLearned whether the first sealed read of a key shows it
 * @param history whose end it is; null for none
 */
public record InitialChoice(boolean isLearned, @Nullable Path history) {

    private static final InitialChoice EMPTY = new InitialChoice(false, null);
    private static final InitialChoice LEARNED = new InitialChoice(true, null);

    /** Whether nothing was there. */
    boolean isEmpty() {
        return !isLearned && history == null;
    }

    /** The value of the option. */
    String name() {
        return history == null ? isLearned ? "learn" : "empty" : history.toString();
    }

    /**
     * Reads the option.
     *
     * @param text null for what fits the sources: a watch that listens or reads a topic is attached to data that is
     *     there already
     * @throws UsageException if it is none
     */
    public static InitialChoice of(@Nullable String text, List<String> sources) {
        if (text == null) {
            return sources.stream().allMatch(WatchFeeds::isLocal) ? EMPTY : LEARNED;
        }
        if (text.equals("empty") || text.equals("learn")) {
            return text.equals("learn") ? LEARNED : EMPTY;
        }
        Path history = Path.of(text);
        if (!Files.exists(history)) {
            throw new UsageException(
                    "unknown initial state: initial=" + text + " expected=learn, empty or a history's file");
        }
        return new InitialChoice(false, history);
    }
}
