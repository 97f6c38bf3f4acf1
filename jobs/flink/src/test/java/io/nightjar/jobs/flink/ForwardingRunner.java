package io.nightjar.jobs.flink;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs jobs where another does; tests change what they need to. */
class ForwardingRunner implements JobRunner {

    private final JobRunner runner;

    ForwardingRunner(JobRunner runner) {
        this.runner = runner;
    }

    @Override
    public StreamExecutionEnvironment newEnvironment() throws IOException {
        return runner.newEnvironment();
    }

    @Override
    public long taskHeapBytes(long allowedBytes) {
        return runner.taskHeapBytes(allowedBytes);
    }

    @Override
    public long keptBytes(long allowedBytes) {
        return runner.keptBytes(allowedBytes);
    }

    @Override
    public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception {
        return runner.run(env, jobName, counted);
    }

    @Override
    public JobClient begin(StreamExecutionEnvironment env, String jobName) throws Exception {
        return runner.begin(env, jobName);
    }

    @Override
    public void cancelJob(String job) throws IOException, InterruptedException {
        runner.cancelJob(job);
    }

    @Override
    public boolean isHere() {
        return runner.isHere();
    }

    @Override
    public void end() throws Exception {
        runner.end();
    }
}
