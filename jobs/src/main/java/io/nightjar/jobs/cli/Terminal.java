package io.nightjar.jobs.cli;

import io.nightjar.formats.history.PlainText;
import java.util.Locale;
import java.util.Map;

/**
 * What is known of the terminal, and the one place that talks to the user beside the results.
 *
 * <p>The state is that of the process: set once while the command line is parsed, read from anywhere.
 */
public final class Terminal {

    private static final int DEFAULT_WIDTH = 80;

    private static volatile boolean quiet;
    private static volatile boolean isEnding;
    private static volatile boolean verbose;
    private static volatile Colours wanted = Colours.AUTO;

    /** Whether results are coloured. */
    enum Colours {
        /** On a terminal, unless NO_COLOR is set. */
        AUTO,
        ALWAYS,
        NEVER;

        /** Whether that means colours, with these variables of the environment. */
        boolean areOn(boolean onTerminal, Map<String, String> environment) {
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

    static void quiet(boolean wanted) {
        quiet = wanted;
    }

    static void verbose(boolean wanted) {
        verbose = wanted;
    }

    static void colours(Colours choice) {
        wanted = choice;
    }

    public static boolean isQuiet() {
        return quiet;
    }

    public static boolean isVerbose() {
        return verbose;
    }

    /** Says something that is not a result; {@code --quiet} silences it. */
    public static void note(String line) {
        if (!quiet) {
            ProgressBoard.ofProcess().aside(PlainText.flat(line));
        }
    }

    /** A result is about to be written: what is shown in its place goes, if both go to one terminal. */
    static void beginResult() {
        if (stdoutIsTerminal() && stderrIsTerminal()) {
            ProgressBoard.ofProcess().makeRoom();
        }
    }

    /** The process ends at a user's word: whatever fails from here on, since its files go away, is no news. */
    static void silence() {
        isEnding = true;
    }

    /** Says why there is no result, or no full one, in a line or more; nothing but the end silences it. */
    public static void complain(String text) {
        if (isEnding) {
            return;
        }
        ProgressBoard.ofProcess().aside("nightjar: " + PlainText.lines(text));
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

    /** Whether stdout may be coloured. */
    public static boolean colours() {
        return wanted.areOn(stdoutIsTerminal(), System.getenv());
    }

    /** Columns of the terminal, or a usual number of them. */
    public static int width() {
        return Integer.getInteger("nightjar.columns", DEFAULT_WIDTH);
    }

    /** How wide results may be: as the terminal, or without a bound where they go elsewhere. */
    static int resultWidth() {
        return stdoutIsTerminal() ? width() : Integer.MAX_VALUE;
    }

    static boolean isDumb() {
        return "dumb".equals(System.getenv("TERM"));
    }

    /** Java cannot tell which of the three streams is a terminal; the launcher can, and lists their numbers. */
    private static boolean isTerminal(char stream) {
        return System.getProperty("nightjar.terminals", "")
                        .toLowerCase(Locale.ROOT)
                        .indexOf(stream)
                >= 0;
    }
}
