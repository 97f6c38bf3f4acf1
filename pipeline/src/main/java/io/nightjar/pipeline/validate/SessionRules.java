package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rejection of a history in which two transactions have one position in one session, with counts of suspicious
 * properties of sessions.
 *
 * <p>All slices are added in row order, then {@link #needsAnotherPass} is called; while it returns true, all slices are
 * added again. The slices of later passes need no column but the ids, unless sessions did not fit.
 */
public final class SessionRules {

    /*
     * Rows of a session usually come in order, so each session stores the smallest and the greatest position and the
     * number of rows. A row outside of [smallest, greatest] is new. A row on its border, or inside if the range has no
     * gaps, is a duplicate. A row inside a range with gaps may be either: the session becomes suspect, and
     * SessionPositions checks the suspects in another pass.
     *
     *   ORDER      this pass stores the table of sessions of one hash class (nearly always of all)
     *   POSITIONS  this pass marks every position of some suspects
     *   SEARCH     a duplicate is known; this pass finds its rows
     */
    private enum Phase {
        ORDER,
        POSITIONS,
        SEARCH
    }

    static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    private final long memoryBytes;
    private final boolean areUnique;
    private final int sessionCapacity;
    private final HashPasses classes = new HashPasses();
    private final SessionLint tally = new SessionLint();

    private Phase phase = Phase.ORDER;
    private Long2ObjectOpenHashMap<SessionState> sessions = new Long2ObjectOpenHashMap<>(); // by id
    private List<SessionState> inOrder = new ArrayList<>(); // of their first rows

    private boolean isDuplicateKnown;
    private long duplicateSession;
    private long duplicateSeq;
    private final DuplicateRows duplicates = new DuplicateRows() {
        @Override
        boolean isDuplicate(HistorySlice slice, int txn) {
            return slice.sessionSeq[txn] == duplicateSeq && slice.sessionId[txn] == duplicateSession;
        }

        @Override
        MalformedHistoryException rejection(InputLocation first, InputLocation later) {
            return new MalformedHistoryException(
                    later,
                    InputError.of("duplicate position in a session")
                            .with("session_id=" + duplicateSession + " session_seq=" + duplicateSeq + " first-row="
                                    + first)
                            .advise("number the transactions of a session one after another"));
        }
    };

    public SessionRules() {
        this(DEFAULT_MEMORY_BYTES);
    }

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    public SessionRules(long memoryBytes) {
        this(memoryBytes, false);
    }

    /** @param areUnique whether it is known that no position occurs twice */
    SessionRules(long memoryBytes, boolean areUnique) {
        this.memoryBytes = memoryBytes;
        this.areUnique = areUnique;
        this.sessionCapacity = (int) Math.max(16, Math.min(memoryBytes / SessionState.BYTES, 1 << 29));
    }

    /**
     * Adds the next slice of the pass.
     *
     * @throws MalformedHistoryException naming both rows, if both are known
     */
    public void add(HistorySlice slice) {
        add(slice, null);
    }

    /**
     * Adds the next slice of the pass.
     *
     * @param rows numbers of its transactions among all rows, for {@link #tally}; null if not needed
     * @throws MalformedHistoryException naming both rows, if both are known
     */
    void add(HistorySlice slice, long @Nullable [] rows) {
        switch (phase) {
            case ORDER -> addInOrder(slice, rows);
            case POSITIONS -> addPositions(slice);
            case SEARCH -> duplicates.search(slice);
        }
    }

    /** Returns whether a duplicate exists whose rows are to be found, so that the caller may end this pass early. */
    public boolean isSettled() {
        return isDuplicateKnown && phase != Phase.SEARCH;
    }

    /** Returns whether a position occurs twice. */
    boolean isDuplicateKnown() {
        return isDuplicateKnown;
    }

    /** Returns whether the next pass requires timestamps and operations too, because sessions did not fit. */
    public boolean needsAllColumns() {
        return phase == Phase.ORDER && !classes.isEverything();
    }

    /** Returns whether sessions did not fit, so that each further pass processes only some of them. */
    boolean areSplit() {
        return !classes.isEverything();
    }

    /**
     * Returns the number of bits that partition the given number of rows so that every partition fits, even if each row
     * is a separate session; the number is bounded.
     */
    int bitsThatFit(long rowCount) {
        int bits = 0;
        while (bits < Validation.MAX_PARTITION_BITS && rowCount >> bits > sessionCapacity / 4 * 3) {
            bits++;
        }
        return bits;
    }

    /** Limits each pass to one partition of the given number of bits. */
    void refine(int partitionBits) {
        classes.refine(partitionBits, phase != Phase.ORDER);
    }

    /** Returns whether the next pass processes any session whose hash ends in these bits. */
    boolean looksAt(int partition, int partitionBits) {
        return phase == Phase.SEARCH
                ? (HashPasses.hash(duplicateSession) & (1L << partitionBits) - 1) == partition
                : classes.meets(partition, partitionBits);
    }

    /** Ends a pass. Returns false if it is certain that no position occurs twice; else all slices are to be added again. */
    public boolean needsAnotherPass() {
        if (phase == Phase.SEARCH) {
            throw new IllegalStateException("row of a session not found again: sessionId=" + duplicateSession
                    + " sessionSeq=" + duplicateSeq + "; check whether the history was written to during the check");
        }
        if (phase == Phase.POSITIONS) {
            findRepeatedPosition();
        }
        if (isDuplicateKnown) {
            phase = Phase.SEARCH;
            forgetSessions();
            return true;
        }
        if (phase == Phase.ORDER) {
            tally.add(inOrder);
        }
        if (!areUnique && SessionPositions.begin(inOrder, memoryBytes)) {
            phase = Phase.POSITIONS;
            return true;
        }
        phase = Phase.ORDER;
        forgetSessions();
        return classes.next();
    }

    private void forgetSessions() {
        sessions = new Long2ObjectOpenHashMap<>();
        inOrder = new ArrayList<>();
    }

    /** Returns the number of sessions; valid after the last pass. */
    public long sessionCount() {
        return tally.sessionCount();
    }

    /** Returns the suspicious properties of sessions; valid after the last pass. */
    public List<LintFinding> findings() {
        return new ArrayList<>(tally.findings());
    }

    /** Returns the number of sessions and their suspicious properties; valid after the last pass. */
    SessionLint tally() {
        return tally;
    }

    // ---------------------------------------------------------------- rows in order

    private void addInOrder(HistorySlice slice, long @Nullable [] rows) {
        boolean hasTimestamps = slice.startTs != null;
        boolean hasClientTimes = slice.invokeNs != null;
        for (int txn = 0; txn < slice.txnCount && !isDuplicateKnown; txn++) {
            if (!classes.holds(slice.sessionId[txn])) {
                continue;
            }
            long row = rows == null ? 0 : rows[txn];
            SessionState session = sessions.get(slice.sessionId[txn]);
            boolean isLast = session == null || addPosition(slice, txn, row, session);
            if (session == null) {
                session = new SessionState(slice.sessionId[txn], slice.sessionSeq[txn], row);
                sessions.put(session.id, session);
                inOrder.add(session);
            }
            if (isLast && hasTimestamps && slice.status[txn] == TxnStatus.COMMITTED) {
                compareTimestamps(slice, txn, row, session);
            }
            if (isLast && hasClientTimes) {
                compareClientTimes(slice, txn, row, session);
            }
            if (sessions.size() > sessionCapacity) {
                classes.split();
                sessions.keySet().removeIf((long id) -> !classes.holds(id));
                inOrder.removeIf(each -> !classes.holds(each.id));
            }
        }
    }

    /** Returns whether a further row comes after all others of its session in both orders. */
    private boolean addPosition(HistorySlice slice, int txn, long row, SessionState session) {
        long seq = slice.sessionSeq[txn];
        long max = session.maxSeq;
        boolean isSettled = session.hasNoGaps() && !session.isSuspect;
        session.rowCount++;
        if (seq > max) {
            session.maxSeq = seq;
            return true;
        }
        if (seq < session.minSeq) {
            session.minSeq = seq;
        } else if (seq == session.minSeq || seq == max || isSettled) {
            duplicateAt(slice, txn);
            return false;
        } else {
            session.isSuspect = true;
        }
        session.lateRowCount++;
        tally.lateRow(slice, txn, row, max);
        return false;
    }

    private void compareTimestamps(HistorySlice slice, int txn, long row, SessionState session) {
        long start = slice.startTs[txn];
        long before = session.lastCommit;
        if (start != HistorySlice.NONE && before != HistorySlice.NONE && start < before) {
            session.earlyStartCount++;
            tally.earlyStart(slice, txn, row, before);
        }
        long commit = slice.commitTsOf(txn);
        if (commit != HistorySlice.NONE) {
            session.lastCommit = commit;
        }
    }

    private void compareClientTimes(HistorySlice slice, int txn, long row, SessionState session) {
        long invoke = slice.invokeNs[txn];
        long before = session.lastComplete;
        if (invoke != HistorySlice.NONE && before != HistorySlice.NONE && invoke < before) {
            session.overlapCount++;
            tally.overlap(slice, txn, row, before);
        }
        if (slice.completeNs[txn] != HistorySlice.NONE) {
            session.lastComplete = slice.completeNs[txn];
        }
    }

    // ---------------------------------------------------------------- suspects and duplicates

    private void addPositions(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount && !isDuplicateKnown; txn++) {
            SessionState session = sessions.get(slice.sessionId[txn]);
            SessionPositions positions = session == null ? null : session.positions;
            if (positions != null && !positions.add(slice.sessionSeq[txn])) {
                duplicateAt(slice, txn);
            }
        }
    }

    private void findRepeatedPosition() {
        for (SessionState session : inOrder) {
            Long repeated = isDuplicateKnown || session.positions == null ? null : session.positions.repeated();
            if (repeated != null) {
                isDuplicateKnown = true;
                duplicateSession = session.id;
                duplicateSeq = repeated;
            }
        }
    }

    private void duplicateAt(HistorySlice slice, int txn) {
        isDuplicateKnown = true;
        duplicateSession = slice.sessionId[txn];
        duplicateSeq = slice.sessionSeq[txn];
        duplicates.foundAt(slice, txn);
    }
}
