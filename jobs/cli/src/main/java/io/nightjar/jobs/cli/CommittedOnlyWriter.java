package io.nightjar.jobs.cli;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;

/** Writer that omits transactions that did not commit, and counts them. */
final class CommittedOnlyWriter implements HistoryWriter {

    private final HistoryWriter writer;
    private long abortedCount;
    private long unknownCount;

    /** @param writer of the committed transactions; closed with this writer */
    CommittedOnlyWriter(HistoryWriter writer) {
        this.writer = writer;
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        int aborted = count(slice, TxnStatus.ABORTED);
        int unknown = count(slice, TxnStatus.UNKNOWN);
        abortedCount += aborted;
        unknownCount += unknown;
        if (aborted + unknown == 0) {
            writer.write(slice);
        } else if (aborted + unknown < slice.txnCount) {
            writer.write(committedOf(slice));
        }
    }

    private static int count(HistorySlice slice, byte status) {
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            count += slice.status[txn] == status ? 1 : 0;
        }
        return count;
    }

    private static HistorySlice committedOf(HistorySlice slice) {
        SliceBuilder committed = new SliceBuilder(slice.file);
        if (slice.rowsAreLines) {
            committed.rowsAreLines();
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (slice.status[txn] == TxnStatus.COMMITTED) {
                committed.copyTxn(slice, txn);
            }
        }
        return committed.build();
    }

    long abortedCount() {
        return abortedCount;
    }

    long unknownCount() {
        return unknownCount;
    }

    @Override
    public boolean takesMixedTypes() {
        return writer.takesMixedTypes();
    }

    @Override
    public boolean doubt(String why) {
        return writer.doubt(why);
    }

    @Override
    public void finish() throws IOException {
        writer.finish();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
