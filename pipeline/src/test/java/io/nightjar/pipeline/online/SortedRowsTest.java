package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SortedRowsTest {

    private static final int KEYS = 3;

    @Test
    void rowsStaySortedHoweverTheyComeAndLeave() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            WindowTxns txns = new WindowTxns();
            SortedRows rows = new SortedRows(txns, true);
            List<List<Long>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int step = 0; step < 300; step++) {
                int key = random.nextInt(KEYS);
                List<Long> ofKey = expected.get(key);
                if (random.nextInt(12) == 0) {
                    long before = random.nextInt(step + 1);
                    rows.removeBefore(key, rows.notBefore(key, before, 0, Long.MIN_VALUE));
                    ofKey.removeIf(at -> at < before);
                } else {
                    long at = random.nextBoolean() ? step : random.nextInt(step + 1);
                    int slot = txns.open(step, at - random.nextInt(9), at, 0);
                    rows.add(key, at, RowMeta.of(slot, 0, 0), -at, txns.start(slot));
                    txns.release(slot);
                    ofKey.add(at);
                    Collections.sort(ofKey);
                }
                assertThat(times(rows, key)).as("seed=%d step=%d", seed, step).isEqualTo(ofKey);
                int before = random.nextInt(step + 1);
                assertThat(rows.lastBefore(key, before, 0, Long.MIN_VALUE) + 1).isEqualTo((int)
                        ofKey.stream().filter(at -> at < before).count());
            }
            long left = expected.stream().mapToLong(List::size).sum();
            assertThat(rows.rowCount()).isEqualTo(left);
            for (int key = 0; key < KEYS; key++) {
                rows.removeBefore(key, SortedRows.NONE);
            }
            assertThat(txns.usedByteSize()).as("no row is left").isZero();
            assertThat(rows.byteSize()).isLessThan(100);
        }
    }

    private static List<Long> times(SortedRows rows, int key) {
        List<Long> times = new ArrayList<>();
        for (int position = rows.first(key); position != SortedRows.NONE; position = rows.next(key, position)) {
            times.add(rows.at(key, position));
            assertThat(rows.value(key, position)).isEqualTo(-rows.at(key, position));
        }
        return times;
    }
}
