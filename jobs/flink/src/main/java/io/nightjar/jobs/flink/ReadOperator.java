package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.partition.SessionForest;
import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stage 1, the first reading: receives ordinals of splits, and partitions their ids and sessions for validation. As
 * planned for the job, it also partitions operations by lane or determines the connected sessions. Slices for a second
 * reading are cached if it runs in this process.
 */
final class ReadOperator extends StageOperator implements OneInputStreamOperator<Long, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final double SHARE_FOR_LANES = 0.2;
    private static final double SHARE_FOR_VALIDATION = 0.05;

    private transient ValidationPartitioner validation;
    private transient @Nullable LaneSender lanes;
    private transient @Nullable SessionForest forest;
    private transient SliceCache kept;
    private transient Counter txnsRead;
    private transient Counter opsRead;
    private transient Counter deadLetters;
    private transient long bytesRead;
    private transient long order;

    ReadOperator(JobSpec spec) {
        super(spec, "read");
    }

    @Override
    public void open() throws Exception {
        super.open();
        validation = new ValidationPartitioner(
                TaskKeys.inTurn(spec.plan.validationPartitions(), spec.parallelism),
                (long) (heapBytes() * SHARE_FOR_VALIDATION),
                this::emit,
                (chunk, at) -> emit(FACTS, chunk, at));
        if (spec.plan.first().fillsLanes()) {
            long forBuffers = (long) (heapBytes() * SHARE_FOR_LANES);
            int[] keys = TaskKeys.inTurn(spec.plan.laneCount(), spec.parallelism);
            lanes = new LaneSender(keys, initialValue(), forBuffers, chunk -> emit(LANES, chunk, order));
        }
        if (spec.plan.first().joinsSessions()) {
            forest = new SessionForest();
        }
        kept = keptSlices();
        txnsRead = counter("txns_read");
        opsRead = counter("ops_read");
        if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0 && spec.input.pipeBytes() > 0) {
            spilled(spec.input.pipeBytes());
        }
        deadLetters = counter("dead_letters");
    }

    @Override
    public void processElement(StreamRecord<Long> element) throws IOException {
        int split = element.getValue().intValue();
        order = (long) split << SLICE_BITS;
        BadRowCollector badRows = new BadRowCollector(spec.maxDeadLetters());
        Rejection rejection = null;
        kept.begin(split);
        validation.beginSplit(split);
        try (SliceReader reader = source().open(split, spec.columns(), badRows)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                send(slice);
                kept.add(split, slice);
                order++;
            }
            kept.end(split);
            if (lanes != null) {
                lanes.endSplit();
            }
        } catch (MalformedHistoryException malformed) {
            rejection = Rejection.of(malformed);
        } catch (UsageException wrong) {
            send(new UsageErrorMessage(String.valueOf(wrong.getMessage())));
        } catch (BadRowCollector.EnoughException enough) {
            // the rows contain the complete error
        } catch (ChangedInputException changed) {
            throw new SuppressRestartsException(changed); // other tasks have read the previous content
        }
        validation.endSplit(order);
        send(new ReadingMessage(split, source().reading(split), source().remarks()));
        if (rejection != null || !badRows.rows().isEmpty()) {
            deadLetters.inc(badRows.rows().size());
            send(new BadRowsMessage(badRows.rows(), rejection));
        }
        Split read = source().splits().get(split);
        bytesRead += read.byteCount();
    }

    /** Sends a fact about this split to the task that merges the facts of all splits. */
    private void send(Serializable message) {
        emit(FACTS, Chunk.of(0, message), order);
    }

    private void send(HistorySlice slice) {
        txnsRead.inc(slice.txnCount);
        opsRead.inc(slice.opCount);
        advance(slice.txnCount);
        validation.send(slice, order);
        if (lanes != null) {
            lanes.send(slice);
        }
        if (forest != null) {
            forest.add(slice);
        }
    }

    @Override
    public void endInput() {
        if (lanes != null) {
            lanes.finish();
        }
        if (forest != null) {
            forest.encode(trees -> emit(FACTS, new Chunk(Chunk.Kind.FOREST, 0, trees), LAST));
        }
        reportStage(txnsRead.getCount(), opsRead.getCount(), bytesRead);
    }
}
