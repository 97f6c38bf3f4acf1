package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.pipeline.online.KeyPageCache;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.online.SealedKeyPages;
import io.nightjar.pipeline.online.SessionPositionPartitioner;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The check of arrivals: keys fall into lanes that are judged side by side, sessions are one more. */
final class ParallelOnlineCheck implements AutoCloseable {

    /*
     * No key and no session needs to know of others, so that each lane is a check of its own, and one more has the
     * sessions. A caller that adds or seals waits until all lanes have: between two calls nothing happens. Findings are
     * told then, lane by lane, so that their order does not depend on threads.
     *
     * With one thread there is one lane, which has the sessions too.
     */

    /** Lanes in checkpoints: as many as anyone may have. */
    private static final int LANES_IN_FILES = 128;

    private static final int MAX_LANES = 8;
    private static final int FEW_OPS = 256;
    private static final int END = -1;

    private final OnlineCheck[] checks; // of lanes of keys; of sessions behind them if there are several
    private final KeyPageCache[] rooms;
    private final List<PageFile> files = new ArrayList<>();
    private final QueuedChanges[] tolds;
    private final int laneCount;
    private final TransactionScan scan;
    private final SessionPositionPartitioner places = new SessionPositionPartitioner(1);
    private final @Nullable ExecutorService helpers; // null for none
    private final int helperCount;
    private long txnCount;
    private long opCount;
    private long opsTaken; // and not placed yet

