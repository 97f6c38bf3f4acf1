package io.nightjar.pipeline.verify;

/** What a reader's own operations say about the list that it read. */
final class ListClaim {

    static final int NO_LIST = -1;

    /** The list as it was read, in the store of lists. */
    int stored = NO_LIST;

    int length;

    /** Own appends before that read. */
    long[] own = {};

    /** Whether the read ends with them. */
    boolean ownPartIsRight;

    /** Whether the read was held against an earlier read of the same transaction, and not against a snapshot. */
    boolean isLaterRead;

    /** Whether a later read only ends too early, so that no element differs from what was expected. */
    boolean endsTooEarly;

    long differing;
}
