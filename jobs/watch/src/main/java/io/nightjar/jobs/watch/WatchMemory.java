package io.nightjar.jobs.watch;

import org.jspecify.annotations.Nullable;

/** Deals the memory of a watch out, and says when there is too little. */
final class WatchMemory {

    /*
     *   3/8      what is known online: rows, names of keys, ids of transactions; registers have what these leave, and those not
     *            touched for long go to disk
     *   5/16     beyond that nothing more is read until some of it is sealed
     *   9/16     the same where waiting does not help: what is known grows with the history
     *   1/16     what validation knows of sessions
     *   quarter  the check of a part, beside
     *   eighth   findings that are remembered
     *   eighth   what has arrived and waits, and is being written
     *
     * Blocks that were given up are used again before memory is asked for more.
     */

    private static final long MAX_IN_BATCH = 8L << 20;
    private static final int MAX_FINDINGS = 200_000;
    private static final int MIN_FINDINGS = 1_000;
    private static final long BYTES_OF_FINDING = 700; // with its names

    private final long bytes;

    /** @param bytes what the process may use */
    WatchMemory(long bytes) {
        this.bytes = bytes;
    }

    /** Returns what can neither be used again nor go to disk. */
    private static long held(ParallelOnlineCheck online, TxnDeduplicator known) {
        return online.byteSize() - online.freeByteSize() - online.keyCacheByteSize() + known.byteSize();
    }

    /** Returns the memory for all that is known online. */
    long online() {
        return bytes / 8 * 3;
    }

    /** Returns the memory for registers, whose pages are in that room. */
    long keys(ParallelOnlineCheck online, TxnDeduplicator known) {
        long others = online.byteSize() - online.keyCacheByteSize() + known.byteSize();
        return Math.max(bytes / 32, online() - others);
    }

    /** Whether reading has to wait for what is sealed next. */
    boolean isTight(ParallelOnlineCheck online, TxnDeduplicator known) {
        return held(online, known) > bytes / 16 * 5 && online.openByteSize() > bytes / 16;
    }

    /** Returns why a watch cannot go on; null if it can. */
    @Nullable
    String exhaustedReason(ParallelOnlineCheck online, TxnDeduplicator known) {
        long held = held(online, known);
        if (held <= bytes / 16 * 9) {
            return null;
        }
        return "no room in memory: bytesHeld=" + held + " memoryBytes=" + bytes + " keys=" + online.keyCount()
                + " openTransactions=" + online.openTxns()
                + "; give more --memory, or less --lateness if many transactions are open";
    }

    /** Returns the memory for a check of some rows while others are taken. */
    long forConcurrentCheck() {
        return bytes / 4;
    }

    /** Returns the memory for what validation knows of rows. */
    long forValidation() {
        return bytes / 16;
    }

    /** Returns the memory for a check at the end, when nothing is open any more. */
    long forCheckAtEnd(ParallelOnlineCheck online, TxnDeduplicator known) {
        return Math.max(bytes / 4, bytes - bytes / 16 - online.byteSize() - known.byteSize());
    }

    /** How many findings are remembered, so that something late can turn them. */
    int findings() {
        return (int) Math.max(MIN_FINDINGS, Math.min(MAX_FINDINGS, bytes / 8 / BYTES_OF_FINDING));
    }

    /** How many bytes of arrivals are judged at once. */
    long batch() {
        return Math.min(MAX_IN_BATCH, bytes / 128);
    }

    /** How many bytes of arrivals wait to be taken. */
    long waiting() {
        return bytes / 32;
    }
}
