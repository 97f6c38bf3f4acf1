package io.nightjar.jobs.flink;

import org.apache.flink.api.common.accumulators.Accumulator;

/** Brings the answer of the last station back to whoever submitted the job. */
public final class AnswerAccumulator implements Accumulator<String, String> {

    private static final long serialVersionUID = 1;

    /** Its name in the job. */
    static final String NAME = "nightjar-answer";

    private String answer;

    @Override
    public void add(String value) {
        answer = value;
    }

    @Override
    public String getLocalValue() {
        return answer;
    }

    @Override
    public void resetLocal() {
        answer = null;
    }

    @Override
    public void merge(Accumulator<String, String> other) {
        answer = answer == null ? other.getLocalValue() : answer;
    }

    @Override
    public AnswerAccumulator clone() {
        AnswerAccumulator copy = new AnswerAccumulator();
        copy.answer = answer;
        return copy;
    }
}
