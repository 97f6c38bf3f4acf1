package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sets of ids and the contents behind them say what plain sets say. */
class IdSetTest {

    private static final int NUMBERS = 100_000;

    @Test
    void numbersThatLieCloseTogetherTakeLittleRoom() {
        IdSet set = new IdSet();
        for (int number = 0; number < NUMBERS; number++) {
            assertThat(set.add(-40_000L + number)).isTrue();
        }
        assertThat(set.add(0)).isFalse();
        assertThat(set.contains(-40_001)).isFalse();
        assertThat(set.byteSize()).isLessThan(NUMBERS);
    }

    @Test
    void numbersThatAreScatteredAreKnownToo() {
        Random random = new Random(7);
        IdSet set = new IdSet();
        Set<Long> plain = new HashSet<>();
        for (int i = 0; i < NUMBERS; i++) {
            long number = i % 3 == 0 ? i : random.nextLong();
            assertThat(set.add(number)).isEqualTo(plain.add(number));
        }
        for (long number : plain) {
            assertThat(set.contains(number)).isTrue();
            assertThat(set.contains(number + 1)).isEqualTo(plain.contains(number + 1));
        }
        assertThat(set.byteSize()).isLessThan(40L * NUMBERS);
    }
}
