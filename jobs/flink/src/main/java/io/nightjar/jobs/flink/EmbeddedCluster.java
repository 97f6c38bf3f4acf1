package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.cluster.JobWait;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.run.EmbeddedMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.jspecify.annotations.Nullable;

/** A cluster inside this process, started for the first job and used for all, also for several at once. */
final class EmbeddedCluster implements JobRunner {

    private static final int MAX_SHUTDOWN_SECONDS = 10;

    /**
     * The share of memory that tasks may retain: reading tasks retain little, and the others start when all is read.
     */
    private static final double SHARE_OF_KEPT = 0.5;

    /** Heartbeat interval of a task; its accumulators are sent along. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private final EmbeddedMemory memory;
    private final Path scratch;
    private final Configuration settings;
    private @Nullable ScratchFolder files;
    private @Nullable MiniCluster cluster;

    /** @throws UsageException if the memory is insufficient */
    EmbeddedCluster(int parallelism, Path scratch) {
        this(parallelism, scratch, new Configuration());
    }

    /** @param settings additional Flink configuration */
    EmbeddedCluster(int parallelism, Path scratch, Configuration settings) {
        this.memory = EmbeddedMemory.ofThisProcess(parallelism);
        this.scratch = scratch;
        this.settings = settings;
    }

    @Override
    public StreamExecutionEnvironment newEnvironment() {
        return new StreamExecutionEnvironment(JobSettings.of(new Configuration()));
    }

    @Override
    public long taskHeapBytes(long allowedBytes) {
        return TaskHeap.bytes(Math.min(Runtime.getRuntime().maxMemory(), allowedBytes), memory.slots());
    }

    @Override
    public long keptBytes(long allowedBytes) {
        return (long) (taskHeapBytes(allowedBytes) * memory.slots() * SHARE_OF_KEPT);
    }

    @Override
    public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
            throws Exception {
        return JobReply.of(JobWait.forEnd(begin(env, jobName), counted));
    }

    @Override
    public JobClient begin(StreamExecutionEnvironment env, String jobName) throws Exception {
        MiniCluster cluster = start();
        StreamGraph graph = env.getStreamGraph();
        graph.setJobName(jobName);
        JobGraph job = graph.getJobGraph();
        cluster.submitJob(job).get();
        return new MiniClusterJobClient(
                job.getJobID(), cluster, getClass().getClassLoader(), JobFinalizationBehavior.NOTHING);
    }

    private synchronized MiniCluster start() throws IOException {
        if (cluster != null) {
            return cluster;
        }
        ScratchFolder files = filesIn(scratch);
        this.files = files;
        Configuration config = new Configuration(settings);
        config.set(CoreOptions.TMP_DIRS, files.path().toString());
        config.set(WebOptions.TMP_DIR, files.path().toString());
        config.set(WebOptions.UPLOAD_DIR, files.path().toString());
        config.set(TaskManagerOptions.NUM_TASK_SLOTS, memory.slots());
        config.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, HEARTBEAT);
        MemorySize network = MemorySize.ofMebiBytes(memory.network());
        config.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
        config.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
        config.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(memory.managed()));
        config.set(TaskManagerOptions.NETWORK_BATCH_SHUFFLE_READ_MEMORY, MemorySize.ofMebiBytes(memory.read()));
        config.set( // chunks are packed already
                NettyShuffleEnvironmentOptions.SHUFFLE_COMPRESSION_CODEC,
                NettyShuffleEnvironmentOptions.CompressionCodec.NONE);
        config.set(NettyShuffleEnvironmentOptions.NETWORK_SORT_SHUFFLE_MIN_BUFFERS, 64);
        PrivateCluster started = PrivateCluster.of(config, memory.slots());
        try {
            started.start();
        } catch (Exception failed) {
            throw new IOException("the embedded cluster did not start: " + failed.getMessage(), failed);
        }
        cluster = started;
        return started;
    }

    /** Does nothing: the job ended with its process. */
    @Override
    public void cancelJob(String job) {}

    @Override
    public boolean isHere() {
        return true;
    }

    @Override
    public synchronized void end() throws Exception {
        if (cluster != null) {
            CompletableFuture<Void> end = cluster.closeAsync();
            cluster = null;
            try {
                end.get(MAX_SHUTDOWN_SECONDS, TimeUnit.SECONDS);
                requireNonNull(files).close();
            } catch (TimeoutException slow) {
                // jobs have returned their results; the cluster ends with this process, and so do its files
            }
        }
    }

    private static ScratchFolder filesIn(Path scratch) {
        try {
            return ScratchFolder.create(scratch, "nightjar-flink-");
        } catch (UncheckedIOException failed) {
            throw new LakeException(
                    "[" + scratch + "] cannot spill: reason=" + failed.getCause()
                            + "; set TMPDIR to a directory that can be written",
                    failed);
        }
    }
}
