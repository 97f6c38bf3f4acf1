package io.nightjar.pipeline.partition;

/** How much of a slice {@link SliceCodec} keeps. */
public enum SliceForm {

    /**
     * Transactions without what they did: ids, sessions, status, times, and of each operation its kind and whether it has
     * a version and a writer. Columns of keys and values hold what a message about their type shows, and nothing else.
     */
    HEADS,

    /** Everything. */
    ALL
}
