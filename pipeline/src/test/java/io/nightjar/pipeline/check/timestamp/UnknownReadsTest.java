package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.TransactionScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnknownReadsTest {

    private static final Set<IsolationLevel> LEVELS =
            EnumSet.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @Test
    void lanesObservedApartResolveLikeLanesObservedTogether() {
        int promotedCount = 0;
        for (long seed : Seeds.upTo(5_000)) {
            SmallHistory history = RandomHistory.of(seed, 30);
            List<Lane> lanes = lanes(history, 8);
            UnknownReads together = new UnknownReads(history.initialValue());
            lanes.forEach(together::observe);
            lanes.forEach(lane -> together.observePlaces(lane, LEVELS));

            UnknownReads[] observers = new UnknownReads[3];
            Arrays.setAll(observers, any -> new UnknownReads(history.initialValue()));
            Random random = new Random(seed);
            lanes.forEach(lane -> {
                UnknownReads observer = observers[random.nextInt(observers.length)];
                observer.observe(lane);
                observer.observePlaces(lane, LEVELS);
            });
            UnknownReads merged = new UnknownReads(history.initialValue());
            for (UnknownReads observer : observers) {
                merged.merge(throughBytes(observer));
            }

            assertThat(merged.resolve(LEVELS)).as("seed=%d%n%s", seed, history).isEqualTo(together.resolve(LEVELS));
            promotedCount += merged.resolve(LEVELS)
                    .counted(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                    .size();
        }
        assertThat(promotedCount).isPositive();
    }

    private static List<Lane> lanes(SmallHistory history, int laneCount) {
        List<Lane> lanes = new ArrayList<>();
        for (int lane = 0; lane < laneCount; lane++) {
            lanes.add(new Lane());
        }
        TransactionScan scan = new TransactionScan(laneCount, history.initialValue());
        for (HistorySlice slice : history.slices(7)) {
            scan.scan(slice);
            for (int lane = 0; lane < laneCount; lane++) {
                lanes.get(lane).append(scan.chunk(lane));
            }
        }
        return lanes;
    }

    static UnknownReads throughBytes(UnknownReads reads) {
        ByteSink sink = new ByteSink(1);
        reads.encode(sink);
        ByteFeed feed = new ByteFeed(sink.bytes(), 0, sink.size());
        UnknownReads decoded = UnknownReads.decode(feed);
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }
}
