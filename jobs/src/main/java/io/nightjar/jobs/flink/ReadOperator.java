package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.SessionForest;
import io.nightjar.pipeline.split.SliceCodec;
import io.nightjar.pipeline.split.SliceForm;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Station 1, the first reading: takes ordinals of splits, sends the heads of their transactions to be validated, and on
 * the way deals operations out to lanes or notes which sessions hang together, whichever the job was planned for. What a
 * second reading will want is kept, if that comes to run in this process.
 */
final class ReadOperator extends Station implements OneInputStreamOperator<Long, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final double SHARE_FOR_LANES = 0.2;

    private transient SliceCodec codec;
    private transient ByteSink heads;
    private transient @Nullable LaneSender lanes;
    private transient @Nullable SessionForest forest;
    private transient KeptSlices kept;
    private transient HistoryFacts relational; // heads say nothing of predicate reads and deletions
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
        codec = new SliceCodec();
        heads = new ByteSink(1 << 16);
        if (spec.fillsLanes) {
            long forBuffers = (long) (heapBytes() * SHARE_FOR_LANES);
            int[] keys = TaskKeys.inTurn(spec.laneCount, spec.parallelism);
            lanes = new LaneSender(keys, initialValue(), forBuffers, chunk -> emit(LANES, chunk, order));
        }
        if (spec.joinsSessions) {
            forest = new SessionForest();
        }
        kept = keptSlices();
        relational = new HistoryFacts();
        txnsRead = counter("txns_read");
        opsRead = counter("ops_read");
        if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0 && spec.pipeBytes > 0) {
            spilled(spec.pipeBytes);
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
            emit(Chunk.of(0, new MisuseMessage(String.valueOf(wrong.getMessage()))), order);
        } catch (BadRowCollector.EnoughException enough) {
            // the rows say it all
        } catch (ChangedInputException changed) {
            throw new SuppressRestartsException(changed); // others have read what was there before
        }
        emit(Chunk.of(0, new ReadingMessage(split, source().reading(split), source().remarks())), order);
        if (rejection != null || !badRows.rows().isEmpty()) {
            deadLetters.inc(badRows.rows().size());
            emit(Chunk.of(0, new BadRowsMessage(badRows.rows(), rejection)), order);
        }
        Split read = source().splits().get(split);
        bytesRead += read.byteCount();
    }

    private void send(HistorySlice slice) {
        txnsRead.inc(slice.txnCount);
        relational.addRelational(slice);
        opsRead.inc(slice.opCount);
        advance(slice.txnCount);
        heads.clear();
        codec.encode(slice, SliceForm.HEADS, heads);
        emit(new Chunk(Chunk.Kind.HEADS, 0, heads), order);
        if (lanes != null) {
            lanes.send(slice);
        }
        if (forest != null) {
            forest.add(slice);
        }
    }

    @Override
    public void endInput() {
        if (relational.relationalCount() > 0) {
            emit(Chunk.of(0, relational), LAST);
        }
        if (lanes != null) {
            lanes.finish();
        }
        if (forest != null) {
            forest.encode(trees -> emit(new Chunk(Chunk.Kind.FOREST, 0, trees), LAST));
        }
        tellStage(txnsRead.getCount(), opsRead.getCount(), bytesRead);
    }
}
