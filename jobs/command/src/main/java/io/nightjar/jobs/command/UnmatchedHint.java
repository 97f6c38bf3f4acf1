package io.nightjar.jobs.command;

/** A command that explains arguments it does not recognize. */
public interface UnmatchedHint {

    /** Returns the line that follows the message about unrecognized arguments. */
    String unmatchedHint();
}
