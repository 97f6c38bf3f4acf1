package io.nightjar.pipeline.online;

import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

/** The keys of each lane in pages, with what they are used as and the last sealed version; only what changed is written again. */
public final class SealedKeyPages {

    /*
     * A key has its place for good: the next one in its lane when it is written first.
     *
     *   placeOf[key]   lane (32 bits) | place in the lane (32)
     */

    private static final int PAGE_BITS = 8;

    private final OnlineCheck check;
    private final IntArrayList[] keysOf;
    private long[] placeOf = new long[64];
    private int placed;

    /**
     * Where pages go.
     *
     * @param <E> what may fail there
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
        if (key >= placeOf.length) {
            placeOf = Arrays.copyOf(placeOf, Math.max(key + 1, placeOf.length * 2));
        }
        placeOf[key] = (long) lane << 32 | keysOf[lane].size();
        keysOf[lane].add(key);
    }

    /** Writes the pages in which something changed since the last time. */
    public <E extends Exception> void write(Store<E> to) throws E {
        OnlineKeys keys = check.keys();
        for (; placed < keys.count(); placed++) {
            place(placed, KeyHash.lane(keys.hash(placed), keysOf.length));
            keys.noteChanged(placed);
        }
        LongOpenHashSet changed = new LongOpenHashSet();
        keys.takeChanged(key -> changed.add(placeOf[key] >> PAGE_BITS));
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
        for (int place = first; place < end; place++) {
            check.keys().writeKey(keys.getInt(place), to);
            check.writeBase(keys.getInt(place), to);
        }
    }

    /** Takes a page of a lane back, in their order, before anything else is known of the lane. */
    public void read(int lane, byte[] page) {
        ByteReader from = new ByteReader(page, 0, page.length);
        check.keys().readTypes(from);
        for (int left = from.getCount(); left > 0; left--) {
            int key = check.keys().readKey(from);
            check.readBase(key, from);
            place(key, lane);
            placed++;
        }
    }
}
