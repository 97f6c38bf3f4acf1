package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;

/** One change to one transaction. */
sealed interface TxnEdit {

    /** Placeholder for a number that no transaction wrote, until the plan determines such numbers. */
    long SYNTHETIC = Long.MIN_VALUE + 1;

    long txnId();

    /** Returns the edit with {@link #SYNTHETIC} replaced. */
    default TxnEdit withSynthetic(long number) {
        return this;
    }

    /**
     * An operation becomes a read with another result.
     *
     * @param key of the read, {@code HistorySlice.NONE} to keep it
     * @param number its meaning depends on {@code outcome}
     */
    record Read(long txnId, int op, long key, Outcome outcome, long number) implements TxnEdit {

        @Override
        public TxnEdit withSynthetic(long replacement) {
            return number == SYNTHETIC ? new Read(txnId, op, key, outcome, replacement) : this;
        }
    }

    /** The result of a changed read. */
    enum Outcome {
        /** The initial state; the number is unused. */
        NOTHING,
        /** The number. */
        VALUE,
        /** The list is cut to the given number of elements. */
        PREFIX,
        /** The elements that it returned, followed by the number. */
        EXTENDED
    }

    /** An operation becomes a write or an append. */
    record Write(long txnId, int op, byte kind, long key, long value) implements TxnEdit {

        @Override
        public TxnEdit withSynthetic(long replacement) {
            return value == SYNTHETIC ? new Write(txnId, op, kind, key, replacement) : this;
        }
    }

    /** The timestamps of a transaction are replaced. */
    record Timestamps(long txnId, long start, long commit) implements TxnEdit {}

    /** The position of a transaction in its session is replaced. */
    record Sequence(long txnId, long seq) implements TxnEdit {}

    /**
     * Returns a read that returns the state of a register or list, {@code HistorySlice.NONE} or 0 being the initial
     * one.
     */
    static TxnEdit readOfState(long txnId, int op, long key, boolean isList, long state) {
        if (state == (isList ? 0 : HistorySlice.NONE)) {
            return new Read(txnId, op, key, Outcome.NOTHING, 0);
        }
        return new Read(txnId, op, key, isList ? Outcome.PREFIX : Outcome.VALUE, state);
    }

    /** Returns a read of a value that is not in its snapshot; lists have it after their elements. */
    static TxnEdit readOfForeign(long txnId, int op, boolean isList, long value) {
        return new Read(txnId, op, HistorySlice.NONE, isList ? Outcome.EXTENDED : Outcome.VALUE, value);
    }
}
