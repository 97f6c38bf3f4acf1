package io.nightjar.jobs.cluster;

import io.nightjar.jobs.UsageException;

/** Memory of a TaskManager by use, in mebibytes; the sum is the memory of the process. */
record TaskManagerMemory(long taskHeap, long managed, long network, long overhead) {

    /*
     * Layout.
     *   task heap     histories: slices, lanes, bins          the rest
     *   managed       sorting between stages                  a tenth
     *   network       buffers of exchanges                    a tenth; a blocking exchange alone requires 16 MiB
     *   the others    Flink itself, classes, the JVM          fixed, and a tenth
     */

    static final long FRAMEWORK_HEAP = 64;
    static final long FRAMEWORK_OFF_HEAP = 128;
    static final long TASK_OFF_HEAP = 32;
    static final long METASPACE = 160;

    private static final long NETWORK_OF_A_SLOT = 64;
    private static final long MANAGED_OF_A_SLOT = 64;
    private static final long SMALLEST_OVERHEAD = 64;
    private static final long SMALLEST_TASK_HEAP = 64;

    static TaskManagerMemory split(long bytes, int slots) {
        long all = bytes >> 20;
        TaskManagerMemory memory = of(all, slots);
        if (memory.taskHeap < SMALLEST_TASK_HEAP) {
            throw new UsageException("too little memory for a TaskManager: memory=" + all + "m slots=" + slots
                    + " needed=" + needed(slots) + "m");
        }
        return memory;
    }

    private static TaskManagerMemory of(long all, int slots) {
        long overhead = Math.max(SMALLEST_OVERHEAD, all / 10);
        long network = Math.max(32 + NETWORK_OF_A_SLOT * slots, all / 10);
        long managed = Math.max(MANAGED_OF_A_SLOT * slots, all / 10);
        long fixed = FRAMEWORK_HEAP + FRAMEWORK_OFF_HEAP + TASK_OFF_HEAP + METASPACE;
        return new TaskManagerMemory(all - fixed - overhead - network - managed, managed, network, overhead);
    }

    private static long needed(int slots) {
        long all = 0;
        while (of(all, slots).taskHeap < SMALLEST_TASK_HEAP) {
            all++;
        }
        return all;
    }

    /** Returns the options that limit the JVM, which does not read Flink's configuration, to its share. */
    String[] jvmOptions() {
        return new String[] {
            "-Xmx" + (FRAMEWORK_HEAP + taskHeap) + "m",
            "-XX:MaxDirectMemorySize=" + (FRAMEWORK_OFF_HEAP + TASK_OFF_HEAP + network) + "m",
            "-XX:MaxMetaspaceSize=" + METASPACE + "m",
            "-XX:+UseParallelGC"
        };
    }
}
