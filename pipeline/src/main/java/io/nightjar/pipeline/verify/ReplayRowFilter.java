package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.CopyFilter;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filter of slices that retains the rows needed to replay findings. Not thread-safe. */
public final class ReplayRowFilter {

    /*
     * Algorithm. Transactions named by findings are retained unchanged. For all others a separate pair of verifiers
     * registers the queries of a replay and receives the rows of each slice. An operation that changes no answer is
     * omitted:
     *
     *   a write         unless it is the last so far before a queried position, or writes a queried value
     *   a list          unless the longest list of its key is queried, and no longer one was read
     *   a transaction   of a session whose order is queried, unless it is the last so far before the queried position
     *
     * The operations of a transaction on a key are retained or omitted together, since a replay needs its final write.
     * Transactions that may or may not count as committed are retained. A slice is scanned backward, since later rows
     * usually replace earlier ones.
     */

    private final LongSet txns;
    private final FindingVerifier byTimestamps;
    private final OwnWrites ownWrites = new OwnWrites();
    private final ValueFindingVerifier byValues;
    private final boolean hasTimestamps;
    private final boolean hasValues;
    private final Long2ObjectOpenHashMap<LastWriterQueries> sessionOf = new Long2ObjectOpenHashMap<>();

    private boolean[] isKept = new boolean[64]; // by operation of the slice
    private final LongSet keysOfTxn = new LongOpenHashSet(); // of which something is kept, as the slice spells them

    /** @param participants rows of findings that do not state all keys and values they concern */
    ReplayRowFilter(ReplayRowSelection rows, LongSet txns, List<HistorySlice> participants) {
        this.txns = txns;
        List<FindingClaim> timestamps = new ArrayList<>();
        List<ValueClaim> values = new ArrayList<>();
        for (Finding finding : rows.findings()) {
            if (finding.isByTimestamps()) {
                timestamps.add(new FindingClaim(finding));
            } else {
                values.add(new ValueClaim(finding));
            }
        }
        byTimestamps = new FindingVerifier(timestamps, rows.initialValue(), LongSets.EMPTY_SET, LongSets.EMPTY_SET);
        byValues = new ValueFindingVerifier(values, rows.initialValue(), LongSets.EMPTY_SET);
        hasTimestamps = !timestamps.isEmpty();
        hasValues = !values.isEmpty();
        byValues.askBeforehand(participants);
        askSessions(rows.findings(), participants);
    }

