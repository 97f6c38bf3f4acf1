package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SortedRowsTest {

    private static final int LEAF = SortedRows.LEAF_ROWS;
    private static final int PAGE = 1 << 14;
    private static final int KEY = 0;

    /** The block of the first rows, which is smaller than a leaf, takes the place of one. */
    @Test
    void behindAFullLeafAtTheEndOfAPageComesABlockThatWasFree() {
        WindowTxns txns = new WindowTxns();
        SortedRows rows = new SortedRows(txns, false, LEAF);
        int slot = txns.open(1, 0, 0, 0);
        for (int at = 0; at < PAGE - LEAF; at++) {
            rows.add(KEY, at, RowMeta.of(slot, 0, 0), at, 0);
        }
        long bytes = rows.byteSize();
        rows.removeBefore(KEY, rows.notBefore(KEY, LEAF, 0, 0));
        for (int at = PAGE - LEAF; at < PAGE; at++) {
            rows.add(KEY, at, RowMeta.of(slot, 0, 0), at, 0);
        }

        assertThat(rows.byteSize()).as("no page was added").isEqualTo(bytes);
        assertThat(rows.rowCount()).isEqualTo(PAGE - LEAF);
        long next = LEAF;
        for (int place = rows.first(KEY); place != SortedRows.NONE; place = rows.next(KEY, place)) {
            assertThat(rows.value(KEY, place)).isEqualTo(next++);
        }
        assertThat(next).isEqualTo(PAGE);
    }
}
