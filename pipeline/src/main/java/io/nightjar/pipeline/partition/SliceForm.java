package io.nightjar.pipeline.partition;

/** How much of a slice {@link SliceCodec} keeps. */
public enum SliceForm {

    /**
     * Transactions without the content of their operations: ids, sessions, status, times, and of each operation its
     * kind and whether it has a version and a writer. Columns of keys and values contain only the examples for a
     * message about their type.
     */
    HEADS,

    /** Everything. */
    ALL
}
