package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Candidates of the reads of each value that several transactions wrote to its key. */
final class CandidateSets {

    /*
     * Definitions. A candidate is a transaction that counts and whose last write of the key is the value. A set is open
     * if a transaction that may count, or may not, left the value too.
     */

    static final int NONE = -1;

    private final Int2IntOpenHashMap setOf = new Int2IntOpenHashMap(0); // by first operation that wrote the value
    private int[] keyOf = {};
    private int[] firstCandidateOf = {0};
    private int[] candidate = {};
    private final BitSet isOpen = new BitSet();

    private CandidateSets() {
        setOf.defaultReturnValue(NONE);
    }

    /** @param ordinalOf by row: its transaction, or negative if it does not count */
    static CandidateSets of(OperationLog log, WriterIndex writers, TxnOutcomes outcomes, int[] ordinalOf) {
        CandidateSets sets = new CandidateSets();
        sets.collect(log, writers, outcomes, ordinalOf);
        return sets;
    }

    private void collect(OperationLog log, WriterIndex writers, TxnOutcomes outcomes, int[] ordinalOf) {
        IntColumn firsts = new IntColumn();
        IntColumn sets = new IntColumn(); // of each candidate
        IntColumn candidates = new IntColumn();
        for (int duplicate = 0; duplicate < writers.duplicateCount(); duplicate++) {
            int first = writers.duplicatedOp(duplicate);
            int slot = writers.find(log.key[first], log.value[first]);
            if (!writers.isAmbiguous(slot)) {
                continue;
            }
            int set = setOf.get(first);
            if (set == NONE) {
                set = firsts.size();
                setOf.put(first, set);
                firsts.add(first);
                add(set, first, writers.txnOf(slot), writers, outcomes, ordinalOf, sets, candidates);
            }
            int op = writers.duplicateOp(duplicate);
            add(set, op, writers.duplicateTxn(duplicate), writers, outcomes, ordinalOf, sets, candidates);
        }
        int count = firsts.size();
        keyOf = new int[count];
        firstCandidateOf = CountingSort.firstOf(sets, count);
        candidate = CountingSort.values(sets, candidates, firstCandidateOf);
        for (int set = 0; set < count; set++) {
            keyOf[set] = log.key[firsts.get(set)];
            Arrays.sort(candidate, firstCandidateOf[set], firstCandidateOf[set + 1]);
        }
    }

    private void add(
            int set,
            int op,
            int row,
            WriterIndex writers,
            TxnOutcomes outcomes,
            int[] ordinalOf,
            IntColumn sets,
            IntColumn candidates) {
        if (!writers.isFinal(op)) {
            return;
        }
        if (ordinalOf[row] >= 0) {
            sets.add(set);
            candidates.add(ordinalOf[row]);
        } else if (outcomes.isUnknown(row)) {
            isOpen.set(set);
        }
    }

    /** Returns the set of the value first written by an operation, or {@link #NONE}. */
    int setOf(int firstOp) {
        return setOf.get(firstOp);
    }

    /** Returns whether more transactions may be candidates. */
    boolean isOpen(int set) {
        return isOpen.get(set);
    }

    /** Returns the number of candidates other than the reader. */
    int countFor(int set, int reader) {
        int count = firstCandidateOf[set + 1] - firstCandidateOf[set];
        boolean isReaderIn =
                Arrays.binarySearch(candidate, firstCandidateOf[set], firstCandidateOf[set + 1], reader) >= 0;
        return isReaderIn ? count - 1 : count;
    }

    /** Returns the first candidate other than the reader. */
    int firstFor(int set, int reader) {
        int first = candidate[firstCandidateOf[set]];
        return first == reader ? candidate[firstCandidateOf[set] + 1] : first;
    }

    /** Returns the observations of all transactions; null without any. */
    @Nullable
    Observations observations(int[] firstObservationOf, int[] setOfObservation, int[] readsBefore) {
        return setOfObservation.length == 0
                ? null
                : new Observations(
                        firstObservationOf, setOfObservation, readsBefore, keyOf, firstCandidateOf, candidate);
    }
}
