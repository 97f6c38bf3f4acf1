package io.nightjar.jobs.flink;

import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** Keys that Flink spreads over its tasks in turn, which hashes of small numbers would not be. */
final class TaskKeys {

    /** The number of key groups of every job. */
    static final int MAX_PARALLELISM = 1 << 12;

    private TaskKeys() {}

    /** Returns, for each of the given number of key groups, a key that falls into it. */
    static int[] ofGroups(int count) {
        int[] keys = new int[count];
        Arrays.fill(keys, -1);
        int left = count;
        for (int key = 0; left > 0; key++) {
            int group = KeyGroupRangeAssignment.assignToKeyGroup(key, count);
            if (keys[group] < 0) {
                keys[group] = key;
                left--;
            }
        }
        return keys;
    }

    /** Returns keys for partitions 0 to {@code count}: partition i goes to task i modulo the parallelism. */
    static int[] inTurn(int count, int parallelism) {
        int[] keys = new int[count];
        int[] nextOfTask = new int[parallelism];
        for (int partition = 0; partition < count; partition++) {
            int task = partition % parallelism;
            int key = nextOfTask[task];
            while (KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, parallelism) != task) {
                key++;
            }
            keys[partition] = key;
            nextOfTask[task] = key + 1;
        }
        return keys;
    }
}
