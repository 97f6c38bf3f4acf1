package io.nightjar.jobs.flink;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** Keys that Flink spreads over its tasks in turn, which hashes of small numbers would not be. */
final class TaskKeys {

    /** The number of key groups of every job. */
    static final int MAX_PARALLELISM = 1 << 12;

    private TaskKeys() {}

    /** Keys for parts 0 to {@code count}: part i goes to task i modulo the parallelism. */
    static int[] inTurn(int count, int parallelism) {
        int[] keys = new int[count];
        int[] taskOfPart = new int[count];
        for (int part = 0; part < count; part++) {
            taskOfPart[part] = part % parallelism;
        }
        assign(keys, taskOfPart, parallelism);
        return keys;
    }

    /** Keys for parts whose tasks are given. */
    static int[] of(int[] taskOfPart, int parallelism) {
        int[] keys = new int[taskOfPart.length];
        assign(keys, taskOfPart, parallelism);
        return keys;
    }

    private static void assign(int[] keys, int[] taskOfPart, int parallelism) {
        int[] nextOfTask = new int[parallelism];
        for (int part = 0; part < keys.length; part++) {
            int task = taskOfPart[part];
            int key = nextOfTask[task];
            while (KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, parallelism) != task) {
                key++;
            }
            keys[part] = key;
            nextOfTask[task] = key + 1;
        }
    }
}
