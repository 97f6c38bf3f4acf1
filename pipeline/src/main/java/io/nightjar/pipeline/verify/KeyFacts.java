package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Accesses of the whole history to a key, as far as findings from values need them. */
final class KeyFacts {

    /** No transaction. */
    static final long NO_WRITER = HistorySlice.NONE;

    /** Several writers, so that a read does not identify the writer. */
    static final long SEVERAL = HistorySlice.NONE + 1;

    /** Writers of one value of the key. */
    static final class Value {

        /** Who wrote it at all; a transaction, {@link #NO_WRITER} or {@link #SEVERAL}. */
        long writer = NO_WRITER;

        /** Writer of the value that may have committed, by a last or an intermediate write. */
        long livingWriter = NO_WRITER;

        /** Writer that may have committed with the value as its last write; an append to a list is always lasting. */
        long lastingWriter = NO_WRITER;

        /** Number of transactions that may have committed with the value as their last write of a register. */
        int lastingCount;

        /** Number of transactions that may have committed and whose last change of the element added it. */
        int lastingAdders;

        /** The same of removals. */
        int lastingRemovers;

        /** How many operations wrote it. */
        int writeCount;

        boolean isWrittenByCommitted;

        /** The number and the commit timestamp of its lasting writer, {@code HistorySlice.NONE} where missing. */
        long version = HistorySlice.NONE;

        long commitTs = HistorySlice.NONE;

        /** Whether a whole pass has gathered this. */
        boolean isSettled;

        static long merge(long before, long writer) {
            return before == NO_WRITER || before == writer ? writer : SEVERAL;
        }
    }

    final Long2ObjectOpenHashMap<Value> valueOf = new Long2ObjectOpenHashMap<>(1);

    /** The longest list that a committed transaction read. */
    final MaxLengthList whole = new MaxLengthList();

    /** The same of lists without the own appends that they end with. */
    final MaxLengthList outside = new MaxLengthList();

    private boolean wantsWriters;
    private boolean areWritersSettled;

    private boolean areErasersSettled;

    /** By condition that a guard states: number of transactions that may have committed with a last write of no match. */
    final Long2IntOpenHashMap lastingOthersOf = new Long2IntOpenHashMap(0);

    /** Number of transactions that may have committed with a last write of the register. */
    int lastingWriters;

    /** Number of transactions that may have committed and left the key without a value. */
    int lastingErasers;

    /** Whether a transaction increments the key, which makes it a counter. */
    boolean isCounter;

    /** Number of transactions that may have committed and increment the key. */
    int incrementers;

    private boolean wantsMaxLists;
    private boolean areMaxListsSettled;

    /** Whether a transaction removes or tests elements of the key. */
    boolean isOfElements;

    /** Whether a transaction adds to the key, which makes it a set. */
    boolean isSet;

    /** Gathers facts about a value; returns whether that is news. */
    boolean watch(long value) {
        if (valueOf.containsKey(value)) {
            return false;
        }
        valueOf.put(value, new Value());
        return true;
    }

    /** Counts the writers; returns whether that is news. */
    boolean watchWriters() {
        boolean isNews = !wantsWriters;
        wantsWriters = true;
        return isNews;
    }

    /** Counts the writers of values that do not match a condition, given by the value of a guard; returns whether that is news. */
    boolean watchCondition(long guard) {
        return lastingOthersOf.putIfAbsent(guard, 0) == lastingOthersOf.defaultReturnValue() | watchWriters();
    }

    /** Returns whether writers are to be counted. */
    boolean countsWriters() {
        return wantsWriters && !areWritersSettled;
    }

    /** Returns whether transactions that erase or increment the key are to be counted. */
    boolean countsErasers() {
        return !areErasersSettled;
    }

    /** Gathers the longest list; returns whether that is news. */
    boolean watchMaxLists() {
        boolean isNews = !wantsMaxLists;
        wantsMaxLists = true;
        return isNews;
    }

    /** Returns whether reads are to be offered. */
    boolean gathersMaxLists() {
        return wantsMaxLists && !areMaxListsSettled;
    }

    /** Ends a pass: the facts gathered so far are final, the facts of keys watched from now on are not. */
    void settleAll() {
        valueOf.values().forEach(value -> value.isSettled = true);
        areMaxListsSettled = wantsMaxLists;
        areWritersSettled = wantsWriters;
        areErasersSettled = true;
    }

    /** Returns the facts about a value by its text, or null. */
    @Nullable
    Value of(String text, ScalarPool values) {
        return values.isPossible(text) ? valueOf.get(values.intern(text)) : null;
    }

    /** Longest of the lists that were offered, slice by slice. */
    static final class MaxLengthList {

        private static final long NO_REF = -1;
        private static final long[] NO_ELEMENTS = {};

        long[] elements = NO_ELEMENTS;
        private int length;
        private long reader; // id of the transaction that read it
        private long pending = NO_REF;

        /**
         * Takes a committed read of the list; returns whether {@link #settle} must be called at the end of the slice. Of
         * several longest lists that of the smallest reader id remains, as in the check.
         */
        boolean offer(long ref, long readerId) {
            int ofRead = ListRef.length(ref);
            if (ofRead == 0 || ofRead < length || ofRead == length && readerId >= reader) {
                return false;
            }
            boolean isFirst = pending == NO_REF;
            pending = ref;
            length = ofRead;
            reader = readerId;
            return isFirst;
        }

        /** Notes the length of a committed read; returns whether it may be the longest, were it alone known. */
        boolean mayBe(int ofRead) {
            boolean mayBe = ofRead >= length;
            length = Math.max(length, ofRead);
            return mayBe;
        }

        void settle(HistorySlice slice, ScalarPool values) {
            elements = Arrays.copyOf(elements, length);
            for (int position = 0; position < length; position++) {
                elements[position] =
                        values.find(slice.valueNames, slice.lists.element(ListRef.list(pending), position));
            }
            pending = NO_REF;
        }
    }
}
