package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class TaskKeysTest {

    @Test
    void partsAreDistributedRoundRobinWithoutSharedKeys() {
        for (int parallelism : new int[] {1, 2, 3, 7, 64}) {
            int[] keys = TaskKeys.inTurn(300, parallelism);

            assertThat(Arrays.stream(keys).distinct().count()).isEqualTo(300);
            for (int part = 0; part < keys.length; part++) {
                assertThat(KeyGroupRangeAssignment.assignKeyToParallelOperator(
                                keys[part], TaskKeys.MAX_PARALLELISM, parallelism))
                        .isEqualTo(part % parallelism);
            }
        }
    }
}
