package io.nightjar.pipeline.online;

import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

/** Pages of the keys of each lane, with their use and versions; only changed pages are written again. */
public final class SealedKeyPages {

    /*
     * Layout. A key has a permanent position, assigned when it is first written: the next one in its lane.
     *
     *   positionOf[key]   lane (32 bits) | position in the lane (32)
     */

    private static final int PAGE_BITS = 8;

    private final OnlineCheck check;
    private final IntArrayList[] keysOf;
    private long[] positionOf = new long[64];
    private int placed;

    /**
     * Storage of pages.
     *
     * @param <E> exception of a failed write
     */
    @FunctionalInterface
    public interface Store<E extends Exception> {
        void put(int lane, int page, byte[] bytes) throws E;
    }

    /** @param laneCount a power of two */
    public SealedKeyPages(OnlineCheck check, int laneCount) {
        this.check = check;
        this.keysOf = new IntArrayList[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            keysOf[lane] = new IntArrayList();
        }
    }

    private void place(int key, int lane) {
        if (key >= positionOf.length) {
            positionOf = Arrays.copyOf(positionOf, Math.max(key + 1, positionOf.length * 2));
        }
        positionOf[key] = (long) lane << 32 | keysOf[lane].size();
        keysOf[lane].add(key);
    }

    /** Writes the pages that changed since the last call. */
    public <E extends Exception> void write(Store<E> to) throws E {
        OnlineKeys keys = check.keys();
        for (; placed < keys.count(); placed++) {
            place(placed, KeyHash.lane(keys.hash(placed), keysOf.length));
            keys.recordChanged(placed);
        }
        LongOpenHashSet changed = new LongOpenHashSet();
        keys.takeChanged(key -> changed.add(positionOf[key] >> PAGE_BITS));
        ByteWriter bytes = new ByteWriter(1 << 12);
        long[] pages = changed.toLongArray();
        Arrays.sort(pages);
        for (long page : pages) {
            int lane = (int) (page >> 32 - PAGE_BITS);
            int number = (int) (page & (1L << 32 - PAGE_BITS) - 1);
            bytes.clear();
            write(keysOf[lane], number << PAGE_BITS, bytes);
            to.put(lane, number, Arrays.copyOf(bytes.bytes(), bytes.size()));
        }
    }

    private void write(IntArrayList keys, int first, ByteWriter to) {
        int end = Math.min(keys.size(), first + (1 << PAGE_BITS));
        check.keys().writeTypes(to);
        to.putVarint(end - first);
        for (int position = first; position < end; position++) {
            check.keys().writeKey(keys.getInt(position), to);
            check.registers().write(keys.getInt(position), to);
        }
    }

    /** Restores a page of a lane. Pages of a lane must be read in order, before other entries of it. */
    public void read(int lane, byte[] page) {
        ByteReader from = new ByteReader(page, 0, page.length);
        check.keys().readTypes(from);
        for (int left = from.getCount(); left > 0; left--) {
            int key = check.keys().readKey(from);
            check.registers().read(key, from);
            place(key, lane);
            placed++;
        }
    }
}
