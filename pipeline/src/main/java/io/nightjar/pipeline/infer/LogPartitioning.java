package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;

/** Partitioning of a log into parts that share no key; each becomes a separate log on request. */
public final class LogPartitioning {

    /*
     *   rows of a part    rows[firstRowOf[part]] .. rows[firstRowOf[part + 1] - 1], in the order of the history
     *   keys of a part    keys[firstKeyOf[part]] .. keys[firstKeyOf[part + 1] - 1], in the order of first appearance
     *   partKeyOf[key]    the number of a key in its part
     */

    final OperationLog whole;
    final int[] rows;
    final int[] firstRowOf;
    final int[] keys;
    final int[] firstKeyOf;
    final int[] partKeyOf;

    /**
     * @param partOfRow by transaction
     * @param partOfKey by key; every operation is in the part of its key
     */
    public LogPartitioning(OperationLog whole, int partCount, int[] partOfRow, int[] partOfKey) {
        this.whole = whole;
        firstRowOf = CountingSort.firstOf(partOfRow, partCount);
        rows = CountingSort.entries(partOfRow, firstRowOf);
        firstKeyOf = CountingSort.firstOf(partOfKey, partCount);
        keys = CountingSort.entries(partOfKey, firstKeyOf);
        partKeyOf = numbersInParts(keys, firstKeyOf);
    }

    private static int[] numbersInParts(int[] keys, int[] firstKeyOf) {
        int[] numberOf = new int[keys.length];
        for (int part = 0; part + 1 < firstKeyOf.length; part++) {
            for (int i = firstKeyOf[part]; i < firstKeyOf[part + 1]; i++) {
                numberOf[keys[i]] = i - firstKeyOf[part];
            }
        }
        return numberOf;
    }

    public int txnCount(int part) {
        return firstRowOf[part + 1] - firstRowOf[part];
    }

    /** Returns a part as a log, equal to the log built from its rows alone. Any thread may call it. */
    public OperationLog part(int part) {
        return new OperationLog(new LogPart(this, part));
    }
}