    /** @param folder for what memory does not hold */
    ParallelOnlineCheck(CheckOptions options, WatchMemory memory, Path folder, OnlineListener listener)
            throws IOException {
        this.laneCount = Math.min(MAX_LANES, Integer.highestOneBit(options.threadCount()));
        int count = laneCount == 1 ? 1 : laneCount + 1;
        this.checks = new OnlineCheck[count];
        this.rooms = new KeyPageCache[count];
        this.tolds = new QueuedChanges[count];
        for (int lane = 0; lane < count; lane++) {
            PageFile coldKeys = new PageFile(folder.resolve("keys-" + lane));
            files.add(coldKeys);
            rooms[lane] = KeyPageCache.of(memory.online() / count, coldKeys);
            tolds[lane] = new QueuedChanges(listener);
            checks[lane] = new OnlineCheck(
                    options.timedLevels(), options.initialValue(), rooms[lane], count == 1 ? listener : tolds[lane]);
        }
        this.scan = new TransactionScan(laneCount, options.initialValue());
        this.helperCount = Math.min(options.threadCount(), count) - 1;
        this.helpers = helperCount < 1
                ? null
                : Executors.newFixedThreadPool(helperCount, task -> {
                    Thread thread = new Thread(task, "watch-judge");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Keeps what a lane tells until it is asked for. */
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

    private void share(Work work, ExecutorService helpers) {
        AtomicInteger next = new AtomicInteger();
        Runnable some = () -> {
            for (int lane = next.getAndIncrement(); lane < checks.length; lane = next.getAndIncrement()) {
                work.on(lane);
            }
        };
        List<Future<?>> others = new ArrayList<>();
        for (int helper = 0; helper < helperCount; helper++) {
            others.add(helpers.submit(some));
        }
        try {
            some.run();
        } finally {
            others.forEach(ParallelOnlineCheck::await);
        }
    }

    private static void await(Future<?> other) {
        boolean isInterrupted = false;
        while (true) {
            try {
                other.get();
                break;
            } catch (InterruptedException interrupted) {
                isInterrupted = true; // lanes must not be left half done
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof RuntimeException runtime) {
                    throw runtime;
                }
                throw (Error) failed.getCause();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---------------------------------------------------------------- before the first arrival

    /** Learns what a key held before anything arrived from its first sealed read. */
    void learnInitial() {
        for (OnlineCheck check : checks) {
            check.learnInitial();
        }
    }

    /** Begins where a check of a history ended. */
    void startFrom(OnlineCheck history) {
        for (int lane = 0; lane < laneCount; lane++) {
            checks[lane].startFrom(history, lane, laneCount);
        }
    }

    /**
     * Returns what keys held that something arrived of, as transactions that write it; see
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

    /** Places all that arrived, which may report findings, so that {@link #write} has it. */
    void placeAll() {
        onAll(false, lane -> checks[lane].placeAll());
    }

    void write(DataOutputStream out) throws IOException {
        out.writeLong(watermark());
        out.writeInt(checks.length);
        for (OnlineCheck check : checks) {
            new SealedKeyPages(check, LANES_IN_FILES).write((lane, page, bytes) -> {
                out.writeInt(lane);
                out.writeInt(bytes.length);
                out.write(bytes);
            });
            out.writeInt(END);
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

    /** Takes over the state of another one, which may have had more lanes or fewer; nothing has been taken here. */
    void read(DataInputStream in) throws IOException {
        long sealedTo = in.readLong();
        SealedKeyPages[] pages = new SealedKeyPages[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            pages[lane] = new SealedKeyPages(checks[lane], LANES_IN_FILES);
        }
        for (int count = in.readInt(); count > 0; count--) {
            for (int lane = in.readInt(); lane != END; lane = in.readInt()) {
                byte[] page = new byte[in.readInt()];
                in.readFully(page);
                pages[lane & laneCount - 1].read(lane, page);
            }
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

    /** Takes and places transactions that arrived at a time. */
    void add(HistorySlice slice, long arrived) {
        take(slice, arrived);
        place();
    }

    /** Takes transactions; what they did to registers waits for {@link #place}, before which nothing may be sealed. */
    void take(HistorySlice slice, long arrived) {
        if (laneCount == 1) {
            checks[0].buffer(slice, arrived);
        } else {
            OnlineCheck.refuseTables(slice);
            scan.scan(slice);
            places.partition(slice);
            onAll(slice.opCount < FEW_OPS, lane -> {
                if (lane == laneCount) {
                    checks[lane].addSessionPositions(places.chunk(0), arrived);
                } else if (!scan.chunk(lane).isEmpty()) {
                    checks[lane].bufferLane(scan.chunk(lane), arrived);
                }
            });
        }
        txnCount += slice.txnCount;
        opCount += slice.opCount;
        opsTaken += slice.opCount;
    }

    /** Places all that was taken, in the order of commits. */
    void place() {
        onAll(opsTaken < FEW_OPS || checksWhenSealed(), lane -> checks[lane].placeBuffered());
        opsTaken = 0;
    }

    /** Returns whether register operations are checked only when they are sealed. */
    boolean checksWhenSealed() {
        return checks[0].checksWhenSealed();
    }

    /** Says that all commits up to a time have arrived, but for those that are late. */
    void seal(long upTo) {
        onAll(false, lane -> checks[lane].seal(upTo));
    }

    /** Says that everything has arrived. */
    void sealAll() {
        onAll(false, lane -> checks[lane].sealAll());
    }

    /** Gives up all rows: nothing may be added or sealed any more, and what was found and counted stays known. */
    void letGo() {
        for (OnlineCheck check : checks) {
            check.letGo();
        }
    }

    long watermark() {
        return checks[0].watermark();
    }

    /** Whether something came before the watermark that is not sealed yet. */
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

    /** Returns what all lanes have counted. */
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

    /** Transactions that are not sealed. */
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

    /** Whether something up to the watermark was left to a check of segments that has not begun. */
    boolean needsSegmentCheck() {
        for (OnlineCheck check : checks) {
            if (check.needsSegmentCheck()) {
                return true;
            }
        }
        return false;
    }

    /** Notes that a check of segments begins that has all rows up to the watermark. */
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

    /** Bytes held. */
    long byteSize() {
        return sum(OnlineCheck::byteSize);
    }

    /** Returns how many of these bytes are used before more is asked for. */
    long freeByteSize() {
        return sum(OnlineCheck::freeByteSize);
    }

    /** Returns how many of these bytes are of what is not sealed. */
    long openByteSize() {
        return sum(OnlineCheck::openByteSize);
    }

    /** Returns how many of these bytes are of keys that may go to disk. */
    long keyCacheByteSize() {
        long bytes = 0;
        for (KeyPageCache keyCache : rooms) {
            bytes += keyCache.byteSize();
        }
        return bytes;
    }

    /** Limits what the pages of keys may take. */
    void limitRooms(long bytes) {
        for (KeyPageCache keyCache : rooms) {
            keyCache.limit(bytes / rooms.length);
        }
    }

    long bytesOnDisk() {
        long bytes = 0;
        for (KeyPageCache keyCache : rooms) {
            bytes += keyCache.storedBytes();
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (helpers != null) {
            helpers.shutdown();
        }
        for (PageFile file : files) {
            file.close();
        }
    }
}
