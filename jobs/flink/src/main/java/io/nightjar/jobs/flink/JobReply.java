package io.nightjar.jobs.flink;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.util.List;
import org.apache.flink.api.common.JobExecutionResult;

/** Result of a job as text, or the reason why it has none. */
record JobReply(Kind kind, String text) {

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

    static JobReply of(RunResult result) {
        return new JobReply(Kind.RESULT, RunResultJson.writeWhole(result));
    }

    String encode() {
        return kind + " " + text;
    }

    /** Returns the reply of the last stage of a job that ended. */
    static JobReply of(JobExecutionResult job) {
        return decode(job.<List<String>>getAccumulatorResult(ACCUMULATOR).get(0));
    }

    private static JobReply decode(String encoded) {
        int end = encoded.indexOf(' ');
        return new JobReply(Kind.valueOf(encoded.substring(0, end)), encoded.substring(end + 1));
    }
}
