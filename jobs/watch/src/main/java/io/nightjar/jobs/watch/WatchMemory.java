package io.nightjar.jobs.watch;

import io.nightjar.pipeline.online.OnlineCheck;
import org.jspecify.annotations.Nullable;

/** Partition of a watch's memory. */
final class WatchMemory {

    /*
     * Layout. Shares of the memory:
     *
     *   5/16   limit of the state of the online check (rows, keys, transaction ids), beyond which reading waits for sealing
     *   9/16   limit beyond which the watch ends, since waiting does not help: the state grows with the history
     *   1/16   state of validation: sessions
     *   1/4    concurrent check of a segment
     *   1/8    retained findings
     *   1/8    arrivals that wait or are being written
     */

    private static final long MAX_IN_BATCH = 8L << 20;
    private static final int MAX_FINDINGS = 200_000;
    private static final int MIN_FINDINGS = 1_000;
    private static final long BYTES_OF_FINDING = 700; // with its names

    private final long bytes;

    /** @param bytes memory that the process may use */
    WatchMemory(long bytes) {
        this.bytes = bytes;
    }

    private static long held(OnlineCheck online, FeedRunner feeds) {
        return online.byteSize() + feeds.byteSize();
    }

    /** Returns whether reading has to wait for sealing. */
    boolean isTight(OnlineCheck online, FeedRunner feeds) {
        return held(online, feeds) > bytes / 16 * 5 && online.openByteSize() > bytes / 16;
    }

    /** Returns why a watch must end; null if it can continue. */
    @Nullable
    String exhaustedReason(OnlineCheck online, FeedRunner feeds) {
        long held = held(online, feeds);
        if (held <= bytes / 16 * 9) {
            return null;
        }
        return "the state of the watch exceeds memory: bytesHeld=" + held + " memoryBytes=" + bytes + " keys="
                + online.keyCount()
                + " openTransactions=" + online.openTxns()
                + "; give more --memory, or less --lateness if many transactions are open";
    }

    /** Returns the memory for a check of some rows while others arrive. */
    long forConcurrentCheck() {
        return bytes / 4;
    }

    /** Returns the memory for the state of validation. */
    long forValidation() {
        return bytes / 16;
    }

    /** Returns the memory for a check at the end, when all rows are sealed. */
    long forCheckAtEnd(OnlineCheck online, FeedRunner feeds) {
        return Math.max(bytes / 4, bytes - bytes / 16 - online.byteSize() - feeds.byteSize());
    }

    /** Returns the maximum number of retained findings, which a late row can flip. */
    int findings() {
        return (int) Math.max(MIN_FINDINGS, Math.min(MAX_FINDINGS, bytes / 8 / BYTES_OF_FINDING));
    }

    /** Returns how many bytes of arrivals are checked at once. */
    long batch() {
        return Math.min(MAX_IN_BATCH, bytes / 128);
    }

    /** Returns how many bytes of arrivals may wait. */
    long waiting() {
        return bytes / 32;
    }
}
