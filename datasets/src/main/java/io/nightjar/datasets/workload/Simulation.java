package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Store;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;

/** Sessions that run a workload against a store, one step of one transaction at a time. */
public final class Simulation {

    /*
     * One of the slots for open transactions is drawn and executes its next step: begin, one operation, or end. So
     * transactions of different sessions interleave by operation, and the same seed gives the same schedule. Those
     * still open at the last row are dropped: no transaction has observed their writes.
     *
     * The store has one number for each value: the amount in the lower bits, the number of the write above.
     */

    private static final int AMOUNT_BITS = 24;
    private static final long NS_PER_STEP = 50_000;
    private static final long NS_TO_REPLY = 40_000;
    private static final int NO_SESSION = -1;

    private final ClientWorkload workload;
    private final WorkloadKeys keys;
    private final Store store;
    private final SeededRandom random;
    private final int[] sessionOf;
    private final Program[] programOf;
    private final RecordedTxn[] recordOf;
    private final int[] idleSessions;
    private int idleCount;
    private final long[] nextSeqOf;
    private long steps;
    private long writes;
    private long rowCount;
    private long committedCount;
    private long operationCount;

    public Simulation(ClientWorkload workload, Store store, int sessions, int concurrency, long seed) {
        this.workload = workload;
        this.keys = workload.keys();
        this.store = store;
        this.random = new SeededRandom(seed);
        this.sessionOf = new int[concurrency];
        this.programOf = new Program[concurrency];
        this.recordOf = new RecordedTxn[concurrency];
        for (int slot = 0; slot < concurrency; slot++) {
            sessionOf[slot] = NO_SESSION;
            recordOf[slot] = new RecordedTxn();
        }
        this.idleSessions = new int[sessions];
        for (int session = 0; session < sessions; session++) {
            idleSessions[session] = session;
        }
        this.idleCount = sessions;
        this.nextSeqOf = new long[sessions];
    }

    /** Runs until this many transactions have ended. */
    public void run(long transactions, boolean recordsAborted, TxnRecorder recorder) throws IOException {
        while (rowCount < transactions) {
            int slot = random.below(sessionOf.length);
            steps++;
            if (sessionOf[slot] == NO_SESSION) {
                begin(slot);
            } else if (programOf[slot].hasNext()) {
                if (!operate(slot)) {
                    end(slot, false, recordsAborted, recorder);
                }
            } else {
                boolean commits = !programOf[slot].isRolledBack() && store.commit(sessionOf[slot]);
                if (programOf[slot].isRolledBack()) {
                    store.abort(sessionOf[slot]);
                }
                end(slot, commits, recordsAborted, recorder);
            }
        }
        recorder.finish();
    }

    public long rowCount() {
        return rowCount;
    }

    public long committedCount() {
        return committedCount;
    }

    public long operationCount() {
        return operationCount;
    }

    private void begin(int slot) {
        int chosen = random.below(idleCount);
        int session = idleSessions[chosen];
        idleSessions[chosen] = idleSessions[--idleCount];
        sessionOf[slot] = session;
        programOf[slot] = workload.next(session, random);
        recordOf[slot].clear();
        recordOf[slot].invokeNs = steps * NS_PER_STEP;
        store.begin(session);
    }

    /** Executes the next operation; returns false if the store has aborted the transaction. */
    private boolean operate(int slot) {
        Program program = programOf[slot];
        int session = sessionOf[slot];
        int key = program.key();
        if (program.selects()) {
            return select(program, session, recordOf[slot]);
        }
        if (program.reads() || program.deletes()) {
            return selectRange(program, session, recordOf[slot]);
        }
        recordOf[slot].add(OpKind.WRITE, key, program.amount(), writes + 1);
        long amount = program.amount();
        program.done(0);
        return write(session, key, amount);
    }

    private boolean write(int session, int key, long amount) {
        writes++;
        return store.write(session, key, writes << AMOUNT_BITS | amount & (1L << AMOUNT_BITS) - 1);
    }

    /** Reads a row, and deletes it if that is wanted and it is there. */
    private boolean selectRange(Program program, int session, RecordedTxn txn) {
        int key = program.key();
        long value = store.read(session, key);
        if (value == Store.ABORTED) {
            return false;
        }
        long amount = value == Store.INITIAL ? keys.initial(key) : amountOf(value);
        boolean isNothing = value == Store.INITIAL || amount == WorkloadKeys.ABSENT;
        if (program.deletes() && !isNothing) {
            txn.add(OpKind.DELETE, key, 0, 0);
            program.done(0);
            return write(session, key, WorkloadKeys.ABSENT);
        }
        txn.add(isNothing ? OpKind.READ_NOTHING : OpKind.READ, key, amount, isNothing ? 0 : value >> AMOUNT_BITS);
        program.done(amount);
        return true;
    }

    /** Reads all rows and records the matching rows. */
    private boolean select(Program program, int session, RecordedTxn txn) {
        int op = txn.beginSelect(program.key(), program.amount(), program.greatest());
        txn.op(op).limit = program.limit();
        for (int key = program.key(); key < program.key() + program.rowCount(); key++) {
            long value = store.read(session, key);
            if (value == Store.ABORTED) {
                txn.endSelect(op);
                return false;
            }
            long amount = value == Store.INITIAL ? keys.initial(key) : amountOf(value);
            if (amount >= program.amount() && amount <= program.greatest()) {
                boolean isInitial = value == Store.INITIAL;
                txn.add(
                        isInitial ? OpKind.READ_NOTHING : OpKind.READ,
                        key,
                        amount,
                        isInitial ? 0 : value >> AMOUNT_BITS);
            }
        }
        program.done(txn.endSelect(op));
        return true;
    }

    private static long amountOf(long value) {
        return value << Long.SIZE - AMOUNT_BITS >> Long.SIZE - AMOUNT_BITS;
    }

    private void end(int slot, boolean commits, boolean recordsAborted, TxnRecorder recorder) throws IOException {
        int session = sessionOf[slot];
        sessionOf[slot] = NO_SESSION;
        idleSessions[idleCount++] = session;
        if (!commits && !recordsAborted) {
            return;
        }
        RecordedTxn txn = recordOf[slot];
        txn.session = session;
        txn.seq = nextSeqOf[session]++;
        txn.status = commits ? TxnStatus.COMMITTED : TxnStatus.ABORTED;
        txn.start = store.startTs(session);
        txn.commit = commits ? store.commitTs(session) : HistorySlice.NONE;
        txn.completeNs = steps * NS_PER_STEP + NS_TO_REPLY;
        recorder.record(txn);
        rowCount++;
        committedCount += commits ? 1 : 0;
        operationCount += txn.opCount;
    }
}
