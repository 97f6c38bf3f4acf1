package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.LiveCounts;
import io.nightjar.jobs.watch.LiveLog;
import io.nightjar.pipeline.primitive.ByteSink;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A station of a watch: what all of them share. */
abstract class WatchStation extends AbstractStreamOperator<Chunk> {

    private static final long serialVersionUID = 1;

    /** Places of transactions in their sessions, lane by lane. */
    static final OutputTag<Chunk> PLACES = new OutputTag<>("places", ChunkType.INSTANCE);

    /** What is to be said. */
    static final OutputTag<Chunk> SAID = new OutputTag<>("said", ChunkType.INSTANCE);

    final WatchSpec spec;
    private transient ByteSink entry;

    WatchStation(WatchSpec spec) {
        this.spec = spec;
    }

    @Override
    public void open() throws Exception {
        super.open();
        entry = new ByteSink(1 << 8);
    }

    int task() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    Path scratch() {
        return getContainingTask()
                .getEnvironment()
                .getIOManager()
                .getSpillingDirectories()[0]
                .toPath();
    }

    /** A sink for one entry, emptied. */
    ByteSink entry() {
        entry.clear();
        return entry;
    }

    void say(LiveLog.Entry kind, ByteSink bytes) {
        byte[] copy = Arrays.copyOf(bytes.bytes(), bytes.size());
        output.collect(SAID, new StreamRecord<>(new Chunk(Chunk.Kind.SAID, kind.ordinal(), copy)));
    }

    void sayCounts(LiveCounts counts) {
        ByteSink to = entry();
        LiveLog.putCounts(spec.start(), getOperatorConfig().getOperatorName() + " " + task(), counts, to);
        say(LiveLog.Entry.COUNTS, to);
    }
}
