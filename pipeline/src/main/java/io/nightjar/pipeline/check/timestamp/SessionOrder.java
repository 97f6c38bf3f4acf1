package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.primitive.ByteColumn;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks SESSION between neighbours of each session, and TIMESTAMP-ORDER of each transaction. */
public final class SessionOrder {

    /*
     * Layout. By session, its last committed transaction:
     *
     *   lastSeqOf[session], lastCommitOf[session], lastStartOf[session], lastIdOf[session]
     *
     * Algorithm. Rows usually contain the transactions of a session in order, and then each is compared with the last
     * committed transaction. After the first row that goes back in its session, the findings are invalid, and all rows
     * must be collected and sorted first: isInOrder() becomes false, and a second instance with gather set receives the
     * rows.
     *
     * Cost. Processing one residue class of sessions at a time bounds the memory, if rows are not in order or sessions
     * exceed the memory.
     */

    /** Upper bound of the bytes per session, including spare capacity. */
    public static final long BYTES_PER_SESSION = 130;

    private static final long NOTHING_YET = Long.MIN_VALUE;

    private final Map<IsolationLevel, Set<Axiom>> axioms;
    private final LongSet promoted;
    private final boolean gathers;
    private final Findings findings;
    private final long maxSessions;
    private boolean isInOrder = true;
    private boolean startsAfterPrevious = true;
    private boolean isFinished;

    private LongOrdinals sessions = new LongOrdinals();
    private long[] lastSeqOf = new long[64];
    private long[] lastStartOf = new long[64];
    private long[] lastCommitOf = new long[64];
    private long[] lastIdOf = new long[64];

    private final IntColumn sessionOf = new IntColumn(); // the rows gathered
    private final LongColumn seqOf = new LongColumn();
    private final LongColumn startOf = new LongColumn();
    private final LongColumn commitOf = new LongColumn();
    private final LongColumn idOf = new LongColumn();
    private final ByteColumn readOnlyOf = new ByteColumn();

    /** Checks rows as they come; believe it only if {@link #isInOrder} at the end. */
    public SessionOrder(Map<IsolationLevel, Set<Axiom>> axioms, int limit) {
        this(axioms, limit, Long.MAX_VALUE);
    }

    /** @param memoryBytes memory limit; sessions that exceed it count as not in order */
    public SessionOrder(Map<IsolationLevel, Set<Axiom>> axioms, int limit, long memoryBytes) {
        this(axioms, limit, LongSets.EMPTY_SET, false, memoryBytes / BYTES_PER_SESSION);
    }

    private SessionOrder(
            Map<IsolationLevel, Set<Axiom>> axioms, int limit, LongSet promoted, boolean gathers, long maxSessions) {
        this.axioms = axioms;
        this.findings = new Findings(limit);
        this.promoted = promoted;
        this.gathers = gathers;
        this.maxSessions = maxSessions;
        Arrays.fill(lastSeqOf, NOTHING_YET);
    }

    /**
     * Gathers rows in any order and checks them in {@link #finish}.
     *
     * @param promoted unknown transactions that count as committed
     */
    public static SessionOrder gathering(Map<IsolationLevel, Set<Axiom>> axioms, int limit, LongSet promoted) {
        return new SessionOrder(axioms, limit, promoted, true, Long.MAX_VALUE);
    }

    /** Takes all transactions of a slice. */
    public void observe(HistorySlice slice) {
        observe(slice, 0, 1);
    }

    /** Takes the transactions whose session falls into one of {@code classCount} residue classes. */
    public void observe(HistorySlice slice, int residue, int classCount) {
        if (slice.startTs == null || !isInOrder) {
            return;
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (classCount > 1 && Math.floorMod(Mix.hash(slice.sessionId[txn]), classCount) != residue) {
                continue;
            }
            int session = sessions.ordinal(slice.sessionId[txn]);
            if (slice.status[txn] == TxnStatus.COMMITTED
                    || slice.status[txn] == TxnStatus.UNKNOWN && promoted.contains(slice.txnId[txn])) {
                take(slice, txn, session);
            }
        }
        if (sessions.size() > maxSessions) {
            cancel();
        }
    }

    /** Discards the findings so far. */
    private void cancel() {
        isInOrder = false;
        sessions = new LongOrdinals();
        lastSeqOf = new long[0];
        lastStartOf = new long[0];
        lastCommitOf = new long[0];
        lastIdOf = new long[0];
    }

    private void take(HistorySlice slice, int txn, int session) {
        long start = slice.startTs[txn];
        long commit = slice.commitTs[txn];
        ensureCapacity(session);
        boolean mayBeReadOnly = HistorySlice.isMissing(commit) || commit <= lastCommitOf[session];
        boolean readOnly = (gathers || mayBeReadOnly) && slice.isReadOnly(txn);
        commit = HistorySlice.commitTs(start, commit, readOnly);
        if (start == HistorySlice.NONE || commit == HistorySlice.NONE) {
            return;
        }
        if (gathers) {
            gather(session, slice.sessionSeq[txn], start, commit, slice.txnId[txn], readOnly);
        } else if (slice.sessionSeq[txn] < lastSeqOf[session] && lastSeqOf[session] != NOTHING_YET) {
            isInOrder = false;
        } else {
            check(session, slice.sessionSeq[txn], start, commit, slice.txnId[txn], readOnly);
        }
    }

