package io.nightjar.formats.cdc;

import io.nightjar.formats.file.HiddenFile;
import io.nightjar.formats.file.NeedsMemoryException;
import io.nightjar.formats.text.Utf8;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.PriorityQueue;

/** Puts the records of a log in the order of commits, each transaction as a whole, within a bound of memory. */
final class CommitSorter implements ChangeRecords {

    /*
     * Records go into buckets by a hash of their transaction. While all fit, they stay in memory and are one bucket; else
     * full buckets go to a nameless file, chunk by chunk. In the end each bucket, which has whole transactions, is read
     * back, put in order and written as a run, and the runs are merged. A log of n bytes takes as much disk twice, the
     * buffers, and a bucket of n / BUCKETS bytes.
     */

    private static final int BUCKETS = 256;
    private static final int READ_AT_ONCE = 1 << 15;

    /** A bucket is held, with its index and its transactions in order, in this part of the heap. */
    private static final int BUCKET_SHARE = 4;

    private final String uri;
    private final boolean areOrdered;
    private final long bufferBytes;
    private final Utf8[] buffers = new Utf8[BUCKETS];
    private final LongArrayList[] chunksOf = new LongArrayList[BUCKETS]; // begin and end of each
    private final Encoded encoded = new Encoded();
    private final DataOutputStream encoder = new DataOutputStream(encoded);
    private final PriorityQueue<SortedRun> runs = new PriorityQueue<>();
    private SortedRun current;
    private FileChannel file; // null while everything fits into memory
    private long written;
    private long buffered;
    private long arrivals;

    /**
     * A sorter without records.
     *
     * @param uri what is sorted, for messages
     * @param areOrdered whether a number orders commits, and not only the order in which records came
     * @param bufferBytes how much stays in memory
     */
    CommitSorter(String uri, boolean areOrdered, long bufferBytes) {
        this.uri = uri;
        this.areOrdered = areOrdered;
        this.bufferBytes = bufferBytes;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            buffers[bucket] = new Utf8();
            chunksOf[bucket] = new LongArrayList();
        }
    }

    /** How much may stay in memory with this heap. */
    static long bufferBytes() {
        return Math.min(64L << 20, Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 16));
    }

    void add(ChangeRecord record) throws IOException {
        encoded.reset();
        record.write(encoder);
        Utf8 buffer = buffers[bucketOf(record.txn)];
        int before = buffer.length;
        RecordBucket.put(arrivals++, encoded.bytes(), encoded.size(), buffer);
        buffered += buffer.length - before;
        if (buffered > bufferBytes) {
            spill();
        }
    }

    private static int bucketOf(String txn) {
        return txn.hashCode() * 0x9E3779B9 >>> Integer.SIZE - Integer.numberOfTrailingZeros(BUCKETS);
    }

    private void spill() throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            Utf8 buffer = buffers[bucket];
            if (buffer.length > 0) {
                chunksOf[bucket].add(written);
                append(ByteBuffer.wrap(buffer.bytes, 0, buffer.length));
                chunksOf[bucket].add(written);
                buffers[bucket] = new Utf8();
            }
        }
        buffered = 0;
    }

    private void append(ByteBuffer bytes) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            if (file == null) {
                file = HiddenFile.openNameless(folder.resolve("changes"));
            }
            while (bytes.hasRemaining()) {
                written += file.write(bytes, written);
            }
        } catch (IOException full) {
            throw new IOException(
                    "[%s] cannot put events aside: reason=%s; set TMPDIR to a folder with room"
                            .formatted(folder, full.getMessage()),
                    full);
        }
    }

    // ---------------------------------------------------------------- in order

    /** All records are there; they can be stepped through from here on. */
    void sort() throws IOException {
        if (file == null) {
            sortInMemory();
            return;
        }
        spill();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            sort(bucket);
        }
    }

    private void sortInMemory() throws IOException {
        Utf8 all = new Utf8();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            all.put(buffers[bucket].bytes, 0, buffers[bucket].length);
            buffers[bucket] = null;
        }
        RecordBucket records = new RecordBucket(all.bytes, all.length, areOrdered);
        if (records.txnCount() > 0) {
            Encoded run = new Encoded();
            records.writeRun(new DataOutputStream(run));
            runs.add(new SortedRun(new ByteArrayInputStream(run.bytes(), 0, run.size()), records.txnCount()));
        }
    }

    private void sort(int bucket) throws IOException {
        LongArrayList chunks = chunksOf[bucket];
        long length = 0;
        for (int i = 0; i < chunks.size(); i += 2) {
            length += chunks.getLong(i + 1) - chunks.getLong(i);
        }
        if (length == 0) {
            return;
        }
        long most = Math.min(Integer.MAX_VALUE - (1 << 10), Runtime.getRuntime().maxMemory() / BUCKET_SHARE);
        if (length > most) {
            throw new NeedsMemoryException(
                    uri, "transactions are too large to be put together in memory", length * BUCKET_SHARE);
        }
        byte[] bytes = new byte[(int) length];
        int at = 0;
        for (int i = 0; i < chunks.size(); i += 2) {
            int size = (int) (chunks.getLong(i + 1) - chunks.getLong(i));
            readFully(chunks.getLong(i), ByteBuffer.wrap(bytes, at, size));
            at += size;
        }
        RecordBucket records = new RecordBucket(bytes, bytes.length, areOrdered);
        long from = written;
        try (DataOutputStream run = new DataOutputStream(new BufferedOutputStream(new Appending(), READ_AT_ONCE))) {
            records.writeRun(run);
        }
        runs.add(new SortedRun(new Region(from, written), records.txnCount()));
    }

    private void readFully(long position, ByteBuffer into) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int count = file.read(into, at);
            if (count < 0) {
                throw new IOException("file of events was cut short while it was in use");
            }
            at += count;
        }
    }

    /** Steps to the next record, in the order of commits. */
    @Override
    public boolean next(ChangeRecord into) throws IOException {
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
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /** Bytes that were written, without a copy. */
    private static final class Encoded extends ByteArrayOutputStream {

        byte[] bytes() {
            return buf;
        }
    }

    /** Writes at the end of the file. */
    private final class Appending extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            append(ByteBuffer.wrap(bytes, offset, length));
        }
    }

    /** A part of the file. */
    private final class Region extends InputStream {

        private final byte[] buffer = new byte[READ_AT_ONCE];
        private final long end;
        private long next; // the first byte behind the buffer
        private int from;
        private int to;

        Region(long begin, long end) {
            this.next = begin;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            return fill() ? buffer[from++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length > 0 && !fill()) {
                return -1;
            }
            int count = Math.min(length, to - from);
            System.arraycopy(buffer, from, into, offset, count);
            from += count;
            return count;
        }

        private boolean fill() throws IOException {
            if (from < to) {
                return true;
            }
            int count = (int) Math.min(buffer.length, end - next);
            if (count == 0) {
                return false;
            }
            readFully(next, ByteBuffer.wrap(buffer, 0, count));
            next += count;
            from = 0;
            to = count;
            return true;
        }
    }
}
