package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import org.junit.jupiter.api.Test;

class SliceCacheTest {

    private static final HistorySlice FIRST = slice(1);
    private static final HistorySlice SECOND = slice(2);

    @Test
    void aSplitIsHandedOutOnce() {
        SliceCache kept = new SliceCache(Long.MAX_VALUE);
        keep(kept, 3, FIRST, SECOND);

        assertThat(kept.take(2)).isNull();
        assertThat(kept.take(3)).containsExactly(FIRST, SECOND);
        assertThat(kept.take(3)).isNull();
    }

    @Test
    void aSplitThatWasNotReadToItsEndIsNotThere() {
        SliceCache kept = new SliceCache(Long.MAX_VALUE);
        kept.begin(0);
        kept.add(0, FIRST);

        assertThat(kept.take(0)).isNull();
    }

    @Test
    void anotherAttemptBeginsAnew() {
        SliceCache kept = new SliceCache(Long.MAX_VALUE);
        kept.begin(0);
        kept.add(0, FIRST);
        keep(kept, 0, SECOND);

        assertThat(kept.take(0)).containsExactly(SECOND);
    }

    @Test
    void splitBeyondCapacityIsNotCachedInPart() {
        SliceCache kept = new SliceCache(FIRST.byteSize() + SECOND.byteSize());
        keep(kept, 0, FIRST);
        keep(kept, 1, FIRST, SECOND);

        assertThat(kept.take(1)).isNull();
        assertThat(kept.take(0)).containsExactly(FIRST);

        keep(kept, 1, FIRST, SECOND);

        assertThat(kept.take(1)).as("now that there is room").containsExactly(FIRST, SECOND);
    }

    @Test
    void nothingIsLeftOnceItIsClosed() {
        SliceCache kept = new SliceCache(FIRST.byteSize());
        keep(kept, 0, FIRST);

        kept.close();

        assertThat(kept.take(0)).isNull();

        keep(kept, 1, SECOND);

        assertThat(kept.take(1)).as("now that there is room").containsExactly(SECOND);
    }

    @Test
    void zeroCapacityCachesNothing() {
        SliceCache kept = new SliceCache(0);
        keep(kept, 0);

        assertThat(kept.take(0)).isNull();
    }

    private static void keep(SliceCache kept, int split, HistorySlice... slices) {
        kept.begin(split);
        for (HistorySlice slice : slices) {
            kept.add(split, slice);
        }
        kept.end(split);
    }

    private static HistorySlice slice(long txn) {
        SliceBuilder builder = new SliceBuilder("history");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        builder.beginTxn(txn, txn, 0, txn);
        builder.op(OpKind.WRITE, 1, txn);
        builder.endTxn();
        return builder.build();
    }
}
