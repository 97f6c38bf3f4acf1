package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.FeedRunner.Fed;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The sources of a watch; how far each was read is part of checkpoints. */
final class FeedSource implements Source<Fed, FeedSplit, List<FeedSplit>> {

    private static final long serialVersionUID = 1;

    private final WatchSpec spec;

    /** By source, in the order of the specification, into how many shares it falls. */
    private final int[] shares;

    FeedSource(WatchSpec spec, int[] shares) {
        this.spec = spec;
        this.shares = shares;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Fed, FeedSplit> createReader(SourceReaderContext context) {
        return new FeedReader(spec, context);
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> createEnumerator(SplitEnumeratorContext<FeedSplit> context) {
        List<FeedSplit> splits = new ArrayList<>();
        for (int source = 0; source < shares.length; source++) {
            for (int share = 0; share < shares[source]; share++) {
                splits.add(new FeedSplit(spec.arrivals().sources().get(source), share, shares[source], new byte[0]));
            }
        }
        return new FeedSplitEnumerator(context, splits);
    }

    @Override
    public SplitEnumerator<FeedSplit, List<FeedSplit>> restoreEnumerator(
            SplitEnumeratorContext<FeedSplit> context, List<FeedSplit> left) {
        return new FeedSplitEnumerator(context, left);
    }

    @Override
    public SimpleVersionedSerializer<FeedSplit> getSplitSerializer() {
        return new FeedSplits();
    }

    @Override
    public SimpleVersionedSerializer<List<FeedSplit>> getEnumeratorCheckpointSerializer() {
        return new FeedSplits.Several();
    }
}
