package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PagedKeyColumnsTest {

    private static final int KEYS = 3_000;
    private static final int STEPS = 20_000;

    @Test
    void numbersAreThoseOfPlainArraysWhereverTheirPagesLie() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            KeyRooms.Stored stored = new KeyRooms.Stored();
            int memory = random.nextInt(12_000);
            KeyPageCache cache = KeyPageCache.of(memory, stored);
            PagedKeyColumns[] numbers = {new PagedKeyColumns(cache, 1), new PagedKeyColumns(cache, 5)};
            long[][] plain = {new long[KEYS], new long[KEYS * 5]};
            for (int step = 0; step < STEPS; step++) {
                int which = random.nextInt(2);
                int width = which == 0 ? 1 : 5;
                int key = random.nextInt(1 + random.nextInt(KEYS));
                int number = random.nextInt(width);
                if (random.nextBoolean()) {
                    long value = random.nextInt(3) == 0 ? 0 : random.nextLong();
                    numbers[which].set(key, number, value);
                    plain[which][key * width + number] = value;
                }
                assertThat(numbers[which].get(key, number))
                        .as("seed=%d step=%d", seed, step)
                        .isEqualTo(plain[which][key * width + number]);
            }
            assertThat(numbers[0].byteSize() + numbers[1].byteSize())
                    .as("seed=%d", seed)
                    .isLessThan(Math.max(memory, 1_280) + 6_000);
            assertThat(stored.writes()).isPositive();
        }
    }

    @Test
    void whatIsLetGoTakesNoMemory() {
        KeyPageCache cache = KeyPageCache.of(256, new KeyRooms.Stored());
        PagedKeyColumns gone = new PagedKeyColumns(cache, 1);
        PagedKeyColumns stays = new PagedKeyColumns(cache, 1);
        gone.set(7, 0, 1);
        gone.release();
        stays.set(7, 0, 2);
        stays.set(1_000, 0, 3);

        assertThat(gone.byteSize()).isZero();
        assertThat(stays.get(7, 0)).isEqualTo(2);
        assertThat(stays.get(1_000, 0)).isEqualTo(3);
    }
}
