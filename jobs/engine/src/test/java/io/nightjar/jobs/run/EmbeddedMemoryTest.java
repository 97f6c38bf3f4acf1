package io.nightjar.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import org.junit.jupiter.api.Test;

/** The embedded cluster uses the memory that the launcher left outside the heap, and not more. */
class EmbeddedMemoryTest {

    private static final long HEAP = 1L << 30;

    @Test
    void nothingIsTakenThatIsNotThere() {
        for (int parallelism = 1; parallelism <= 16; parallelism++) {
            for (long offHeap = 88; offHeap < 2_000; offHeap += 7) {
                EmbeddedMemory memory = EmbeddedMemory.split(parallelism, offHeap, HEAP);
                assertThat(memory.network() + memory.read() + memory.managed()).isLessThanOrEqualTo((int) offHeap);
                assertThat(memory.slots()).isBetween(1, Math.min(parallelism, 12));
                assertThat(memory.managed()).isBetween(16 * memory.slots(), 64 * memory.slots());
            }
        }
    }

    @Test
    void littleMemoryMeansFewSlots() {
        assertThat(EmbeddedMemory.split(4, 128, HEAP)).isEqualTo(new EmbeddedMemory(2, 64, 32, 32));
        assertThat(EmbeddedMemory.split(4, 1_000, 200L << 20).slots()).isEqualTo(2);
        assertThat(EmbeddedMemory.split(4, 1_000, HEAP)).isEqualTo(new EmbeddedMemory(4, 112, 32, 256));
    }

    @Test
    void tooLittleMemoryIsWrongUsage() {
        assertThatThrownBy(() -> EmbeddedMemory.split(2, 50, 83L << 20))
                .isInstanceOf(UsageException.class)
                .hasMessage("too little memory for Flink inside this process: heap=83m off-heap=50m needed=80m and 88m;"
                        + " give more --memory, 400m at least, or use --engine local");
    }
}
