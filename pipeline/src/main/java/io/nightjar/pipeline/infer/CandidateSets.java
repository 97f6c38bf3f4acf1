package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of the reads of each value that several transactions wrote to its key, and of the guards that several
 * versions satisfy.
 */
final class CandidateSets {

    /*
     * Definitions. A candidate is a transaction that counts and whose last write of the key is the value. A set is open
     * if a transaction that may count, or may not, left the value too.
     *
     * The candidates of a guard are the transactions whose last write of the key satisfies it, and the initial state if
     * it does. Guards of one key and value share a set. Too many candidates make the sets open.
     */

    static final int NONE = -1;

    /** Maximum number of candidates of all guards. */
    private static final int MAX_CANDIDATES_OF_GUARDS = 1 << 24;

    private final Int2IntOpenHashMap setOf = new Int2IntOpenHashMap(0); // by first operation that wrote the value
    private int[] keyOf = {};
    private boolean[] acceptsInitial = {};
    private int[] firstCandidateOf = {0};
    private int[] candidate = {};
    private final BitSet isOpen = new BitSet();
    private final Long2IntOpenHashMap setOfGuard = new Long2IntOpenHashMap(0); // by key, kind and ordinal of the value
    private final LongOrdinals guardValues = new LongOrdinals();
    private final Long2IntOpenHashMap matchOf = new Long2IntOpenHashMap(0); // by condition and row
    private long[] sumOf = {};
    private long[] delta = {};
    private final BitSet excludes = new BitSet(); // sets of guards that a version does not satisfy

    private CandidateSets() {
        setOf.defaultReturnValue(NONE);
        setOfGuard.defaultReturnValue(NONE);
        matchOf.defaultReturnValue(NONE);
    }

    /** @param ordinalOf by row: its transaction, or negative if it does not count */
    static CandidateSets of(OperationLog log, KeyUse use, WriterIndex writers, TxnOutcomes outcomes, int[] ordinalOf) {
        CandidateSets sets = new CandidateSets();
        sets.collect(log, use, writers, outcomes, ordinalOf);
        return sets;
    }

    private void collect(OperationLog log, KeyUse use, WriterIndex writers, TxnOutcomes outcomes, int[] ordinalOf) {
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
        int repeated = firsts.size();
        IntColumn guards = findGuards(log, ordinalOf, repeated);
        IntColumn sums = findSums(log, use, ordinalOf, repeated + guards.size());
        int count = repeated + guards.size() + sums.size();
        keyOf = new int[count];
        acceptsInitial = new boolean[count];
        if (guards.size() > 0) {
            addCandidatesOfGuards(log, writers, outcomes, ordinalOf, repeated, guards, sets, candidates);
        }
        int firstSum = repeated + guards.size();
        Long2LongOpenHashMap deltaOf = sums.size() == 0
                ? new Long2LongOpenHashMap()
                : addIncrements(log, outcomes, ordinalOf, firstSum, sums, sets, candidates);
        firstCandidateOf = CountingSort.firstOf(sets, count);
        candidate = CountingSort.values(sets, candidates, firstCandidateOf);
        delta = new long[sums.size() == 0 ? 0 : candidate.length];
        for (int set = 0; set < count; set++) {
            keyOf[set] = log.key[
                    set < repeated
                            ? firsts.get(set)
                            : set < firstSum ? guards.get(set - repeated) : sums.get(set - firstSum)];
            Arrays.sort(candidate, firstCandidateOf[set], firstCandidateOf[set + 1]);
            for (int i = firstCandidateOf[set]; set >= firstSum && i < firstCandidateOf[set + 1]; i++) {
                delta[i] = deltaOf.get((long) candidate[i] << Integer.SIZE | keyOf[set]);
            }
        }
    }

    // ---------------------------------------------------------------- counters

    /** Returns a read for each different sum that transactions saw of a counter, and numbers their sets. */
    private IntColumn findSums(OperationLog log, KeyUse use, int[] ordinalOf, int firstSet) {
        IntColumn sums = new IntColumn();
        LongArrayList values = new LongArrayList();
        OwnSums own = new OwnSums(log);
        for (int row = 0; row < log.txnCount; row++) {
            own.clear();
            for (int op = log.firstOpOf[row]; ordinalOf[row] >= 0 && op < log.firstOpOf[row + 1]; op++) {
                long sum = use.isSummed(log.key[op]) ? own.sumSeen(op) : Observations.NO_SUM;
                if (sum != Observations.NO_SUM) {
                    long number = sumNumber(log.key[op], guardValues.ordinal(sum));
                    if (setOfGuard.get(number) == NONE) {
                        setOfGuard.put(number, firstSet + sums.size());
                        sums.add(op);
                        values.add(sum);
                    }
                }
            }
        }
        sumOf = new long[sums.size() == 0 ? 0 : firstSet + sums.size()];
        Arrays.fill(sumOf, Observations.NO_SUM);
        for (int i = 0; i < values.size(); i++) {
            sumOf[firstSet + i] = values.getLong(i);
        }
        return sums;
    }

