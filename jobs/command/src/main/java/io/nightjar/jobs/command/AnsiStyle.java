package io.nightjar.jobs.command;

import io.nightjar.formats.level.Verdict;

/** Colors results, if colors are enabled. */
public enum AnsiStyle {
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    BOLD("1");

    private static final String RESET = "\u001b[0m";

    private final String code;

    AnsiStyle(String code) {
        this.code = code;
    }

    public static AnsiStyle of(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> GREEN;
            case VIOLATED -> RED;
            case UNDECIDED -> YELLOW;
        };
    }

    /** Returns the text in this color, or unchanged if colors are disabled. */
    public String on(String text) {
        return Terminal.colours() ? "\u001b[" + code + "m" + text + RESET : text;
    }
}
