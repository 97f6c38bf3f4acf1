package io.nightjar.pipeline.primitive;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PackedLongsTest {

    @Tag(Seeds.TAG)
    @Test
    void numbersOfEveryWidthComeBack() {
        for (long seed : Seeds.upTo(20)) {
            Random random = new Random(seed);
            for (int width = 0; width <= Long.SIZE; width++) {
                long[] numbers = new long[random.nextInt(600)];
                long min = random.nextBoolean() ? random.nextLong() : -random.nextInt(100);
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = width == 0 ? min : min + (random.nextLong() >>> (Long.SIZE - width));
                }

                assertThat(throughBytes(numbers, random))
                        .as("seed=%d width=%d", seed, width)
                        .isEqualTo(numbers);
            }
        }
    }

    @Test
    void maximumAndMinimumAreRestored() {
        long[] numbers = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1};

        assertThat(throughBytes(numbers, new Random(1))).isEqualTo(numbers);
    }

    @Test
    void numbersOfNoSpreadTakeNoBits() {
        long[] numbers = new long[256];
        Arrays.fill(numbers, 5);
        ByteWriter sink = new ByteWriter(1);

        PackedLongs.put(numbers, numbers.length, sink);

        assertThat(sink.size()).isEqualTo(2);
    }

    /** In an array that ends with them, or goes on with other bytes. */
    private static long[] throughBytes(long[] numbers, Random random) {
        ByteWriter sink = new ByteWriter(1);
        int before = random.nextInt(10);
        sink.reserve(before);
        PackedLongs.put(numbers, numbers.length, sink);
        byte[] bytes = Arrays.copyOf(sink.bytes(), sink.size() + random.nextInt(2) * random.nextInt(20));
        Arrays.fill(bytes, sink.size(), bytes.length, (byte) -1);
        ByteReader feed = new ByteReader(bytes, before, sink.size() - before);
        long[] read = new long[numbers.length];
        PackedLongs.get(feed, read, read.length);
        assertThat(feed.isEmpty()).isTrue();
        return read;
    }
}
