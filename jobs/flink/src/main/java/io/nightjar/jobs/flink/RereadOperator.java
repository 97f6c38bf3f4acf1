package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** A stage that reads splits again and sends some of their rows, according to a plan that arrives first. */
abstract class RereadOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient long txnsRead;
    private transient long txnsSent;
    private transient long bytesRead;

    RereadOperator(JobSpec spec, String word) {
        super(spec, word);
    }

    @Override
    public final void processElement(StreamRecord<Chunk> element) throws IOException {
        Serializable message = (Serializable) element.getValue().message();
        if (!(message instanceof ReadingMessage split)) {
            begin(message);
            return;
        }
        try {
            read(split);
        } catch (ChangedInputException changed) {
            throw new SuppressRestartsException(changed); // other tasks have read the previous content
        }
    }

    private void read(ReadingMessage asRead) throws IOException {
        int split = asRead.split();
        if (asRead.reading() != null) {
            source().expect(split, asRead.reading());
        }
        long order = (long) split << SLICE_BITS;
        try (SliceReader reader = source().open(split, columns(), BadRowHandler.PASS_OVER)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                txnsSent += send(slice, order);
                txnsRead += slice.txnCount;
                advance(slice.txnCount);
                order++;
            }
        }
        endSplit();
        bytesRead += source().splits().get(split).byteCount();
    }

    /** Begins with a plan. */
    abstract void begin(Serializable plan) throws IOException;

    /** Returns the columns to read. */
    abstract Set<ColumnGroup> columns();

    /** Sends rows of a slice; returns their number. */
    abstract int send(HistorySlice slice, long order);

    void endSplit() {}

    @Override
    public final void endInput() {
        if (txnsRead > 0) {
            reportStage(txnsRead, txnsSent, bytesRead);
        }
    }
}
