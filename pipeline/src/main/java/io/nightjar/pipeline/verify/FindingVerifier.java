package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays findings from timestamps of one level against the raw history.
 *
 * <p>The order of calls is that of {@link FindingReplay}. Not thread-safe, except for {@link PassState}s. Memory grows
 * with the findings and with the appends to their lists.
 */
final class FindingVerifier {

    /*
     * Algorithm. Each finding becomes a claim. Before the first row is read, each claim registers its queries: the last
     * writer of a key before a position, the writer of a value, the commits of the value that are nearest to a
     * timestamp. The verifier then compares each claim with the definitions. Rows of participants are kept, with their
     * operations on the queried keys.
     *
     * Two queries depend on the first pass and need the rows again: which transaction lies between two of a session,
     * whose positions findings do not contain; and whether a closer commit of the observed value was overwritten at its
     * own timestamp.
     *
     * Concurrency. The order of writes to registers does not matter, so several threads record them: slice by slice, in
     * each slice key by key, and each key by one thread at a time.
     *
     * Cost. A row costs a lookup per operation, and a binary search per write of a queried key.
     */

    private static final KeyedOps NO_OPS = new KeyedOps();
    private static final int NO_OP = -1;

    private final List<FindingClaim> claims;
    private final LongSet countedUnknown;
    private final LongSet interchangeable;
    private final WatchedKeys keys = new WatchedKeys();
    private final RawTxns raw = new RawTxns(LongSets.EMPTY_SET);
    private final ScalarPool values = raw.values;
    private final Long2ObjectOpenHashMap<List<FindingClaim>> claimsOf =
            new Long2ObjectOpenHashMap<>(); // by transaction id
    private final ReadClaims reads;
    private final SecondPassQueries secondPass = new SecondPassQueries();

    private boolean isFirstPass = true;
    private boolean wasSeenAgain;

