package io.nightjar.pipeline.primitive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LongOrdinalsTest {

    @Test
    void ordinalsOfFewNumbersAreThoseOfMany() {
        Random random = new Random(2);
        for (int max : new int[] {0, 1, 2, 5, 100, 4_095, 4_096, 10_000}) {
            LongOrdinals few = LongOrdinals.ofCapacity(max);
            LongOrdinals many = new LongOrdinals();
            for (int i = 0; i < max; i++) {
                long number = random.nextBoolean() ? random.nextInt(max) : random.nextLong();
                assertThat(few.ordinal(number)).isEqualTo(many.ordinal(number));
            }
            assertThat(few.size()).isEqualTo(many.size());
        }
    }
}
