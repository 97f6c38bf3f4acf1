package io.nightjar.jobs.command;

import io.nightjar.formats.level.Verdict;

/** Colours results, where colours are wanted. */
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

    /** The text in this colour, or as it is where colours are not wanted. */
    public String on(String text) {
        return Terminal.colours() ? "\u001b[" + code + "m" + text + RESET : text;
    }
}
