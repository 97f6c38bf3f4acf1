package io.nightjar.jobs.mock;

/** Which of the versions that a level allows a read returns. */
public enum ChoiceMode {
    /** For some reads in a row one of the others, in turn. */
    MIXED,
    /** Any, each as likely. */
    UNIFORM,
    /** The newest. */
    NEWEST,
    /** The newest, but at a few reads one that is older. */
    DEPTH
}
