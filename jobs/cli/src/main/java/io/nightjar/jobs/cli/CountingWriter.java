package io.nightjar.jobs.cli;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.util.Map;

/** Writer that counts transactions and operations, and omits transactions that did not commit where that is requested. */
final class CountingWriter implements HistoryWriter {

    private final HistoryWriter writer;
    private final boolean isCommittedOnly;
    private long txnCount;
    private long opCount;
    private long abortedCount;
    private long unknownCount;

    /**
     * @param writer closed when this writer is
     * @param isCommittedOnly whether aborted and unknown transactions are omitted
     */
    CountingWriter(HistoryWriter writer, boolean isCommittedOnly) {
        this.writer = writer;
        this.isCommittedOnly = isCommittedOnly;
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        int omitted = 0;
        if (isCommittedOnly) {
            int aborted = count(slice, TxnStatus.ABORTED);
            int unknown = count(slice, TxnStatus.UNKNOWN);
            abortedCount += aborted;
            unknownCount += unknown;
            omitted = aborted + unknown;
        }
        if (omitted < slice.txnCount) {
            HistorySlice written = omitted == 0 ? slice : committedOf(slice);
            txnCount += written.txnCount;
            opCount += written.opCount;
            writer.write(written);
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

    /** Returns the counts for people, one {@code name=count} after the other. */
    String summary() {
        String omitted =
                isCommittedOnly ? " leftOutAborted=%d leftOutUnknown=%d".formatted(abortedCount, unknownCount) : "";
        return "transactions=%d operations=%d".formatted(txnCount, opCount) + omitted;
    }

    /** Adds the counts to the members of a JSON object. */
    void addTo(Map<String, Object> members) {
        members.put("transactions", txnCount);
        members.put("operations", opCount);
        if (isCommittedOnly) {
            members.put("left_out_aborted", abortedCount);
            members.put("left_out_unknown", unknownCount);
        }
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
