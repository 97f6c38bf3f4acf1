package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Computed answers of predicate reads, such as counts: numbers of current versions of several keys are added. */
public final class Answers {

    /*
     * Layout.
     *
     *   answer   firstOf[txn] .. firstOf[txn + 1]
     *   part     firstPartOf[answer] .. [answer + 1], by key: one for each transaction that writes the key
     *
     * An answer is right if the parts of the versions current at the snapshot of its transaction add up to min .. max.
     * The initial state adds nothing. The reader may be among the writers; its write follows its snapshot.
     */

    public final int count;
    public final int[] firstOf;
    final long[] min;
    final long[] max;
    public final int[] firstPartOf;
    public final int[] keyOf; // by part
    public final int[] writerOf; // by part
    public final long[] part;

    Answers(int[] firstOf, long[] min, long[] max, int[] firstPartOf, int[] keyOf, int[] writerOf, long[] part) {
        this.count = min.length;
        this.firstOf = firstOf;
        this.min = min;
        this.max = max;
        this.firstPartOf = firstPartOf;
        this.keyOf = keyOf;
        this.writerOf = writerOf;
        this.part = part;
    }

    static Answers none(int txnCount) {
        return new Answers(
                new int[txnCount + 1], new long[0], new long[0], new int[1], new int[0], new int[0], new long[0]);
    }

    /**
     * Returns by how much the sum of the parts of versions exceeds an answer: negative if it is too small.
     *
     * @param currentOf the writer of the current version of a key; {@link ClientHistory#INITIAL} for the initial state
     */
    public long excess(int answer, IntUnaryOperator currentOf) {
        long sum = 0;
        for (int i = firstPartOf[answer]; i < firstPartOf[answer + 1]; i++) {
            sum += currentOf.applyAsInt(keyOf[i]) == writerOf[i] ? part[i] : 0;
        }
        return sum > max[answer] ? sum - max[answer] : Math.min(0, sum - min[answer]);
    }

    /** Returns the part of a writer of a key; 0 for the initial state. */
    public long partOf(int answer, int key, int writer) {
        for (int i = firstPartOf[answer]; i < firstPartOf[answer + 1]; i++) {
            if (keyOf[i] == key && writerOf[i] == writer) {
                return part[i];
            }
        }
        return 0;
    }

    /** Returns whether all answers of a transaction are right; parameters as above. */
    public boolean areRight(int txn, IntUnaryOperator currentOf) {
        for (int answer = firstOf[txn]; answer < firstOf[txn + 1]; answer++) {
            if (excess(answer, currentOf) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the answers of some transactions alone, but not those with a part of another transaction.
     *
     * @param txns ascending
     * @param newTxnOf number by transaction, negative if it is omitted
     * @param newKeyOf the same by key
     */
    Answers restrictedTo(int[] txns, int[] newTxnOf, int[] newKeyOf) {
        int[] newFirstOf = new int[txns.length + 1];
        LongArrayList mins = new LongArrayList();
        LongArrayList maxs = new LongArrayList();
        IntColumn firsts = new IntColumn();
        IntColumn keys = new IntColumn();
        IntColumn writers = new IntColumn();
        LongArrayList parts = new LongArrayList();
        firsts.add(0);
        for (int i = 0; i < txns.length; i++) {
            for (int answer = firstOf[txns[i]]; answer < firstOf[txns[i] + 1]; answer++) {
                int first = firstPartOf[answer];
                int end = firstPartOf[answer + 1];
                if (Arrays.stream(writerOf, first, end).anyMatch(writer -> newTxnOf[writer] < 0)) {
                    continue;
                }
                for (int of = first; of < end; of++) {
                    keys.add(newKeyOf[keyOf[of]]);
                    writers.add(newTxnOf[writerOf[of]]);
                    parts.add(part[of]);
                }
                mins.add(min[answer]);
                maxs.add(max[answer]);
                firsts.add(keys.size());
            }
            newFirstOf[i + 1] = mins.size();
        }
        return new Answers(
                newFirstOf,
                mins.toLongArray(),
                maxs.toLongArray(),
                firsts.toArray(),
                keys.toArray(),
                writers.toArray(),
                parts.toLongArray());
    }
}
