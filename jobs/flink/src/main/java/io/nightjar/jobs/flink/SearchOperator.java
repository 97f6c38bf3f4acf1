package io.nightjar.jobs.flink;

import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.ComponentSearch;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.ComponentCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import org.apache.flink.metrics.Counter;

/** Stage 5 for values: searches components of large groups, in sequence. */
final class SearchOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient Counter componentsDone;

    SearchOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        componentsDone = counter("components_done");
    }

    @Override
    void beginPartition() {}

    @Override
    void take(Chunk chunk) {
        ByteReader feed = chunk.feed();
        int binKey = feed.getCount();
        int number = feed.getCount();
        ComponentSearch search = ResultCodec.decode(ComponentSearch.class, feed);
        Component component = ComponentCodec.decode(feed);
        ComponentAnswer answer = search.decide(number, component, budgetFor(component));
        ByteWriter bytes = new ByteWriter(1 << 10);
        bytes.putVarint(number);
        ResultCodec.encode(answer.alone(), bytes);
        emit(new Chunk(Chunk.Kind.ANSWER, binKey, bytes), LAST);
        componentsDone.inc();
        advance(1);
    }

    private Budget budgetFor(Component component) {
        return spec.budget().withMemoryBytes(ValueCheck.bytesLeft(component.history.readCount, heapBytes()));
    }

    @Override
    void endPartition() {}

    @Override
    void end() {
        if (componentsDone.getCount() > 0) {
            reportStage(componentsDone.getCount(), componentsDone.getCount(), 0);
        }
    }
}
