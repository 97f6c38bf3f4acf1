package io.nightjar.jobs.watch;

import io.nightjar.pipeline.online.KeyPageCache;
import io.nightjar.pipeline.online.PageStore;
import io.nightjar.pipeline.online.SealedRowLog;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Pages that memory does not hold, in a file that goes with the watch: of keys, or of attics, which share its room. */
public final class PageFile implements KeyPageCache.Storage, AutoCloseable {

    private final FileChannel file;
    private final long capacity; // of attics, in pages
    private final IntArrayList free = new IntArrayList();
    private int pageCount; // in the file, free ones among them

    /** Makes a file for the pages of keys, of any number. */
    public PageFile(Path path) throws IOException {
        this(path, Long.MAX_VALUE);
    }

    /** @param capacity how many pages all attics may keep */
    public PageFile(Path path, long capacity) throws IOException {
        this.capacity = Math.min(Integer.MAX_VALUE, capacity);
        this.file = FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    // ---------------------------------------------------------------- pages of keys

    @Override
    public void write(long at, ByteBuffer from) {
        try {
            for (long to = at; from.hasRemaining(); ) {
                to += file.write(from, to);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void read(long at, ByteBuffer into) {
        try {
            for (long from = at; into.hasRemaining(); ) {
                int count = file.read(into, from);
                if (count < 0) {
                    throw new EOFException("page is cut: at=" + at);
                }
                from += count;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    // ---------------------------------------------------------------- pages of attics

    /** The part of one attic, as much as the others leave; each may have a thread of its own. */
    public PageStore ofAttic() {
        return new OfAttic();
    }

    /** Returns -1 if there is no room. */
    private synchronized int takePlace() {
        if (!free.isEmpty()) {
            return free.popInt();
        }
        return pageCount < capacity ? pageCount++ : -1;
    }

    /** Returns what attics have taken of the disk; pages that are free again are given to those that come. */
    public synchronized long bytesOfAttics() {
        return (long) pageCount * SealedRowLog.PAGE_BYTES;
    }

    private synchronized void freePlace(int place) {
        free.push(place);
    }

    private final class OfAttic implements PageStore {

        private final Long2IntOpenHashMap placeOf = new Long2IntOpenHashMap(); // by number

        @Override
        public boolean keep(long number, byte[] page) {
            int place = takePlace();
            if (place < 0) {
                return false;
            }
            placeOf.put(number, place);
            PageFile.this.write((long) place * page.length, ByteBuffer.wrap(page));
            return true;
        }

        @Override
        public byte[] read(long number, int length) {
            ByteBuffer page = ByteBuffer.allocate(length);
            PageFile.this.read((long) placeOf.get(number) * length, page);
            return page.array();
        }

        @Override
        public void drop(long number) {
            freePlace(placeOf.remove(number));
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
