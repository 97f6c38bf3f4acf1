package io.nightjar.jobs.watch;

import io.nightjar.pipeline.primitive.Mix;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** What the last transactions did, each as a number: at least the given number of the last ones, and at most twice as many. */
final class RecentContents {

    /*
     * Two tables by open addressing, half full at most: one that is being filled, and the one before it.
     *
     *   entries[2 * slot]       id
     *   entries[2 * slot + 1]   content; 0 where there is none
     */

    private static final long NONE = 0;
    private static final int NEAR_BITS = 6;

    private final int mask;
    private final int maxCount;
    private long[] now;
    private long[] before;
    private int count;

    /** @param minCount how many are remembered, a power of two */
    RecentContents(int minCount) {
        this.maxCount = minCount;
        this.mask = 2 * minCount - 1;
        this.now = new long[4 * minCount];
        this.before = new long[4 * minCount];
    }

    void put(long id, long content) {
        if (count == maxCount) {
            long[] oldest = before;
            before = now;
            Arrays.fill(oldest, NONE);
            now = oldest;
            count = 0;
        }
        int at = slot(now, id);
        now[at] = id;
        now[at + 1] = content == NONE ? 1 : content;
        count++;
    }

    /** Whether a transaction is known to have done something else. */
    boolean isOther(long id, long content) {
        long known = now[slot(now, id) + 1];
        known = known == NONE ? before[slot(before, id) + 1] : known;
        return known != NONE && known != (content == NONE ? 1 : content);
    }

    void write(DataOutputStream out) throws IOException {
        for (long[] entries : new long[][] {before, now}) {
            for (int slot = 0; slot < entries.length; slot += 2) {
                if (entries[slot + 1] != NONE) {
                    out.writeLong(entries[slot + 1]);
                    out.writeLong(entries[slot]);
                }
            }
        }
        out.writeLong(NONE);
    }

    void read(DataInputStream in) throws IOException {
        for (long content = in.readLong(); content != NONE; content = in.readLong()) {
            put(in.readLong(), content);
        }
    }

    /** Ids close to each other, which mostly come one after another, stand close to each other. */
    private int slot(long[] entries, long id) {
        int slot = (int) (Mix.hash(id >> NEAR_BITS) << NEAR_BITS | id & (1 << NEAR_BITS) - 1) & mask;
        while (entries[2 * slot + 1] != NONE && entries[2 * slot] != id) {
            slot = slot + 1 & mask;
        }
        return 2 * slot;
    }

    long byteSize() {
        return 8L * (now.length + before.length);
    }
}
