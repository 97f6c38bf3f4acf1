package io.nightjar.jobs.flink;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs jobs somewhere: in this process or on a cluster. */
interface JobRunner {

    /** An environment for one job. */
    StreamExecutionEnvironment newEnvironment() throws IOException;

    /**
     * Returns what one task there may hold on the heap.
     *
     * @param allowedBytes what this process may use, which bounds tasks inside it
     */
    long taskHeapBytes(long allowedBytes);

    /**
     * Returns what tasks may keep in memory while they read, for those that read the same once more; 0 if they may run
     * elsewhere.
     *
     * @param allowedBytes what this process may use
     */
    long keptBytes(long allowedBytes);

    /**
     * Runs what was added to an environment and waits for it.
     *
     * @param counted told now and then what tasks have counted so far
     * @return the answer of the last station
     * @throws Exception what a task threw, in whatever it came wrapped
     */
    JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception;

    /** Begins what was added to an environment; it ends when it is cancelled, or with this process. */
    JobClient begin(StreamExecutionEnvironment env, String jobName) throws Exception;

    /** Ends a job that a process began which is gone, should it go on. */
    void giveUp(String job) throws IOException, InterruptedException;

    /** Whether tasks run in this process, so that names of files mean the same to them. */
    boolean isHere();

    /** Ends the runner: no more jobs will come. */
    void end() throws Exception;
}
