package io.nightjar.jobs.flink;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.cluster.ClusterException;
import io.nightjar.jobs.cluster.JobWait;
import io.nightjar.jobs.run.JobSubmittedException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.client.deployment.application.WebSubmissionJobClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Jobs on the cluster that started this program: {@code flink run}, application mode, or a session job. */
final class EnclosingJobs implements JobRunner {

    /** A program that runs in the JobManager, whether of an application or of a session. */
    private static final String IN_THE_JOB_MANAGER = "embedded";

    private boolean hasRun;

    @Override
    public StreamExecutionEnvironment newEnvironment() {
        return StreamExecutionEnvironment.getExecutionEnvironment(JobSettings.of(new Configuration()));
    }

    /** Returns the heap of a task according to the configuration of the enclosing cluster. */
    @Override
    public long taskHeapBytes(long allowedBytes) {
        ReadableConfig config =
                StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration();
        int slots = config.get(TaskManagerOptions.NUM_TASK_SLOTS);
        try {
            TaskExecutorProcessSpec process =
                    TaskExecutorProcessUtils.processSpecFromConfig(Configuration.fromMap(config.toMap()));
            return TaskHeap.bytes(process.getJvmHeapMemorySize().getBytes(), slots);
        } catch (IllegalConfigurationException untold) {
            return TaskHeap.bytes(allowedBytes, slots);
        }
    }

    @Override
    public long keptBytes(long allowedBytes) {
        return 0;
    }

    /** @throws JobSubmittedException if the program does not wait for the job */
    @Override
    public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception {
        hasRun = true;
        JobClient job = env.executeAsync(jobName);
        if (!canWait(job, env.getConfiguration())) {
            throw new JobSubmittedException(jobName);
        }
        try {
            JobExecutionResult result = JobWait.forEnd(job, counted);
            return JobReply.of(result);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } catch (TimeoutException silent) {
            throw new ClusterException("lost the job: reason=" + silent.getMessage(), silent);
        }
    }

    /**
     * Returns whether the program can wait for its job. A session requires it to return before the job can be queried.
     * In application mode Flink does not attach, but the program can wait. Otherwise {@code flink run -d} requests
     * detached mode.
     */
    private static boolean canWait(JobClient job, ReadableConfig config) {
        if (job instanceof WebSubmissionJobClient) {
            return false;
        }
        return config.get(DeploymentOptions.ATTACHED)
                || IN_THE_JOB_MANAGER.equals(config.get(DeploymentOptions.TARGET));
    }

    @Override
    public JobClient begin(StreamExecutionEnvironment env, String jobName) {
        throw new UsageException("watch is no program for a cluster to start; call it with --engine flink --cluster");
    }

    /** Does nothing: jobs are not begun here. */
    @Override
    public void cancelJob(String job) {}

    @Override
    public boolean isHere() {
        return false;
    }

    /** Does nothing: Flink takes a program without a job for a failure, and a stored verdict needs none. */
    @Override
    public void end() throws Exception {
        if (!hasRun) {
            StreamExecutionEnvironment env = newEnvironment();
            env.fromData(Types.INT, 0)
                    .sinkTo(new DiscardingSink<>())
                    .name("nothing to do")
                    .setParallelism(1);
            env.execute("nightjar: nothing to do");
        }
    }
}
