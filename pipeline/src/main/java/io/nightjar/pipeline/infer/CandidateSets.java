package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongOrdinals;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
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
    private final Long2IntOpenHashMap setOfGuard =
            new Long2IntOpenHashMap(0); // by key and ordinal of the unequal value
    private final LongOrdinals unequalValues = new LongOrdinals();
    private final BitSet excludes = new BitSet(); // sets of guards that a version does not satisfy

    private CandidateSets() {
        setOf.defaultReturnValue(NONE);
        setOfGuard.defaultReturnValue(NONE);
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
        int repeated = firsts.size();
        IntColumn guards = findGuards(log, ordinalOf, repeated);
        int count = repeated + guards.size();
        keyOf = new int[count];
        acceptsInitial = new boolean[count];
        if (guards.size() > 0) {
            addCandidatesOfGuards(log, writers, outcomes, ordinalOf, repeated, guards, sets, candidates);
        }
        firstCandidateOf = CountingSort.firstOf(sets, count);
        candidate = CountingSort.values(sets, candidates, firstCandidateOf);
        for (int set = 0; set < count; set++) {
            keyOf[set] = log.key[set < repeated ? firsts.get(set) : guards.get(set - repeated)];
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

    /** Returns an operation for each different guard of the transactions that count, and numbers their sets. */
    private IntColumn findGuards(OperationLog log, int[] ordinalOf, int firstSet) {
        IntColumn guards = new IntColumn();
        for (int row = 0; row < log.txnCount; row++) {
            for (int op = log.firstOpOf[row]; ordinalOf[row] >= 0 && op < log.firstOpOf[row + 1]; op++) {
                if (OpKind.isGuard(log.kind[op])) {
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
        return guard(log, op, log.kind[op] == OpKind.UNEQUAL ? unequalValues.ordinal(log.value[op]) : NONE);
    }

    /** @param unequal the ordinal of an unequal value; other guards have negative numbers instead */
    private static long guard(OperationLog log, int op, int unequal) {
        int condition = log.kind[op] == OpKind.UNEQUAL ? unequal : -log.kind[op];
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
                default -> log.kind[guards.get(i)] == OpKind.ABSENT;
            };
        }
        int before = candidates.size();
        for (int row = 0; row < log.txnCount; row++) {
            boolean counts = ordinalOf[row] >= 0;
            boolean mayCount = counts || outcomes.isUnknown(row);
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
    private static boolean satisfies(OperationLog log, int write, int guard) {
        return switch (log.kind[guard]) {
            case OpKind.UNEQUAL -> log.value[guard] != log.value[write];
            case OpKind.PRESENT -> log.kind[write] == OpKind.WRITE;
            case OpKind.PLACED -> log.kind[write] == OpKind.PLACE;
            case OpKind.ABSENT -> log.kind[write] == OpKind.ERASE;
            default -> false;
        };
    }

    /** Returns the set of a guard of a transaction that counts. */
    int setOfGuard(OperationLog log, int op) {
        int unequal = log.kind[op] == OpKind.UNEQUAL ? unequalValues.find(log.value[op]) : NONE;
        return setOfGuard.get(guard(log, op, unequal));
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
    Observations observations(int[] firstObservationOf, int[] setOfObservation, int[] readsBefore) {
        return setOfObservation.length == 0
                ? null
                : new Observations(
                        firstObservationOf,
                        setOfObservation,
                        readsBefore,
                        keyOf,
                        acceptsInitial,
                        firstCandidateOf,
                        candidate);
    }
}
