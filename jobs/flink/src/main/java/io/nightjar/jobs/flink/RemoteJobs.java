package io.nightjar.jobs.flink;

import io.nightjar.jobs.cluster.RemoteCluster;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Jobs on a cluster that is there already, spoken to over its REST port. */
final class RemoteJobs implements JobRunner {

    /** One a second: until a lost TaskManager is known to be lost, who reads from it fails again and again. */
    private static final int ATTEMPTS = 30;

    private final RemoteCluster cluster;

    RemoteJobs(String address) {
        this.cluster = RemoteCluster.connect(address);
    }

    @Override
    public StreamExecutionEnvironment newEnvironment() throws IOException {
        Configuration config = JobSettings.of(new Configuration());
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, ATTEMPTS);
        return cluster.environment(config);
    }

    /** Returns the smallest heap of all TaskManagers, since the task may run on any of them. */
    @Override
    public long taskHeapBytes(long allowedBytes) {
        return cluster.taskManagers().stream()
                .mapToLong(taskManager -> TaskHeap.bytes(taskManager.heapBytes(), taskManager.slots()))
                .min()
                .orElse(TaskHeap.bytes(allowedBytes, 1));
    }

    @Override
    public long keptBytes(long allowedBytes) {
        return 0;
    }

    @Override
    public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception {
        return JobReply.of(cluster.execute(env, jobName, counted));
    }

    @Override
    public JobClient begin(StreamExecutionEnvironment env, String jobName) throws Exception {
        return cluster.begin(env, jobName);
    }

    @Override
    public void cancelJob(String job) throws IOException, InterruptedException {
        cluster.cancelJob(job);
    }

    @Override
    public boolean isHere() {
        return false;
    }

    /** Does nothing: the cluster belongs to who started it. */
    @Override
    public void end() {}
}
