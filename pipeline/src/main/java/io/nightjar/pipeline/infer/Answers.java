package io.nightjar.pipeline.infer;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Computed answers of predicate reads, such as counts: numbers of current versions of several keys are added. */
public final class Answers {

    /*
     * Layout.
     *
     *   answer   firstOf[txn] .. firstOf[txn + 1]
     *   key      keys[firstKeyOf[answer]] .. [answer + 1], on whose versions the answer depends
     *   part     firstPartOf[answer] .. [answer + 1]: a version that adds a number to the answer
     *
     * An answer is right if the parts of the versions current at the snapshot of its transaction add up to min .. max.
     * All other versions, and the initial state, add nothing. The reader may be among the writers; its write follows its
     * snapshot.
     */

    public final int count;
    public final int[] firstOf;
    final long[] min;
    final long[] max;
    public final int[] firstKeyOf;
    public final int[] keys;
    public final int[] firstPartOf;
    public final int[] keyOf; // by part
    public final int[] writerOf; // by part
    public final long[] part;

    Answers(
            int[] firstOf,
            long[] min,
            long[] max,
            int[] firstKeyOf,
            int[] keys,
            int[] firstPartOf,
            int[] keyOf,
            int[] writerOf,
            long[] part) {
        this.count = min.length;
        this.firstOf = firstOf;
        this.min = min;
        this.max = max;
        this.firstKeyOf = firstKeyOf;
        this.keys = keys;
        this.firstPartOf = firstPartOf;
        this.keyOf = keyOf;
        this.writerOf = writerOf;
        this.part = part;
    }

    /** Collects answers in the order of their transactions. */
    static final class Builder {

        private final LongArrayList min = new LongArrayList();
        private final LongArrayList max = new LongArrayList();
        private final IntArrayList firstKeyOf = new IntArrayList(new int[1]);
        private final IntArrayList keys = new IntArrayList();
        private final IntArrayList firstPartOf = new IntArrayList(new int[1]);
        private final IntArrayList keyOf = new IntArrayList();
        private final IntArrayList writerOf = new IntArrayList();
        private final LongArrayList part = new LongArrayList();

        int count() {
            return min.size();
        }

        int partCount() {
            return part.size();
        }

        void key(int key) {
            keys.add(key);
        }

        void part(int key, int writer, long number) {
            keyOf.add(key);
            writerOf.add(writer);
            part.add(number);
        }

        /** Completes an answer, whose keys and parts were added. */
        void answer(long from, long to) {
            min.add(from);
            max.add(to);
            firstKeyOf.add(keys.size());
            firstPartOf.add(part.size());
        }

        /** Omits the keys and parts added since the last answer. */
        void drop() {
            keys.size(firstKeyOf.getInt(count()));
            keyOf.size(firstPartOf.getInt(count()));
            writerOf.size(keyOf.size());
            part.size(keyOf.size());
        }

        /** @param firstOf the first answer of each transaction, and the number of answers */
        Answers build(int[] firstOf) {
            return new Answers(
                    firstOf,
                    min.toLongArray(),
                    max.toLongArray(),
                    firstKeyOf.toIntArray(),
                    keys.toIntArray(),
                    firstPartOf.toIntArray(),
                    keyOf.toIntArray(),
                    writerOf.toIntArray(),
                    part.toLongArray());
        }
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
     * Returns the answers of some transactions alone, but not those about a key of which a writer is omitted.
     *
     * @param txns ascending
     * @param newTxnOf number by transaction, negative if it is omitted
     * @param newKeyOf the same by key
     * @param isWhole whether all writers of a key remain
     */
    Answers restrictedTo(int[] txns, int[] newTxnOf, int[] newKeyOf, IntPredicate isWhole) {
        Builder some = new Builder();
        int[] newFirstOf = new int[txns.length + 1];
        for (int i = 0; i < txns.length; i++) {
            for (int answer = firstOf[txns[i]]; answer < firstOf[txns[i] + 1]; answer++) {
                boolean isKept = true;
                for (int at = firstKeyOf[answer]; at < firstKeyOf[answer + 1]; at++) {
                    isKept = isKept && isWhole.test(keys[at]);
                    some.key(newKeyOf[keys[at]]);
                }
                for (int at = firstPartOf[answer]; at < firstPartOf[answer + 1]; at++) {
                    some.part(newKeyOf[keyOf[at]], newTxnOf[writerOf[at]], part[at]);
                }
                if (isKept) {
                    some.answer(min[answer], max[answer]);
                } else {
                    some.drop();
                }
            }
            newFirstOf[i + 1] = some.count();
        }
        return some.build(newFirstOf);
    }
}
