package io.nightjar.jobs.flink;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.util.InstantiationUtil;

/** One record on the wire, on its way to the task that owns its key: packed columns, or a message. */
final class Chunk {

    /** The kinds of content that a chunk may have. */
    enum Kind {
        /** A record of Java that was serialized; all others are columns. */
        MESSAGE,
        /** Transactions of slices without keys and values. */
        HEADS,
        /** Groups of connected sessions, as far as one reader can determine them. */
        FOREST,
        /** Operations of one lane. */
        LANE,
        /** Whole transactions. */
        SLICE,
        /** A component of a large group, to be searched. */
        COMPONENT,
        /** Result of the search of a component. */
        ANSWER,
        /** Reads of unknown transactions, as seen in one lane. */
        UNKNOWN_READS,
        /** Result of one task from timestamps. */
        TIMESTAMP_OUTCOME,
        /** Result of one task from values. */
        VALUE_OUTCOME,
        /** Result for a history of tables. */
        TABLE_OUTCOME,
        /** How serializability was decided where the order of commits does not prove it. */
        SERIAL_OUTCOME,
        /** Transactions that may have missed a version, as seen in some lanes. */
        MISSES,
        /** Dependencies that may go back in the order of positions, as seen in some lanes. */
        DEPENDENCIES,
        /** Some lanes do not determine positions. */
        NO_POSITIONS,
        /** Positions of transactions, and the segments over which dependencies go back. */
        POSITIONS,
        /** Segments that are not serializable, of a task. */
        OPEN_SEGMENTS,
        /** An entry of a watch's log; the key is its type. */
        LOG_ENTRY,
        /** Ids of transactions. */
        IDS,
        /** When rows committed. */
        COMMITS
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

    Chunk(Kind kind, int key, ByteWriter bytes) {
        this(kind, key, bytes.bytes(), bytes.size());
    }

    /** Returns a message for the stage that receives the key. */
    static Chunk of(int key, Serializable message) {
        try {
            return new Chunk(Kind.MESSAGE, key, InstantiationUtil.serializeObject(message));
        } catch (IOException e) {
            throw new AssertionError("bug: a message cannot be serialized: type=" + message.getClass(), e);
        }
    }

    static Kind kind(int ordinal) {
        return KINDS[ordinal];
    }

    int key() {
        return key;
    }

    /** Returns the message that this is. */
    Object message() {
        try {
            return InstantiationUtil.deserializeObject(bytes, Chunk.class.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError("bug: not a message: kind=" + kind, e);
        }
    }

    ByteReader feed() {
        return new ByteReader(bytes, 0, length);
    }
}
