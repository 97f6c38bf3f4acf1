package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.partition.KeyRange;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneKeyFilter;
import io.nightjar.pipeline.partition.LaneOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** A lane's size is known from its chunks, and parts of it are as large as was counted. */
class LaneSizeTest {

    private static final int TXNS = 100_000;
    private static final int OPS = 3;

    @Test
    void laneSizeIsKnownBeforeConstruction() {
        for (int keys : new int[] {1, 1_000, 300_000, 1_000_000_000}) {
            Random random = new Random(keys);
            List<LaneChunk> chunks = chunks(op -> random.nextInt(keys));
            long built = built(chunks, KeyRange.ALL).byteSizeWhenChecked();
            assertThat(fitsWhole(chunks, built * 3 / 2)).as("keys=%d", keys).isTrue();
            assertThat(fitsWhole(chunks, built * 3 / 4)).as("keys=%d", keys).isFalse();
        }
    }

    @Test
    void keyRangesFitLimitAndContainEveryOperationOnce() {
        Random random = new Random(7);
        List<LaneChunk> chunks = chunks(op -> random.nextInt(200_000));
        long max = built(chunks, KeyRange.ALL).byteSizeWhenChecked() / 4;

        List<PlannedRange> parts = parts(chunks, max, KeyRange.ALL);

        assertThat(parts).hasSizeBetween(5, 12).allMatch(PlannedRange::fits);
        int opCount = 0;
        for (PlannedRange part : parts) {
            Lane lane = built(chunks, part.range());
            assertThat(lane.byteSizeWhenChecked()).isLessThan(max * 5 / 4);
            opCount += lane.opCount();
        }
        assertThat(opCount).isEqualTo(TXNS * OPS);
    }

    @Test
    void oversizedKeyIsSeparated() {
        Random random = new Random(8);
        List<LaneChunk> chunks = chunks(op -> op % OPS == 0 ? 42 : 100 + random.nextInt(200_000));
        long max = built(chunks, KeyRange.ALL).byteSizeWhenChecked() / 6;

        List<PlannedRange> open = new ArrayList<>(parts(chunks, max, KeyRange.ALL));
        List<PlannedRange> unfit = new ArrayList<>();
        while (!open.isEmpty()) {
            PlannedRange part = open.remove(0);
            if (!part.fits() && part.isDivisible()) {
                open.addAll(parts(chunks, max, part.range()));
            } else if (!part.fits()) {
                unfit.add(part);
            }
        }

        assertThat(unfit).hasSize(1);
        Lane lane = built(chunks, unfit.get(0).range());
        assertThat(lane.keyCount()).isEqualTo(1);
        assertThat(lane.keyText(0)).isEqualTo("42");
    }

    private static boolean fitsWhole(List<LaneChunk> chunks, long maxBytes) {
        List<PlannedRange> parts = parts(chunks, maxBytes, KeyRange.ALL);
        return parts.size() == 1 && parts.get(0).fits();
    }

    private static List<PlannedRange> parts(List<LaneChunk> chunks, long maxBytes, KeyRange range) {
        LaneSize size = new LaneSize(range);
        chunks.forEach(size::add);
        return size.ranges(maxBytes);
    }

    private static Lane built(List<LaneChunk> chunks, KeyRange range) {
        LaneKeyFilter dealer = new LaneKeyFilter();
        Lane lane = new Lane();
        chunks.forEach(chunk -> lane.append(dealer.filter(chunk, range)));
        return lane;
    }

    /** Transactions that each write some keys, of a number for each operation; half of the chunks call keys by names. */
    private static List<LaneChunk> chunks(IntToLongFunction keyOf) {
        boolean isNamed = keyOf.applyAsLong(1) % 2 == 0;
        List<LaneChunk> chunks = new ArrayList<>();
        LaneChunk chunk = null;
        for (int txn = 0; txn < TXNS; txn++) {
            if (txn % 1_000 == 0) {
                chunk = new LaneChunk();
                chunk.keyType = isNamed ? ValueType.STRING : ValueType.LONG;
                chunk.keyNames = isNamed ? new StringPool() : null;
                chunk.valueType = ValueType.LONG;
                chunks.add(chunk);
            }
            chunk.beginTxn(txn, 10L * txn, 10L * txn + 5, LaneChunk.flags(TxnStatus.COMMITTED, true));
            for (int op = 0; op < OPS; op++) {
                long key = keyOf.applyAsLong(txn * OPS + op);
                chunk.op(LaneOp.WRITE, isNamed ? chunk.keyNames.intern(Long.toString(key)) : key, txn);
            }
        }
        return chunks;
    }
}
