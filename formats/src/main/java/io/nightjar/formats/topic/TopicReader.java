package io.nightjar.formats.topic;

import java.io.IOException;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reader of the messages of a topic, each partition in the order of its offsets. Not thread-safe. */
public interface TopicReader extends AutoCloseable {

    /**
     * Starts reading; if the topic does not {@link #silence answer} and the caller waits for it, the first calls of
     * poll do this.
     *
     * @param offsets of the next message of each partition; other partitions begin with their oldest message
     * @param wanted selects the partitions to read, of the existing and of later ones
     * @throws IOException if the topic cannot be read now; a retry may succeed
     */
    void begin(Map<Integer, Long> offsets, IntPredicate wanted) throws IOException;

    /**
     * Passes on arrived messages; waits a moment if none has arrived. While the topic does not {@link #silence answer},
     * no message arrives, and each call tries again.
     *
     * @throws IOException if the topic can no longer be read
     */
    void poll(Visitor to) throws IOException, InterruptedException;

    /** Returns the reason why the topic does not answer; null if it does. */
    @Nullable
    String silence();

    /** Returns whether all messages that existed at the start of reading were passed on. */
    boolean isAtEnd();

    @Override
    void close();

    /** Receives a message. */
    @FunctionalInterface
    interface Visitor {

        /** @param value null for a message without content */
        void message(int partition, long offset, byte[] value) throws IOException, InterruptedException;
    }
}