    private void askSessions(List<Finding> findings, List<HistorySlice> participants) {
        LongSet subjects = new LongOpenHashSet();
        for (Finding finding : findings) {
            for (Participant participant : finding.participants()) {
                if (finding.anomaly() == Anomaly.SESSION && participant.role() == Role.SUBJECT) {
                    subjects.add(participant.txnId());
                }
            }
        }
        for (HistorySlice slice : participants) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                if (subjects.contains(slice.txnId[txn])) {
                    sessionOf
                            .computeIfAbsent(slice.sessionId[txn], absent -> new LastWriterQueries())
                            .addQuery(slice.sessionSeq[txn], LastWriterQueries.COMMIT, Long.MIN_VALUE);
                }
            }
        }
        sessionOf.values().forEach(LastWriterQueries::close);
    }

    /** Returns the retained rows of a slice; null if none. */
    public @Nullable HistorySlice keep(HistorySlice slice) {
        byTimestamps.learnTypes(slice);
        byValues.learnTypes(slice);
        boolean[] isTxnKept = new boolean[slice.txnCount];
        isKept = isKept.length < slice.opCount ? new boolean[slice.opCount] : isKept;
        int count = 0;
        for (int txn = slice.txnCount - 1; txn >= 0; txn--) {
            isTxnKept[txn] = findWhatCounts(slice, txn);
            count += isTxnKept[txn] ? 1 : 0;
        }
        return count == 0 ? null : copy(slice, isTxnKept);
    }

    private HistorySlice copy(HistorySlice slice, boolean[] isTxnKept) {
        CopyFilter some = new CopyFilter() {
            @Override
            public boolean keepsOp(int op) {
                return isKept[op];
            }
        };
        SliceBuilder kept = new SliceBuilder(slice.file);
        if (slice.rowsAreLines) {
            kept.rowsAreLines();
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (isTxnKept[txn]) {
                kept.copyTxn(slice, txn, slice.rowOf(txn), txns.contains(slice.txnId[txn]) ? CopyFilter.ALL : some);
            }
        }
        return kept.build();
    }

    // ---------------------------------------------------------------- one transaction

    /** Marks the operations that matter; returns whether the transaction does. */
    private boolean findWhatCounts(HistorySlice slice, int txn) {
        boolean matters = txns.contains(slice.txnId[txn]) | isLastOfSession(slice, txn);
        if (slice.firstOpOf == null || !hasTimestamps && !hasValues) {
            return matters;
        }
        if (!keysOfTxn.isEmpty()) {
            keysOfTxn.clear();
        }
        int first = slice.firstOpOf[txn];
        int end = slice.firstOpOf[txn + 1];
        for (int op = end - 1; op >= first; op--) {
            if (isAnyNews(slice, txn, op, end)) {
                keysOfTxn.add(slice.key[op]);
            }
        }
        if (!matters && keysOfTxn.isEmpty()) {
            return false; // as nearly always
        }
        for (int op = first; op < end; op++) {
            isKept[op] = !isPassedOver(slice.kind[op]) && keysOfTxn.contains(slice.key[op]);
        }
        return true;
    }

    private boolean isLastOfSession(HistorySlice slice, int txn) {
        LastWriterQueries session = sessionOf.isEmpty() ? null : sessionOf.get(slice.sessionId[txn]);
        return session != null
                && slice.status[txn] != TxnStatus.ABORTED
                && (slice.status[txn] == TxnStatus.UNKNOWN
                        || session.addWriter(slice.sessionSeq[txn], LastWriterQueries.COMMIT, slice.txnId[txn], 0));
    }

    /** Returns whether replays read operations of a kind only in transactions that findings name. */
    private static boolean isPassedOver(byte kind) {
        boolean isGuard = OpKind.isGuard(kind) && !OpKind.isOfElement(kind);
        return kind == OpKind.READ || kind == OpKind.READ_NOTHING || isGuard || OpKind.isRelational(kind);
    }

    private boolean isAnyNews(HistorySlice slice, int txn, int op, int end) {
        if (isPassedOver(slice.kind[op])) {
            return false;
        }
        WatchedKey key = hasTimestamps ? byTimestamps.keyAt(slice, op) : null;
        boolean isNews = key != null && isNews(slice, txn, op, end, key);
        return hasValues && byValues.asksAbout(slice, txn, op) || isNews;
    }

    /** Returns whether an operation changes an answer about its key that depends on timestamps. */
    private boolean isNews(HistorySlice slice, int txn, int op, int end, WatchedKey key) {
        byte kind = slice.kind[op];
        if (kind == OpKind.READ_LIST) {
            boolean isFirst = !key.isList && slice.status[txn] == TxnStatus.COMMITTED;
            key.isList |= isFirst;
            return isFirst;
        }
        if (!FindingVerifier.changesKey(kind)) {
            boolean isFirst = !key.isSetOrCounter;
            key.isSetOrCounter = true;
            return isFirst;
        }
        if (kind == OpKind.APPEND || slice.status[txn] == TxnStatus.UNKNOWN) {
            return true;
        }
        boolean isFirst = !key.hasRegisterWrites;
        key.hasRegisterWrites = true;
        return isFirst | byTimestamps.asksAbout(key, slice, slice.value[op]) | isLast(slice, txn, op, end, key);
    }

    /** Returns whether a write is the final one of a committed transaction, and answers a query about the key. */
    private boolean isLast(HistorySlice slice, int txn, int op, int end, WatchedKey key) {
        if (slice.status[txn] != TxnStatus.COMMITTED) {
            return false;
        }
        boolean isLast = ownWrites.isLast(
                slice,
                slice.firstOpOf[txn],
                end,
                op,
                at -> slice.key[at],
                at -> !isPassedOver(slice.kind[at]) && FindingVerifier.changesKey(slice.kind[at]));
        if (!isLast) {
            return false;
        }
        long start = slice.startTs[txn];
        long commit = slice.commitTs[txn];
        boolean isUndated = start == HistorySlice.NONE || commit == HistorySlice.NONE;
        return isUndated || key.recordFinalWrite(slice.txnId[txn], start, commit, 0);
    }
}
