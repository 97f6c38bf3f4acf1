package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.timestamp.OutcomeEvidence;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.Map;
import java.util.Set;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Stage 3 for timestamps, one task: determines the promoted transactions, after which the lanes can be checked. */
final class ResolveOutcomesOperator extends StageOperator
        implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient @Nullable PlanMessage plan;
    private transient @Nullable OutcomeEvidence unknown;
    private transient boolean isUnfit;

    ResolveOutcomesOperator(JobSpec spec) {
        super(spec, "infer");
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.MESSAGE) {
            plan = chunk.message() instanceof PlanMessage given ? given : plan;
        } else if (chunk.kind == Chunk.Kind.UNKNOWN_READS) {
            ByteReader feed = chunk.feed();
            isUnfit |= feed.getByte() == 1;
            OutcomeEvidence ofTask = OutcomeEvidence.decode(feed);
            if (unknown == null) {
                unknown = ofTask;
            } else {
                unknown.merge(ofTask);
            }
        }
    }

    private Map<IsolationLevel, Set<Axiom>> axioms() {
        return new EvidenceChoice(spec.options(heapBytes())).axioms();
    }

    @Override
    public void endInput() {
        boolean isChecked = requireNonNull(plan).decidesByTimestamps() && !isUnfit;
        PromotedTxns counted = unknown == null || isUnfit ? PromotedTxns.NONE : unknown.resolve(axioms().keySet());
        PromotedMessage message = new PromotedMessage(isChecked, isUnfit, counted);
        for (int key : TaskKeys.inTurn(spec.plan.laneCount(), spec.parallelism)) {
            emit(LANES, Chunk.of(key, message), FIRST);
        }
        for (int key : TaskKeys.inTurn(spec.sessionClasses(), spec.parallelism)) {
            emit(SESSIONS, Chunk.of(key, message), FIRST);
        }
        emit(OUTCOMES, Chunk.of(0, message), 0);
    }
}
