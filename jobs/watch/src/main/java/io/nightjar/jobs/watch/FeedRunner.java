package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.WatchFeeds.FeedPlan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the feed of a source, or of a part of one; the caller consumes new transactions, and saves the feed's state. */
public final class FeedRunner implements AutoCloseable {

    private static final int SHARE_OF_MEMORY = 8; // since several feeds share a process

    private final FeedThreads feed;
    private final Map<String, FeedPosition> positions = new HashMap<>();
    private final TxnDeduplicator known =
            new TxnDeduplicator(this::refuse, Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY);
    private List<DeadLetter> letters = new ArrayList<>(); // of the arrival that is being consumed

    /**
     * Transactions that arrived together.
     *
     * @param slice null if only dead letters arrived
     * @param letters malformed rows before the transactions
     * @param repeated number of repeated transactions dropped so far
     */
    public record Fed(@Nullable HistorySlice slice, long arrivedMicros, List<DeadLetter> letters, long repeated) {}

    /**
     * Starts reading.
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
        if (state.length > 0) {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(state));
            positions.putAll(Checkpoint.readRecord(in, Positions.class).byName());
            known.read(in);
        }
        FeedPlan plan = new FeedPlan(
                source, new FeedShare(share, shares), untilEnd, isAlone && state.length == 0, allowedHosts);
        feed = new FeedThreads(List.of(WatchFeeds.open(plan, positions, stdin, watcher)), Long.MAX_VALUE, whenThere);
        feed.start();
    }

    private void refuse(String file, long row, InputError fault, @Nullable String rawText) {
        letters.add(new DeadLetter(file, row, fault, rawText));
    }

    /**
     * Returns the next arrival, or null if none is available.
     *
     * @throws IOException if the source cannot be read further
     */
    public @Nullable Fed poll() throws IOException, InterruptedException {
        Arrival next = feed.poll(0);
        if (next == null) {
            feed.check();
            return null;
        }
        if (next.position() != null) {
            positions.put(next.position().name(), next.position());
        }
        letters = new ArrayList<>(next.letters());
        HistorySlice slice = next.slice() == null ? null : known.takeNew(next.slice());
        return new Fed(slice, next.arrivedMicros(), letters, known.repeated());
    }

    /** Returns whether nothing is available now, neither an arrival nor the end. */
    public boolean isEmpty() {
        return feed.isEmpty() && !feed.areDone();
    }

    /** Returns whether the source has ended and everything has been consumed. */
    public boolean isAtEnd() throws IOException {
        boolean isAtEnd = feed.areDone() && feed.isEmpty();
        feed.check();
        return isAtEnd;
    }

    /** Returns the state needed to resume after everything consumed. */
    public byte[] state() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            Checkpoint.writeRecord(out, new Positions(positions));
            known.write(out);
        } catch (IOException impossible) {
            throw new AssertionError("bug: memory cannot be written", impossible);
        }
        return bytes.toByteArray();
    }

    private record Positions(Map<String, FeedPosition> byName) {}

    @Override
    public void close() {
        feed.stop();
    }
}