    private static long sumNumber(int key, int ofValue) {
        return (long) key << Integer.SIZE | ofValue * OpKind.COUNT + OpKind.INCREMENT;
    }

    /** Adds all transactions that increment a counter to the sets of its sums; returns deltas by transaction and key. */
    private Long2LongOpenHashMap addIncrements(
            OperationLog log,
            TxnOutcomes outcomes,
            int[] ordinalOf,
            int firstSum,
            IntColumn sums,
            IntColumn sets,
            IntColumn candidates) {
        IntColumn keys = new IntColumn();
        for (int i = 0; i < sums.size(); i++) {
            keys.add(log.key[sums.get(i)]);
        }
        int[] firstSumOf = CountingSort.firstOf(keys, log.keyCount);
        int[] sumsOf = CountingSort.entries(keys.toArray(), firstSumOf);
        Long2LongOpenHashMap deltaOf = new Long2LongOpenHashMap();
        int before = candidates.size();
        for (int row = 0; row < log.txnCount; row++) {
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                int key = log.key[op];
                boolean mayCount = outcomes.isOpen(row);
                boolean isCounted = ordinalOf[row] >= 0 && candidates.size() - before < MAX_CANDIDATES_OF_GUARDS;
                boolean isNew = log.kind[op] == OpKind.INCREMENT && (!isCounted || isFirstIncrement(log, row, op));
                for (int i = firstSumOf[key]; isNew && i < firstSumOf[key + 1]; i++) {
                    if (isCounted) {
                        sets.add(firstSum + sumsOf[i]);
                        candidates.add(ordinalOf[row]);
                    } else if (mayCount || ordinalOf[row] >= 0) {
                        isOpen.set(firstSum + sumsOf[i]);
                    }
                }
                if (log.kind[op] == OpKind.INCREMENT && isCounted) {
                    deltaOf.addTo((long) ordinalOf[row] << Integer.SIZE | key, log.number(log.value[op]));
                }
            }
        }
        return deltaOf;
    }

    private static boolean isFirstIncrement(OperationLog log, int row, int op) {
        for (int earlier = log.firstOpOf[row]; earlier < op; earlier++) {
            if (log.kind[earlier] == OpKind.INCREMENT && log.key[earlier] == log.key[op]) {
                return false;
            }
        }
        return true;
    }

    /** Own increments before each operation of a transaction. */
    static final class OwnSums {

        private final OperationLog log;
        private final Int2LongOpenHashMap sumOf = new Int2LongOpenHashMap(0);

        OwnSums(OperationLog log) {
            this.log = log;
        }

        void clear() {
            sumOf.clear();
        }

        /** Returns the sum of the increments of others that a read of a counter saw; NO_SUM if it is no such read. */
        long sumSeen(int op) {
            int key = log.key[op];
            switch (log.kind[op]) {
                case OpKind.INCREMENT -> sumOf.addTo(key, log.number(log.value[op]));
                case OpKind.READ -> {
                    return log.number(log.value[op]) - log.initialNumber() - sumOf.get(key);
                }
                case OpKind.READ_NOTHING -> {
                    return -sumOf.get(key);
                }
                default -> {}
            }
            return Observations.NO_SUM;
        }
    }

    /** Returns the set of a sum that a transaction that counts saw. */
    int setOfSum(int key, long sum) {
        return setOfGuard.get(sumNumber(key, guardValues.find(sum)));
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
        } else if (outcomes.isOpen(row)) {
            isOpen.set(set);
        }
    }

    /** Returns an operation for each different guard of the transactions that count, and numbers their sets. */
    private IntColumn findGuards(OperationLog log, int[] ordinalOf, int firstSet) {
        IntColumn guards = new IntColumn();
        for (int row = 0; row < log.txnCount; row++) {
            for (int op = log.firstOpOf[row]; ordinalOf[row] >= 0 && op < log.firstOpOf[row + 1]; op++) {
                if (OpKind.isGuard(log.kind[op]) && log.kind[op] != OpKind.COMPUTED) {
                    long guard = guard(log, op);
                    if (setOfGuard.get(guard) == NONE) {
                        setOfGuard.put(guard, firstSet + guards.size());
                        guards.add(op);
                    }
                }
            }
        }
        return guards;
    }

    private long guard(OperationLog log, int op) {
        return guard(log, op, OpKind.hasValue(log.kind[op]) ? guardValues.ordinal(log.value[op]) : NONE);
    }

    /** @param ofValue the ordinal of the value of the guard, if it has one */
    private static long guard(OperationLog log, int op, int ofValue) {
        int condition = OpKind.hasValue(log.kind[op]) ? ofValue * OpKind.COUNT + log.kind[op] : -log.kind[op];
        return (long) log.key[op] << Integer.SIZE | Integer.toUnsignedLong(condition);
    }

    private void addCandidatesOfGuards(
            OperationLog log,
            WriterIndex writers,
            TxnOutcomes outcomes,
            int[] ordinalOf,
            int firstSet,
            IntColumn guards,
            IntColumn sets,
            IntColumn candidates) {
        IntColumn keys = new IntColumn();
        for (int i = 0; i < guards.size(); i++) {
            keys.add(log.key[guards.get(i)]);
        }
        int[] firstGuardOf = CountingSort.firstOf(keys, log.keyCount);
        int[] guardOf = CountingSort.entries(keys.toArray(), firstGuardOf);
        boolean hasInitialValue = log.initialAsValue != HistorySlice.NONE;
        for (int i = 0; i < guards.size(); i++) {
            boolean isUnlikeInitial = !hasInitialValue || log.value[guards.get(i)] != log.initialAsValue;
            acceptsInitial[firstSet + i] = switch (log.kind[guards.get(i)]) {
                case OpKind.UNEQUAL -> isUnlikeInitial;
                case OpKind.PRESENT -> hasInitialValue;
                case OpKind.UNLIKE -> !hasInitialValue || !log.matches(guards.get(i), log.initialAsValue);
                default -> log.kind[guards.get(i)] == OpKind.ABSENT;
            };
        }
        int before = candidates.size();
        for (int row = 0; row < log.txnCount; row++) {
            boolean counts = ordinalOf[row] >= 0;
            boolean mayCount = counts || outcomes.isOpen(row);
            for (int op = log.firstOpOf[row]; mayCount && op < log.firstOpOf[row + 1]; op++) {
                int key = log.key[op];
                boolean isLeft = log.kind[op] == OpKind.WRITE || OpKind.isUnreadWrite(log.kind[op]);
                if (firstGuardOf[key] == firstGuardOf[key + 1] || !isLeft || !writers.isFinal(op)) {
                    continue;
                }
                for (int i = firstGuardOf[key]; i < firstGuardOf[key + 1]; i++) {
                    int guard = guards.get(guardOf[i]);
                    int set = firstSet + guardOf[i];
                    if (!satisfies(log, op, guard)) {
                        excludes.set(set);
                    } else if (!counts || candidates.size() - before >= MAX_CANDIDATES_OF_GUARDS) {
                        isOpen.set(set);
                    } else {
                        sets.add(set);
                        candidates.add(ordinalOf[row]);
                    }
                }
            }
        }
        for (int i = 0; i < guards.size(); i++) {
            boolean isInitialWritten = log.kind[guards.get(i)] == OpKind.UNEQUAL
                    && !acceptsInitial[firstSet + i]
                    && excludes.get(firstSet + i);
            if (isInitialWritten) { // the value may be read of the initial state or of its writer
                isOpen.set(firstSet + i);
            }
        }
    }

    /** Returns whether a key has a version that satisfies a guard after a write or an erasure. */
    private boolean satisfies(OperationLog log, int write, int guard) {
        return switch (log.kind[guard]) {
            case OpKind.UNEQUAL -> log.value[guard] != log.value[write];
            case OpKind.PRESENT -> log.kind[write] == OpKind.WRITE;
            case OpKind.PLACED -> log.kind[write] == OpKind.PLACE;
            case OpKind.ABSENT -> log.kind[write] == OpKind.ERASE;
            case OpKind.UNLIKE -> log.kind[write] == OpKind.ERASE || !matches(log, write, guard);
            default -> false;
        };
    }

    /** Returns whether a write matches the condition of a guard; rows and conditions are ordinals of their texts. */
    private boolean matches(OperationLog log, int write, int guard) {
        long pair = log.value[guard] << Integer.SIZE | log.value[write];
        int known = matchOf.get(pair);
        if (known == NONE) {
            known = log.matches(guard, log.value[write]) ? 1 : 0;
            matchOf.put(pair, known);
        }
        return known == 1;
    }

    /** Returns the set of a guard of a transaction that counts. */
    int setOfGuard(OperationLog log, int op) {
        int ofValue = OpKind.hasValue(log.kind[op]) ? guardValues.find(log.value[op]) : NONE;
        return setOfGuard.get(guard(log, op, ofValue));
    }

    /** Returns whether every version satisfies a guard. */
    boolean isTrue(int set) {
        return acceptsInitial[set] && !excludes.get(set);
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
    Observations observations(int[] firstObservationOf, int[] setOfObservation, int[] readsBefore, Answers answers) {
        return setOfObservation.length == 0 && answers.count == 0
                ? null
                : new Observations(
                        firstObservationOf,
                        setOfObservation,
                        readsBefore,
                        keyOf,
                        acceptsInitial,
                        firstCandidateOf,
                        candidate,
                        sumOf,
                        delta,
                        answers);
    }
}
