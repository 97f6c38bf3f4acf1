package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ExternalGrouper;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Sorts the records of a log by commit, each transaction as a whole, in bounded memory. */
final class CommitSorter implements ChangeRecords {

    private final boolean areOrdered;
    private final ExternalGrouper buckets;
    private final Encoded encoded = new Encoded();
    private final DataOutputStream encoder = new DataOutputStream(encoded);
    private final PriorityQueue<SortedRun> runs = new PriorityQueue<>();
    private @Nullable SortedRun current;

    /**
     * Creates a sorter without records.
     *
     * @param uri the source, for messages
     * @param areOrdered whether a number orders commits; otherwise only the arrival of records does
     * @param bufferBytes maximum size of the memory buffer
     */
    CommitSorter(String uri, boolean areOrdered, long bufferBytes) {
        this.areOrdered = areOrdered;
        this.buckets = new ExternalGrouper(uri, "transactions", bufferBytes);
    }

    void add(DecodedChange record) throws IOException {
        encoded.reset();
        record.write(encoder);
        buckets.add(requireNonNull(record.txn).hashCode(), encoded.bytes(), encoded.size());
    }

    /** Sorts the records after the last was added; they can then be read. */
    void sort() throws IOException {
        for (ExternalGrouper.Run run : buckets.runs(this::write)) {
            runs.add(new SortedRun(run.bytes(), run.units()));
        }
    }

    private long write(byte[] records, int length, DataOutputStream run) throws IOException {
        RecordBucket bucket = new RecordBucket(records, length, areOrdered);
        bucket.writeRun(run);
        return bucket.txnCount();
    }

    /** Advances to the next record, in commit order. */
    @Override
    public boolean next(DecodedChange into) throws IOException {
        while (current == null || !current.nextRecord(into)) {
            if (current != null && current.nextTxn()) {
                runs.add(current);
            }
            current = runs.poll();
            if (current == null) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        buckets.close();
    }

    /** Byte buffer that exposes its array without a copy. */
    private static final class Encoded extends ByteArrayOutputStream {

        byte[] bytes() {
            return buf;
        }
    }
}
