package io.nightjar.formats.file;

import static java.util.Objects.requireNonNull;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Groups records that are scattered over an input, in bounded memory. */
public final class ExternalGrouper implements Closeable {

    /*
     * Algorithm. Records are distributed to buckets by a hash of their group. While all fit, they are buffered in
     * memory as one bucket; otherwise full buffers are spilled to an unnamed file, chunk by chunk. Finally each bucket,
     * which contains whole groups, is read back, sorted and written as a run; merging the runs yields all records in
     * order.
     *
     * Cost. n bytes require 2 n bytes of disk, the buffers, and memory for a bucket of n / BUCKETS bytes.
     */

    /** Order of a record that has none; such groups are last. */
    public static final long NO_ORDER = Long.MAX_VALUE;

    private static final int BUCKETS = 256;
    private static final int READ_AT_ONCE = 1 << 15;

    /** A bucket, with its index and its sorted groups, uses at most this fraction of the heap. */
    private static final int BUCKET_SHARE = 4;

    /** A buffer larger than the usual size by this factor is not reused. */
    private static final int MAX_KEPT = 2;

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - (1 << 10);

    private final String uri;
    private final String groups;
    private final long bufferBytes;
    private final Encoded[] buffers = new Encoded[BUCKETS];
    private final LongArrayList[] chunksOf = new LongArrayList[BUCKETS]; // begin and end of each
    private @Nullable FileChannel file; // null while all records fit in memory
    private long written;
    private long buffered;
    private long arrivals;
    private final PriorityQueue<GroupRun> runs = new PriorityQueue<>();
    private @Nullable GroupRun current;
    private boolean isSorted;

