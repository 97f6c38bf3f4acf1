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
        int[] nextOfTask = new int[parallelism];
        for (int part = 0; part < count; part++) {
            int task = part % parallelism;
            int key = nextOfTask[task];
            while (KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, parallelism) != task) {
                key++;
            }
            keys[part] = key;
            nextOfTask[task] = key + 1;
        }
        return keys;
    }
}
