package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class HistorySliceTest {

    @Test
    void columnsThatAreNotWantedAreLeftOut() {
        HistorySlice slice = full();

        HistorySlice some =
                slice.withOnly(EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS, ColumnGroup.VERSIONS));

        assertThat(some.startTs).isSameAs(slice.startTs);
        assertThat(some.value).isSameAs(slice.value);
        assertThat(some.version).isSameAs(slice.version);
        assertThat(some.invokeNs).isNull();
        assertThat(some.writerTxn).isNull();
        assertThat(some.extra).isNull();
        assertThat(some.locationOf(1)).isEqualTo(slice.locationOf(1)).hasToString("[" + slice.file + " line=9]");
        assertThat(some.keyText(1)).isEqualTo("y");
    }

    @Test
    void bytesAreThoseOfItsArraysAndNames() {
        HistorySlice slice = full();
        HistorySlice without = slice.withOnly(EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS));

        long times = Long.BYTES * (slice.invokeNs.length + slice.completeNs.length);
        long perOp = Long.BYTES * (slice.version.length + slice.writerTxn.length);
        assertThat(slice.byteSize() - without.byteSize())
                .isGreaterThanOrEqualTo(times + perOp + 2 * "{}".length())
                .isLessThan(times + perOp + 200);
        assertThat(without.byteSize()).isGreaterThan(slice.keyNames.byteSize() + Long.BYTES * 2L * slice.key.length);
    }

    private static HistorySlice full() {
        SliceBuilder builder = new SliceBuilder("history");
        builder.rowsAreLines();
        builder.keysAreStrings();
        builder.valuesAreLongs();
        builder.beginTxn(7, 1, 0, 0).timestamps(1, 2).clientTimes(1, 2).extra("{}");
        builder.op(OpKind.WRITE, builder.keyNames().intern("x"), 5);
        builder.version(1);
        builder.endTxn();
        builder.beginTxn(9, 2, 0, 1).timestamps(3, 4).clientTimes(3, 4);
        builder.op(OpKind.READ, builder.keyNames().intern("y"), 5);
        builder.writerTxn(1);
        builder.endTxn();
        return builder.build();
    }
}