    /**
     * Creates a grouper without records.
     *
     * @param uri the source of the records, for messages
     * @param groups the kind of the groups, for messages
     * @param bufferBytes maximum size of the memory buffer
     */
    public ExternalGrouper(String uri, String groups, long bufferBytes) {
        this.uri = uri;
        this.groups = groups;
        this.bufferBytes = bufferBytes;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            buffers[bucket] = new Encoded(0);
            chunksOf[bucket] = new LongArrayList();
        }
    }

    /** Returns the size of the memory buffer for the current heap. */
    public static long bufferBytes() {
        return Math.min(64L << 20, Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 16));
    }

    /**
     * Adds a record.
     *
     * @param group the name of its group, in the first {@code groupLength} bytes
     * @param order first sort key of the group; the last of its records that has one counts
     * @param suborder second sort key of the group, whose largest counts; then groups are in order of arrival
     */
    public void add(byte[] group, int groupLength, long order, long suborder, byte[] record, int length)
            throws IOException {
        int hash = 0;
        for (int i = 0; i < groupLength; i++) {
            hash = 31 * hash + group[i];
        }
        Encoded buffer = buffers[hash * 0x9E3779B9 >>> Integer.SIZE - Integer.numberOfTrailingZeros(BUCKETS)];
        buffer.number(arrivals++, Long.BYTES);
        buffer.number(order, Long.BYTES);
        buffer.number(suborder, Long.BYTES);
        buffer.number(groupLength, Integer.BYTES);
        buffer.number(length, Integer.BYTES);
        buffer.write(group, 0, groupLength);
        buffer.write(record, 0, length);
        buffered += GroupBucket.HEAD + groupLength + length;
        if (buffered > bufferBytes) {
            spill();
        }
    }

    private void spill() throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            Encoded buffer = buffers[bucket];
            if (buffer.size() > 0) {
                chunksOf[bucket].add(written);
                append(ByteBuffer.wrap(buffer.bytes(), 0, buffer.size()));
                chunksOf[bucket].add(written);
                buffers[bucket] = buffer.size() > MAX_KEPT * bufferBytes / BUCKETS ? new Encoded(0) : buffer.emptied();
            }
        }
        buffered = 0;
    }

    private void append(ByteBuffer bytes) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            if (file == null) {
                file = AtomicFile.openNameless(folder.resolve("buckets"));
            }
            while (bytes.hasRemaining()) {
                written += file.write(bytes, written);
            }
        } catch (IOException full) {
            throw new IOException(
                    "[%s] cannot spill rows: reason=%s; set TMPDIR to a folder with free space"
                            .formatted(folder, full.getMessage()),
                    full);
        }
    }

    // ---------------------------------------------------------------- sorted runs

    /**
     * Advances to the next record, after the last was added: groups in their order, the records of a group in order of
     * arrival.
     */
    public boolean next() throws IOException {
        if (!isSorted) {
            isSorted = true;
            sort();
        }
        while (current == null || !current.nextRecord()) {
            if (current != null && current.nextGroup()) {
                runs.add(current);
            }
            current = runs.poll();
            if (current == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the current record, which may be followed by other bytes; valid until the next. */
    public byte[] record() {
        return requireNonNull(current).record();
    }

    private void sort() throws IOException {
        if (file == null) {
            Encoded all = new Encoded((int) buffered);
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                buffers[bucket].writeTo(all);
                buffers[bucket] = null;
            }
            Encoded run = new Encoded(all.size());
            int count = new GroupBucket(all.bytes(), all.size()).writeRun(new DataOutputStream(run));
            addRun(new ByteArrayInputStream(run.bytes(), 0, run.size()), count);
            return;
        }
        spill();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            byte[] records = read(bucket);
            long from = written;
            try (DataOutputStream run = new DataOutputStream(new BufferedOutputStream(new Appending(), READ_AT_ONCE))) {
                int count = new GroupBucket(records, records.length).writeRun(run);
                run.flush();
                addRun(new BufferedInputStream(new Region(from, written), READ_AT_ONCE), count);
            }
        }
    }

    private void addRun(InputStream run, int groupCount) throws IOException {
        if (groupCount > 0) {
            runs.add(new GroupRun(run, groupCount));
        }
    }

    private byte[] read(int bucket) throws IOException {
        LongArrayList chunks = chunksOf[bucket];
        long length = 0;
        for (int i = 0; i < chunks.size(); i += 2) {
            length += chunks.getLong(i + 1) - chunks.getLong(i);
        }
        long maxLength = Math.min(LARGEST_ARRAY, Runtime.getRuntime().maxMemory() / BUCKET_SHARE);
        if (length > maxLength) {
            throw new InsufficientMemoryException(
                    uri, groups + " are too large to be put together in memory", length * BUCKET_SHARE);
        }
        byte[] bytes = new byte[(int) length];
        int at = 0;
        for (int i = 0; i < chunks.size(); i += 2) {
            int size = (int) (chunks.getLong(i + 1) - chunks.getLong(i));
            readFully(chunks.getLong(i), ByteBuffer.wrap(bytes, at, size));
            at += size;
        }
        return bytes;
    }

    private void readFully(long position, ByteBuffer into) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int count = requireNonNull(file).read(into, at);
            if (count < 0) {
                throw new IOException("spill file was truncated while in use");
            }
            at += count;
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /** Byte buffer that exposes its array without a copy. */
    private static final class Encoded extends ByteArrayOutputStream {

        Encoded(int capacity) {
            super(capacity);
        }

        byte[] bytes() {
            return buf;
        }

        Encoded emptied() {
            reset();
            return this;
        }

        void number(long number, int bytes) {
            for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                write((int) (number >>> shift));
            }
        }
    }

    /** Stream that appends to the file. */
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

    /** Stream of a region of the file. */
    private final class Region extends BlockStream {

        private final long end;
        private long next;

        Region(long begin, long end) {
            this.next = begin;
            this.end = end;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (next == end) {
                return -1;
            }
            int count = (int) Math.min(length, end - next);
            readFully(next, ByteBuffer.wrap(into, offset, count));
            next += count;
            return count;
        }
    }
}
