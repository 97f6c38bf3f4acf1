package io.nightjar.jobs.flink;

import java.io.IOException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Where jobs run. */
interface JobRunner extends AutoCloseable {

    /** An environment for one job. */
    StreamExecutionEnvironment newEnvironment();

    /**
     * Runs what was added to an environment and waits for it.
     *
     * @return the answer of the last station
     * @throws IOException if the cluster failed, which may be worth another try
     */
    String run(StreamExecutionEnvironment env, String jobName) throws IOException;

    @Override
    void close();
}
