package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.function.IntPredicate;
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
     *
     * A set of a counter is a sum: the deltas of the candidates that come before the snapshot add up to sumOf[set].
     * Its candidates are all other transactions that increment the counter.
     */

    /** Of a set that is no sum. */
    public static final long NO_SUM = Long.MIN_VALUE;

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

    /** The sum of each set, {@link #NO_SUM} if it is none; empty without sums. */
    final long[] sumOf;

    /** By candidate of a sum; empty without sums. */
    final long[] delta;

    /** Computed answers of predicate reads, which are not among the observations. */
    public final Answers answers;

    private int @Nullable [] sumSetOf; // by key

    Observations(
            int[] firstOf,
            int[] setOf,
            int[] readsBefore,
            int[] keyOf,
            boolean[] acceptsInitial,
            int[] firstCandidateOf,
            int[] candidate,
            long[] sumOf,
            long[] delta,
            Answers answers) {
        this.answers = answers;
        this.count = setOf.length;
        this.sumOf = sumOf;
        this.delta = delta;
        this.readsBefore = readsBefore;
        this.firstOf = firstOf;
        this.setOf = setOf;
        this.setCount = keyOf.length;
        this.keyOf = keyOf;
        this.acceptsInitial = acceptsInitial;
        this.firstCandidateOf = firstCandidateOf;
        this.candidate = candidate;
    }

    /** Returns whether a set is a sum. */
    public boolean isSum(int set) {
        return sumOf.length > 0 && sumOf[set] != NO_SUM;
    }

    public boolean hasSums() {
        return sumOf.length > 0;
    }

    /** Returns the sum of a set that is one. */
    public long sum(int set) {
        return sumOf[set];
    }

    /** Returns the delta of a candidate of a sum, by its index. */
    public long delta(int index) {
        return delta[index];
    }

    /** Returns by how much a transaction increments a key; 0 if the key has no sum. */
    public long deltaOf(int txn, int key) {
        if (sumOf.length == 0) {
            return 0;
        }
        if (sumSetOf == null) {
            int[] setOfKey = new int[Arrays.stream(keyOf).max().orElse(0) + 1];
            Arrays.fill(setOfKey, ClientHistory.INITIAL);
            for (int set = 0; set < setCount; set++) {
                setOfKey[keyOf[set]] = isSum(set) ? set : setOfKey[keyOf[set]];
            }
            sumSetOf = setOfKey;
        }
        int set = key < sumSetOf.length ? sumSetOf[key] : ClientHistory.INITIAL;
        int index = set < 0
                ? ClientHistory.INITIAL
                : Arrays.binarySearch(candidate, firstCandidateOf[set], firstCandidateOf[set + 1], txn);
        return index < 0 ? 0 : delta[index];
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
                if (!(isSum(set) ? sumOf[set] == 0 : acceptsInitial[set]) && (candidates == 0 || isOwn)) {
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

    /**
     * Returns whether an observation may be of a writer.
     *
     * @param writer {@link ClientHistory#INITIAL} for the initial state
     * @param sum the sum of all increments before, without own increments
     */
    public boolean accepts(int observation, int writer, long sum) {
        int set = setOf[observation];
        if (isSum(set)) {
            return sum == sumOf[set];
        }
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
     * @param isWhole whether all writers of a key are in the part
     */
    @Nullable
    Observations restrictedTo(int[] txns, int[] newTxnOf, int[] newKeyOf, IntPredicate isWhole) {
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
        Answers newAnswers = answers.restrictedTo(txns, newTxnOf, newKeyOf, isWhole);
        if (sets.size() == 0 && newAnswers.count == 0) {
            return null;
        }
        int newSetCount = oldSetOf.size();
        int[] newKeys = new int[newSetCount];
        boolean[] initials = new boolean[newSetCount];
        int[] firsts = new int[newSetCount + 1];
        IntColumn candidates = new IntColumn();
        long[] sums = new long[sumOf.length == 0 ? 0 : newSetCount];
        LongArrayList deltas = new LongArrayList();
        for (int set = 0; set < newSetCount; set++) {
            int old = oldSetOf.get(set);
            newKeys[set] = newKeyOf[keyOf[old]];
            initials[set] = acceptsInitial[old];
            for (int i = firstCandidateOf[old]; i < firstCandidateOf[old + 1]; i++) {
                candidates.add(newTxnOf[candidate[i]]);
                if (sumOf.length > 0) {
                    deltas.add(delta[i]);
                }
            }
            if (sumOf.length > 0) {
                sums[set] = sumOf[old];
            }
            firsts[set + 1] = candidates.size();
        }
        return new Observations(
                newFirstOf,
                sets.toArray(),
                new int[0],
                newKeys,
                initials,
                firsts,
                candidates.toArray(),
                sums,
                deltas.toLongArray(),
                newAnswers);
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
