package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.LiveCounts;
import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A station of a watch: what all of them share. */
abstract class WatchOperator extends AbstractStreamOperator<Chunk> {

    private static final long serialVersionUID = 1;

    /** Places of transactions in their sessions, lane by lane. */
    static final OutputTag<Chunk> PLACES = new OutputTag<>("places", ChunkType.INSTANCE);

    /** What is to be said. */
    static final OutputTag<Chunk> SAID = new OutputTag<>("said", ChunkType.INSTANCE);

    final WatchSpec spec;
    private transient ByteWriter entry;

    WatchOperator(WatchSpec spec) {
        this.spec = spec;
    }

    @Override
    public void open() throws Exception {
        super.open();
        entry = new ByteWriter(1 << 8);
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
    ByteWriter entry() {
        entry.clear();
        return entry;
    }

    void say(TaskLog.Entry kind, ByteWriter bytes) {
        byte[] copy = Arrays.copyOf(bytes.bytes(), bytes.size());
        output.collect(SAID, new StreamRecord<>(new Chunk(Chunk.Kind.SAID, kind.ordinal(), copy)));
    }

    void sayCounts(LiveCounts counts) {
        ByteWriter to = entry();
        TaskLog.putCounts(spec.start(), getOperatorConfig().getOperatorName() + " " + task(), counts, to);
        say(TaskLog.Entry.COUNTS, to);
    }
}
