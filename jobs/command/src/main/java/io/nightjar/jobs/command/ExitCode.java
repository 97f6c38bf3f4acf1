package io.nightjar.jobs.command;

import io.nightjar.formats.level.Verdict;

/** The exit codes of the process, and the rule that combines the codes of several histories. */
public final class ExitCode {

    public static final int HOLDS = 0;
    public static final int VIOLATED = 1;
    public static final int UNDECIDED = 2;
    public static final int REJECTED = 3;
    public static final int USAGE = 64;
    public static final int FAULT = 70;
    public static final int STORAGE = 75;

    /** The exit code that a shell reports for a program whose reader went away; its result was not delivered. */
    public static final int BROKEN_PIPE = 141;

    private static final int[] WORST_FIRST = {FAULT, STORAGE, USAGE, REJECTED, VIOLATED, UNDECIDED, HOLDS};

    private ExitCode() {}

    public static int of(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> HOLDS;
            case VIOLATED -> VIOLATED;
            case UNDECIDED -> UNDECIDED;
        };
    }

    /** Returns the exit code of a call over several histories, given two of their codes. */
    public static int worse(int one, int other) {
        for (int code : WORST_FIRST) {
            if (one == code || other == code) {
                return code;
            }
        }
        throw new IllegalArgumentException("not the answer of a check: one=" + one + " other=" + other);
    }
}
