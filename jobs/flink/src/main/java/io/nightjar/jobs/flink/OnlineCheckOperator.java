package io.nightjar.jobs.flink;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.watch.InitialHistory;
import io.nightjar.jobs.watch.LatencyStatistics;
import io.nightjar.jobs.watch.LiveCounts;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.jobs.watch.SealScheduler;
import io.nightjar.jobs.watch.TaskLog;
import io.nightjar.jobs.watch.WatchClock;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.online.OnlineListener;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.KeyedStateCheckpointOutputStream;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Checks the lanes of keys and sessions owned by one task; each lane is a key group of the task's state. */
final class OnlineCheckOperator extends WatchOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    /*
     * Layout. All lanes of a task share one check, which is dense and fast; only its state is written by lane.
     *
     * Algorithm. The check seals less often than watermarks arrive; a watermark is forwarded when all before it is
     * sealed. Late transactions are sealed with the next watermark, or after a pause without arrivals.
     */

    private static final long serialVersionUID = 1;

    private static final int REPORT_BYTES = 1 << 16;

    private transient OnlineCheck check;
    private transient LaneCodec codec;
    private transient ByteWriter changes;
    private transient LatencyStatistics times;
    private transient KeyGroupRange groups;
    private transient long pending; // the watermark to seal up to
    private transient long nextSeal;
    private transient boolean isSealAwaited;
    private transient long lastArrival;
    private transient boolean isSilenceAwaited;
    private transient long segmentChecks; // that were asked for

    OnlineCheckOperator(WatchSpec spec) {
        super(spec);
    }

    @Override
    protected boolean isUsingCustomRawKeyedState() {
        return true;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        groups = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                WatchSpec.LANES, getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(), task());
        changes = new ByteWriter(1 << 12);
        check = new OnlineCheck(spec.levelList(), spec.initial().value(), new Changes());
        beginInitially(context.isRestored());
        for (KeyGroupStatePartitionStreamProvider lane : context.getRawKeyedStateInputs()) {
            byte[] state = lane.getStream().readAllBytes();
            OnlineCheckCodec.read(new ByteReader(state, 0, state.length), check);
        }
        check.resume(check.watermark());
        pending = check.watermark();
    }

    /** Gives keys their initial values, which are part of their pages afterwards. */
    private void beginInitially(boolean hasBegun) throws IOException {
        if (spec.initial().isLearned()) {
            check.learnInitial();
        } else if (spec.initial().file() != null && !hasBegun) {
            InitialHistory.readLanes(Path.of(spec.initial().file()), WatchSpec.LANES, groups::contains, check);
        }
        check.recordInitials();
    }

    @Override
    public void open() throws Exception {
        super.open();
        codec = new LaneCodec();
        times = new LatencyStatistics();
        lastArrival = WatchClock.micros();
        awaitSilence();
    }

    // ---------------------------------------------------------------- arrivals

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        ByteReader feed = element.getValue().feed();
        while (!feed.isEmpty()) {
            long arrived = feed.getVarint();
            take(codec.decode(feed), arrived);
            check.addSessionPositions(codec.decode(feed), arrived);
        }
        reportChanges(REPORT_BYTES);
        lastArrival = WatchClock.micros();
        awaitSilence();
    }

    private void take(LaneChunk chunk, long arrived) {
        if (!check.hasSameTypesAs(chunk)) {
            throw new MalformedHistoryException(
                    InputLocation.file(String.join(",", spec.arrivals().sources())),
                    InputError.of("keys or values of several types"));
        }
        check.addLane(chunk, arrived);
        if (!check.checksWhenSealed()) {
            times.verdict(WatchClock.micros() - arrived, chunk.txnCount);
        }
        times.arrived(chunk.commitTs, chunk.txnCount, arrived);
    }

    // ---------------------------------------------------------------- sealing

    @Override
    public void processWatermark(Watermark mark) {
        pending = Math.max(pending, mark.getTimestamp());
        boolean isLast = pending == Long.MAX_VALUE;
        if (isLast || WatchClock.micros() >= nextSeal) {
            seal();
        } else if (!isSealAwaited) {
            isSealAwaited = true;
            after(nextSeal - WatchClock.micros(), () -> {
                isSealAwaited = false;
                seal();
            });
        }
    }

    /** Schedules the sealing of late transactions for the case that no arrival moves the watermark. */
    private void awaitSilence() {
        if (check.hasLate() && !isSilenceAwaited && pending > Long.MIN_VALUE) {
            isSilenceAwaited = true;
            after(lastArrival + SealScheduler.LATE_SILENCE_MICROS - WatchClock.micros(), () -> {
                isSilenceAwaited = false;
                if (check.hasLate() && WatchClock.micros() - lastArrival >= SealScheduler.LATE_SILENCE_MICROS) {
                    seal();
                } else {
                    awaitSilence();
                }
            });
        }
    }

    private void after(long micros, Runnable task) {
        long waitMillis = Math.max(1, micros / 1_000);
        getProcessingTimeService()
                .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + waitMillis, now -> task.run());
    }

    /** Seals everything when the source becomes idle, since an idle source is not waited for. */
    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        if (status.isIdle()) {
            seal();
        }
        super.processWatermarkStatus(status);
    }

    private void seal() {
        long now = WatchClock.micros();
        if (pending > check.watermark() || check.hasLate()) {
            check.seal(pending);
            if (check.needsSegmentCheck()) {
                check.beginSegmentCheck();
                segmentChecks++;
            }
            times.sealed(pending);
        }
        reportChanges(0);
        long took = WatchClock.micros() - now;
        nextSeal = now + SealScheduler.stepMicros(took);
        output.emitWatermark(new Watermark(pending));
    }

    /** Changes of findings, collected into log entries. */
    private final class Changes implements OnlineListener {

        @Override
        public void changed(Change change, OnlineFinding finding, boolean isWrong) {
            TaskLog.putChange(change, finding, isWrong, changes);
        }

        @Override
        public boolean wantsProvisional() {
            return spec.wantsProvisional();
        }
    }

    private void reportChanges(int minBytes) {
        if (changes.size() > minBytes) {
            emit(TaskLog.Entry.CHANGES, changes);
            changes.clear();
        }
    }

    // ---------------------------------------------------------------- checkpoints

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) {
        reportAll();
    }

    @Override
    public void endInput() {
        reportAll();
    }

    private void reportAll() {
        reportChanges(0);
        ByteWriter initials = entry();
        OnlineCheckCodec.writeNewInitials(check, initials);
        if (initials.size() > 0) {
            emit(TaskLog.Entry.INITIAL, initials);
        }
        emitCounts(new LiveCounts()
                .of(check, times)
                .set(Count.SEGMENT_CHECKS, segmentChecks)
                .set(Count.LAG_MS, times.lagMicros(Long.MIN_VALUE) / 1_000));
        times.beginInterval();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (spec.folders().areScratch()) {
            return;
        }
        KeyedStateCheckpointOutputStream to = context.getRawKeyedOperatorStateOutput();
        ByteWriter[] lanes = OnlineCheckCodec.write(check, WatchSpec.LANES, groups.getStartKeyGroup());
        for (int lane : groups) {
            if (lanes[lane] != null) {
                to.startNewKeyGroup(lane);
                to.write(lanes[lane].bytes(), 0, lanes[lane].size());
            }
        }
    }
}
