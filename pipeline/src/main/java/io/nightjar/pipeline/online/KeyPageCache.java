package io.nightjar.pipeline.online;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cache of the pages of {@link PagedKeyColumns}: evicts pages that were not used recently to a storage, such as a file.
 */
public final class KeyPageCache {

    /*
     * Algorithm. Clock replacement: the hand moves over all pages in memory in a circle. A page that was touched since
     * the hand last reached it stays for another round; any other is evicted when a new page needs its memory.
     */

    private long memoryBytes;
    private final Storage storage;
    private PagedKeyColumns[] ownerOf = new PagedKeyColumns[16]; // by position on the clock
    private int[] pageOf = new int[16];
    private int count;
    private int hand;
    private long held;
    private long storageEnd;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /** Storage of evicted pages; a failure is an unchecked exception. */
    public interface Storage {

        /** Writes the remaining bytes of a buffer. */
        void write(long at, ByteBuffer from);

        /** Reads up to the limit of a buffer. */
        void read(long at, ByteBuffer into);
    }

    /** The storage of a cache without a limit, which evicts nothing. */
    private static final class NoStorage implements Storage {

        @Override
        public void write(long at, ByteBuffer from) {
            throw new AssertionError("bug: a page left memory without a limit");
        }

        @Override
        public void read(long at, ByteBuffer into) {
            throw new AssertionError("bug: a page is not in memory although it has no limit");
        }
    }

    private KeyPageCache(long memoryBytes, Storage storage) {
        this.memoryBytes = memoryBytes;
        this.storage = storage;
    }

    /** Returns a cache that keeps all pages in memory. */
    public static KeyPageCache unlimited() {
        return new KeyPageCache(Long.MAX_VALUE, new NoStorage());
    }

    public static KeyPageCache of(long memoryBytes, Storage storage) {
        return new KeyPageCache(memoryBytes, storage);
    }

    /** Limits the bytes of pages in memory, and evicts pages until they fit. */
    public void limit(long bytes) {
        memoryBytes = bytes;
        ensureCapacity(0);
    }

    /** Returns the bytes in memory. */
    public long byteSize() {
        return held;
    }

    /** Returns the size of the storage in bytes. */
    public long storedBytes() {
        return storageEnd;
    }

    // ---------------------------------------------------------------- pages

    /** Evicts pages until a page of the given size fits. */
    void ensureCapacity(int byteSize) {
        while (held > memoryBytes - byteSize && count > 0) {
            advanceClockHand();
        }
    }

    /** Adds a page that was loaded. */
    void admit(PagedKeyColumns owner, int page) {
        if (count == ownerOf.length) {
            ownerOf = Arrays.copyOf(ownerOf, count * 2);
            pageOf = Arrays.copyOf(pageOf, count * 2);
        }
        ownerOf[count] = owner;
        pageOf[count++] = page;
        held += owner.pageBytes();
    }

    private void advanceClockHand() {
        hand = hand < count ? hand : 0;
        PagedKeyColumns owner = ownerOf[hand];
        if (owner.wasTouched(pageOf[hand])) {
            hand++;
            return;
        }
        owner.evict(pageOf[hand]);
        evict(hand);
    }

    private void evict(int position) {
        held -= ownerOf[position].pageBytes();
        ownerOf[position] = ownerOf[--count];
        pageOf[position] = pageOf[count];
        ownerOf[count] = null;
    }

    /** Removes the pages of a caller, which does not use them any more. */
    void release(PagedKeyColumns owner) {
        for (int position = count - 1; position >= 0; position--) {
            if (ownerOf[position] == owner) {
                evict(position);
            }
        }
    }

    /** Stores a page at its previous position, or at a new one for 0; returns its position plus one. */
    long store(long position, long[] page) {
        int length = page.length * Long.BYTES;
        long at = position == 0 ? storageEnd : position - 1;
        storageEnd = Math.max(storageEnd, at + length);
        ByteBuffer to = buffer(length);
        to.asLongBuffer().put(page);
        storage.write(at, to);
        return at + 1;
    }

    void load(long position, long[] page) {
        ByteBuffer from = buffer(page.length * Long.BYTES);
        storage.read(position - 1, from);
        from.flip();
        from.asLongBuffer().get(page);
    }

    private ByteBuffer buffer(int length) {
        bytes = bytes.capacity() < length ? ByteBuffer.allocate(length) : bytes;
        return bytes.clear().limit(length);
    }
}
