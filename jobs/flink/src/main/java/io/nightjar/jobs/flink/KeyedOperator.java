package io.nightjar.jobs.flink;

import java.io.IOException;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A stage that processes partitions in sequence: its chunks arrive sorted by partition, and by order within each, so
 * that a partition is complete when the next one begins.
 */
abstract class KeyedOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient boolean isInPartition;
    private transient int partition;

    KeyedOperator(JobSpec spec, String word) {
        super(spec, word);
    }

    @Override
    public final void processElement(StreamRecord<Chunk> element) throws IOException {
        try {
            process(element.getValue());
        } catch (AssertionError fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void process(Chunk chunk) throws IOException {
        recordArrived(chunk);
        if (isInPartition && chunk.key != partition) {
            endPartition();
        }
        if (!isInPartition || chunk.key != partition) {
            isInPartition = true;
            partition = chunk.key;
            beginPartition();
        }
        take(chunk);
    }

    @Override
    public final void endInput() throws IOException {
        try {
            if (isInPartition) {
                endPartition();
            }
            end();
        } catch (AssertionError fault) {
            throw new SuppressRestartsException(fault);
        }
    }

    /** Begins a partition. */
    abstract void beginPartition() throws IOException;

    /** Takes a chunk of the partition that began last. */
    abstract void take(Chunk chunk) throws IOException;

    /** Ends the partition: all its chunks were taken. */
    abstract void endPartition() throws IOException;

    /** Ends the task: all its partitions are done. */
    abstract void end() throws IOException;
}
