package io.nightjar.jobs.flink;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.watch.CheckpointVersion;
import io.nightjar.jobs.watch.LiveCounts;
import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** Base class of the stages of a watch. */
abstract class WatchOperator extends AbstractStreamOperator<Chunk> {

    private static final long serialVersionUID = 1;

    /** Entries for the log. */
    static final OutputTag<Chunk> LOG_ENTRIES = new OutputTag<>("log-entries", ChunkType.INSTANCE);

    private static final String NO_VERSION = ""; // in states of earlier versions

    final WatchSpec spec;
    private transient ByteWriter entry;
    private transient ListState<String> version;

    WatchOperator(WatchSpec spec) {
        this.spec = spec;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        version = context.getOperatorStateStore().getUnionListState(new ListStateDescriptor<>("version", Types.STRING));
        if (context.isRestored()) {
            Iterator<String> versions = version.get().iterator();
            try {
                CheckpointVersion.require(versions.hasNext() ? versions.next() : NO_VERSION);
            } catch (UsageException other) {
                throw new SuppressRestartsException(other);
            }
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        version.update(List.of(CheckpointVersion.THIS));
    }

    @Override
    public void open() throws Exception {
        super.open();
        entry = new ByteWriter(1 << 8);
    }

    int task() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    /** Returns a sink for one entry, emptied. */
    ByteWriter entry() {
        entry.clear();
        return entry;
    }

    void emit(TaskLog.Entry kind, ByteWriter bytes) {
        byte[] copy = Arrays.copyOf(bytes.bytes(), bytes.size());
        output.collect(LOG_ENTRIES, new StreamRecord<>(new Chunk(Chunk.Kind.LOG_ENTRY, kind.ordinal(), copy)));
    }

    void emitCounts(LiveCounts counts) {
        ByteWriter to = entry();
        TaskLog.putCounts(spec.start(), getOperatorConfig().getOperatorName() + " " + task(), counts, to);
        emit(TaskLog.Entry.COUNTS, to);
    }
}
