package io.nightjar.jobs.cluster;

import io.nightjar.jobs.UsageException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster on this machine consists of.
 *
 * @param taskManagers how many processes do the work
 * @param slots how many tasks of a kind each of them runs at once
 * @param port where it is reached on the loopback interface; 0 for any that is free
 * @param memoryBytes what each TaskManager may use in all
 * @param dir where configuration, logs and files in use lie
 * @param jvmOptions further options for the JVM of every process; they win over those that it gets by itself
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
