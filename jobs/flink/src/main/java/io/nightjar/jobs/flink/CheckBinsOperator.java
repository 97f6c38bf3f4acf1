package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.GroupDecision;
import io.nightjar.pipeline.decide.PendingComponents;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.ComponentCodec;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides bins; of a bin that is one large group, components are sent to be searched by all tasks. */
final class CheckBinsOperator extends BinOperator {

    private static final long serialVersionUID = 1;

    /** Minimum share of a group in components other than the largest, for the group to be shared among tasks. */
    private static final double MIN_SHARE = 0.1;

    private transient int binKey;

    CheckBinsOperator(JobSpec spec) {
        super(spec);
    }

    @Override
    void take(Chunk chunk) {
        binKey = chunk.key;
        super.take(chunk);
    }

    @Override
    @Nullable
    ValueOutcome decide(ValueCheck check, OperationLog log) throws IOException {
        GroupDecision decision = requireNonNull(plan).isLargeGroup() ? check.beginIfOneGroup(log) : null;
        if (decision == null) {
            return check.check(log);
        }
        PendingComponents open = decision.next();
        if (open == null || !isWorthSharing(open.components())) {
            return check.finish(decision, open, log);
        }
        spread(open);
        return null;
    }

    private static boolean isWorthSharing(List<Component> components) {
        long txns = 0;
        for (Component component : components) {
            txns += component.history.txnCount;
        }
        return components.size() > 1 && txns - components.get(0).history.txnCount >= txns * MIN_SHARE;
    }

    /** Sends components away, and all that is needed to conclude from the answers. */
    private void spread(PendingComponents open) {
        List<Component> components = open.components();
        counter("components_total").inc(components.size());
        expect("check-components", components.size());
        int[] keyOfTask = TaskKeys.inTurn(spec.parallelism, spec.parallelism);
        for (int number = 0; number < components.size(); number++) {
            ByteWriter bytes = new ByteWriter(1 << 10);
            bytes.putVarint(binKey);
            bytes.putVarint(number);
            ResultCodec.encode(open.how(), bytes);
            ComponentCodec.encode(components.get(number), bytes);
            emit(COMPONENTS, new Chunk(Chunk.Kind.COMPONENT, keyOfTask[number % keyOfTask.length], bytes), number);
        }
        emit(ANSWERS, Chunk.of(binKey, requireNonNull(plan)), FIRST);
        bin().forEachChunk((chunk, order) -> emit(ANSWERS, chunk, order));
    }
}
