package io.nightjar.jobs.flink;

import io.nightjar.jobs.check.GroupSearch;
import io.nightjar.jobs.check.GroupSearch.Searched;
import io.nightjar.pipeline.decide.ComponentSearch;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.Component;
import io.nightjar.pipeline.split.ComponentCodec;
import java.util.List;

/** Decides bins; of a bin that is one large group, components are sent to be searched by all tasks. */
final class ValuesOperator extends BinStation {

    private static final long serialVersionUID = 1;

    /** Components beside the largest one must hold so much of the group, or there is nothing to share. */
    private static final double LEAST_SHARE = 0.1;

    private transient int binKey;

    ValuesOperator(JobSpec spec) {
        super(spec);
    }

    @Override
    void take(Chunk chunk) {
        binKey = chunk.key;
        super.take(chunk);
    }

    @Override
    GroupSearch search() {
        return plan.isLargeGroup() ? this::spread : null;
    }

    /** Sends components away if that is worth it, and all that is needed to conclude from the answers. */
    private Searched spread(ComponentSearch search, List<Component> parts) {
        long txns = 0;
        for (Component part : parts) {
            txns += part.history.txnCount;
        }
        if (parts.size() < 2 || txns - parts.get(0).history.txnCount < txns * LEAST_SHARE) {
            return Searched.HERE;
        }
        counter("components_total").inc(parts.size());
        expect("check-components", parts.size());
        int[] keyOfTask = TaskKeys.inTurn(spec.parallelism, spec.parallelism);
        for (int number = 0; number < parts.size(); number++) {
            ByteSink bytes = new ByteSink(1 << 10);
            bytes.putVarint(binKey);
            bytes.putVarint(number);
            search.encode(bytes);
            ComponentCodec.encode(parts.get(number), bytes);
            emit(COMPONENTS, new Chunk(Chunk.Kind.COMPONENT, keyOfTask[number % keyOfTask.length], bytes), number);
        }
        emit(ANSWERS, Chunk.of(binKey, plan), FIRST);
        bin.forEachChunk((chunk, order) -> emit(ANSWERS, chunk, order));
        return Searched.ASIDE;
    }
}