    private final WatchedKeys.Finder finder; // of the thread that observes

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     * @param unknownCountedAsCommitted ids of promoted transactions
     * @param interchangeable ids of counted unknown transactions instead of which others may have committed; no session
     * order rests on them
     */
    FindingVerifier(
            List<FindingClaim> claims,
            @Nullable String initialValue,
            LongSet unknownCountedAsCommitted,
            LongSet interchangeable) {
        this.claims = claims;
        this.countedUnknown = unknownCountedAsCommitted;
        this.interchangeable = interchangeable;
        this.reads = new ReadClaims(initialValue, raw);
        Set<FindingClaim.Identity> identities = new HashSet<>();
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted() && !identities.add(claim.identity())) {
                claim.refute("reported twice");
            }
            if (!claim.isRefuted()) {
                ask(claim);
            }
        }
        keys.all().forEach(WatchedKey::close);
        finder = keys.newFinder();
    }

    private void ask(FindingClaim claim) {
        for (Participant participant : claim.finding.participants()) {
            List<FindingClaim> ofTxn = claimsOf.computeIfAbsent(participant.txnId(), absent -> new ArrayList<>(1));
            if (ofTxn.isEmpty() || ofTxn.get(ofTxn.size() - 1) != claim) {
                ofTxn.add(claim);
            }
        }
        String key = claim.finding.key();
        if (key != null) {
            claim.key = keys.of(key);
        }
        switch (claim.finding.anomaly()) {
            case EXT, INT -> reads.ask(claim);
            default -> {}
        }
    }

    /** Returns the columns that a pass needs; all others may be omitted. */
    Set<ColumnGroup> wantedColumns() {
        Set<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
        if (isFirstPass || !secondPass.isEmpty()) {
            columns.add(ColumnGroup.TIMESTAMPS);
        }
        if (isFirstPass || secondPass.asksForWrites()) {
            columns.add(ColumnGroup.OPERATIONS);
        }
        return columns;
    }

    /** Returns a scanner of slices for one more thread during this pass. */
    PassState newPassState() {
        return new PassState();
    }

    /**
     * Rows of a slice that concern the findings and are not recorded yet.
     *
     * @param txns participants of findings; empty in a second pass
     * @param ops operations on keys of findings, except reads of registers
     */
    public record Seen(int[] txns, KeyedOps ops) {}

    /**
     * Scanner that selects the relevant rows and records everything that does not depend on the order of slices: the
     * writes of registers. Reading threads so do most of the work per operation.
     */
    final class PassState {

        private final WatchedKeys.Finder finder = keys.newFinder();
        private int[] txns = new int[64];
        private KeyedOps ops = new KeyedOps();

        /** Scans a slice; called once per slice and pass. */
        Seen at(HistorySlice slice) {
            int txnCount = 0;
            for (int txn = 0; isFirstPass && txn < slice.txnCount; txn++) {
                if (claimsOf.containsKey(slice.txnId[txn])) {
                    txns = txnCount == txns.length ? Arrays.copyOf(txns, 2 * txnCount) : txns;
                    txns[txnCount++] = txn;
                }
            }
            return new Seen(Arrays.copyOf(txns, txnCount), opsLeft(slice));
        }

        private KeyedOps opsLeft(HistorySlice slice) {
            ops.clear();
            boolean hasAppends = slice.firstOpOf != null && (isFirstPass || secondPass.asksForWrites()) && find(slice);
            if (ops.isEmpty()) {
                return NO_OPS;
            }
            ops.sort(keys.all().size());
            if (isFirstPass && !hasAppends && slice.valueType == ValueType.LONG) {
                learnTypes(slice);
                record(slice, ops);
                return NO_OPS;
            }
            KeyedOps left = ops; // lists are in the order of the rows, and names are counted by one thread
            ops = new KeyedOps();
            return left;
        }

        /** Collects operations; returns whether one of them is an append. */
        private boolean find(HistorySlice slice) {
            boolean hasAppends = false;
            for (int txn = 0; txn < slice.txnCount; txn++) {
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    byte kind = slice.kind[op];
                    if (kind == OpKind.READ || kind == OpKind.READ_NOTHING || OpKind.isGuard(kind)) {
                        continue;
                    }
                    int key = finder.find(slice, op);
                    if (key != WatchedKeys.NONE && (isFirstPass || secondPass.asksAbout(keys.get(key)))) {
                        ops.add(op, txn, key);
                        hasAppends |= kind == OpKind.APPEND;
                    }
                }
            }
            return hasAppends;
        }
    }

    /** Consumes the next slice with its scanned rows. */
    void observe(HistorySlice slice, Seen seen) {
        if (claimsOf.isEmpty()) {
            return;
        }
        learnTypes(slice);
        wasSeenAgain |= !isFirstPass;
        for (int txn : seen.txns) {
            raw.keep(slice, txn, op -> finder.find(slice, op) != WatchedKeys.NONE);
        }
        for (int txn = 0; !isFirstPass && txn < slice.txnCount; txn++) {
            if (isJudged(slice, txn) && !interchangeable.contains(slice.txnId[txn])) {
                secondPass.seeTxn(slice, txn);
            }
        }
        record(slice, seen.ops);
    }

    /**
     * Ends a pass; returns true if every slice must be passed again before {@link #verify} can be
     * called.
     */
    boolean endOfPass() {
        if (!isFirstPass) {
            return false;
        }
        verifyByFirstPass();
        isFirstPass = false;
        return !secondPass.isEmpty();
    }

    /** Returns whether the next pass has queries about keys that follow from the first pass. */
    boolean asksForWrites() {
        return secondPass.asksForWrites();
    }

    /** Verifies the claims that depend on all passes, and names the confirmed ones. */
    void verify() {
        secondPass.verify(wasSeenAgain);
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted()) {
                claim.nameOnly(claim.classicName());
            }
        }
    }

    // ---------------------------------------------------------------- rows

    /** Learns the type of values, and with it which values claims ask about. */
    void learnTypes(HistorySlice slice) {
        if (slice.firstOpOf == null) {
            return;
        }
        synchronized (values) {
            raw.keys.learn(slice.keyType);
            if (values.learn(slice.valueType)) {
                keys.all().forEach(key -> key.learnValues(values));
                reads.learnValues();
            }
        }
    }

    private boolean isJudged(HistorySlice slice, int txn) {
        return isJudged(slice.status[txn], slice.txnId[txn], slice.startTs[txn], slice.commitTs[txn]);
    }

    private boolean isJudged(byte status, long id, long start, long commit) {
        return status == TxnStatus.COMMITTED
                || (status == TxnStatus.UNKNOWN
                        && countedUnknown.contains(id)
                        && start != HistorySlice.NONE
                        && commit != HistorySlice.NONE);
    }

    /** Returns whether a read-only transaction with this commit timestamp has none. */
    static boolean isMissing(long commit) {
        return commit == HistorySlice.NONE || commit == 0;
    }

    static boolean changesKey(byte kind) {
        return switch (kind) {
            case OpKind.READ, OpKind.READ_NOTHING, OpKind.READ_LIST, OpKind.ADD, OpKind.TAKE, OpKind.INCREMENT -> false;
            default -> !OpKind.isGuard(kind);
        };
    }

    /** Returns the key of an operation, or null if nothing was asked about it. */
    @Nullable
    WatchedKey keyAt(HistorySlice slice, int op) {
        int key = finder.find(slice, op);
        return key == WatchedKeys.NONE ? null : keys.get(key);
    }

    /**
     * Returns whether a claim queries the writers of a value of a slice to a key, or whether the value was written at
     * all.
     */
    boolean asksAbout(WatchedKey key, HistorySlice slice, long value) {
        long known = values.find(slice.valueNames, value);
        return key.factsOf(known) != null || reads.isInitialValue(known);
    }

    /**
     * Records the operations of a slice on keys of findings, key by key; other threads record other slices at the same
     * time.
     */
    private void record(HistorySlice slice, KeyedOps ops) {
        int endOfKey;
        for (int first = 0; first < ops.count(); first = endOfKey) {
            endOfKey = ops.endOfKey(first);
            WatchedKey key = keys.get(ops.key(first));
            synchronized (key) {
                int endOfTxn;
                for (int from = first; from < endOfKey; from = endOfTxn) {
                    endOfTxn = ops.endOfTxn(from, endOfKey);
                    recordTxn(slice, key, ops, from, endOfTxn);
                }
            }
        }
    }

    /** Records the operations of one transaction on one key. */
    private void recordTxn(HistorySlice slice, WatchedKey key, KeyedOps ops, int from, int to) {
        int txn = ops.txn(from);
        int lastWrite = NO_OP;
        for (int position = from; position < to; position++) {
            byte kind = slice.kind[ops.op(position)];
            if (kind == OpKind.READ_LIST) {
                key.isList |= slice.status[txn] == TxnStatus.COMMITTED;
            } else if (changesKey(kind)) {
                lastWrite = ops.op(position);
            } else {
                key.isSetOrCounter = true;
            }
        }
        boolean isJudged = isJudged(slice, txn);
        boolean isAborted = slice.status[txn] == TxnStatus.ABORTED;
        if (lastWrite == NO_OP || !isJudged && !isAborted) {
            return;
        }
        if (isJudged && (slice.startTs[txn] == HistorySlice.NONE || slice.commitTs[txn] == HistorySlice.NONE)) {
            key.hasUndatedWriter = true;
        } else if (isFirstPass) {
            for (int position = from; position < to; position++) {
                int op = ops.op(position);
                if (changesKey(slice.kind[op])) {
                    recordWrite(slice, txn, op, key, isAborted, op == lastWrite);
                }
            }
        } else if (!isAborted) {
            secondPass.seeFinalWrite(key, slice, txn, values.find(slice.valueNames, slice.value[lastWrite]));
        }
    }

    private void recordWrite(HistorySlice slice, int txn, int op, WatchedKey key, boolean isAborted, boolean isFinal) {
        long id = slice.txnId[txn];
        boolean isAppend = slice.kind[op] == OpKind.APPEND;
        if (isAppend) {
            key.isList = true;
            long element = values.intern(slice.valueNames, slice.value[op]);
            if (isAborted) {
                key.log.addAborted(id, element);
            } else {
                key.log.add(id, slice.startTs[txn], slice.commitTs[txn], element);
            }
        }
        long value = values.find(slice.valueNames, slice.value[op]);
        if (!isAppend) {
            recordValue(slice, txn, key, value, isAborted, isFinal);
        }
        if (isFinal && !isAborted) {
            key.recordFinalWrite(id, slice.startTs[txn], slice.commitTs[txn], value);
        }
    }

    private void recordValue(
            HistorySlice slice, int txn, WatchedKey key, long value, boolean isAborted, boolean isFinal) {
        key.hasRegisterWrites = true;
        key.wroteInitialValue |= slice.status[txn] == TxnStatus.COMMITTED && reads.isInitialValue(value);
        ValueFacts facts = key.factsOf(value);
        if (facts == null) {
            return;
        }
        if (isAborted) {
            facts.record(slice.txnId[txn], ValueFacts.ABORTED);
        } else if (isFinal) {
            facts.record(slice.txnId[txn], ValueFacts.FINAL);
            facts.offer(slice.commitTs[txn], slice.txnId[txn]);
        } else {
            facts.record(slice.txnId[txn], ValueFacts.NOT_FINAL);
        }
    }

    // ---------------------------------------------------------------- the end

    private void verifyByFirstPass() {
        keys.all().forEach(WatchedKey::settle);
        List<FindingClaim> onLists = new ArrayList<>();
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted()) {
                verifyParticipants(claim);
            }
            if (claim.isRefuted()) {
                continue;
            }
            switch (claim.finding.anomaly()) {
                case EXT, INT -> {
                    if (claim.key.isList) {
                        onLists.add(claim);
                    } else {
                        reads.verify(claim);
                    }
                }
                case NOCONFLICT -> verifyConflict(claim);
                case SESSION -> verifySession(claim);
                case TIMESTAMP_ORDER -> verifyTimestampOrder(claim);
                default -> throw new AssertionError("bug: refuted before: " + claim.finding.anomaly());
            }
        }
        new ListReadClaims(raw, reads).verify(onLists);
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted()) {
                secondPass.add(claim, raw);
            }
        }
        secondPass.close();
    }

    private void verifyParticipants(FindingClaim claim) {
        boolean touchesUnknown = false;
        for (Participant participant : claim.txnBy.values()) {
            int txn = raw.txnOf(participant.txnId());
            if (txn == RawTxns.NONE) {
                claim.refute("a transaction that is not in the history: participants=" + claim.finding.participants());
                return;
            }
            touchesUnknown |= raw.status[txn] == TxnStatus.UNKNOWN;
            verifyParticipant(claim, participant, txn);
        }
        claim.row = raw.txnOf(claim.first.txnId());
        claim.isReadOnly = raw.isReadOnly[claim.row];
        if (claim.finding.dependsOnUnknown() != touchesUnknown) {
            claim.refute("dependence on unknown outcomes: expected=" + touchesUnknown);
        } else if (claim.key != null && claim.key.isSetOrCounter) {
            claim.refute("timestamps do not decide sets and counters: key=" + claim.key.text);
        } else if (claim.key != null && claim.key.hasUndatedWriter) {
            claim.refute("a writer of the key lacks its timestamps: key=" + claim.key.text);
        } else if (claim.isBackward(claim.first)
                && claim.finding.anomaly() != Anomaly.TIMESTAMP_ORDER
                && claim.finding.anomaly() != Anomaly.SESSION) {
            claim.refute(
                    "the transaction starts after its commit, so the axiom does not apply: txn=" + claim.first.txnId());
        }
    }

    private void verifyParticipant(FindingClaim claim, Participant participant, int txn) {
        boolean isJudged = isJudged(raw.status[txn], raw.txnId[txn], raw.startTs[txn], raw.commitTs[txn]);
        long start = raw.startTs[txn];
        boolean isAtStart = isJudged && raw.isReadOnly[txn] && isMissing(raw.commitTs[txn]);
        long commit = isAtStart ? start : raw.commitTs[txn];
        if (participant.startTs() != start || participant.commitTs() != commit) {
            claim.refute("timestamps differ: txn=" + participant.txnId() + " startTs=" + start + " commitTs=" + commit
                    + " claimed=" + participant);
        }
        boolean isWrongReader = participant.role() == Role.READER && raw.status[txn] != TxnStatus.COMMITTED;
        if (isWrongReader || (!isJudged && participant.role() != Role.OBSERVED_WRITER)) {
            claim.refute("transaction does not count as committed: txn=" + participant.txnId() + " status="
                    + TxnStatus.name(raw.status[txn]));
        }
    }

    private void verifyConflict(FindingClaim claim) {
        Participant earlier = claim.in(Role.EARLIER_WRITER);
        Participant later = claim.in(Role.LATER_WRITER);
        boolean overlap = earlier.startTs() < later.commitTs() && later.startTs() < earlier.commitTs();
        if (earlier.txnId() == later.txnId() || !changesKey(claim, earlier) || !changesKey(claim, later)) {
            claim.refute("not two writers of the key: key=" + claim.key.text);
        } else if (claim.isBackward(later)) {
            claim.refute("the transaction starts after its commit, so the axiom does not apply: txn=" + later.txnId());
        } else if (earlier.commitTs() > later.commitTs()) {
            claim.refute("the earlier writer commits later");
        } else if (!overlap && earlier.commitTs() != later.commitTs()) {
            claim.refute("intervals do not overlap");
        } else {
            ReadClaims.verifySlack(claim, earlier.commitTs() - later.startTs());
        }
        claim.hasReadBefore = readsSnapshot(claim, raw.txnOf(later.txnId()));
    }

    private boolean changesKey(FindingClaim claim, Participant writer) {
        return Arrays.stream(reads.opsOn(claim, raw.txnOf(writer.txnId()))).anyMatch(op -> changesKey(raw.kind[op]));
    }

    /** Returns whether a committed transaction read the key before its own writes, or as a list, which shows both. */
    private boolean readsSnapshot(FindingClaim claim, int txn) {
        for (int op : reads.opsOn(claim, txn)) {
            if (raw.isRead(op) || raw.kind[op] == OpKind.WRITE) {
                return raw.isRead(op) && raw.status[txn] == TxnStatus.COMMITTED;
            }
        }
        return false;
    }

    private void verifySession(FindingClaim claim) {
        Participant previous = claim.in(Role.PREVIOUS);
        int before = raw.txnOf(previous.txnId());
        boolean tooEarly = claim.readTs() < previous.commitTs();
        boolean tiesInVain = claim.isSerial && !claim.isReadOnly && claim.readTs() == previous.commitTs();
        if (raw.sessionId[claim.row] != raw.sessionId[before] || raw.sessionSeq[before] >= raw.sessionSeq[claim.row]) {
            claim.refute("not one before the other in a session");
        } else if (!tooEarly && !tiesInVain) {
            claim.refute("session order is kept");
        } else {
            ReadClaims.verifySlack(claim, previous.commitTs() - claim.readTs());
        }
    }

    private static void verifyTimestampOrder(FindingClaim claim) {
        if (!claim.isBackward(claim.first)) {
            claim.refute("starts before its commit");
        } else {
            ReadClaims.verifySlack(claim, claim.first.commitTs() - claim.first.startTs());
        }
    }
}
