package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;

/** One record on the wire: columns or a message, encoded, on its way to the task that owns its key. */
final class Chunk {

    /** What the bytes are. */
    enum Kind {
        /** Transactions of a slice without keys and values. */
        HEADS,
        /** Bad rows that were set aside, or what kept a split from being read. */
        BAD_ROWS,
        /** Which sessions hang together, as far as one reader knows. */
        FOREST,
        /** What was found out about the history as a whole. */
        PLAN,
        /** The ordinal of a split that is to be read again. */
        SPLIT,
        /** Operations of one lane. */
        LANE,
        /** Whole transactions. */
        SLICE,
        /** A component of a large group, to be searched. */
        COMPONENT,
        /** What the search of a component came to. */
        ANSWER,
        /** Reads of unknown transactions, as seen in one lane. */
        UNKNOWN_READS,
        /** Who counts as committed; comes before everything else of its key. */
        PROMOTED,
        /** What one task found by timestamps. */
        TIMESTAMP_OUTCOME,
        /** What one task found by values. */
        VALUE_OUTCOME,
        /** A row of the table of stages. */
        STAGE
    }

    private static final Kind[] KINDS = Kind.values();

    final Kind kind;
    final int key;
    final byte[] bytes;
    final int length;

    Chunk(Kind kind, int key, byte[] bytes, int length) {
        this.kind = kind;
        this.key = key;
        this.bytes = bytes;
        this.length = length;
    }

    Chunk(Kind kind, int key, byte[] bytes) {
        this(kind, key, bytes, bytes.length);
    }

    Chunk(Kind kind, int key, ByteSink bytes) {
        this(kind, key, bytes.bytes(), bytes.size());
    }

    static Kind kind(int ordinal) {
        return KINDS[ordinal];
    }

    int key() {
        return key;
    }

    ByteFeed feed() {
        return new ByteFeed(bytes, 0, length);
    }
}
