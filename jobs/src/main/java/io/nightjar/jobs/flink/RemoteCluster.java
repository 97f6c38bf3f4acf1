package io.nightjar.jobs.flink;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A cluster that is there already, spoken to over its REST port. */
final class RemoteCluster implements JobRunner {

    private static final int ATTEMPTS = 5;

    private final String host;
    private final int port;
    private final List<String> jars;

    /** @param jars what the cluster needs of ours */
    RemoteCluster(String host, int port, List<String> jars) {
        this.host = host;
        this.port = port;
        this.jars = jars;
    }

    /** @param address {@code HOST:PORT} */
    static RemoteCluster of(String address) {
        int colon = address.lastIndexOf(':');
        return new RemoteCluster(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), List.of());
    }

    @Override
    public StreamExecutionEnvironment newEnvironment() {
        Configuration config = JobSettings.of(new Configuration());
        config.set(DeploymentOptions.ATTACHED, true);
        config.set(DeploymentOptions.SHUTDOWN_IF_ATTACHED, true);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, ATTEMPTS);
        return StreamExecutionEnvironment.createRemoteEnvironment(host, port, config, jars.toArray(String[]::new));
    }

    @Override
    public String run(StreamExecutionEnvironment env, String jobName) throws IOException {
        JobClient client;
        try {
            client = env.executeAsync(jobName);
        } catch (Exception failed) {
            throw new IOException(
                    "no cluster answers: cluster=" + host + ":" + port + "; is it running, and is that its REST port?",
                    failed);
        }
        Thread cancelling = new Thread(client::cancel, "cancel-job");
        Runtime.getRuntime().addShutdownHook(cancelling);
        try {
            return client.getJobExecutionResult().get().getAccumulatorResult(AnswerAccumulator.NAME);
        } catch (ExecutionException failed) {
            throw JobFailures.of(failed);
        } catch (InterruptedException interrupted) {
            client.cancel();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a job was running", interrupted);
        } finally {
            Runtime.getRuntime().removeShutdownHook(cancelling);
        }
    }

    /** The cluster belongs to who started it. */
    @Override
    public void close() {}
}
