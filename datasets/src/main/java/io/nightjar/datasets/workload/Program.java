package io.nightjar.datasets.workload;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.Arrays;

/** One transaction: the operations planned so far, the results of its reads, and its continuation. */
public final class Program {

    /**
     * The continuation of a transaction; called when all planned operations are done, and for the last time when it
     * plans nothing.
     */
    @FunctionalInterface
    public interface Script {

        /** @param step number of previous calls */
        void proceed(Program txn, int step);
    }

    private static final byte READ = 0;
    private static final byte WRITE = 1;
    private static final byte APPEND = 2;
    private static final byte SELECT = 3;
    private static final byte READ_FOR_UPDATE = 4;
    private static final byte DELETE = 5;

    private final Script script;
    private int step;
    private int planned;
    private int done;
    private byte[] act = new byte[8];
    private int[] key = new int[8];
    private long[] amount = new long[8];
    private long[] max = new long[8];
    private int[] rows = new int[8];
    private int[] limit = new int[8];
    private int answerCount;
    private long[] answers = new long[8];
    private boolean rollsBack;
    private boolean onlyReads;
    private int tallyCount;
    private int[] tallySlot = {};
    private long[] tallyOf = {};

    public Program(Script script) {
        this.script = script;
    }

    public Program read(int ofKey) {
        return plan(READ, ofKey, 0, 0, 0);
    }

    /**
     * Reads a row to change it, as {@code UPDATE … SET amount = amount + ?} does: where the database locks rows for
     * that, it does.
     */
    public Program readForUpdate(int ofKey) {
        return plan(READ_FOR_UPDATE, ofKey, 0, 0, 0);
    }

    public Program write(int toKey, long newAmount) {
        return plan(WRITE, toKey, newAmount, 0, 0);
    }

    /** Deletes a row, if it is there. */
    public Program delete(int ofKey) {
        return plan(DELETE, ofKey, 0, 0, 0);
    }

    /** Declares that the transaction only reads, so that it is not treated as one that may still write. */
    public Program onlyReads() {
        onlyReads = true;
        return this;
    }

    /** Declares that everything is planned, so that the transaction only reads if its planned operations only read. */
    public void isAllPlanned() {
        onlyReads = true;
        for (int op = done; op < planned; op++) {
            onlyReads &= act[op] == READ || act[op] == SELECT;
        }
    }

    /** Appends an element to the list of a key. */
    public Program append(int toKey) {
        return plan(APPEND, toKey, 0, 0, 0);
    }

    /** Reads all rows of a table whose amount is between two bounds; the answer is their number. */
    public Program select(int firstKey, int rowCount, long min, long greatest) {
        return plan(SELECT, firstKey, min, greatest, rowCount);
    }

    /** Makes the predicate read planned last return the rows with the least amounts, at most so many. */
    public void first(int rowLimit) {
        limit[planned - 1] = rowLimit;
    }

    /**
     * Adds to a tally, outside of the database, if the transaction commits; for assertions about the sum of the rows.
     */
    public Program tally(int slot, long addition) {
        if (tallyCount == tallySlot.length) {
            tallySlot = Arrays.copyOf(tallySlot, tallyCount + 2);
            tallyOf = Arrays.copyOf(tallyOf, tallyCount + 2);
        }
        tallySlot[tallyCount] = slot;
        tallyOf[tallyCount++] = addition;
        return this;
    }

    /** Ends the transaction without its writes, as the application wants it. */
    public void rollBack() {
        rollsBack = true;
    }

    /** Returns the result of one of the transaction's reads; the first read is 0. */
    public long answer(int read) {
        return answers[read];
    }

    public int answerCount() {
        return answerCount;
    }

    private Program plan(byte newAct, int ofKey, long newAmount, long greatest, int rowCount) {
        if (planned == key.length) {
            act = Arrays.copyOf(act, 2 * planned);
            key = Arrays.copyOf(key, 2 * planned);
            amount = Arrays.copyOf(amount, 2 * planned);
            max = Arrays.copyOf(max, 2 * planned);
            rows = Arrays.copyOf(rows, 2 * planned);
            limit = Arrays.copyOf(limit, 2 * planned);
        }
        max[planned] = greatest;
        rows[planned] = rowCount;
        limit[planned] = 0;
        act[planned] = newAct;
        key[planned] = ofKey;
        amount[planned++] = newAmount;
        return this;
    }

    // ---------------------------------------------------------------- for the executor

    /** Returns whether another operation is planned; if not, the transaction ends. */
    public boolean hasNext() {
        if (done == planned && !rollsBack) {
            script.proceed(this, step++);
        }
        return done < planned && !rollsBack;
    }

    public boolean isRolledBack() {
        return rollsBack;
    }

    /** Returns whether the next operation reads. */
    public boolean reads() {
        return act[done] == READ || act[done] == READ_FOR_UPDATE;
    }

    /** Returns whether the next operation reads a row in order to change it. */
    public boolean readsForUpdate() {
        return act[done] == READ_FOR_UPDATE;
    }

    /** Returns whether the next operation deletes a row. */
    public boolean deletes() {
        return act[done] == DELETE;
    }

    /** Returns whether the next operation appends to a list. */
    public boolean appends() {
        return act[done] == APPEND;
    }

    /** Returns whether the next operation is a predicate read: {@link #rowCount} rows from {@link #key} on. */
    public boolean selects() {
        return act[done] == SELECT;
    }

    public int rowCount() {
        return rows[done];
    }

    /** Returns the greatest amount that is selected; the smallest one is {@link #amount}. */
    public long greatest() {
        return max[done];
    }

    /** Returns how many of the selected rows are read at most; 0 for all. */
    public int limit() {
        return limit[done];
    }

    /**
     * Returns whether the transaction may write: it was not declared as only reading. To be called when its first
     * operations are planned.
     */
    public boolean mayWrite() {
        return !onlyReads;
    }

    public int key() {
        return key[done];
    }

    public long amount() {
        return amount[done];
    }

    /** Adds the tallies of a committed transaction. */
    public void addTallies(Int2LongOpenHashMap to) {
        for (int tally = 0; tally < tallyCount; tally++) {
            to.addTo(tallySlot[tally], tallyOf[tally]);
        }
    }

    /** Takes the end of the next operation; a read has returned an amount. */
    public void done(long answer) {
        byte what = act[done++];
        if (what == READ || what == READ_FOR_UPDATE || what == SELECT) {
            if (answerCount == answers.length) {
                answers = Arrays.copyOf(answers, 2 * answerCount);
            }
            answers[answerCount++] = answer;
        }
    }
}
