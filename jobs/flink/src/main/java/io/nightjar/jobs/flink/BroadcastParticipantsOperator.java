package io.nightjar.jobs.flink;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Stage 6, one task: broadcasts rows of participants, since they determine the other rows that a replay needs. */
final class BroadcastParticipantsOperator extends StageOperator
        implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient @Nullable FetchPlan plan; // null where nothing is asked
    private transient List<ReadingMessage> splits;
    private transient ByteArrayOutputStream rows; // of few transactions

    BroadcastParticipantsOperator(JobSpec spec) {
        super(spec, FetchRowsOperator.WORD);
    }

    @Override
    public void open() throws Exception {
        super.open();
        splits = new ArrayList<>();
        rows = new ByteArrayOutputStream();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.SLICE) {
            rows.write(chunk.bytes, 0, chunk.length);
        } else if (chunk.message() instanceof FetchPlan open) {
            plan = open;
        } else {
            splits.add((ReadingMessage) chunk.message());
        }
    }

    @Override
    public void endInput() {
        if (plan != null) {
            plan.with(rows.toByteArray()).send(splits, spec.parallelism, this::emit);
        }
    }
}
