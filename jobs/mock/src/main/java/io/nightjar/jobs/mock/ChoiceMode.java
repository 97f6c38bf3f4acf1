package io.nightjar.jobs.mock;

/** Policy that selects which of the versions allowed by a level a read returns. */
public enum ChoiceMode {
    /** Each of the other modes in turn, for some consecutive reads. */
    MIXED,
    /** Any version, with equal probability. */
    UNIFORM,
    /** The newest version. */
    NEWEST,
    /** The newest version, except for an older one at a few reads. */
    DEPTH
}
