package io.nightjar.datasets.workload;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

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

    private enum Act {
        READ,
        READ_FOR_UPDATE,
        SELECT,
        WRITE,
        APPEND,
        DELETE
    }

    /**
     * A planned operation.
     *
     * @param amount the amount to write, or the smallest one to select
     * @param rows number of rows of a predicate read, from the key on
     * @param limit how many of its rows are returned at most; 0 for all
     */
    private record Op(Act act, int key, long amount, long greatest, int rows, int limit) {}

    /** An addition to a tally. */
    private record Tally(int slot, long addition) {}

    private final Script script;
    private int step;
    private int done;
    private final List<Op> planned = new ArrayList<>();
    private final LongArrayList answers = new LongArrayList();
    private final List<Tally> tallies = new ArrayList<>();
    private boolean rollsBack;
    private boolean onlyReads;

    public Program(Script script) {
        this.script = script;
    }

    public Program read(int ofKey) {
        return plan(Act.READ, ofKey, 0, 0, 0);
    }

    /**
     * Reads a row to change it, as {@code UPDATE … SET amount = amount + ?} does: where the database locks rows for
     * that, it does.
     */
    public Program readForUpdate(int ofKey) {
        return plan(Act.READ_FOR_UPDATE, ofKey, 0, 0, 0);
    }

    public Program write(int toKey, long newAmount) {
        return plan(Act.WRITE, toKey, newAmount, 0, 0);
    }

    /** Deletes a row, if it is there. */
    public Program delete(int ofKey) {
        return plan(Act.DELETE, ofKey, 0, 0, 0);
    }

    /** Declares that the transaction only reads, so that it is not treated as one that may still write. */
    public Program onlyReads() {
        onlyReads = true;
        return this;
    }

    /** Declares that everything is planned, so that the transaction only reads if its planned operations only read. */
    public void isAllPlanned() {
        onlyReads = planned.stream().skip(done).allMatch(op -> op.act == Act.READ || op.act == Act.SELECT);
    }

    /** Appends an element to the list of a key. */
    public Program append(int toKey) {
        return plan(Act.APPEND, toKey, 0, 0, 0);
    }

    /** Reads all rows of a table whose amount is between two bounds; the answer is their number. */
    public Program select(int firstKey, int rowCount, long min, long greatest) {
        return plan(Act.SELECT, firstKey, min, greatest, rowCount);
    }

    /** Makes the predicate read planned last return the rows with the least amounts, at most so many. */
    public void first(int rowLimit) {
        Op last = planned.remove(planned.size() - 1);
        planned.add(new Op(last.act, last.key, last.amount, last.greatest, last.rows, rowLimit));
    }

    /**
     * Adds to a tally, outside of the database, if the transaction commits; for assertions about the sum of the rows.
     */
    public Program tally(int slot, long addition) {
        tallies.add(new Tally(slot, addition));
        return this;
    }

    /** Ends the transaction without its writes, as the application wants it. */
    public void rollBack() {
        rollsBack = true;
    }

    /** Returns the result of one of the transaction's reads; the first read is 0. */
    public long answer(int read) {
        return answers.getLong(read);
    }

    public int answerCount() {
        return answers.size();
    }

    private Program plan(Act act, int key, long amount, long greatest, int rows) {
        planned.add(new Op(act, key, amount, greatest, rows, 0));
        return this;
    }

    // ---------------------------------------------------------------- for the executor

    /** Returns whether another operation is planned; if not, the transaction ends. */
    public boolean hasNext() {
        if (done == planned.size() && !rollsBack) {
            script.proceed(this, step++);
        }
        return done < planned.size() && !rollsBack;
    }

    public boolean isRolledBack() {
        return rollsBack;
    }

    private Op op() {
        return planned.get(done);
    }

    /** Returns whether the next operation reads. */
    public boolean reads() {
        return op().act == Act.READ || op().act == Act.READ_FOR_UPDATE;
    }

    /** Returns whether the next operation reads a row in order to change it. */
    public boolean readsForUpdate() {
        return op().act == Act.READ_FOR_UPDATE;
    }

    /** Returns whether the next operation deletes a row. */
    public boolean deletes() {
        return op().act == Act.DELETE;
    }

    /** Returns whether the next operation appends to a list. */
    public boolean appends() {
        return op().act == Act.APPEND;
    }

    /** Returns whether the next operation is a predicate read: {@link #rowCount} rows from {@link #key} on. */
    public boolean selects() {
        return op().act == Act.SELECT;
    }

    public int rowCount() {
        return op().rows;
    }

    /** Returns the greatest amount that is selected; the smallest one is {@link #amount}. */
    public long greatest() {
        return op().greatest;
    }

    /** Returns how many of the selected rows are read at most; 0 for all. */
    public int limit() {
        return op().limit;
    }

    /**
     * Returns whether the transaction may write: it was not declared as only reading. To be called when its first
     * operations are planned.
     */
    public boolean mayWrite() {
        return !onlyReads;
    }

    public int key() {
        return op().key;
    }

    public long amount() {
        return op().amount;
    }

    /** Adds the tallies of a committed transaction. */
    public void addTallies(Int2LongOpenHashMap to) {
        tallies.forEach(tally -> to.addTo(tally.slot, tally.addition));
    }

    /** Takes the end of the next operation; a read has returned an amount. */
    public void done(long answer) {
        Act what = planned.get(done++).act;
        if (what == Act.READ || what == Act.READ_FOR_UPDATE || what == Act.SELECT) {
            answers.add(answer);
        }
    }
}
