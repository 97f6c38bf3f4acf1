package io.nightjar.pipeline.online;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Deals memory among the pages of {@link PagedKeyColumns}: those not touched for long lie elsewhere, in a file for instance. */
public final class KeyPageCache {

    /*
     * A clock: its hand goes round all pages in memory. One that was touched since it came by last stays for another round,
     * any other leaves when room is needed for one that is asked for.
     */

    private long memoryBytes;
    private final Storage storage;
    private PagedKeyColumns[] ownerOf = new PagedKeyColumns[16]; // by place on the clock
    private int[] pageOf = new int[16];
    private int count;
    private int hand;
    private long held;
    private long storageEnd;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /** Where pages lie that are not in memory; storage that fails is an unchecked exception. */
    public interface Storage {

        /** Writes all that is in a buffer. */
        void write(long at, ByteBuffer from);

        /** Reads as much as a buffer has room for. */
        void read(long at, ByteBuffer into);
    }

    /** Of a room without limits, which no page leaves. */
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

    /** Returns a room in which everything stays in memory. */
    public static KeyPageCache unlimited() {
        return new KeyPageCache(Long.MAX_VALUE, new NoStorage());
    }

    public static KeyPageCache of(long memoryBytes, Storage storage) {
        return new KeyPageCache(memoryBytes, storage);
    }

    /** Limits the bytes of pages, now and from now on: pages leave until they take no more. */
    public void limit(long bytes) {
        memoryBytes = bytes;
        ensureCapacity(0);
    }

    /** Bytes in memory. */
    public long byteSize() {
        return held;
    }

    /** Bytes that all pages have taken in the storage. */
    public long storedBytes() {
        return storageEnd;
    }

    // ---------------------------------------------------------------- pages

    /** Makes room for a page that comes into memory: others may have to leave. */
    void ensureCapacity(int byteSize) {
        while (held > memoryBytes - byteSize && count > 0) {
            advanceClockHand();
        }
    }

    /** A page has come. */
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

    private void evict(int place) {
        held -= ownerOf[place].pageBytes();
        ownerOf[place] = ownerOf[--count];
        pageOf[place] = pageOf[count];
        ownerOf[count] = null;
    }

    /** Lets go of a caller's pages, none of which is asked for any more. */
    void letGo(PagedKeyColumns owner) {
        for (int place = count - 1; place >= 0; place--) {
            if (ownerOf[place] == owner) {
                evict(place);
            }
        }
    }

    /** Stores a page where it was before, or at a new place for 0; returns its place plus one. */
    long store(long place, long[] page) {
        int length = page.length * Long.BYTES;
        long at = place == 0 ? storageEnd : place - 1;
        storageEnd = Math.max(storageEnd, at + length);
        ByteBuffer to = buffer(length);
        to.asLongBuffer().put(page);
        storage.write(at, to);
        return at + 1;
    }

    void load(long place, long[] page) {
        ByteBuffer from = buffer(page.length * Long.BYTES);
        storage.read(place - 1, from);
        from.flip();
        from.asLongBuffer().get(page);
    }

    private ByteBuffer buffer(int length) {
        bytes = bytes.capacity() < length ? ByteBuffer.allocate(length) : bytes;
        return bytes.clear().limit(length);
    }
}
