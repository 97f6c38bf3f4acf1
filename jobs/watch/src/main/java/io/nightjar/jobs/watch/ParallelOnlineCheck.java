package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.online.SessionPositionPartitioner;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Check of arrivals in parallel: keys are partitioned into lanes, sessions are a further lane. */
final class ParallelOnlineCheck implements AutoCloseable {

    /*
     * Algorithm. Keys and sessions are independent, so each lane has its own OnlineCheck, and one more checks the
     * sessions. With one thread, a single lane has keys and sessions.
     *
     * Invariant. A call that adds or seals returns when all lanes are done. Findings are reported then, lane by lane,
     * so that their order does not depend on threads.
     */

    /** Number of lanes in checkpoints: a multiple of every permitted number of lanes. */
    private static final int LANES_IN_FILES = 128;

    private static final int MAX_LANES = 8;
    private static final int FEW_OPS = 256;
    private static final int END = -1;

    private final OnlineCheck[] checks; // by lane of keys; the last one is of sessions if several exist
    private final QueuedChanges[] tolds;
    private final int laneCount;
    private final TransactionScan scan;
    private final SessionPositionPartitioner positions = new SessionPositionPartitioner(1);
    private final @Nullable ExecutorService helpers; // null for none
    private long txnCount;
    private long opCount;
    private long opsTaken; // not placed yet

