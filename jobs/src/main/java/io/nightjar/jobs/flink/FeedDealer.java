package io.nightjar.jobs.flink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/** Deals the sources of a watch out to tasks in turn, once all of them are there. */
final class FeedDealer implements SplitEnumerator<FeedSplit, List<FeedSplit>> {

    private final SplitEnumeratorContext<FeedSplit> context;
    private final List<FeedSplit> left;

    FeedDealer(SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> splits) {
        this.context = context;
        this.left = new ArrayList<>(splits);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int task, String host) {}

    @Override
    public void addSplitsBack(List<FeedSplit> splits, int task) {
        left.addAll(splits);
    }

    @Override
    public void addReader(int task) {
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
    public List<FeedSplit> snapshotState(long checkpoint) {
        return new ArrayList<>(left);
    }

    @Override
    public void close() {}
}
