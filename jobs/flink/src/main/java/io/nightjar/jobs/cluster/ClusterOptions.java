package io.nightjar.jobs.cluster;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.List;

/**
 * Size, address and JVM options of a cluster on this machine.
 *
 * @param taskManagers number of worker processes
 * @param slots number of concurrent tasks per stage in each of them
 * @param port of the REST address on the loopback interface; 0 for any free port
 * @param memoryBytes total memory of each TaskManager
 * @param dir directory of configuration, logs and spill files
 * @param jvmOptions additional options for the JVM of every process; they override the default ones
 */
public record ClusterOptions(
        int taskManagers, int slots, int port, long memoryBytes, Path dir, List<String> jvmOptions) {

    private static final int MAX_PORT = 65_535;

    public ClusterOptions {
        if (taskManagers < 1) {
            throw new UsageException("not a positive number: task-managers=" + taskManagers);
        }
        if (slots < 1) {
            throw new UsageException("not a positive number: slots=" + slots);
        }
        if (port < 0 || port > MAX_PORT) {
            throw new UsageException("not a port: port=" + port + " max=" + MAX_PORT);
        }
        TaskManagerMemory.split(memoryBytes, slots);
    }
}
