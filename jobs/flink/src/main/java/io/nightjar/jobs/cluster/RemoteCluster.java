package io.nightjar.jobs.cluster;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.cluster.RestApi.Overview;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.client.ClientUtils;
import org.apache.flink.client.cli.ClientOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.rest.util.RestClientException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

/** A Flink cluster that is there already, reached through its REST address; it runs jobs while their client lives. */
public final class RemoteCluster {

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:/\\s]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** Time without a heartbeat after which a client counts as dead, and its job is canceled. */
    private static final Duration SILENCE_OF_THE_DEAD = Duration.ofSeconds(20);

    private static final Duration HEARTBEAT = Duration.ofSeconds(3);

    /** A JobManager that does not answer for ten seconds is gone, and its job with it. */
    private static final int ATTEMPTS = 20;

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long GOODBYE_SECONDS = 2;

    private final String host;
    private final int port;
    private final Overview overview;
    private volatile boolean isEnding; // whether the process ends, and its job with it

    private RemoteCluster(String host, int port, Overview overview) {
        this.host = host;
        this.port = port;
        this.overview = overview;
    }

    /**
     * Connects to a cluster, which must respond.
     *
     * @param address host and port
     * @throws UsageException if the address is malformed
     * @throws ClusterException if no response arrives
     */
    public static RemoteCluster connect(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
            throw new UsageException("not an address: cluster=" + address + " expected=HOST:PORT");
        }
        try {
            Overview overview = new RestApi(address).overview();
            return new RemoteCluster(matcher.group(1), Integer.parseInt(matcher.group(2)), overview);
        } catch (IOException e) {
            throw new ClusterException(
                    "cannot reach it: cluster=" + address + " reason=" + e.getMessage()
                            + "; see that it runs and that this is its REST address",
                    e);
        }
    }

    /** Returns how many tasks of a kind it can run at once. */
    public int slots() {
        return overview.slots();
    }

    /** Returns the sizes of the registered TaskManagers; empty if the cluster does not provide them. */
    public List<TaskManagerSize> taskManagers() {
        try {
            return new RestApi(host + ":" + port).taskManagers();
        } catch (IOException untold) {
            return List.of();
        }
    }

    /**
     * Returns an environment whose jobs run there and bring along our classes.
     *
     * @param settings of the jobs
     */
    public StreamExecutionEnvironment environment(Configuration settings) throws IOException {
        Configuration configuration = new Configuration(settings);
        configuration.set(DeploymentOptions.ATTACHED, true);
        configuration.set(DeploymentOptions.SHUTDOWN_IF_ATTACHED, true);
        configuration.set(ClientOptions.CLIENT_HEARTBEAT_TIMEOUT, SILENCE_OF_THE_DEAD);
        configuration.set(ClientOptions.CLIENT_HEARTBEAT_INTERVAL, HEARTBEAT);
        configuration.set(RestOptions.RETRY_MAX_ATTEMPTS, ATTEMPTS);
        configuration.set(RestOptions.RETRY_DELAY, PAUSE);
        String[] jars = JobJars.ofThisApplication().stream().map(Path::toString).toArray(String[]::new);
        return StreamExecutionEnvironment.createRemoteEnvironment(host, port, configuration, jars);
    }

    /**
     * Runs the job defined in an environment of this cluster and waits for its end. If this process ends before, so
     * does the job.
     *
     * @param counted see {@link JobWait}
     * @throws ClusterException if the cluster failed; otherwise the exception of a task, see {@link JobFailures}
     */
    public JobExecutionResult execute(
            StreamExecutionEnvironment environment, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception {
        try {
            return JobWait.forEnd(begin(environment, jobName), counted);
        } catch (Exception failed) {
            throw failureOf(failed);
        }
    }

    /** Cancels a job whose client has ended, and waits for that; does nothing if the job does not exist. */
    public void cancelJob(String job) throws IOException, InterruptedException {
        RestApi rest = new RestApi(host + ":" + port);
        rest.cancel(job);
        while (rest.isRunning(job)) {
            Thread.sleep(PAUSE.toMillis());
        }
    }

    /** Starts the job defined in an environment of this cluster. When this process ends, so does the job. */
    public JobClient begin(StreamExecutionEnvironment environment, String jobName) throws Exception {
        CompletableFuture<JobClient> begun = new CompletableFuture<>();
        Thread cancel = new Thread(() -> cancel(begun), "job-cancel");
        addHook(cancel); // first: the process may be asked to end during the submission
        try {
            JobClient job = environment.executeAsync(jobName);
            begun.complete(job);
            ScheduledExecutorService heartbeats =
                    ClientUtils.reportHeartbeatPeriodically(job, HEARTBEAT.toMillis(), SILENCE_OF_THE_DEAD.toMillis());
            job.getJobExecutionResult().whenComplete((result, failed) -> {
                heartbeats.shutdownNow();
                removeHook(cancel);
            });
            return job;
        } catch (Exception failed) {
            begun.completeExceptionally(failed);
            removeHook(cancel);
            throw failureOf(failed);
        }
    }

    private Exception failureOf(Exception failed) throws InterruptedException {
        if (isEnding) {
            awaitEnd();
        }
        if (has(failed, JobExecutionException.class)) {
            return JobFailures.reasonOf(failed) instanceof Exception known ? known : failed;
        }
        if (has(failed, IOException.class)
                || has(failed, TimeoutException.class)
                || has(failed, RestClientException.class)) {
            return new ClusterException(
                    "lost the job: cluster=" + host + ":" + port + " reason=" + JobFailures.shortReason(failed),
                    failed);
        }
        return failed;
    }

    private static boolean has(Exception failed, Class<? extends Throwable> type) {
        return ExceptionUtils.findThrowable(failed, type).isPresent();
    }

    private void cancel(CompletableFuture<JobClient> begun) {
        isEnding = true;
        try {
            JobClient job = begun.get(GOODBYE_SECONDS, TimeUnit.SECONDS);
            job.cancel().get(GOODBYE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception unheard) {
            // the cluster notices that no heartbeats come
        }
    }

    private static void addHook(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            awaitEnd();
        }
    }

    /** Waits for the end of the process: a job that ends with it is no failure. */
    private static void awaitEnd() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // then it runs
        }
    }
}
