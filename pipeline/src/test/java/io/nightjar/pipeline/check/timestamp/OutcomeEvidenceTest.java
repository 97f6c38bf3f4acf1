package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Seeds.TAG)
class OutcomeEvidenceTest {

    private static final Set<IsolationLevel> LEVELS =
            EnumSet.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @Test
    void lanesObservedApartResolveLikeLanesObservedTogether() {
        int promotedCount = 0;
        for (long seed : Seeds.upTo(5_000)) {
            SmallHistory history = RandomHistory.of(seed, 30);
            List<Lane> lanes = lanes(history, 8);
            OutcomeEvidence together = new OutcomeEvidence(history.initialValue());
            lanes.forEach(together::observe);
            lanes.forEach(lane -> together.observePositions(lane, LEVELS));

            OutcomeEvidence[] observers = new OutcomeEvidence[3];
            Arrays.setAll(observers, any -> new OutcomeEvidence(history.initialValue()));
            Random random = new Random(seed);
            lanes.forEach(lane -> {
                OutcomeEvidence observer = observers[random.nextInt(observers.length)];
                observer.observe(lane);
                observer.observePositions(lane, LEVELS);
            });
            OutcomeEvidence merged = new OutcomeEvidence(history.initialValue());
            for (OutcomeEvidence observer : observers) {
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

    static OutcomeEvidence throughBytes(OutcomeEvidence reads) {
        ByteWriter sink = new ByteWriter(1);
        reads.encode(sink);
        ByteReader feed = new ByteReader(sink.bytes(), 0, sink.size());
        OutcomeEvidence decoded = OutcomeEvidence.decode(feed);
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }
}
