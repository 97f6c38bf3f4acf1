package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.WatchFeeds.FeedPlan;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the feeds of sources; the caller consumes new transactions, and saves the state of the feeds. */
public final class FeedRunner implements AutoCloseable {

    private static final int SHARE_OF_MEMORY = 8; // since several runners share a process

    private final FeedThreads feeds;
    private final Map<String, FeedPosition> positions = new HashMap<>();
    private final TxnDeduplicator known;
    private List<DeadLetter> letters = new ArrayList<>(); // of the arrival that is being consumed

    /**
     * Transactions that arrived together.
     *
     * @param slice null if only dead letters arrived
     * @param letters malformed rows before the transactions
     * @param repeated number of repeated transactions dropped so far
     */
    public record Fed(@Nullable HistorySlice slice, long arrivedMicros, List<DeadLetter> letters, long repeated) {

        long byteSize() {
            return slice == null ? 0 : slice.byteSize();
        }
    }

    /** Opens feeds that resume at the given positions, by name. */
    @FunctionalInterface
    interface Opener {
        List<RowFeed> open(Map<String, FeedPosition> positions) throws IOException;
    }

    private record State(Map<String, FeedPosition> positions, TxnDeduplicator.State known) {}

    /**
     * Opens the feed of a source, or of a part of one.
     *
     * @param share number of the part to read, of {@code shares}
     * @param isAlone whether the source has all rows, and is read from its beginning by one call
     * @param state of the feed to resume, or empty
     * @param allowedHosts further host names that requests to it may use
     * @param whenThere run by another thread when an arrival is available, or the source has ended
     */
    public FeedRunner(
            String source,
            int share,
            int shares,
            boolean untilEnd,
            boolean isAlone,
            byte[] state,
            InputStream stdin,
            List<String> allowedHosts,
            ProgressListener watcher,
            Runnable whenThere)
            throws IOException {
        this(
                positions -> List.of(WatchFeeds.open(
                        new FeedPlan(
                                source,
                                new FeedShare(share, shares),
                                untilEnd,
                                isAlone && state.length == 0,
                                allowedHosts),
                        positions,
                        stdin,
                        watcher)),
                state,
                Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY,
                Long.MAX_VALUE,
                whenThere);
    }

    /**
     * @param memoryBytes for the known transactions
     * @param maxWaiting bytes of arrivals that may wait
     */
    FeedRunner(Opener opener, byte[] state, long memoryBytes, long maxWaiting, Runnable whenThere) throws IOException {
        known = new TxnDeduplicator(this::refuse, memoryBytes);
        if (state.length > 0) {
            State before = ResultCodec.decode(State.class, new ByteReader(state, 0, state.length));
            positions.putAll(before.positions);
            known.resume(before.known);
        }
        feeds = new FeedThreads(opener.open(positions), maxWaiting, whenThere);
    }

    /** Starts reading. */
    public void start() {
        feeds.start();
    }

    private void refuse(String file, long row, InputError fault, @Nullable String rawText) {
        letters.add(new DeadLetter(file, row, fault, rawText));
    }

    /**
     * Returns the next arrival, or null if none arrives in time.
     *
     * @throws IOException if a source cannot be read further
     */
    public @Nullable Fed poll(long nanos) throws IOException, InterruptedException {
        Arrival next = feeds.poll(nanos);
        if (next == null) {
            feeds.check();
            return null;
        }
        if (next.position() != null) {
            positions.put(next.position().name(), next.position());
        }
        letters = new ArrayList<>(next.letters());
        HistorySlice slice = next.slice() == null ? null : known.takeNew(next.slice());
        return new Fed(slice, next.arrivedMicros(), letters, known.repeated());
    }

    /** Returns the number of repeated transactions dropped so far. */
    long repeated() {
        return known.repeated();
    }

    /** Returns the bytes of the known transactions. */
    long byteSize() {
        return known.byteSize();
    }

    /** Returns whether nothing is available now, neither an arrival nor the end. */
    public boolean isEmpty() {
        return feeds.isEmpty() && !feeds.areDone();
    }

    /** Returns whether the sources have ended and everything has been consumed. */
    public boolean isAtEnd() throws IOException {
        boolean isAtEnd = feeds.areDone() && feeds.isEmpty();
        feeds.check();
        return isAtEnd;
    }

    /** Returns the state needed to resume after everything consumed. */
    public byte[] state() {
        ByteWriter bytes = ResultCodec.bytes(new State(positions, known.state()));
        return Arrays.copyOf(bytes.bytes(), bytes.size());
    }

    @Override
    public void close() {
        feeds.stop();
    }
}
