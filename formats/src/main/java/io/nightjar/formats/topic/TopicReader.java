package io.nightjar.formats.topic;

import java.io.IOException;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a topic, each partition in the order of its offsets. Not safe for several threads. */
public interface TopicReader extends AutoCloseable {

    /**
     * Begins to read, with the first calls of poll where the topic does not {@link #silence answer} and is to be waited for.
     *
     * @param offsets of the next message of each partition; what is not named begins with its oldest one
     * @param wanted which partitions are read, of those that are there and that appear
     * @throws IOException if the topic cannot be read, worth another try later
     */
    void begin(Map<Integer, Long> offsets, IntPredicate wanted) throws IOException;

    /**
     * Hands on what has arrived; waits a moment if nothing has. While the topic does not {@link #silence answer} nothing
     * arrives, and each call tries again.
     *
     * @throws IOException if the topic cannot be read any more
     */
    void poll(Visitor to) throws IOException, InterruptedException;

    /** Why the topic has not answered for some time; null if it does. */
    @Nullable
    String silence();

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
