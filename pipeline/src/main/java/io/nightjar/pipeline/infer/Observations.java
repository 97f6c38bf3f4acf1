package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads of values that several transactions left, and guards that several versions satisfy: each may be of any
 * candidate of its set.
 */
public final class Observations {

    /*
     * Layout.
     *
     *   observation   0 .. count      in program order: firstOf[txn] .. firstOf[txn + 1]
     *   set           0 .. setCount   the versions of a key that have the value read, or satisfy the guard
     *   candidates    of a set: candidate[firstCandidateOf[set]] .. [set + 1], transactions in ascending order
     *
     * The reader may be among the candidates, which it never read from. The initial state may be a candidate too.
     */

    public final int count;
    public final int[] firstOf;

    /** The set of each observation. */
    public final int[] setOf;

    /** By observation: how many reads of its transaction come before it; empty in a part of a history. */
    final int[] readsBefore;

    public final int setCount;
    public final int[] keyOf;

    /** Whether the initial state is a candidate, by set. */
    public final boolean[] acceptsInitial;

    public final int[] firstCandidateOf;
    public final int[] candidate;

    Observations(
            int[] firstOf,
            int[] setOf,
            int[] readsBefore,
            int[] keyOf,
            boolean[] acceptsInitial,
            int[] firstCandidateOf,
            int[] candidate) {
        this.count = setOf.length;
        this.readsBefore = readsBefore;
        this.firstOf = firstOf;
        this.setOf = setOf;
        this.setCount = keyOf.length;
        this.keyOf = keyOf;
        this.acceptsInitial = acceptsInitial;
        this.firstCandidateOf = firstCandidateOf;
        this.candidate = candidate;
    }

    /** Returns the key of an observation. */
    public int keyRead(int observation) {
        return keyOf[setOf[observation]];
    }

    /** Returns the first transaction with an observation without candidates other than itself; -1 without any. */
    public int firstImpossibleTxn() {
        for (int txn = 0; txn < firstOf.length - 1; txn++) {
            for (int observation = firstOf[txn]; observation < firstOf[txn + 1]; observation++) {
                int set = setOf[observation];
                int candidates = firstCandidateOf[set + 1] - firstCandidateOf[set];
                boolean isOwn = candidates == 1 && candidate[firstCandidateOf[set]] == txn;
                if (!acceptsInitial[set] && (candidates == 0 || isOwn)) {
                    return txn;
                }
            }
        }
        return -1;
    }

    /** Returns whether some set includes the initial state, as only guards do. */
    public boolean acceptAnyInitial() {
        for (boolean accepts : acceptsInitial) {
            if (accepts) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an observation may be of a writer; {@link ClientHistory#INITIAL} is the initial state. */
    public boolean accepts(int observation, int writer) {
        int set = setOf[observation];
        return writer == ClientHistory.INITIAL
                ? acceptsInitial[set]
                : Arrays.binarySearch(candidate, firstCandidateOf[set], firstCandidateOf[set + 1], writer) >= 0;
    }

    /**
     * Returns the observations of some transactions alone; null if none is left. An observation is omitted
     * if a candidate of it is, or if none of the transactions reads or writes its key.
     *
     * @param txns ascending
     * @param newTxnOf number in the part by transaction, negative if it is not in the part
     * @param newKeyOf the same by key
     */
    @Nullable
    Observations restrictedTo(int[] txns, int[] newTxnOf, int[] newKeyOf) {
        int[] newSetOf = new int[setCount];
        Arrays.fill(newSetOf, ClientHistory.INITIAL);
        int[] newFirstOf = new int[txns.length + 1];
        IntColumn sets = new IntColumn();
        IntColumn oldSetOf = new IntColumn();
        for (int i = 0; i < txns.length; i++) {
            for (int observation = firstOf[txns[i]]; observation < firstOf[txns[i] + 1]; observation++) {
                int set = setOf[observation];
                if (newKeyOf[keyOf[set]] < 0 || !isWithin(set, newTxnOf)) {
                    continue;
                }
                if (newSetOf[set] < 0) {
                    newSetOf[set] = oldSetOf.size();
                    oldSetOf.add(set);
                }
                sets.add(newSetOf[set]);
            }
            newFirstOf[i + 1] = sets.size();
        }
        if (sets.size() == 0) {
            return null;
        }
        int newSetCount = oldSetOf.size();
        int[] newKeys = new int[newSetCount];
        boolean[] initials = new boolean[newSetCount];
        int[] firsts = new int[newSetCount + 1];
        IntColumn candidates = new IntColumn();
        for (int set = 0; set < newSetCount; set++) {
            int old = oldSetOf.get(set);
            newKeys[set] = newKeyOf[keyOf[old]];
            initials[set] = acceptsInitial[old];
            for (int i = firstCandidateOf[old]; i < firstCandidateOf[old + 1]; i++) {
                candidates.add(newTxnOf[candidate[i]]);
            }
            firsts[set + 1] = candidates.size();
        }
        return new Observations(
                newFirstOf, sets.toArray(), new int[0], newKeys, initials, firsts, candidates.toArray());
    }

    /**
     * Returns the candidate of an observation that is nearest before the reader by some numbers, the initial state if
     * it is a candidate, or else the candidate nearest after the reader.
     *
     * @param numberOf by transaction
     */
    int nearest(int observation, int reader, long[] numberOf) {
        int set = setOf[observation];
        int before = ClientHistory.INITIAL;
        int after = ClientHistory.INITIAL;
        for (int i = firstCandidateOf[set]; i < firstCandidateOf[set + 1]; i++) {
            int txn = candidate[i];
            if (txn == reader) {
                continue;
            }
            if (numberOf[txn] < numberOf[reader]) {
                boolean isNearer = before == ClientHistory.INITIAL || numberOf[txn] > numberOf[before];
                before = isNearer ? txn : before;
            } else {
                boolean isNearer = after == ClientHistory.INITIAL || numberOf[txn] < numberOf[after];
                after = isNearer ? txn : after;
            }
        }
        return before != ClientHistory.INITIAL || acceptsInitial[set] ? before : after;
    }

    private boolean isWithin(int set, int[] newTxnOf) {
        for (int i = firstCandidateOf[set]; i < firstCandidateOf[set + 1]; i++) {
            if (newTxnOf[candidate[i]] < 0) {
                return false;
            }
        }
        return true;
    }
}
