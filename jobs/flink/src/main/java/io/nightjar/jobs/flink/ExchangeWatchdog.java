package io.nightjar.jobs.flink;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.consumer.IndexedInputGate;
import org.apache.flink.runtime.io.network.partition.consumer.InputChannel;
import org.apache.flink.runtime.io.network.partition.consumer.PartitionConnectionException;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.jspecify.annotations.Nullable;

/** Fails a task whose input does not come, because the TaskManager that has it hangs. */
final class ExchangeWatchdog {

    /*
     * Definitions. Exchanges are blocking: a task's input is complete before it starts, and arrives on request. A
     * TaskManager that dies closes its connections, and its readers fail. A TaskManager that is frozen, or whose
     * machine is lost, leaves them open: it is soon declared lost, but only tasks that ran on it are restarted, and its
     * readers would wait forever.
     *
     * Algorithm. A task that waits for its input checks at intervals whether bytes arrived, and fails after a limit.
     * The exception names the exchange, which makes Flink produce it again. The task's own thread checks, between
     * records only: a task that works, or sorts, is not silent.
     */

    /** Longer than a lost TaskManager takes to be declared lost, and a busy disk to respond. */
    private static final int HEARTBEAT_TIMEOUTS = 3;

    private static final int LOOKS = 10;

    private final IndexedInputGate[] gates;
    private final Counter bytesIn;
    private final Duration maxSilence;
    private long bytesBefore = -1;
    private int silentLooks;

    private ExchangeWatchdog(Environment task, Duration maxSilence) {
        this.gates = task.getAllInputGates();
        this.bytesIn = task.getMetricGroup().getIOMetricGroup().getNumBytesInCounter();
        this.maxSilence = maxSilence;
    }

    /** Begins to watch the input of a task. */
    static void watch(Environment task, ProcessingTimeService timer) {
        if (task.getAllInputGates().length == 0) {
            return;
        }
        Configuration config = task.getTaskManagerInfo().getConfiguration();
        Duration maxSilence =
                config.get(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT).multipliedBy(HEARTBEAT_TIMEOUTS);
        ExchangeWatchdog exchange = new ExchangeWatchdog(task, maxSilence);
        long pause = Math.max(1, maxSilence.toMillis() / LOOKS);
        timer.scheduleWithFixedDelay(time -> exchange.checkProgress(), pause, pause);
    }

    private void checkProgress() throws PartitionConnectionException {
        long bytes = bytesIn.getCount();
        ResultPartitionID awaited = awaited();
        if (awaited == null || bytes != bytesBefore) {
            bytesBefore = bytes;
            silentLooks = 0;
            return;
        }
        silentLooks++;
        if (silentLooks == LOOKS) {
            throw new PartitionConnectionException(
                    awaited,
                    new TimeoutException("a TaskManager sends nothing: seconds=" + maxSilence.toSeconds()
                            + "; see whether one hangs"));
        }
    }

    /** Returns an unfinished partition of another TaskManager; null if none, or if input is available. */
    private @Nullable ResultPartitionID awaited() {
        ResultPartitionID awaited = null;
        for (IndexedInputGate gate : gates) {
            if (gate.isFinished()) {
                continue;
            }
            if (gate.isAvailable()) {
                return null;
            }
            for (InputChannelInfo unfinished : gate.getUnfinishedChannels()) {
                InputChannel channel = gate.getChannel(unfinished.getInputChannelIdx());
                awaited = channel instanceof RemoteInputChannel ? channel.getPartitionId() : awaited;
            }
        }
        return awaited;
    }
}
