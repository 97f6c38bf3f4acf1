package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays findings against the raw history and says which of them it does not bear out.
 *
 * <p>Show every slice with {@link #observe}, then call {@link #endOfPass}, again from the start while that says so; then
 * ask for {@link #refuted}. One thread, but for {@link PassState}s. Memory grows with the findings, and with the appends to the lists that they speak of.
 */
public final class FindingVerifier {

    /*
     * Every finding becomes a claim, and every claim asks its questions before the first row is seen: who is the last
     * writer of this key before that position, who wrote this value, which commits of it lie nearest to that timestamp.
     * A row then costs a lookup for each of its operations, and a binary search for each write of a key that a claim
     * speaks of. Where writes are of registers their order does not matter, so several threads note them, a slice at a time and
     * in it key by key, each key by one thread at a time. What the reader itself did is settled at its row. In the end each claim is held against the definitions.
     *
     * Two things cannot be asked beforehand and need the rows again: which transaction lies between two of a session,
     * whose positions the findings do not tell; and whether a closer commit of the observed value was overwritten at its
     * own timestamp.
     */

    private static final KeyedOps NO_OPS = new KeyedOps();
    private static final int NO_OP = -1;

    private final List<FindingClaim> claims = new ArrayList<>();
    private final LongSet countedUnknown;
    private final LongSet interchangeable;
    private final @Nullable String initialValue;
    private final WatchedKeys keys = new WatchedKeys();
    private final ScalarTable values = new ScalarTable();
    private final ListStore lists = new ListStore();
    private final Long2ObjectOpenHashMap<List<FindingClaim>> claimsOf =
            new Long2ObjectOpenHashMap<>(); // by transaction id
    private final ReadClaims reads;
    private final SecondPassQueries secondPass = new SecondPassQueries();

    private boolean isFirstPass = true;
    private boolean isSettled;
    private boolean wasSeenAgain;

    private final SoughtKeys.Finder finder; // of the thread that observes
    private final PassState ownState;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if there is none
     * @param unknownCountedAsCommitted ids of unknown transactions that something committed read from
     */
    public FindingVerifier(List<Finding> findings, @Nullable String initialValue, LongSet unknownCountedAsCommitted) {
        this(findings, initialValue, unknownCountedAsCommitted, LongSets.EMPTY_SET);
    }

    /** @param interchangeable ids of counted unknown transactions in whose place others may have committed; no session order rests on them */
    FindingVerifier(
            List<Finding> findings,
            @Nullable String initialValue,
            LongSet unknownCountedAsCommitted,
            LongSet interchangeable) {
        this.initialValue = initialValue;
        this.countedUnknown = unknownCountedAsCommitted;
        this.interchangeable = interchangeable;
        this.reads = new ReadClaims(initialValue, values, lists);
        Set<FindingClaim.Identity> identities = new HashSet<>();
        for (Finding finding : findings) {
            FindingClaim claim = new FindingClaim(finding);
            claims.add(claim);
            if (!claim.isRefuted() && !identities.add(claim.identity())) {
                claim.refute("reported twice");
            }
            if (!claim.isRefuted()) {
                ask(claim);
            }
        }
        keys.all().forEach(WatchedKey::close);
        finder = keys.newFinder();
        ownState = newPassState();
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

    /** The columns that a pass needs; the others may be left out. */
    public Set<ColumnGroup> wantedColumns() {
        return isFirstPass || secondPass.asksForWrites()
                ? EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS)
                : EnumSet.of(ColumnGroup.TIMESTAMPS);
    }

    /** Takes every slice of the history, once for each pass, in the order of the rows. */
    public void observe(HistorySlice slice) {
        observe(slice, ownState.at(slice));
    }

    /** Looks at slices for one more thread, as long as this pass goes on. */
    PassState newPassState() {
        return new PassState();
    }

    /**
     * What of a slice matters to the findings and is yet to be noted.
     *
     * @param txns those that take part in one, none in a second pass
     * @param ops those on keys that findings speak of, but for reads of registers
     */
    public record Seen(int[] txns, KeyedOps ops) {}

    /**
     * Finds what matters, and notes what does not depend on the order of slices: what writes of registers do to keys. So readers
     * do most of what is to be done for each operation.
     */
    final class PassState {

        private final SoughtKeys.Finder finder = keys.newFinder();
        private int[] txns = new int[64];
        private KeyedOps ops = new KeyedOps();

        /** Looks at a slice, each once in a pass. */
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
                note(slice, ops);
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
                    if (kind == OpKind.READ || kind == OpKind.READ_NOTHING) {
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

    /** Takes the next slice with what was seen in it. */
    void observe(HistorySlice slice, Seen seen) {
        if (claimsOf.isEmpty()) {
            return;
        }
        learnTypes(slice);
        wasSeenAgain |= !isFirstPass;
        for (int txn : seen.txns) {
            seeParticipant(slice, txn, claimsOf.get(slice.txnId[txn]));
        }
        for (int txn = 0; !isFirstPass && txn < slice.txnCount; txn++) {
            if (isJudged(slice, txn) && !interchangeable.contains(slice.txnId[txn])) {
                secondPass.seeTxn(slice, txn);
            }
        }
        note(slice, seen.ops);
    }

    /** Ends a pass over all slices; true if every slice must be shown once more before {@link #refuted} can answer. */
    public boolean endOfPass() {
        if (!isFirstPass) {
            return false;
        }
        settle();
        isFirstPass = false;
        return !secondPass.isEmpty();
    }

    /** Whether the pass to come asks about keys what nobody could know beforehand. */
    boolean asksForWrites() {
        return secondPass.asksForWrites();
    }

    /** The findings that could not be confirmed, with the reason; empty if the history bears out every one. */
    public List<RefutedFinding> refuted() {
        if (!isSettled) {
            settle();
        }
        secondPass.verify(wasSeenAgain);
        List<RefutedFinding> refuted = new ArrayList<>();
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted() && claim.finding.pattern() != null) {
                claim.verifyPattern();
            }
            if (claim.isRefuted()) {
                refuted.add(new RefutedFinding(claim.finding, claim.reason()));
            }
        }
        return refuted;
    }

    /** The classic names of the findings in their order, null where none fits; asked after {@link #refuted}. */
    List<String> patterns() {
        List<String> patterns = new ArrayList<>(claims.size());
        for (FindingClaim claim : claims) {
            patterns.add(claim.pattern());
        }
        return patterns;
    }

    // ---------------------------------------------------------------- rows

    /** Learns the type of values, and with it which values claims ask about. */
    void learnTypes(HistorySlice slice) {
        if (slice.firstOpOf == null) {
            return;
        }
        synchronized (values) {
            if (values.learn(slice.valueType)) {
                keys.all().forEach(key -> key.learnValues(values));
                reads.learnValues();
            }
        }
    }

    private boolean isJudged(HistorySlice slice, int txn) {
        return slice.status[txn] == TxnStatus.COMMITTED
                || (slice.status[txn] == TxnStatus.UNKNOWN
                        && countedUnknown.contains(slice.txnId[txn])
                        && slice.startTs[txn] != HistorySlice.NONE
                        && slice.commitTs[txn] != HistorySlice.NONE);
    }

    /** A transaction that reads only may lack its commit: it is its start. */
    static long commitOf(HistorySlice slice, int txn) {
        long commit = slice.commitTs[txn];
        return isMissing(commit) && isReadOnly(slice, txn) ? slice.startTs[txn] : commit;
    }

    /** Whether a commit timestamp stands for none where a transaction only reads. */
    static boolean isMissing(long commit) {
        return commit == HistorySlice.NONE || commit == 0;
    }

    private static boolean isReadOnly(HistorySlice slice, int txn) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                return false;
            }
        }
        return true;
    }

    private void seeParticipant(HistorySlice slice, int txn, List<FindingClaim> ofTxn) {
        boolean isJudged = isJudged(slice, txn);
        long start = slice.startTs[txn];
        long commit = isJudged ? commitOf(slice, txn) : slice.commitTs[txn];
        boolean isReadOnly = isReadOnly(slice, txn);
        List<FindingClaim> asReader = new ArrayList<>();
        for (FindingClaim claim : ofTxn) {
            for (Participant participant : claim.txnBy.values()) {
                if (participant.txnId() != slice.txnId[txn]) {
                    continue;
                }
                claim.seenCount++;
                claim.touchesUnknown |= slice.status[txn] == TxnStatus.UNKNOWN;
                if (participant.startTs() != start || participant.commitTs() != commit) {
                    claim.refute("timestamps differ: txn=" + participant.txnId() + " startTs=" + start + " commitTs="
                            + commit + " claimed=" + participant);
                }
                boolean isWrongReader = participant.role() == Role.READER && slice.status[txn] != TxnStatus.COMMITTED;
                if (isWrongReader || (!isJudged && participant.role() != Role.OBSERVED_WRITER)) {
                    claim.refute("transaction does not count as committed: txn=" + participant.txnId() + " status="
                            + TxnStatus.name(slice.status[txn]));
                }
                switch (participant.role()) {
                    case READER -> {
                        claim.isReadOnly = isReadOnly;
                        asReader.add(claim);
                    }
                    case SUBJECT -> {
                        claim.isReadOnly = isReadOnly;
                        claim.subjectSession = slice.sessionId[txn];
                        claim.subjectSeq = slice.sessionSeq[txn];
                    }
                    case PREVIOUS -> {
                        claim.previousSession = slice.sessionId[txn];
                        claim.previousSeq = slice.sessionSeq[txn];
                    }
                    case EARLIER_WRITER -> claim.hasEarlierWrite = isJudged && writes(slice, txn, claim.key);
                    case LATER_WRITER -> {
                        claim.hasLaterWrite = isJudged && writes(slice, txn, claim.key);
                        claim.hasReadBefore = isJudgedRead(slice, txn, claim.key);
                    }
                    default -> {}
                }
            }
        }
        if (!asReader.isEmpty()) {
            seeReader(slice, txn, asReader);
        }
    }

    private boolean writes(HistorySlice slice, int txn, WatchedKey key) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (changesKey(slice.kind[op]) && keyAt(slice, op) == key) {
                return true;
            }
        }
        return false;
    }

    static boolean changesKey(byte kind) {
        return switch (kind) {
            case OpKind.READ, OpKind.READ_NOTHING, OpKind.READ_LIST, OpKind.ADD, OpKind.INCREMENT -> false;
            default -> true;
        };
    }

    /** Whether a transaction read a key from its snapshot: before its own writes, or as a list, which shows both. */
    private boolean isJudgedRead(HistorySlice slice, int txn, @Nullable WatchedKey key) {
        if (slice.status[txn] != TxnStatus.COMMITTED) {
            return false;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (keyAt(slice, op) == key && key != null) {
                if (OpKind.isRead(slice.kind[op])) {
                    return true;
                }
                if (slice.kind[op] == OpKind.WRITE) {
                    return false;
                }
            }
        }
        return false;
    }

    private void seeReader(HistorySlice slice, int txn, List<FindingClaim> asReader) {
        long initial = initialValue == null ? HistorySlice.NONE : ScalarTable.inSlice(slice, initialValue);
        Map<WatchedKey, InternalReads> plainBy = new IdentityHashMap<>();
        Map<WatchedKey, InternalReads> withInitialBy = new IdentityHashMap<>();
        for (FindingClaim claim : asReader) {
            plainBy.computeIfAbsent(claim.key, absent -> new InternalReads());
            withInitialBy.computeIfAbsent(
                    claim.key, absent -> new InternalReads(initial != HistorySlice.NONE, initial));
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            WatchedKey key = keyAt(slice, op);
            InternalReads plain = key == null ? null : plainBy.get(key);
            if (plain != null) {
                plain.disagrees(slice, op);
                requireNonNull(withInitialBy.get(key)).disagrees(slice, op);
            }
        }
        for (FindingClaim claim : asReader) {
            InternalReads plain = requireNonNull(plainBy.get(claim.key));
            reads.confirm(claim, slice, plain, requireNonNull(withInitialBy.get(claim.key)));
        }
    }

    /** The key of an operation, or null if nothing was asked about it. */
    @Nullable
    WatchedKey keyAt(HistorySlice slice, int op) {
        int key = finder.find(slice, op);
        return key == WatchedKeys.NONE ? null : keys.get(key);
    }

    /** Whether somebody asked who wrote a value of a slice to a key, or whether anybody wrote it. */
    boolean asksAbout(WatchedKey key, HistorySlice slice, long value) {
        long known = values.find(slice.valueNames, value);
        return key.factsOf(known) != null || reads.isInitialValue(known);
    }

    /** Notes what a slice does to keys that findings speak of, key by key; other threads do so for other slices. */
    private void note(HistorySlice slice, KeyedOps ops) {
        int endOfKey;
        for (int first = 0; first < ops.count(); first = endOfKey) {
            endOfKey = ops.endOfKey(first);
            WatchedKey key = keys.get(ops.key(first));
            synchronized (key) {
                int endOfTxn;
                for (int from = first; from < endOfKey; from = endOfTxn) {
                    endOfTxn = ops.endOfTxn(from, endOfKey);
                    noteTxn(slice, key, ops, from, endOfTxn);
                }
            }
        }
    }

    /** Notes what one transaction does to one key. */
    private void noteTxn(HistorySlice slice, WatchedKey key, KeyedOps ops, int from, int to) {
        int txn = ops.txn(from);
        int lastWrite = NO_OP;
        for (int place = from; place < to; place++) {
            byte kind = slice.kind[ops.op(place)];
            if (kind == OpKind.READ_LIST) {
                key.isList |= slice.status[txn] == TxnStatus.COMMITTED;
            } else if (changesKey(kind)) {
                lastWrite = ops.op(place);
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
            for (int place = from; place < to; place++) {
                int op = ops.op(place);
                if (changesKey(slice.kind[op])) {
                    noteWrite(slice, txn, op, key, isAborted, op == lastWrite);
                }
            }
        } else if (!isAborted) {
            secondPass.seeFinalWrite(key, slice, txn, values.find(slice.valueNames, slice.value[lastWrite]));
        }
    }

    private void noteWrite(HistorySlice slice, int txn, int op, WatchedKey key, boolean isAborted, boolean isFinal) {
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
            noteValue(slice, txn, key, value, isAborted, isFinal);
        }
        if (isFinal && !isAborted) {
            key.noteFinalWrite(id, slice.startTs[txn], slice.commitTs[txn], value);
        }
    }

    private void noteValue(
            HistorySlice slice, int txn, WatchedKey key, long value, boolean isAborted, boolean isFinal) {
        key.hasRegisterWrites = true;
        key.wroteInitialValue |= slice.status[txn] == TxnStatus.COMMITTED && reads.isInitialValue(value);
        ValueFacts facts = key.factsOf(value);
        if (facts == null) {
            return;
        }
        if (isAborted) {
            facts.note(slice.txnId[txn], ValueFacts.ABORTED);
        } else if (isFinal) {
            facts.note(slice.txnId[txn], ValueFacts.FINAL);
            facts.nearest.offer(slice.commitTs[txn], slice.txnId[txn]);
        } else {
            facts.note(slice.txnId[txn], ValueFacts.NOT_FINAL);
        }
    }

    // ---------------------------------------------------------------- the end

    private void settle() {
        isSettled = true;
        lists.close();
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
        new ListReadClaims(values, lists).verify(onLists);
        for (FindingClaim claim : claims) {
            if (!claim.isRefuted()) {
                secondPass.add(claim, values);
            }
        }
        secondPass.close();
    }

    private void verifyParticipants(FindingClaim claim) {
        if (claim.seenCount != claim.txnBy.size()) {
            claim.refute("a transaction that is not in the history: participants=" + claim.finding.participants());
        } else if (claim.finding.dependsOnUnknown() != claim.touchesUnknown) {
            claim.refute("dependence on unknown outcomes: expected=" + claim.touchesUnknown);
        } else if (claim.key != null && claim.key.isSetOrCounter) {
            claim.refute("sets and counters are not judged: key=" + claim.key.text);
        } else if (claim.key != null && claim.key.hasUndatedWriter) {
            claim.refute("a writer of the key lacks its timestamps: key=" + claim.key.text);
        } else if (claim.isBackward(claim.first)
                && claim.finding.anomaly() != Anomaly.TIMESTAMP_ORDER
                && claim.finding.anomaly() != Anomaly.SESSION) {
            claim.refute("starts after its commit and is not judged: txn=" + claim.first.txnId());
        }
    }

    private static void verifyConflict(FindingClaim claim) {
        Participant earlier = claim.in(Role.EARLIER_WRITER);
        Participant later = claim.in(Role.LATER_WRITER);
        boolean overlap = earlier.startTs() < later.commitTs() && later.startTs() < earlier.commitTs();
        if (earlier.txnId() == later.txnId() || !claim.hasEarlierWrite || !claim.hasLaterWrite) {
            claim.refute("not two writers of the key: key=" + claim.key.text);
        } else if (claim.isBackward(later)) {
            claim.refute("starts after its commit and is not judged: txn=" + later.txnId());
        } else if (earlier.commitTs() > later.commitTs()) {
            claim.refute("the earlier writer commits later");
        } else if (!overlap && earlier.commitTs() != later.commitTs()) {
            claim.refute("intervals do not overlap");
        } else {
            verifySlack(claim, earlier.commitTs() - later.startTs());
        }
    }

    private static void verifySession(FindingClaim claim) {
        Participant previous = claim.in(Role.PREVIOUS);
        boolean tooEarly = claim.readTs() < previous.commitTs();
        boolean tiesInVain = claim.isSerial && !claim.isReadOnly && claim.readTs() == previous.commitTs();
        if (claim.subjectSession != claim.previousSession || claim.previousSeq >= claim.subjectSeq) {
            claim.refute("not one before the other in a session");
        } else if (!tooEarly && !tiesInVain) {
            claim.refute("session order is kept");
        } else {
            verifySlack(claim, previous.commitTs() - claim.readTs());
        }
    }

    private static void verifyTimestampOrder(FindingClaim claim) {
        if (!claim.isBackward(claim.first)) {
            claim.refute("starts before its commit");
        } else {
            verifySlack(claim, claim.first.commitTs() - claim.first.startTs());
        }
    }

    private static void verifySlack(FindingClaim claim, long slack) {
        if (claim.finding.slack() == null || claim.finding.slack() != slack) {
            claim.refute("slack: expected=" + slack + " claimed=" + claim.finding.slack());
        }
    }
}
