package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Writers of one value of one key that findings refer to. */
final class ValueFacts {

    static final int FINAL = 1;
    static final int NOT_FINAL = 2;
    static final int ABORTED = 4;

    private final LastWriterQueries before = new LastWriterQueries();

    /** The same with time reversed: {@code ~ts} for each timestamp. */
    private final LastWriterQueries after = new LastWriterQueries();

    /** Accesses by all transactions, as bits. */
    int done;

    /** Accesses per claimed writer, as bits; other writers have no entry. */
    final Long2IntOpenHashMap doneBy = new Long2IntOpenHashMap(2);

    /**
     * Asks for the commits of the value that are nearest to a timestamp, except a reader's; returns the
     * question's number.
     */
    int askNearest(long ts, long readerCommitTs, long readerId) {
        int question = before.askAfter(ts);
        before.addQuery(readerCommitTs, LastWriterQueries.COMMIT, readerId);
        after.addQuery(~ts, LastWriterQueries.COMMIT, Long.MIN_VALUE);
        after.addQuery(~readerCommitTs, LastWriterQueries.COMMIT, readerId);
        return question;
    }

    void close() {
        before.close();
        after.close();
    }

    /** Adds a transaction that committed with the value as its last write. */
    void offer(long commit, long id) {
        before.addWriter(commit, LastWriterQueries.COMMIT, id, 0);
        after.addWriter(~commit, LastWriterQueries.COMMIT, id, 0);
    }

    void resolve() {
        before.resolve();
        after.resolve();
    }

    /** Returns the last commit at or before the timestamp of a question; NONE if absent. */
    long lastBefore(int question, long readerId) {
        int nearest = nearest(before, question, readerId);
        return before.hasWriter(nearest) ? before.commitOf(nearest) : HistorySlice.NONE;
    }

    /** Returns the first commit after the timestamp of a question; NONE if absent. */
    long firstAfter(int question, long readerId) {
        int nearest = nearest(after, question, readerId);
        return after.hasWriter(nearest) ? ~after.commitOf(nearest) : HistorySlice.NONE;
    }

    /** Returns the question that no commit of the reader answers: if the reader is nearest, that about its commit. */
    private static int nearest(LastWriterQueries side, int question, long readerId) {
        return side.hasWriter(question) && side.writerOf(question) == readerId ? question + 1 : question;
    }

    void watch(long writer) {
        doneBy.put(writer, 0);
    }

    void record(long writer, int bit) {
        done |= bit;
        if (doneBy.containsKey(writer)) {
            doneBy.put(writer, (doneBy.get(writer) | bit));
        }
    }
}
