package io.nightjar.pipeline.primitive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteGroupsTest {

    @Test
    void groupsOfNumbersOfAllLengthsAreReadBack() {
        Random random = new Random(7);
        ByteWriter sink = new ByteWriter(1);
        long[][] groups = new long[2_000][];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = new long[1 + random.nextInt(8)];
            Arrays.setAll(groups[i], each -> random.nextInt(9) == 0 ? 0 : random.nextLong() >>> random.nextInt(64));
            sink.putGroup(groups[i], groups[i].length);
        }
        byte[] exact = Arrays.copyOf(sink.bytes(), sink.size());
        ByteReader feed = new ByteReader(exact, 0, exact.length);
        for (long[] group : groups) {
            long[] read = new long[group.length];
            feed.getGroup(read, read.length);
            assertThat(read).containsExactly(group);
        }
        assertThat(feed.isEmpty()).isTrue();
    }

    @Test
    void zigzagTurnsEveryNumberAndBack() {
        for (long number : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, -1234567}) {
            assertThat(ByteReader.unzigzag(ByteWriter.zigzag(number))).isEqualTo(number);
        }
        assertThat(ByteWriter.zigzag(-1)).isEqualTo(1);
        assertThat(ByteWriter.zigzag(1)).isEqualTo(2);
    }
}
