package io.nightjar.jobs.flink;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/**
 * Assigns the sources of a watch to tasks in turn, once all tasks have registered, and notifies them when all sources
 * have ended: a task that ended earlier would seal all times while the others are idle.
 */
final class FeedSplitEnumerator implements SplitEnumerator<FeedSplit, FeedSplits> {

    private final SplitEnumeratorContext<FeedSplit> context;
    private final List<FeedSplit> left;
    private final Set<Integer> ended = new HashSet<>(); // tasks

    FeedSplitEnumerator(SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> splits) {
        this.context = context;
        this.left = new ArrayList<>(splits);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int task, String host) {}

    @Override
    public void addSplitsBack(List<FeedSplit> splits, int task) {
        ended.remove(task);
        left.addAll(splits);
    }

    @Override
    public void addReader(int task) {
        ended.remove(task);
        if (context.registeredReaders().size() < context.currentParallelism()) {
            return;
        }
        for (int next = 0; next < left.size(); next++) {
            context.assignSplits(new SplitsAssignment<>(left.get(next), next % context.currentParallelism()));
        }
        left.clear();
        for (int each = 0; each < context.currentParallelism(); each++) {
            context.signalNoMoreSplits(each);
        }
    }

    @Override
    public void handleSourceEvent(int task, SourceEvent event) {
        ended.add(task);
        if (ended.size() == context.currentParallelism()) {
            for (int each = 0; each < context.currentParallelism(); each++) {
                context.sendEventToSourceReader(each, new FeedsEnded());
            }
        }
    }

    @Override
    public FeedSplits snapshotState(long checkpoint) {
        return new FeedSplits(List.copyOf(left));
    }

    @Override
    public void close() {}
}
