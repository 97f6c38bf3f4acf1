package io.nightjar.jobs.flink;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs jobs in this process or on a cluster. */
interface JobRunner {

    /** Returns an environment for one job. */
    StreamExecutionEnvironment newEnvironment() throws IOException;

    /**
     * Returns the heap available to a task.
     *
     * @param allowedBytes limit of this process, which applies to tasks inside it
     */
    long taskHeapBytes(long allowedBytes);

    /**
     * Returns the memory in which tasks may cache slices for a second reading of the same splits; 0 if they may run in
     * other processes.
     *
     * @param allowedBytes limit of this process
     */
    long keptBytes(long allowedBytes);

    /**
     * Runs the job defined in an environment and waits for it.
     *
     * @param counted receives the current counts of tasks at intervals
     * @return the reply of the last stage
     * @throws Exception the exception of a task, possibly wrapped
     */
    JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception;

    /** Starts the job defined in an environment; it ends when it is canceled, or with this process. */
    JobClient begin(StreamExecutionEnvironment env, String jobName) throws Exception;

    /** Cancels a job whose client process has ended, if it is still running. */
    void cancelJob(String job) throws IOException, InterruptedException;

    /** Returns whether tasks run in this process, so that names of files mean the same to them. */
    boolean isHere();

    /** Ends the runner: no more jobs will come. */
    void end() throws Exception;
}
