package io.nightjar.pipeline.partition;

/** Extent of a slice that {@link SliceCodec} encodes. */
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
