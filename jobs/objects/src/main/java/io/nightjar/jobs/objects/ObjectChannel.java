package io.nightjar.jobs.objects;

import io.nightjar.formats.file.RangeReads;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Reads an object by ranges, ahead of its reader. */
final class ObjectChannel extends FileChannel implements RangeReads {

    /*
     * Definitions. A block is an aligned range of the object. A piece is some consecutive blocks, which one request
     * fetches. A span is a range that the reader has announced; spans with a small gap between them are one span.
     *
     * Algorithm. A read waits for the piece of its block. The first read in a piece starts the request for the piece
     * that follows, within its span or for a reader that reads one block after another, so several requests are in
     * flight: one or two for each column that is read. Pieces that were not used for longest are dropped first.
     *
     * Cost. MAX_BYTES for each channel. Columns of a large row group share it, so their pieces become smaller.
     */

    private static final int BLOCK = 1 << 18;
    private static final int MAX_PIECE_BLOCKS = 16;
    private static final int MAX_BYTES = 32 << 20;
    private static final long MAX_GAP = 1 << 20;
    private static final int HEAD = 1 << 12;

    private final ObjectStore store;
    private final RecentObjects recent;
    private final ObjectInfo object;
    private final List<Range> spans = new ArrayList<>(); // sorted
    private final Map<Long, Piece> pieceOf = new HashMap<>(); // by number of block
    private final Map<Long, Piece> pieces = new LinkedHashMap<>(16, 0.75f, true); // by first block; least used first
    private long pieceBytes;
    private int pieceBlocks = MAX_PIECE_BLOCKS;
    private long position;

    /** Consecutive blocks, fetched by a single request. */
    private static final class Piece {

        private final long start;
        private final int length;
        private final FutureTask<byte[]> bytes;
        private boolean isUsed;

        private Piece(long start, int length, FutureTask<byte[]> bytes) {
            this.start = start;
            this.length = length;
            this.bytes = bytes;
        }

        private long endBlock() {
            return (start + length + BLOCK - 1) / BLOCK;
        }
    }

    ObjectChannel(ObjectPath path, ObjectInfo object) {
        this.store = path.store();
        this.recent = path.getFileSystem().recent();
        this.object = object;
    }

    @Override
    public synchronized void plan(List<Range> ranges) {
        List<Range> sorted = new ArrayList<>(ranges);
        sorted.sort(Comparator.comparingLong(Range::start));
        for (Range range : sorted) {
            Range last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
            if (last != null && range.start() - last.start() - last.length() < MAX_GAP) {
                long end = Math.max(last.start() + last.length(), range.start() + range.length());
                spans.set(spans.size() - 1, new Range(last.start(), end - last.start()));
            } else {
                spans.add(range);
            }
        }
        long fitting = MAX_BYTES / (2L * BLOCK * Math.max(1, ranges.size()));
        long planned = spans.stream().mapToLong(Range::length).sum();
        pieceBlocks =
                planned <= MAX_BYTES / 2 ? MAX_PIECE_BLOCKS : (int) Math.max(1, Math.min(MAX_PIECE_BLOCKS, fitting));
        for (Range span : spans) {
            long end = span.start() + span.length();
            for (long block = span.start() / BLOCK; block * BLOCK < end && pieceBytes < MAX_BYTES / 2; ) {
                block = begin(block).endBlock();
            }
        }
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (from >= object.size()) {
            return -1;
        }
        int length = (int) Math.min(into.remaining(), object.size() - from);
        if (length == 0) {
            return 0;
        }
        byte[] edge = edge(from, length);
        if (edge != null) {
            into.put(edge, (int) (from - edgeStart(from, length)), length);
            return length;
        }
        Piece piece = piece(from / BLOCK);
        byte[] bytes = await(piece);
        int offset = (int) (from - piece.start);
        int count = Math.min(length, bytes.length - offset);
        into.put(bytes, offset, count);
        return count;
    }

    // ---------------------------------------------------------------- the first and last bytes, for all readers

    /** Returns where the first or last piece begins that contains a range; -1 if neither does. */
    private long edgeStart(long from, int length) {
        long tail = Math.max(0, object.size() - BLOCK);
        if (from >= tail) {
            return tail;
        }
        return from + length <= HEAD ? 0 : -1;
    }

