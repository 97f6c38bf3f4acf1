package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs the feed of a source, or of a part of one, on a thread; the caller consumes arrivals, and saves their positions.
 */
public final class FeedRunner implements AutoCloseable {

    private static final int MAX_WAITING = 8;
    private static final int SHARE_OF_MEMORY = 8; // since several feeds share a process

    private final RowFeed feed;
    private final Thread thread;
    private final Runnable whenThere;
    private final ArrayBlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Map<String, FeedPosition> positions = new HashMap<>();
    private final Map<String, ConsumedCount> taken = new HashMap<>(); // by sender that repeats unconfirmed rows
    private final TreeMap<Long, Map<String, ConsumedCount>> takenAt =
            new TreeMap<>(); // by checkpoint that is not complete
    private List<DeadLetter> refused = new ArrayList<>(); // of rows that have not been returned
    private final TxnDeduplicator known =
            new TxnDeduplicator(this::refuse, Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY);
    private List<DeadLetter> bad = new ArrayList<>(); // by the feed, since the last slice
    private volatile @Nullable Throwable failure;
    private volatile boolean hasEnded;
    private volatile boolean isClosed;

    /**
     * Transactions that arrived together.
     *
     * @param slice null if only dead letters arrived, or if the source has caught up
     * @param letters malformed rows before the transactions
     * @param repeated number of repeated transactions dropped so far
     */
    public record Fed(@Nullable HistorySlice slice, long arrivedMicros, List<DeadLetter> letters, long repeated) {

        /** Returns whether this indicates only that everything present when the source began has been delivered. */
        public boolean isCaughtUp() {
            return slice == null && letters.isEmpty();
        }
    }

    /** Transactions from the feed, possibly repeated, and the position after them. */
    private record Brought(HistorySlice slice, FeedPosition position) {}

    /** An arrival that is not consumed yet; {@code brought} is null if it has dead letters only, or nothing. */
    private record Waiting(@Nullable Brought brought, long arrivedMicros, List<DeadLetter> letters) {}

    private FeedRunner(FeedPlan plan, byte[] state, InputStream stdin, ProgressListener watcher, Runnable whenThere)
            throws IOException {
        if (state.length > 0) {
            read(new DataInputStream(new ByteArrayInputStream(state)));
        }
        this.whenThere = whenThere;
        this.feed = WatchFeeds.open(plan, positions, stdin, watcher);
        if (feed.isCounting()) {
            known.holdLastPositions();
            feed.continueFrom(known.lastPositions());
        }
        this.thread = new Thread(this::feed, "watch-" + plan.source());
        thread.setDaemon(true);
    }

    /**
     * Starts reading.
     *
     * @param share number of the part to read, of {@code shares}
     * @param tellsDurable whether checkpoints survive a kill, so that senders are notified of them
     * @param isOnly whether the watch has no other source
     * @param state of the feed to resume, or empty
     * @param scratch folder for data that is being read
     * @param allowedHosts further host names that requests to it may use
     * @param whenThere run by another thread when an arrival is available, or the source has ended
     */
    public static FeedRunner begin(
            String source,
            int share,
            int shares,
            boolean untilEnd,
            boolean tellsDurable,
            boolean isOnly,
            byte[] state,
            InputStream stdin,
            Path scratch,
            List<String> allowedHosts,
            ProgressListener watcher,
            Runnable whenThere)
            throws IOException {
        FeedPlan plan = new FeedPlan(
                source,
                new FeedShare(share, shares),
                untilEnd,
                isOnly && !tellsDurable && state.length == 0,
                scratch,
                allowedHosts);
        FeedRunner fed = new FeedRunner(plan, state, stdin, watcher, whenThere);
        if (tellsDurable) {
            fed.feed.reportDurable();
        }
        fed.thread.start();
        return fed;
    }

    // ---------------------------------------------------------------- the thread that reads

