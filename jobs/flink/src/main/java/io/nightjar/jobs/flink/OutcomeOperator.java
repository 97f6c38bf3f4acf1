package io.nightjar.jobs.flink;

import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** A stage of one task that begins when the results of all tasks are merged. */
abstract class OutcomeOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    transient JobOutcome outcome;

    OutcomeOperator(JobSpec spec, String word) {
        super(spec, word);
    }

    @Override
    public void open() throws Exception {
        super.open();
        outcome = new JobOutcome(spec);
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        outcome.add(element.getValue());
    }
}
