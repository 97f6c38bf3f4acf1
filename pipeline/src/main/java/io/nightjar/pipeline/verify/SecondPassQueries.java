package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Questions that only the first pass could pose: sessions between two positions, and commits that might be closer. */
final class SecondPassQueries {

    private record BetweenQuestion(FindingClaim claim, LastWriterQueries session, int question) {}

    private record DoubtQuestion(FindingClaim claim, LastWriterQueries key, int question, long ts, long value) {}

    private final Long2ObjectOpenHashMap<LastWriterQueries> sessionOf = new Long2ObjectOpenHashMap<>(); // by session id
    private final Map<WatchedKey, LastWriterQueries[]> frontiersBy =
            new IdentityHashMap<>(); // snapshot order, serial order
    private final List<BetweenQuestion> betweenQuestions = new ArrayList<>();
    private final List<DoubtQuestion> doubtQuestions = new ArrayList<>();

    boolean isEmpty() {
        return betweenQuestions.isEmpty() && doubtQuestions.isEmpty();
    }

    /** Returns whether operations are needed besides heads of transactions. */
    boolean asksForWrites() {
        return !frontiersBy.isEmpty();
    }

    boolean asksAbout(WatchedKey key) {
        return frontiersBy.containsKey(key);
    }

    /** Adds the queries of a claim that the first pass could not resolve. */
    void add(FindingClaim claim, RawTxns raw) {
        if (claim.finding.anomaly() == Anomaly.SESSION) {
            LastWriterQueries session =
                    sessionOf.computeIfAbsent(raw.sessionId[claim.row], absent -> new LastWriterQueries());
            int question = session.addQuery(raw.sessionSeq[claim.row], LastWriterQueries.COMMIT, Long.MIN_VALUE);
            betweenQuestions.add(new BetweenQuestion(claim, session, question));
        }
        for (long ts : claim.doubtfulTs) {
            if (ts != HistorySlice.NONE) {
                LastWriterQueries[] both = frontiersBy.computeIfAbsent(claim.key, absent ->
                        new LastWriterQueries[] {new LastWriterQueries(), new LastWriterQueries()});
                LastWriterQueries frontier = both[claim.isSerial ? 1 : 0];
                long value = raw.values.intern(claim.read().observed());
                doubtQuestions.add(new DoubtQuestion(claim, frontier, frontier.askAfter(ts), ts, value));
            }
        }
    }

    void close() {
        sessionOf.values().forEach(LastWriterQueries::close);
        for (LastWriterQueries[] both : frontiersBy.values()) {
            both[0].close();
            both[1].close();
        }
    }

    /** Takes a transaction that counts as committed. Positions in a session replace timestamps. */
    void seeTxn(HistorySlice slice, int txn) {
        LastWriterQueries session = sessionOf.get(slice.sessionId[txn]);
        if (session != null) {
            session.addWriter(slice.sessionSeq[txn], LastWriterQueries.COMMIT, slice.txnId[txn], 0);
        }
    }

    void seeFinalWrite(WatchedKey key, HistorySlice slice, int txn, long value) {
        LastWriterQueries[] both = frontiersBy.get(key);
        if (both != null) {
            long commit = slice.commitTs[txn];
            int rank = slice.startTs[txn] == commit ? LastWriterQueries.INSTANT : LastWriterQueries.COMMIT;
            both[0].addWriter(commit, rank, slice.txnId[txn], value);
            both[1].addWriter(commit, LastWriterQueries.COMMIT, slice.txnId[txn], value);
        }
    }

    void verify(boolean wasDone) {
        if (!wasDone) {
            for (BetweenQuestion between : betweenQuestions) {
                between.claim.refute(
                        "bug: the session was not read; pass every slice again while endOfPass returns true");
            }
            return;
        }
        sessionOf.values().forEach(LastWriterQueries::resolve);
        for (BetweenQuestion between : betweenQuestions) {
            LastWriterQueries session = between.session;
            long previous = between.claim.in(Role.PREVIOUS).txnId();
            if (!session.hasWriter(between.question) || session.writerOf(between.question) != previous) {
                between.claim.refute("another transaction lies between the two in their session: txn="
                        + (session.hasWriter(between.question) ? session.writerOf(between.question) : previous));
            }
        }
        for (LastWriterQueries[] both : frontiersBy.values()) {
            both[0].resolve();
            both[1].resolve();
        }
        for (DoubtQuestion doubt : doubtQuestions) {
            if (doubt.key.hasWriter(doubt.question)
                    && doubt.key.commitOf(doubt.question) == doubt.ts
                    && doubt.key.valueOf(doubt.question) == doubt.value
                    && doubt.key.writerOf(doubt.question) != doubt.claim.first.txnId()) {
                doubt.claim.refute("a smaller shift explains the read: commitTs=" + doubt.ts);
            }
        }
    }
}
