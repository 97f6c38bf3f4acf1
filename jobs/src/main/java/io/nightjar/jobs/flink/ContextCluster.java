package io.nightjar.jobs.flink;

import java.io.IOException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The cluster that started this program: {@code flink run}, application mode, or a session job. */
final class ContextCluster implements JobRunner {

    @Override
    public StreamExecutionEnvironment newEnvironment() {
        return StreamExecutionEnvironment.getExecutionEnvironment(JobSettings.of(new Configuration()));
    }

    @Override
    public String run(StreamExecutionEnvironment env, String jobName) throws IOException {
        try {
            JobExecutionResult result = env.execute(jobName);
            return result.getAccumulatorResult(AnswerAccumulator.NAME);
        } catch (Exception failed) {
            throw JobFailures.of(failed);
        }
    }

    /** The cluster belongs to who started it. */
    @Override
    public void close() {}
}
