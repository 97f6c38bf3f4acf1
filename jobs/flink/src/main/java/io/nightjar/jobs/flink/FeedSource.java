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
final class FeedSource implements Source<Fed, FeedSplit, FeedSplits> {

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
    public SplitEnumerator<FeedSplit, FeedSplits> createEnumerator(SplitEnumeratorContext<FeedSplit> context) {
        List<FeedSplit> splits = new ArrayList<>();
        for (int source = 0; source < shares.length; source++) {
            for (int share = 0; share < shares[source]; share++) {
                splits.add(new FeedSplit(spec.arrivals().sources().get(source), share, shares[source], new byte[0]));
            }
        }
        return new FeedSplitEnumerator(context, splits);
    }

    @Override
    public SplitEnumerator<FeedSplit, FeedSplits> restoreEnumerator(
            SplitEnumeratorContext<FeedSplit> context, FeedSplits left) {
        return new FeedSplitEnumerator(context, left.all());
    }

    @Override
    public SimpleVersionedSerializer<FeedSplit> getSplitSerializer() {
        return new RecordSerializer<>(FeedSplit.class);
    }

    @Override
    public SimpleVersionedSerializer<FeedSplits> getEnumeratorCheckpointSerializer() {
        return new RecordSerializer<>(FeedSplits.class);
    }
}