    private void ensureCapacity(int session) {
        if (session >= lastSeqOf.length) {
            int before = lastSeqOf.length;
            int capacity = Math.max(session + 1, before * 2);
            lastSeqOf = Arrays.copyOf(lastSeqOf, capacity);
            Arrays.fill(lastSeqOf, before, capacity, NOTHING_YET);
            lastStartOf = Arrays.copyOf(lastStartOf, capacity);
            lastCommitOf = Arrays.copyOf(lastCommitOf, capacity);
            lastIdOf = Arrays.copyOf(lastIdOf, capacity);
        }
    }

    /** Returns whether every session's transactions came in order, so that the findings are valid. */
    public boolean isInOrder() {
        return isInOrder;
    }

    /** Returns whether every transaction starts no earlier than its session predecessor committed. */
    public boolean startsAfterPrevious() {
        return startsAfterPrevious;
    }

    public int sessionCount() {
        return sessions.size();
    }

    // ---------------------------------------------------------------- gathering

    private void gather(int session, long seq, long start, long commit, long id, boolean readOnly) {
        sessionOf.add(session);
        seqOf.add(seq);
        startOf.add(start);
        commitOf.add(commit);
        idOf.add(id);
        readOnlyOf.add((byte) (readOnly ? 1 : 0));
    }

    private void checkGathered() {
        int count = sessionOf.size();
        int[] firstOf = CountingSort.firstOf(sessionOf, sessions.size());
        int[] rows = CountingSort.entries(sessionOf, firstOf);
        for (int session = 0; session < sessions.size(); session++) {
            sortBySeq(rows, firstOf[session], firstOf[session + 1]);
            for (int i = firstOf[session]; i < firstOf[session + 1]; i++) {
                int row = rows[i];
                ensureCapacity(session);
                check(
                        session,
                        seqOf.get(row),
                        startOf.get(row),
                        commitOf.get(row),
                        idOf.get(row),
                        readOnlyOf.get(row) == 1);
            }
        }
    }

    private void sortBySeq(int[] rows, int first, int end) {
        long[] seqs = new long[end - first];
        int[] sorted = new int[end - first];
        for (int i = first; i < end; i++) {
            seqs[i - first] = seqOf.get(rows[i]);
            sorted[i - first] = rows[i];
        }
        RadixSort.sort(seqs, sorted, end - first);
        System.arraycopy(sorted, 0, rows, first, end - first);
    }

    // ---------------------------------------------------------------- checking

    private void check(int session, long seq, long start, long commit, long id, boolean readOnly) {
        if (start > commit && demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.TIMESTAMP_ORDER)) {
            report(timestampOrder(id, start, commit), start);
        }
        if (lastSeqOf[session] != NOTHING_YET) {
            long before = lastCommitOf[session];
            boolean isInstant = start == commit && !readOnly; // perhaps at the time of its predecessor
            startsAfterPrevious &= isInstant ? start > before : start >= before;
            if (start < before && demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.SESSION)) {
                report(session(IsolationLevel.SNAPSHOT_ISOLATION, session, id, start, commit, before - start), start);
            }
            boolean goesBack = commit < before || commit == before && !readOnly;
            if (goesBack && demands(IsolationLevel.COMMIT_ORDER_SERIALIZABLE, Axiom.SESSION)) {
                report(
                        session(IsolationLevel.COMMIT_ORDER_SERIALIZABLE, session, id, start, commit, before - commit),
                        commit);
            }
        }
        lastSeqOf[session] = seq;
        lastStartOf[session] = start;
        lastCommitOf[session] = commit;
        lastIdOf[session] = id;
    }

    private boolean demands(IsolationLevel level, Axiom axiom) {
        return axioms.getOrDefault(level, Set.of()).contains(axiom);
    }

    private Finding timestampOrder(long id, long start, long commit) {
        return finding(
                Anomaly.TIMESTAMP_ORDER,
                IsolationLevel.SNAPSHOT_ISOLATION,
                List.of(new Participant(id, Role.SUBJECT, start, commit)),
                commit - start,
                List.of());
    }

    private Finding session(IsolationLevel level, int session, long id, long start, long commit, long slack) {
        return finding(
                Anomaly.SESSION,
                level,
                List.of(
                        new Participant(id, Role.SUBJECT, start, commit),
                        new Participant(lastIdOf[session], Role.PREVIOUS, lastStartOf[session], lastCommitOf[session])),
                slack,
                List.of(new Edge(lastIdOf[session], id, EdgeType.SO, null, null, null, EdgeEvidence.SESSION)));
    }

    private Finding finding(
            Anomaly anomaly, IsolationLevel level, List<Participant> participants, long slack, List<Edge> edges) {
        boolean unknown = false;
        for (Participant participant : participants) {
            unknown |= promoted.contains(participant.txnId());
        }
        return new Finding(
                anomaly, null, level, FindingMaker.algorithm(level), null, participants, null, slack, unknown, edges);
    }

    private void report(Finding finding, long at) {
        findings.count(finding.level(), finding.anomaly(), 1);
        findings.countRows(1);
        findings.keep(at, finding);
    }

    /** Returns the findings; collected rows are checked first. */
    public Findings finish() {
        if (gathers && !isFinished) {
            checkGathered();
            isFinished = true;
        }
        return findings;
    }
}
