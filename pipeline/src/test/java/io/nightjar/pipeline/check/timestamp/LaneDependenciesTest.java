package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Positions from the dependencies of lanes are those of the sweep in commit order, whatever the order of the rows. */
@Tag(Seeds.TAG)
class LaneDependenciesTest {

    private static final long MEMORY = 1L << 28;

    @Test
    void lanesAndSweepAgreeOnPositions() throws IOException {
        int compared = 0;
        int withSegments = 0;
        for (long seed : Seeds.upTo(1_000)) {
            Random random = new Random(seed);
            List<HistorySlice> slices = new ArrayList<>();
            HistoryGenerator.generate(options(random), slices::add);
            Positions swept = sweep(slices);
            Positions ofLanes = ofLanes(slices, 1 << random.nextInt(4), random);
            if (swept != null) {
                assertThat(ofLanes).as("seed %d", seed).isNotNull();
                assertSame(seed, swept, ofLanes, slices);
                compared++;
                withSegments += swept.segmentCount() > 0 ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThan(Seeds.rounds(1_000) / 2);
        assertThat(withSegments).isGreaterThan(Seeds.rounds(1_000) / 10);
    }

    private static GeneratorOptions options(Random random) {
        StoreKind[] stores = {StoreKind.SI, StoreKind.SI, StoreKind.SER};
        GeneratorOptions.Builder options = GeneratorOptions.builder()
                .transactions(50 + random.nextInt(400))
                .sessions(2 + random.nextInt(10))
                .ops(1 + random.nextInt(6))
                .keys(2 + random.nextInt(60))
                .reads(0.2 + random.nextDouble() * 0.7)
                .store(stores[random.nextInt(stores.length)])
                .seed(random.nextLong());
        return random.nextInt(3) == 0 ? options.values(2 + random.nextInt(8)).build() : options.build();
    }

    private static Positions sweep(List<HistorySlice> slices) {
        PartitionedInOrderSweep sweeps = new PartitionedInOrderSweep(Map.of(), true, null, MEMORY, 1);
        TransactionScan scan = new TransactionScan(1, null);
        for (HistorySlice slice : slices) {
            scan.scan(slice);
            sweeps.sweepOf(0).add(scan.exchange(0, sweeps.sweepOf(0).emptyChunk()));
        }
        sweeps.sweepOf(0).finish();
        return sweeps.abandonReason() == null ? sweeps.positions() : null;
    }

    private static Positions ofLanes(List<HistorySlice> slices, int laneCount, Random random) {
        List<Lane> lanes = new ArrayList<>();
        for (int lane = 0; lane < laneCount; lane++) {
            lanes.add(new Lane());
        }
        List<HistorySlice> shuffled = new ArrayList<>(slices);
        Collections.shuffle(shuffled, random);
        TransactionScan scan = new TransactionScan(laneCount, null);
        for (HistorySlice slice : shuffled) {
            scan.scan(slice);
            for (int lane = 0; lane < laneCount; lane++) {
                LaneChunk chunk = scan.chunk(lane);
                lanes.get(lane).append(chunk);
            }
        }
        PositionMerger merger = new PositionMerger(MEMORY);
        boolean arePlaced = true;
        for (Lane lane : lanes) {
            arePlaced &= LaneDependencies.find(lane, null, new Misses(merger));
        }
        for (Lane lane : lanes) {
            arePlaced &= LaneDependencies.find(lane, null, new Dependencies(merger));
        }
        return arePlaced ? merger.positions() : null;
    }

    private record Misses(PositionMerger to) implements LaneDependencies.Sink {

        @Override
        public void misses(long txnId, boolean isReadOnly, long start, long commit, long firstMissed, int marks) {
            to.misses(txnId, isReadOnly, start, commit, firstMissed, marks);
        }

        @Override
        public void depends(long fromId, long from, long toId, long to, boolean isMissed) {}
    }

    private record Dependencies(PositionMerger merger) implements LaneDependencies.Sink {

        @Override
        public void misses(long txnId, boolean isReadOnly, long start, long commit, long firstMissed, int marks) {}

        @Override
        public void depends(long fromId, long from, long toId, long to, boolean isMissed) {
            merger.depends(fromId, from, toId, to, isMissed);
        }
    }

    private static void assertSame(long seed, Positions swept, Positions ofLanes, List<HistorySlice> slices) {
        assertThat(ofLanes.isCommitOrder()).as("seed %d", seed).isEqualTo(swept.isCommitOrder());
        assertThat(ofLanes.segmentCount()).as("seed %d", seed).isEqualTo(swept.segmentCount());
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                if (slice.status[txn] == TxnStatus.COMMITTED) {
                    assertThat(ofLanes.segmentOf(slice, txn))
                            .as("seed %d, T%d", seed, slice.txnId[txn])
                            .isEqualTo(swept.segmentOf(slice, txn));
                    assertThat(position(ofLanes, slice, txn))
                            .as("seed %d, T%d", seed, slice.txnId[txn])
                            .isEqualTo(position(swept, slice, txn));
                }
            }
        }
    }

    private static long position(Positions positions, HistorySlice slice, int txn) {
        boolean isReadOnly = slice.isReadOnly(txn);
        long commit = slice.commitTsOf(txn, isReadOnly);
        return positions.position(slice.txnId[txn], isReadOnly, slice.startTs[txn], commit);
    }
}
