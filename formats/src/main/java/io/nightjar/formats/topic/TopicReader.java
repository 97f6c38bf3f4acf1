package io.nightjar.formats.topic;

import java.io.IOException;
import java.util.Map;
import java.util.function.IntPredicate;

/** Reads the messages of a topic, each partition in the order of its offsets. Not safe for several threads. */
public interface TopicReader extends AutoCloseable {

    /**
     * Begins to read.
     *
     * @param offsets of the next message of each partition; what is not named begins with its oldest one
     * @param wanted which partitions are read, of those that are there and that appear
     * @throws IOException if the topic cannot be read, worth another try later
     */
    void begin(Map<Integer, Long> offsets, IntPredicate wanted) throws IOException;

    /**
     * Hands on what has arrived; waits a moment if nothing has.
     *
     * @throws IOException if the topic cannot be read any more, worth another try later
     */
    void poll(Visitor to) throws IOException, InterruptedException;

    /** Whether everything has been handed on that was there when the reading began. */
    boolean isAtEnd();

    @Override
    void close();

    /** Called for a message. */
    @FunctionalInterface
    interface Visitor {

        /** @param value null for a message without content */
        void message(int partition, long offset, byte[] value) throws IOException, InterruptedException;
    }
}