    private void feed() {
        try {
            FeedInbox inbox = new FeedInbox();
            if (!feed.tellsCaughtUp()) {
                inbox.recordCaughtUp();
            }
            feed.run(inbox);
            List<DeadLetter> letters = takeBad();
            if (!letters.isEmpty()) {
                waiting.put(new Waiting(null, WatchClock.micros(), letters));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error failed) {
            failure = isClosed ? null : failed;
        } finally {
            hasEnded = true;
            whenThere.run();
        }
    }

    private synchronized List<DeadLetter> takeBad() {
        List<DeadLetter> letters = bad;
        bad = new ArrayList<>();
        return letters;
    }

    private synchronized void addBad(String file, long row, InputError fault, @Nullable String rawText) {
        bad.add(new DeadLetter(file, row, fault, rawText));
    }

    private final class FeedInbox implements ArrivalSink {

        @Override
        public void put(HistorySlice slice, RowFeed from, FeedPosition position) throws InterruptedException {
            waiting.put(new Waiting(new Brought(slice, position), WatchClock.micros(), takeBad()));
            whenThere.run();
        }

        @Override
        public BadRowHandler badRows() {
            return FeedRunner.this::addBad;
        }

        @Override
        public boolean isClosed() {
            return isClosed;
        }

        @Override
        public void recordCaughtUp() throws InterruptedException {
            waiting.put(new Waiting(null, WatchClock.micros(), List.of()));
            whenThere.run();
        }
    }

    // ---------------------------------------------------------------- the thread that takes rows

    private void refuse(String file, long row, InputError fault, @Nullable String rawText) {
        refused.add(new DeadLetter(file, row, fault, rawText));
    }

    /**
     * Returns the next arrival, or null if none is available.
     *
     * @throws IOException if the source cannot be read further
     */
    public @Nullable Fed poll() throws IOException {
        Waiting next = waiting.poll();
        if (next == null) {
            if (failure instanceof IOException io) {
                throw io;
            } else if (failure != null) {
                throw new IllegalStateException(failure);
            }
            return null;
        }
        refused = new ArrayList<>(next.letters());
        HistorySlice slice = next.brought() == null ? null : take(next.brought());
        return new Fed(slice, next.arrivedMicros(), refused, known.repeated());
    }

    /** Returns the new transactions; null if all are repeated. */
    private @Nullable HistorySlice take(Brought brought) {
        FeedPosition position = brought.position();
        if (feed.isResumable()) {
            positions.put(position.name(), position);
        } else {
            ConsumedCount more = new ConsumedCount(position.lines(), brought.slice().txnCount);
            taken.merge(position.name(), more, ConsumedCount::and);
        }
        return known.takeNew(brought.slice());
    }

    /** Returns whether no arrival is available now, though more may follow. */
    public boolean isEmpty() {
        return waiting.isEmpty() && failure == null;
    }

    /** Returns whether the source has ended and everything has been consumed. */
    public boolean isAtEnd() {
        return hasEnded && waiting.isEmpty() && failure == null;
    }

    /** Records that a checkpoint contains everything consumed so far. */
    public void recordCheckpoint(long checkpoint) {
        takenAt.put(checkpoint, new HashMap<>(taken));
    }

    /** Notifies senders that a complete checkpoint contains their transactions. */
    public void completeCheckpoint(long checkpoint) {
        Map<String, ConsumedCount> durable = takenAt.remove(checkpoint);
        takenAt.headMap(checkpoint).clear();
        if (durable != null) {
            Set<String> settled = new HashSet<>(durable.keySet());
            feed.durable(durable);
            settled.removeAll(durable.keySet());
            taken.keySet().removeAll(settled);
        }
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

    private void read(DataInputStream in) throws IOException {
        positions.putAll(Checkpoint.readRecord(in, Positions.class).byName());
        known.read(in);
    }

    private record Positions(Map<String, FeedPosition> byName) {}

    @Override
    public void close() {
        isClosed = true;
        feed.close();
        thread.interrupt();
    }
}
