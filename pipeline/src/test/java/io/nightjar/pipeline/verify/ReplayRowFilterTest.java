package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayRowFilterTest {

    private static final int WRITERS = 100;
    private static final long READER = 1_000;

    @Test
    void onlyWritesThatMayAnswerAreKept() {
        HistorySlice slice = slice(false);

        ReplayRowFilter sieve = new ReplayRowSelection(List.of(stale(50)), null).sieve(List.of());
        sieve.keep(slice); // the first commits of the key are looked for at the beginning only
        HistorySlice kept = sieve.keep(slice);

        assertThat(Arrays.copyOf(kept.txnId, kept.txnCount)).containsExactly(10, 50, READER);
    }

    @Test
    void readRowDoesNotReplaceWrittenRow() {
        HistorySlice kept = new ReplayRowSelection(List.of(stale(49)), null)
                .sieve(List.of())
                .keep(slice(true));

        assertThat(Arrays.copyOf(kept.txnId, kept.txnCount))
                .as("T50 refutes what is said of T49")
                .contains(10, 49, 50, READER);
    }

    /** The reader starts behind the commit of T50, and reads what T10 wrote. */
    private static Finding stale(long expectedWriter) {
        return new Finding(
                Anomaly.EXT,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                "7",
                List.of(
                        new Participant(READER, Role.READER, 506, 507),
                        new Participant(
                                expectedWriter, Role.EXPECTED_WRITER, 10 * expectedWriter + 1, 10 * expectedWriter + 5),
                        new Participant(10, Role.OBSERVED_WRITER, 101, 105)),
                new Expectation("" + expectedWriter, expectedWriter, "10", 10L, Origin.STALE),
                -395L,
                false,
                List.of());
    }

    /** One writer of the key after another, and the reader. */
    private static HistorySlice slice(boolean isLookedAt) {
        SliceBuilder builder = new SliceBuilder("rows");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (long txn = 1; txn <= WRITERS; txn++) {
            builder.beginTxn(txn, txn, 0, txn).timestamps(10 * txn + 1, 10 * txn + 5);
            builder.op(OpKind.WRITE, 7, txn);
            if (isLookedAt) {
                builder.op(OpKind.UNMATCHED, 7, 0);
            }
            builder.endTxn();
        }
        builder.beginTxn(READER, READER, 1, 0).timestamps(506, 507);
        builder.op(OpKind.READ, 7, 10);
        builder.endTxn();
        return builder.build();
    }
}
