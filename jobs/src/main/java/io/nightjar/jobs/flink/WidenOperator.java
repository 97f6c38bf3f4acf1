package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.split.SliceCodec;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Station 6, one task: learns from rows of participants what else a replay needs, and asks for that. */
final class WidenOperator extends Station implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient @Nullable FetchPlan plan; // null where nothing is asked
    private transient List<ReadingMessage> splits;
    private transient List<HistorySlice> rows; // of few transactions
    private transient SliceCodec codec;

    WidenOperator(JobSpec spec) {
        super(spec, FetchOperator.WORD);
    }

    @Override
    public void open() throws Exception {
        super.open();
        splits = new ArrayList<>();
        rows = new ArrayList<>();
        codec = new SliceCodec();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.SLICE) {
            ByteFeed feed = chunk.feed();
            while (!feed.isEmpty()) {
                rows.add(codec.decode(feed));
            }
        } else if (chunk.message() instanceof FetchPlan open) {
            plan = open;
        } else {
            splits.add((ReadingMessage) chunk.message());
        }
    }

    @Override
    public void endInput() {
        if (plan != null) {
            rows.forEach(plan.rows()::learn);
            plan.send(splits, spec.parallelism, this::emit);
        }
    }
}