    private byte @Nullable [] edge(long from, int length) throws IOException {
        long start = edgeStart(from, length);
        if (start < 0) {
            return null;
        }
        byte[] known = recent.piece(object, start);
        if (known == null) {
            int size = start == 0 && object.size() > BLOCK ? HEAD : (int) (object.size() - start);
            known = store.read(object, start, size);
            recent.add(object, start, known);
        }
        return known;
    }

    // ---------------------------------------------------------------- pieces

    private synchronized Piece piece(long block) {
        Piece piece = pieceOf.get(block);
        if (piece == null) {
            piece = begin(block);
        }
        pieces.get(piece.start / BLOCK); // marks it as used last
        if (!piece.isUsed) {
            piece.isUsed = true;
            long next = piece.endBlock();
            boolean isSequential = spans.isEmpty() ? pieceOf.containsKey(block - 1) : isPlanned(next);
            if (isSequential && next * BLOCK < object.size() && !pieceOf.containsKey(next)) {
                begin(next);
            }
        }
        return piece;
    }

    private boolean isPlanned(long block) {
        return end(block) > block * BLOCK;
    }

    /** Returns the end of the span that a block is in; 0 if it is in none. */
    private long end(long block) {
        for (Range span : spans) {
            if (span.start() / BLOCK <= block && block * BLOCK < span.start() + span.length()) {
                return span.start() + span.length();
            }
        }
        return 0;
    }

    /** Starts the request for a piece. */
    private Piece begin(long block) {
        long end = end(block);
        Piece before = pieceOf.get(block - 1);
        long blocks = end > 0
                ? Math.min(pieceBlocks, (end - block * BLOCK + BLOCK - 1) / BLOCK)
                : before == null ? 1 : Math.min(MAX_PIECE_BLOCKS, 2L * (before.endBlock() - before.start / BLOCK));
        long count = 1;
        while (count < blocks && !pieceOf.containsKey(block + count)) {
            count++;
        }
        long start = block * BLOCK;
        int length = (int) Math.min(count * BLOCK, object.size() - start);
        FutureTask<byte[]> bytes = new FutureTask<>(() -> store.read(object, start, length));
        Piece piece = new Piece(start, length, bytes);
        pieces.put(block, piece);
        for (long each = block; each < piece.endBlock(); each++) {
            pieceOf.put(each, piece);
        }
        pieceBytes += length;
        dropOld(piece);
        Thread reader = new Thread(bytes, "nightjar-object-reader");
        reader.setDaemon(true);
        reader.start();
        return piece;
    }

    private void dropOld(Piece kept) {
        Iterator<Piece> oldest = pieces.values().iterator();
        while (pieceBytes > MAX_BYTES && oldest.hasNext()) {
            Piece piece = oldest.next();
            if (piece != kept) {
                oldest.remove();
                pieceBytes -= piece.length;
                for (long each = piece.start / BLOCK; each < piece.endBlock(); each++) {
                    pieceOf.remove(each, piece);
                }
            }
        }
    }

    private static byte[] await(Piece piece) throws IOException {
        try {
            return piece.bytes.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while an object was read");
        }
    }

    // ---------------------------------------------------------------- the rest of a channel

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = read(into, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            int count = read(into[i]);
            if (count < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += count;
        }
        return sum;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long to) {
        position = to;
        return this;
    }

    @Override
    public long size() {
        return object.size();
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BLOCK, Math.max(0, count)));
        if (read(buffer, from) < 0) {
            throw new EOFException("end of the object");
        }
        return target.write(buffer.flip());
    }

    @Override
    protected synchronized void implCloseChannel() {
        pieces.values().forEach(piece -> piece.bytes.cancel(true));
        pieces.clear();
        pieceOf.clear();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new NonWritableChannelException();
    }

    @Override
    public int write(ByteBuffer from, long at) {
        throw new NonWritableChannelException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) {
        throw new NonWritableChannelException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public void force(boolean metaData) {
        // an object is stored when its write has returned
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("objects are not mapped");
    }

    @Override
    public FileLock lock(long from, long size, boolean isShared) {
        throw new UnsupportedOperationException("objects are not locked");
    }

    @Override
    public FileLock tryLock(long from, long size, boolean isShared) {
        throw new UnsupportedOperationException("objects are not locked");
    }
}
