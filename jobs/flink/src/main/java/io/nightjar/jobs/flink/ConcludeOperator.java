package io.nightjar.jobs.flink;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.GroupDecision;
import io.nightjar.pipeline.decide.PendingComponents;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decides large groups whose components were searched by all tasks. */
final class ConcludeOperator extends BinOperator {

    private static final long serialVersionUID = 1;

    private transient Map<Integer, ByteReader> answers;

    ConcludeOperator(JobSpec spec) {
        super(spec);
    }

    @Override
    @SetsFields
    void beginPartition() throws IOException {
        super.beginPartition();
        answers = new HashMap<>();
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.ANSWER) {
            ByteReader feed = chunk.feed();
            answers.put(feed.getCount(), feed);
        } else {
            super.take(chunk);
        }
    }

    /** Does nothing: components were counted where they were sent from and where they were searched. */
    @Override
    void count(int components) {}

    @Override
    ValueOutcome decide(ValueCheck check, OperationLog log) throws IOException {
        GroupDecision decision = check.beginIfOneGroup(log);
        PendingComponents open = decision == null ? null : decision.next();
        if (decision == null || open == null || open.components().size() != answers.size()) {
            throw new AssertionError("bug: the group falls into other components than before: now="
                    + (open == null ? 0 : open.components().size()) + " before=" + answers.size());
        }
        return check.conclude(decision, open, answersFor(open.components()), log);
    }

    private List<ComponentAnswer> answersFor(List<Component> components) {
        ComponentAnswer[] byNumber = new ComponentAnswer[components.size()];
        answers.forEach((number, feed) -> byNumber[number] =
                ResultCodec.decode(ComponentAnswer.Alone.class, feed).of(components.get(number)));
        return Arrays.asList(byNumber);
    }
}
