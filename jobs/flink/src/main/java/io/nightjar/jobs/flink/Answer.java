package io.nightjar.jobs.flink;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.util.List;
import org.apache.flink.api.common.JobExecutionResult;

/** What a job ends in, as one text: a result, or why there is none. */
record Answer(Kind kind, String text) {

    /**
     * The name of the accumulator that brings it back, the only text of a list, to the client that submitted the job.
     */
    static final String ACCUMULATOR = "nightjar-answer";

    /** The ways in which a job may end. */
    enum Kind {
        RESULT,
        REJECTED,
        MISUSE
    }

    static Answer of(RunResult result) {
        return new Answer(Kind.RESULT, RunResultJson.writeWhole(result));
    }

    String encode() {
        return kind + " " + text;
    }

    /** Returns what the last station of a job that ended gave. */
    static Answer of(JobExecutionResult job) {
        return decode(job.<List<String>>getAccumulatorResult(ACCUMULATOR).get(0));
    }

    private static Answer decode(String encoded) {
        int end = encoded.indexOf(' ');
        return new Answer(Kind.valueOf(encoded.substring(0, end)), encoded.substring(end + 1));
    }
}
