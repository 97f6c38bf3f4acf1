package io.nightjar.pipeline.online;

import org.jspecify.annotations.Nullable;

/** Choice among several writers of the value that a read returned, by the shift of time that their versions require. */
final class NearestWriter {

    private static final long NO_SHIFT = Long.MIN_VALUE;

    private final long snapshot;
    private final long reader;
    private @Nullable OnlineTxn seen;
    private long back = NO_SHIFT;
    private @Nullable OnlineTxn unseen;
    private long forth = NO_SHIFT;

    NearestWriter(long snapshot, long reader) {
        this.snapshot = snapshot;
        this.reader = reader;
    }

    /** Offers a version before the read, nearest first; returns whether farther ones need not be offered. */
    boolean offerSeen(OnlineTxn writer, long following) {
        long shift = shift(writer, following);
        if (seen == null || shift != NO_SHIFT) {
            seen = writer;
            back = shift;
        }
        return shift != NO_SHIFT;
    }

    /** Offers a version after the read, nearest first; returns whether farther ones need not be offered. */
    boolean offerUnseen(OnlineTxn writer, long following) {
        long shift = shift(writer, following);
        if (unseen == null || shift != NO_SHIFT) {
            unseen = writer;
            forth = shift;
        }
        return shift != NO_SHIFT;
    }

    private long shift(OnlineTxn writer, long following) {
        long from = writer.commitTs();
        if (writer.txnId() == reader || following - 1 < from) {
            return NO_SHIFT;
        }
        return following - 1 < snapshot ? snapshot - (following - 1) : Math.max(0, from - snapshot);
    }

    /** Returns the nearest writer; null if none was offered. */
    @Nullable
    OnlineTxn writer() {
        if (back == NO_SHIFT && forth == NO_SHIFT) {
            return seen != null ? seen : unseen;
        }
        boolean isBackNearer = forth == NO_SHIFT || back != NO_SHIFT && back <= forth;
        return isBackNearer ? seen : unseen;
    }
}
