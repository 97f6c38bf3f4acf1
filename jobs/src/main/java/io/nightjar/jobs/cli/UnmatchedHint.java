package io.nightjar.jobs.cli;

/** A command that explains arguments it does not recognize. */
interface UnmatchedHint {

    /** Returns the line that follows the message about unrecognized arguments. */
    String unmatchedHint();
}
