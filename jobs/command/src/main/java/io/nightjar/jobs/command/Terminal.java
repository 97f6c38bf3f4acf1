package io.nightjar.jobs.command;

import io.nightjar.formats.history.SanitizedText;
import java.util.Locale;
import java.util.Map;

/**
 * State of the terminal, and the only class that prints messages to the user besides the results.
 *
 * <p>The state is that of the process: set once while the command line is parsed, read from anywhere.
 */
public final class Terminal {

    private static final int DEFAULT_WIDTH = 80;

    private static volatile boolean quiet;
    private static volatile boolean isEnding;
    private static volatile boolean verbose;
    private static volatile Colours wanted = Colours.AUTO;

    /** The option for colored results. */
    public enum Colours {
        /** On a terminal, unless NO_COLOR is set. */
        AUTO,
        ALWAYS,
        NEVER;

        /** Returns whether the option enables colors, with these variables of the environment. */
        public boolean areOn(boolean onTerminal, Map<String, String> environment) {
            return switch (this) {
                case ALWAYS -> true;
                case NEVER -> false;
                case AUTO ->
                    onTerminal
                            && environment.getOrDefault("NO_COLOR", "").isEmpty()
                            && !"dumb".equals(environment.get("TERM"));
            };
        }
    }

    private Terminal() {}

    public static void quiet(boolean wanted) {
        quiet = wanted;
    }

    public static void verbose(boolean wanted) {
        verbose = wanted;
    }

    public static void colours(Colours choice) {
        wanted = choice;
    }

    public static boolean isQuiet() {
        return quiet;
    }

    public static boolean isVerbose() {
        return verbose;
    }

    /** Prints a message that is not a result; {@code --quiet} silences it. */
    public static void printNote(String line) {
        if (!quiet) {
            ProgressBoard.ofProcess().aside(SanitizedText.flat(line));
        }
    }

    /** Prepares for a result: wipes the text that it replaces, if both go to one terminal. */
    public static void beginResult() {
        if (stdoutIsTerminal() && stderrIsTerminal()) {
            ProgressBoard.ofProcess().clearLines();
        }
    }

    /**
     * Silences all messages, because the user ends the process: later failures only mean that its files are deleted.
     */
    static void silence() {
        isEnding = true;
    }

    /** Reports why a result is missing or incomplete, in one or more lines; only the end of the process silences it. */
    public static void complain(String text) {
        if (isEnding) {
            return;
        }
        ProgressBoard.ofProcess().aside("nightjar: " + SanitizedText.lines(text));
    }

    public static boolean stdinIsTerminal() {
        return isTerminal('0');
    }

    public static boolean stdoutIsTerminal() {
        return isTerminal('1');
    }

    public static boolean stderrIsTerminal() {
        return isTerminal('2');
    }

    /** Returns whether stdout may be colored. */
    public static boolean colours() {
        return wanted.areOn(stdoutIsTerminal(), System.getenv());
    }

    /** Returns the number of columns of the terminal, or a default. */
    public static int width() {
        return Integer.getInteger("nightjar.columns", DEFAULT_WIDTH);
    }

    /** Returns the maximum width of results: that of the terminal, or unlimited if they are redirected. */
    public static int resultWidth() {
        return stdoutIsTerminal() ? width() : Integer.MAX_VALUE;
    }

    static boolean isDumb() {
        return "dumb".equals(System.getenv("TERM"));
    }

    /**
     * Returns whether a stream is a terminal. Java cannot determine which of the three is; the launcher can, and lists
     * their numbers.
     */
    private static boolean isTerminal(char stream) {
        return System.getProperty("nightjar.terminals", "")
                        .toLowerCase(Locale.ROOT)
                        .indexOf(stream)
                >= 0;
    }
}
