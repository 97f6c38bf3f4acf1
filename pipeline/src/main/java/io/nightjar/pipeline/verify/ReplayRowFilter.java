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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes small slices of large ones: what is left of them is enough for findings to be replayed. For one thread. */
public final class ReplayRowFilter {

    /*
     * Transactions that findings name are kept as they are. Of others it asks verifiers of its own: they pose the questions that a
     * replay will pose, and are offered what a slice has. What changes no answer is left out:
     *
     *   a write         unless it is the last one before a position in question, as far as was seen, or of a value in question
     *   a list          unless the longest is asked for, and it is as long as any
     *   a transaction   of a session whose order is in question, unless it is the last one before that position
     *
     * What a transaction does to a key is kept whole or not at all, since a replay asks what it leaves there. Who may or may not
     * count as committed is kept. Slices are gone through from their end, for usually later rows take the place of earlier ones.
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

    /** @param participants rows of findings that do not say what they are about */
    ReplayRowFilter(ReplayRowSelection rows, LongSet txns, List<HistorySlice> participants) {
        this.txns = txns;
        Map<Boolean, List<Finding>> byKind =
                rows.findings().stream().collect(Collectors.partitioningBy(Finding::isByTimestamps));
        List<Finding> timestamps = byKind.getOrDefault(true, List.of());
        List<Finding> values = byKind.getOrDefault(false, List.of());
        byTimestamps = new FindingVerifier(timestamps, rows.initialValue(), LongSets.EMPTY_SET);
        byValues = new ValueFindingVerifier(values, rows.initialValue(), LongSets.EMPTY_SET);
        hasTimestamps = !timestamps.isEmpty();
        hasValues = !values.isEmpty();
        byValues.askBeforehand(participants);
        askSessions(timestamps, participants);
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

    /** Returns what is needed of a slice; null if nothing is. */
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

    /** Whether replays look at operations of a kind only where a finding names their transaction. */
    private static boolean isPassedOver(byte kind) {
        return kind == OpKind.READ || kind == OpKind.READ_NOTHING || OpKind.isRelational(kind);
    }

    private boolean isAnyNews(HistorySlice slice, int txn, int op, int end) {
        if (isPassedOver(slice.kind[op])) {
            return false;
        }
        WatchedKey key = hasTimestamps ? byTimestamps.keyAt(slice, op) : null;
        boolean isNews = key != null && isNews(slice, txn, op, end, key);
        return hasValues && byValues.asksAbout(slice, txn, op) || isNews;
    }

    /** Whether an operation tells timestamps something new about its key. */
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

    /** Whether a write is what a committed transaction leaves, and an answer to what is asked about the key. */
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
        return isUndated || key.noteFinalWrite(slice.txnId[txn], start, commit, 0);
    }
}
