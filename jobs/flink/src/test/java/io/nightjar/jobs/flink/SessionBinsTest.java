package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.ColumnGroup;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionBinsTest {

    private static final long NEVER_LARGE = Long.MAX_VALUE;

    @Test
    void sessionsOfAGroupAreInOneBin() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int sessions = 1 + random.nextInt(60);
            int groups = 1 + random.nextInt(sessions);
            long[] ids = random.longs(sessions).distinct().toArray();
            int[] groupOf = new int[ids.length];
            Arrays.setAll(groupOf, session -> session < groups ? session : random.nextInt(groups));
            long[] weights = random.longs(ids.length, 1, 1_000).toArray();

            SessionBins bins = SessionBins.of(ids, groupOf, weights, 2_000, 3_000, 4);

            Map<Integer, Integer> binOfGroup = new HashMap<>();
            for (int session = 0; session < ids.length; session++) {
                int bin = bins.binOf(ids[session]);
                assertThat(bin).as("seed=%d", seed).isBetween(0, bins.binCount() - 1);
                assertThat(binOfGroup.merge(groupOf[session], bin, (known, same) -> same))
                        .as("seed=%d group=%d", seed, groupOf[session])
                        .isEqualTo(bin);
            }
        }
    }

    @Test
    void groupsAreSpreadByWeight() {
        long[] ids = {1, 2, 3, 4, 5, 6};
        SessionBins bins = SessionBins.of(
                ids, new int[] {0, 1, 2, 3, 4, 5}, new long[] {60, 10, 10, 10, 10, 20}, 60, NEVER_LARGE, 1);

        assertThat(bins.binCount()).isEqualTo(3);
        long[] load = new long[3];
        long[] weights = {60, 10, 10, 10, 10, 20};
        for (int session = 0; session < ids.length; session++) {
            load[bins.binOf(ids[session])] += weights[session];
        }
        assertThat(load).containsExactlyInAnyOrder(60, 30, 30);
    }

    @ParameterizedTest
    @CsvSource({"100, 6", "10000, 38", "1000000, 64"}) // as tasks need, as caches like, and no more than pays
    void binsAreAsLargeAsCachesLike(long opsOfGroup, int expected) {
        int groups = 1000;
        long[] ids = LongStream.range(0, groups).toArray();
        int[] groupOf = IntStream.range(0, groups).toArray();
        long[] weights = new long[groups];
        Arrays.fill(weights, opsOfGroup);

        SessionBins bins = SessionBins.of(ids, groupOf, weights, Long.MAX_VALUE, NEVER_LARGE, 2);

        assertThat(bins.binCount()).isEqualTo(expected);
    }

    @Test
    void aLargeGroupHasABinOfItsOwn() {
        SessionBins bins =
                SessionBins.of(new long[] {7, 8, 9}, new int[] {1, 0, 2}, new long[] {500, 10, 10}, 1 << 20, 100, 2);

        assertThat(bins.largeBins()).isEqualTo(1);
        assertThat(bins.binOf(7)).isZero();
        assertThat(bins.binOf(8)).isNotZero();
        assertThat(bins.binOf(9)).isNotZero();
    }

    @Test
    void binsSurviveTheWire() {
        SessionBins bins =
                SessionBins.of(new long[] {-5, 1L << 60, 3}, new int[] {0, 1, 0}, new long[] {5, 5, 5}, 5, 8, 2);
        RoutingPlan sent = new RoutingPlan(bins, true, false, EnumSet.of(ColumnGroup.OPERATIONS));

        assertThat(Chunk.of(0, sent).message()).isEqualTo(sent);
    }
}
