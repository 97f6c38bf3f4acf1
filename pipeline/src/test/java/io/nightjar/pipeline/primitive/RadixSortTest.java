package io.nightjar.pipeline.primitive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RadixSortTest {

    @Test
    void fewAndManyAreSortedStably() {
        Random random = new Random(1);
        for (int count : new int[] {0, 1, 2, 3, 20, 47, 48, 49, 50, 300, 5_000}) {
            for (long span : new long[] {2, 30, 1L << 20, Long.MAX_VALUE}) {
                check(random.longs(count, -span, span).toArray());
            }
        }
    }

    @Test
    void nearlySortedInputIsSortedStably() {
        Random random = new Random(2);
        for (int count : new int[] {49, 300, 5_000}) {
            for (int disorder : new int[] {1, 10, 100}) {
                long[] keys = new long[count];
                for (int i = 0; i < count; i++) {
                    keys[i] = i / 3 + random.nextInt(disorder) + (i == count - 1 ? -count : 0);
                }
                check(keys);
            }
        }
    }

    private static void check(long[] keys) {
        int count = keys.length;
        int[] expected = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] sorted = Arrays.copyOf(keys, count + 2);
        int[] payload = IntStream.range(0, count + 2).toArray();

        RadixSort.sort(sorted, payload, count);

        assertThat(Arrays.copyOf(payload, count)).as("count=%d", count).isEqualTo(expected);
        Arrays.sort(keys);
        assertThat(Arrays.copyOf(sorted, count)).as("count=%d", count).isEqualTo(keys);
        assertThat(payload[count]).isEqualTo(count);
    }
}
