package io.nightjar.pipeline.online;

import org.jspecify.annotations.Nullable;

/** Chooses which of several writers of the value that a read returned is named: whose version a small shift would have shown. */
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

    /** Takes a version before the read, nearest first; returns whether no farther one can do better. */
    boolean offerSeen(long writer, long from, long following) {
        long shift = shift(writer, from, following);
        if (seen == null || shift != NO_SHIFT) {
            seen = new OnlineTxn(writer, OnlineCheck.NO_TIME, from);
            back = shift;
        }
        return shift != NO_SHIFT;
    }

    /** Takes a version behind the read, nearest first; returns whether no farther one can do better. */
    boolean offerUnseen(long writer, long from, long following) {
        long shift = shift(writer, from, following);
        if (unseen == null || shift != NO_SHIFT) {
            unseen = new OnlineTxn(writer, OnlineCheck.NO_TIME, from);
            forth = shift;
        }
        return shift != NO_SHIFT;
    }

    private long shift(long writer, long from, long following) {
        if (writer == reader || following - 1 < from) {
            return NO_SHIFT;
        }
        return following - 1 < snapshot ? snapshot - (following - 1) : Math.max(0, from - snapshot);
    }

    /** The writer to name; null if none was offered. */
    @Nullable
    OnlineTxn writer() {
        if (back == NO_SHIFT && forth == NO_SHIFT) {
            return seen != null ? seen : unseen;
        }
        boolean isBackNearer = forth == NO_SHIFT || back != NO_SHIFT && back <= forth;
        return isBackNearer ? seen : unseen;
    }
}
