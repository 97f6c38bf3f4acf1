package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Writes the tasks' reports into files; a file counts when its checkpoint is complete. */
final class TaskLogSinkOperator extends WatchOperator implements OneInputStreamOperator<Chunk, Chunk> {

    /*
     * Algorithm. Entries between two checkpoints are written to a file with a hidden name, which is complete on disk
     * when the second checkpoint reaches this task. The list of files that wait for their checkpoint is part of it. So
     * a task that resumes from a checkpoint whose completion it did not learn publishes them first.
     */

    private static final long serialVersionUID = 1;

    private transient ListState<String> state;
    private transient TreeMap<Long, List<String>> waiting; // by checkpoint, the parts that count with it
    private transient List<String> parts;
    private transient TaskLog.@Nullable Writer log;
    private transient long watermark;

    TaskLogSinkOperator(WatchSpec spec) {
        super(spec);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        waiting = new TreeMap<>();
        parts = new ArrayList<>();
        watermark = Long.MIN_VALUE;
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("waiting", Types.STRING));
        log = new TaskLog.Writer(spec.logFolder());
        long last = context.getRestoredCheckpointId().orElse(-1);
        for (String line : state.get()) {
            List<String> words = List.of(line.split(" "));
            waiting.put(Long.parseLong(words.get(0)), words.subList(1, words.size()));
        }
        show(Long.MAX_VALUE);
        TaskLog.deleteAfter(spec.logFolder(), last);
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Chunk chunk = element.getValue();
        if (chunk.key == TaskLog.Entry.PART.ordinal()) {
            parts.add(chunk.feed().getString());
        }
        requireNonNull(log).add(TaskLog.Entry.values()[chunk.key], chunk.bytes, chunk.length);
    }

    @Override
    public void processWatermark(Watermark mark) {
        watermark = Math.max(watermark, mark.getTimestamp());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (watermark > Long.MIN_VALUE) {
            ByteWriter mark = entry();
            mark.putSigned(watermark);
            requireNonNull(log).add(TaskLog.Entry.WATERMARK, mark.bytes(), mark.size());
        }
        requireNonNull(log).hide(context.getCheckpointId());
        waiting.put(context.getCheckpointId(), parts);
        parts = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        waiting.forEach((checkpoint, ofIt) -> lines.add(checkpoint + " " + String.join(" ", ofIt)));
        state.update(lines);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        show(checkpoint);
    }

    private void show(long upTo) throws IOException {
        while (!waiting.isEmpty() && waiting.firstKey() <= upTo) {
            Map.Entry<Long, List<String>> first = waiting.pollFirstEntry();
            TaskLog.show(spec.logFolder(), spec.rowFolder(), first.getKey(), first.getValue());
        }
    }

    @Override
    public void close() throws Exception {
        if (log != null) {
            log.close();
        }
        super.close();
    }
}
