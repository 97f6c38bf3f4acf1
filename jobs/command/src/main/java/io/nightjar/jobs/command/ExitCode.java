package io.nightjar.jobs.command;

import io.nightjar.formats.level.Verdict;

/** What the process returns, and how the answers for several histories become one. */
public final class ExitCode {

    public static final int HOLDS = 0;
    public static final int VIOLATED = 1;
    public static final int UNDECIDED = 2;
    public static final int REJECTED = 3;
    public static final int USAGE = 64;
    public static final int FAULT = 70;
    public static final int STORAGE = 75;

    /** What a shell reports for a program whose reader went away; its answer was not delivered. */
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

    /** The one of two answers that a call over several histories returns. */
    public static int worse(int one, int other) {
        for (int code : WORST_FIRST) {
            if (one == code || other == code) {
                return code;
            }
        }
        throw new IllegalArgumentException("not the answer of a check: one=" + one + " other=" + other);
    }
}
