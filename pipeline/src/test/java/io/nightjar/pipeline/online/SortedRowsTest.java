package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows stay in order however they are inserted and removed, as in a plain list. */
class SortedRowsTest {

    private static final int SEQUENCES = 300;
    private static final int WIDTH = 3;

    private record Row(long time, long second, long third) {}

    @Test
    void rowsAreThoseOfPlainLists() {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            SortedRows rows = new SortedRows(WIDTH);
            List<List<Row>> plain = new ArrayList<>();
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                plain.add(new ArrayList<>());
            }
            for (int step = 0; step < 3_000; step++) {
                int sequence = random.nextInt(1 + random.nextInt(SEQUENCES));
                change(rows, sequence, plain.get(sequence), random);
                assertThat(rowsOf(rows, sequence))
                        .as("seed=%d step=%d", seed, step)
                        .containsExactlyElementsOf(plain.get(sequence));
            }
        }
    }

    private static void change(SortedRows rows, int sequence, List<Row> plain, Random random) {
        int choice = random.nextInt(20);
        if (choice == 0) {
            rows.clear(sequence);
            plain.clear();
        } else if (choice <= 2 && plain.size() > 1) {
            int left = random.nextInt(plain.size());
            rows.removeBefore(sequence, left);
            plain.subList(0, left).clear();
            assertThat(SortedRows.wereRemoved(rows.block(sequence))).isTrue();
        } else {
            long time = random.nextInt(100);
            int row = rows.countBefore(rows.block(sequence), time);
            assertThat(row).isEqualTo((int)
                    plain.stream().filter(of -> of.time() < time).count());
            long[] block = rows.insert(sequence, row, time);
            rows.set(block, row, 2, row);
            plain.add(row, new Row(time, 0, row));
        }
    }

    private static List<Row> rowsOf(SortedRows rows, int sequence) {
        long[] block = rows.block(sequence);
        List<Row> all = new ArrayList<>();
        for (int row = 0; row < SortedRows.count(block); row++) {
            all.add(new Row(rows.at(block, row), rows.get(block, row, 1), rows.get(block, row, 2)));
        }
        return all;
    }

    @Test
    void clearedSequencesUseNoMemory() {
        SortedRows rows = new SortedRows(WIDTH);
        for (int time = 0; time < 1_000; time++) {
            rows.insert(7, time, time);
        }
        long before = rows.byteSize();
        rows.clear(7);

        assertThat(before).isGreaterThan(24_000);
        assertThat(rows.byteSize()).isLessThan(2_000);
    }
}
