package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.ValueType;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.watch.FeedRunner.Fed;
import io.nightjar.jobs.watch.KeptPart;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.LiveCounts;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.SessionPositionPartitioner;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.validate.Validation;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.jspecify.annotations.Nullable;

/** Archives and scans every row that arrives, and routes operations and session positions to the tasks of their lanes. */
final class IngestOperator extends WatchOperator implements OneInputStreamOperator<Fed, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final int SEND_AT = 1 << 14;
    private static final int SHARE_OF_VALIDATION = 32; // of the heap: 1 / SHARE_OF_VALIDATION

    private final boolean isAlone;

    private transient TransactionScan scan;
    private transient SessionPositionPartitioner positions;
    private transient LaneCodec codec;
    private transient int[] keys; // of tasks
    private transient ByteWriter[] laneBytes; // by task
    private transient @Nullable KeptPart part; // null while it would be empty
    private transient ValueType keyType;
    private transient ValueType valueType;
    private transient long repeated;
    // watermark of all sources of this task, for reports on delayed arrivals
    private transient io.nightjar.jobs.watch.Watermark heard;

    private transient @Nullable Validation seen; // null unless all rows of the watch pass this operator

    /** @param isAlone whether one source has all rows, and one reader reads it */
    IngestOperator(WatchSpec spec, boolean isAlone) {
        super(spec);
        this.isAlone = isAlone;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        seen = isAlone && !context.isRestored()
                ? Validation.ofUnique(Runtime.getRuntime().maxMemory() / SHARE_OF_VALIDATION)
                : null;
    }

    @Override
    public void open() throws Exception {
        super.open();
        int[] taskOfLane = IntStream.range(0, WatchSpec.LANES).map(this::taskOf).toArray();
        scan = new TransactionScan(taskOfLane, spec.initial().value());
        positions = new SessionPositionPartitioner(taskOfLane);
        codec = new LaneCodec();
        heard = new io.nightjar.jobs.watch.Watermark(new Lateness(Lateness.Unit.TICKS, 0), 0);
        int[] keyOfLane = TaskKeys.ofGroups(WatchSpec.LANES);
        keys = new int[1 + taskOf(WatchSpec.LANES - 1)];
        for (int lane = 0; lane < WatchSpec.LANES; lane++) {
            keys[taskOfLane[lane]] = keyOfLane[lane];
        }
        laneBytes =
                Stream.generate(() -> new ByteWriter(1 << 8)).limit(keys.length).toArray(ByteWriter[]::new);
        keyType = ValueType.NONE;
        valueType = ValueType.NONE;
    }

    /** Returns the task that checks a lane, which is a key group. */
    private int taskOf(int lane) {
        return KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(WatchSpec.LANES, spec.parallelism(), lane);
    }

    @Override
    public void processElement(StreamRecord<Fed> element) throws IOException {
        Fed fed = element.getValue();
        repeated = Math.max(repeated, fed.repeated());
        if (!fed.letters().isEmpty()) {
            ByteWriter letters = entry();
            for (DeadLetter letter : fed.letters()) {
                ResultCodec.encode(letter, letters);
            }
            emit(TaskLog.Entry.LETTERS, letters);
        }
        if (fed.slice() != null && isOfTheseTypes(fed.slice())) {
            take(fed.slice(), fed.arrivedMicros());
        }
    }

    private boolean isOfTheseTypes(HistorySlice slice) {
        boolean agrees = (keyType == ValueType.NONE || slice.keyType == ValueType.NONE || keyType == slice.keyType)
                && (valueType == ValueType.NONE || slice.valueType == ValueType.NONE || valueType == slice.valueType);
        if (agrees) {
            keyType = keyType == ValueType.NONE ? slice.keyType : keyType;
            valueType = valueType == ValueType.NONE ? slice.valueType : valueType;
            return true;
        }
        ByteWriter letters = entry();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            ResultCodec.encode(
                    new DeadLetter(
                            slice.file,
                            slice.rowOf(txn),
                            InputError.of("keys or values of another type than in rows before"),
                            null),
                    letters);
        }
        emit(TaskLog.Entry.LETTERS, letters);
        return false;
    }

    private void take(HistorySlice slice, long arrived) throws IOException {
        OnlineCheck.refuseTables(slice);
        if (part == null) {
            part = new KeptPart(spec.rowFolder(), spec.folders().areScratch());
        }
        part.write(slice);
        if (seen != null) {
            seen.add(slice);
        }
        heard.observe(slice, arrived);
        scan.scan(slice);
        positions.partition(slice);
        for (int task = 0; task < keys.length; task++) {
            add(scan.chunk(task), positions.chunk(task), laneBytes[task], arrived);
            if (laneBytes[task].size() >= SEND_AT) {
                send(task);
            }
        }
    }

    private void add(LaneChunk operations, LaneChunk inSessions, ByteWriter to, long arrived) {
        if (!operations.isEmpty() || !inSessions.isEmpty()) {
            to.putVarint(arrived);
            codec.encode(operations, to);
            codec.encode(inSessions, to);
        }
    }

    private void send(int task) {
        ByteWriter bytes = laneBytes[task];
        if (bytes.size() > 0) {
            byte[] copy = Arrays.copyOf(bytes.bytes(), bytes.size());
            output.collect(new StreamRecord<>(new Chunk(Chunk.Kind.LANE, keys[task], copy)));
            bytes.clear();
        }
    }

    private void sendAll() {
        for (int task = 0; task < keys.length; task++) {
            send(task);
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        sendAll();
        if (mark.getTimestamp() == Long.MAX_VALUE) {
            finishPart(); // everything is sealed, so all rows have arrived
        }
        super.processWatermark(mark);
    }

    /** Releases delayed arrivals when the source becomes idle, since an idle source delays no others. */
    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        sendAll();
        super.processWatermarkStatus(status);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        sendAll();
        finishPart();
    }

    @Override
    public void endInput() throws Exception {
        sendAll();
        finishPart();
        if (seen != null && seen.facts().txnCount() > 0 && !seen.needsAnotherPass()) {
            emit(TaskLog.Entry.SUMMARY, ResultCodec.bytes(HistorySummary.of(seen)));
        }
    }

    private void finishPart() throws IOException {
        if (part != null) {
            ByteWriter to = entry();
            to.putString(part.finish());
            emit(TaskLog.Entry.PART, to);
            part = null;
        }
        emitCounts(new LiveCounts()
                .set(Count.REPEATED, repeated)
                .set(Count.MAX_DISORDER, heard.maxDisorder())
                .set(Count.AHEAD_TS, heard.ahead()));
    }

    @Override
    public void close() throws Exception {
        if (part != null) {
            part.close();
        }
        super.close();
    }
}
