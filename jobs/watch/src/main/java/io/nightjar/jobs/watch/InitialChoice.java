package io.nightjar.jobs.watch;

import io.nightjar.formats.file.Addresses;
import io.nightjar.jobs.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The initial state of a watch: the option {@code --initial}.
 *
 * @param isLearned whether the first sealed read of a key determines it
 * @param history its last versions are the initial state; null for none
 */
public record InitialChoice(boolean isLearned, @Nullable Path history) {

    private static final InitialChoice EMPTY = new InitialChoice(false, null);
    private static final InitialChoice LEARNED = new InitialChoice(true, null);

    /** Returns whether keys have no initial values. */
    boolean isEmpty() {
        return !isLearned && history == null;
    }

    /** Returns the value of the option. */
    String name() {
        return history == null ? isLearned ? "learn" : "empty" : history.toString();
    }

    /**
     * Parses the option.
     *
     * @param text null for the default: learned, unless all sources are files, since other sources are attached to
     * existing data
     * @throws UsageException if the text is invalid
     */
    public static InitialChoice of(@Nullable String text, List<String> sources) {
        if (text == null) {
            return sources.stream().allMatch(WatchFeeds::isPath) ? EMPTY : LEARNED;
        }
        if (text.equals("empty") || text.equals("learn")) {
            return text.equals("learn") ? LEARNED : EMPTY;
        }
        Path history = Addresses.path(text);
        if (!Files.exists(history)) {
            throw new UsageException(
                    "unknown initial state: initial=" + text + " expected=learn, empty or a history's file");
        }
        return new InitialChoice(false, history);
    }
}