    ParallelOnlineCheck(CheckOptions options, OnlineListener listener) {
        this.laneCount = Math.min(MAX_LANES, Integer.highestOneBit(options.threadCount()));
        int count = laneCount == 1 ? 1 : laneCount + 1;
        this.checks = new OnlineCheck[count];
        this.tolds = new QueuedChanges[count];
        for (int lane = 0; lane < count; lane++) {
            tolds[lane] = new QueuedChanges(listener);
            checks[lane] =
                    new OnlineCheck(options.timedLevels(), options.initialValue(), count == 1 ? listener : tolds[lane]);
        }
        this.scan = new TransactionScan(laneCount, options.initialValue());
        int helperCount = Math.min(options.threadCount(), count) - 1;
        this.helpers = helperCount < 1
                ? null
                : Executors.newFixedThreadPool(helperCount, task -> {
                    Thread thread = new Thread(task, "watch-check");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Buffer of a lane's changes until all lanes are done. */
    private static final class QueuedChanges implements OnlineListener {

        private final OnlineListener listener;
        private final List<Runnable> changes = new ArrayList<>();

        QueuedChanges(OnlineListener listener) {
            this.listener = listener;
        }

        @Override
        public void changed(Change change, OnlineFinding finding, boolean isWrong) {
            changes.add(() -> listener.changed(change, finding, isWrong));
        }

        @Override
        public boolean wantsProvisional() {
            return listener.wantsProvisional();
        }

        private void flush() {
            changes.forEach(Runnable::run);
            changes.clear();
        }
    }

    // ---------------------------------------------------------------- side by side

    @FunctionalInterface
    private interface Work {
        void on(int lane);
    }

    private void onAll(boolean isShort, Work work) {
        if (helpers == null || isShort) {
            for (int lane = 0; lane < checks.length; lane++) {
                work.on(lane);
            }
        } else {
            share(work, helpers);
        }
        for (QueuedChanges queue : tolds) {
            queue.flush();
        }
    }

    /** Works on all lanes; returns when all are done, since lanes must not be left half done. */
    private void share(Work work, ExecutorService helpers) {
        CompletableFuture<?>[] others = IntStream.range(1, checks.length)
                .mapToObj(lane -> CompletableFuture.runAsync(() -> work.on(lane), helpers))
                .toArray(CompletableFuture[]::new);
        try {
            work.on(0);
        } finally {
            join(CompletableFuture.allOf(others));
        }
    }

    private static void join(CompletableFuture<?> all) {
        try {
            all.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw (Error) failed.getCause();
        }
    }

    // ---------------------------------------------------------------- before the first arrival

    /** Determines the initial state of a key from its first sealed read. */
    void learnInitial() {
        for (OnlineCheck check : checks) {
            check.learnInitial();
        }
    }

    /** Starts from the end state of a history's check. */
    void startFrom(OnlineCheck history) {
        for (int lane = 0; lane < laneCount; lane++) {
            checks[lane].startFrom(history, lane, laneCount);
        }
    }

    /**
     * Returns the initial states of keys that arrivals used, as transactions that write them; see
     * {@link OnlineCheck#initialState}.
     */
    List<HistorySlice> initialState(long at, LongSupplier nextId) {
        List<HistorySlice> all = new ArrayList<>();
        for (OnlineCheck check : checks) {
            all.addAll(check.initialState(at, nextId));
        }
        return all;
    }

    // ---------------------------------------------------------------- state

    void write(DataOutputStream out) throws IOException {
        out.writeLong(watermark());
        out.writeInt(checks.length);
        for (OnlineCheck check : checks) {
            ByteWriter[] lanes = OnlineCheckCodec.write(check, LANES_IN_FILES, 0);
            for (int lane = 0; lane < LANES_IN_FILES; lane++) {
                if (lanes[lane] != null) {
                    out.writeInt(lane);
                    Checkpoint.writeBytes(out, lanes[lane]);
                }
            }
            out.writeInt(END);
        }
    }

    /** Reads the state of another check, which may have had more lanes or fewer, into this empty one. */
    void read(DataInputStream in) throws IOException {
        long sealedTo = in.readLong();
        for (int count = in.readInt(); count > 0; count--) {
            for (int lane = in.readInt(); lane != END; lane = in.readInt()) {
                ByteReader bytes = Checkpoint.readBytes(in);
                OnlineCheckCodec.read(bytes, checks[lane & laneCount - 1], checks[checks.length - 1]);
            }
        }
        for (OnlineCheck check : checks) {
            check.resume(sealedTo);
        }
    }

    // ---------------------------------------------------------------- arrivals

    boolean agreesWith(HistorySlice slice) {
        for (OnlineCheck check : checks) {
            if (!check.hasSameTypesAs(slice)) {
                return false;
            }
        }
        return true;
    }

    /** Adds and places transactions that arrived at a time. */
    void add(HistorySlice slice, long arrived) {
        take(slice, arrived);
        place();
    }

    /** Adds transactions; their operations on registers wait for {@link #place}, which must precede {@link #seal}. */
    void take(HistorySlice slice, long arrived) {
        if (laneCount == 1) {
            checks[0].buffer(slice, arrived);
        } else {
            OnlineCheck.refuseTables(slice);
            scan.scan(slice);
            positions.partition(slice);
            onAll(slice.opCount < FEW_OPS, lane -> {
                if (lane == laneCount) {
                    checks[lane].addSessionPositions(positions.chunk(0), arrived);
                } else if (!scan.chunk(lane).isEmpty()) {
                    checks[lane].bufferLane(scan.chunk(lane), arrived);
                }
            });
        }
        txnCount += slice.txnCount;
        opCount += slice.opCount;
        opsTaken += slice.opCount;
    }

    /** Places all added operations, in the order of commits. */
    void place() {
        onAll(opsTaken < FEW_OPS || checksWhenSealed(), lane -> checks[lane].placeBuffered());
        opsTaken = 0;
    }

    /** Returns whether register operations are checked only when they are sealed. */
    boolean checksWhenSealed() {
        return checks[0].checksWhenSealed();
    }

    /** Seals up to a time: all commits up to it have arrived, except late ones. */
    void seal(long upTo) {
        onAll(false, lane -> checks[lane].seal(upTo));
    }

    /** Seals everything, after the last arrival. */
    void sealAll() {
        onAll(false, lane -> checks[lane].sealAll());
    }

    /** Releases all rows: nothing may be added or sealed any more; findings and counts remain. */
    void release() {
        for (OnlineCheck check : checks) {
            check.close();
        }
    }

    long watermark() {
        return checks[0].watermark();
    }

    /** Returns whether a late row has arrived that is not sealed yet. */
    boolean hasLate() {
        for (OnlineCheck check : checks) {
            if (check.hasLate()) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- counts

    private long sum(ToLongFunction<OnlineCheck> count) {
        long sum = 0;
        for (OnlineCheck check : checks) {
            sum += count.applyAsLong(check);
        }
        return sum;
    }

    /** Returns the counts of all lanes. */
    LiveCounts counts(LatencyStatistics times) {
        LiveCounts counts = new LiveCounts();
        for (OnlineCheck check : checks) {
            counts.add(new LiveCounts().of(check, times));
        }
        return counts;
    }

    long txnCount() {
        return txnCount;
    }

    long opCount() {
        return opCount;
    }

    long keyCount() {
        return sum(OnlineCheck::keyCount);
    }

    /** Returns the number of transactions that are not sealed. */
    long openTxns() {
        return checks[checks.length - 1].openTxns();
    }

    long learnedKeys() {
        return sum(OnlineCheck::learnedKeys);
    }

    long unjudgedKeys() {
        return sum(OnlineCheck::unjudgedKeys);
    }

    long leftToSegments() {
        return sum(OnlineCheck::leftToSegments);
    }

    /** Returns whether rows up to the watermark were left to a check of segments that has not begun. */
    boolean needsSegmentCheck() {
        for (OnlineCheck check : checks) {
            if (check.needsSegmentCheck()) {
                return true;
            }
        }
        return false;
    }

    /** Records that a check of segments begins with all rows up to the watermark. */
    void beginSegmentCheck() {
        for (OnlineCheck check : checks) {
            check.beginSegmentCheck();
        }
    }

    boolean areValuesHashed() {
        for (OnlineCheck check : checks) {
            if (check.areValuesHashed()) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- memory

    /** Returns the used bytes of memory. */
    long byteSize() {
        return sum(OnlineCheck::byteSize);
    }

    /** Returns how many of these bytes are of rows that are not sealed. */
    long openByteSize() {
        return sum(OnlineCheck::openByteSize);
    }

    @Override
    public void close() {
        if (helpers != null) {
            helpers.shutdown();
        }
    }
}
