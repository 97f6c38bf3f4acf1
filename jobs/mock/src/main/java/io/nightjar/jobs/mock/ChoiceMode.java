package io.nightjar.jobs.mock;

/** Which of the versions that a level allows a read returns. */
public enum ChoiceMode {
    /** One of the other modes for some reads in a row, in turn. */
    MIXED,
    /** Any, each as likely. */
    UNIFORM,
    /** The newest. */
    NEWEST,
    /** The newest, but at a few reads one that is older. */
    DEPTH
}
