package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.watch.FeedRunner;
import io.nightjar.jobs.watch.FeedRunner.Fed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/** Reads the sources assigned to one task, each in a separate thread. */
final class FeedReader implements SourceReader<Fed, FeedSplit> {

    /*
     * Concurrency. Nothing is opened or read before all splits are assigned, and the enumerator sends no message until
     * all sources have ended. Otherwise a task that fails at a row could have a message under way to it: Flink would
     * report that the message found no task, and the cause of the failure would be lost.
     */

    private final WatchSpec spec;
    private final SourceReaderContext context;
    private final List<FeedSplit> assigned = new ArrayList<>(); // and not opened yet
    private final Map<FeedSplit, FeedRunner> feeds = new LinkedHashMap<>();
    private final List<FeedSplit> ended = new ArrayList<>();
    private boolean knowsAll;
    private boolean hasReportedEnd; // that all of its sources have ended
    private boolean haveAllEnded; // including the splits of other tasks
    private CompletableFuture<Void> available = new CompletableFuture<>();

    FeedReader(WatchSpec spec, SourceReaderContext context) {
        this.spec = spec;
        this.context = context;
    }

    @Override
    public void start() {}

    @Override
    public void addSplits(List<FeedSplit> splits) {
        assigned.addAll(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
        knowsAll = true;
        openAssigned();
        wake();
    }

    private void openAssigned() {
        for (FeedSplit split : assigned) {
            try {
                FeedRunner feed = new FeedRunner(
                        split.source(),
                        split.share(),
                        split.shares(),
                        spec.arrivals().untilEnd(),
                        spec.arrivals().isAlone(),
                        split.state(),
                        EmbeddedInput.stdin(),
                        spec.arrivals().allowedHosts(),
                        EmbeddedInput.watcher(),
                        this::wake);
                feeds.put(split, feed);
                feed.start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        assigned.clear();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        haveAllEnded = true;
        wake();
    }

    private synchronized void wake() {
        available.complete(null);
    }

    @Override
    public synchronized CompletableFuture<Void> isAvailable() {
        if (available.isDone()) {
            available = new CompletableFuture<>();
            boolean isEmpty = feeds.values().stream().allMatch(FeedRunner::isEmpty);
            if (!isEmpty || haveAllEnded || feeds.isEmpty() && knowsAll && !hasReportedEnd) {
                available.complete(null);
            }
        }
        return available;
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Fed> output) throws Exception {
        boolean isAny = false;
        for (FeedSplit split : new ArrayList<>(feeds.keySet())) {
            FeedRunner feed = requireNonNull(feeds.get(split));
            SourceOutput<Fed> to = output.createOutputForSplit(split.splitId());
            Fed fed = feed.poll(0);
            if (fed != null) {
                to.collect(fed, fed.arrivedMicros());
                isAny = true;
            } else if (feed.isAtEnd()) {
                ended.add(split.at(feed.state()));
                feeds.remove(split).close();
                output.releaseOutputForSplit(split.splitId());
            }
        }
        if (feeds.isEmpty() && knowsAll && !hasReportedEnd) {
            hasReportedEnd = true;
            output.markIdle();
            context.sendSourceEventToCoordinator(new FeedsEnded());
        }
        if (haveAllEnded) {
            output.markActive(); // the final watermark of an idle source would be ignored
            return InputStatus.END_OF_INPUT;
        }
        return isAny ? InputStatus.MORE_AVAILABLE : InputStatus.NOTHING_AVAILABLE;
    }

    /** Returns the state of all splits, ended ones included, so that a restart need not read them again. */
    @Override
    public List<FeedSplit> snapshotState(long checkpoint) {
        if (spec.folders().areScratch()) {
            return List.of();
        }
        List<FeedSplit> splits = new ArrayList<>(ended);
        splits.addAll(assigned);
        feeds.forEach((split, feed) -> splits.add(split.at(feed.state())));
        return splits;
    }

    @Override
    public void close() {
        feeds.values().forEach(FeedRunner::close);
    }
}
