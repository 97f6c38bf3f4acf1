package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpsByKeyTest {

    private final long[] keys = {7, 3, Long.MAX_VALUE, 3, 7, Long.MIN_VALUE, 3};

    @Test
    void operationsOnAKeyAreInProgramOrder() {
        OpsByKey ops = new OpsByKey(0, keys.length, op -> keys[op]);

        assertThat(ops.on(3)).containsExactly(1, 3, 6);
        assertThat(ops.on(7)).containsExactly(0, 4);
        assertThat(ops.on(Long.MAX_VALUE)).containsExactly(2);
        assertThat(ops.on(Long.MIN_VALUE)).containsExactly(5);
        assertThat(ops.on(4)).isEmpty();
    }

    @Test
    void operationsOfOtherTransactionsAreNotFound() {
        assertThat(new OpsByKey(1, 4, op -> keys[op]).on(3)).containsExactly(1, 3);
        assertThat(new OpsByKey(2, 2, op -> keys[op]).on(3)).isEmpty();
    }
}
