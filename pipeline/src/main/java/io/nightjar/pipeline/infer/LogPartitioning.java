package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;

/** Partitioning of a log into partitions that share no key; each becomes a separate log on request. */
public final class LogPartitioning {

    /*
     * Layout.
     *
     *   rows of a partition    rows[firstRowOf[partition]] .. rows[firstRowOf[partition + 1] - 1], in the order of the history
     *   keys of a partition    keys[firstKeyOf[partition]] .. keys[firstKeyOf[partition + 1] - 1], in the order of first appearance
     *   partitionKeyOf[key]    the number of a key in its partition
     */

    final OperationLog whole;
    final int[] rows;
    final int[] firstRowOf;
    final int[] keys;
    final int[] firstKeyOf;
    final int[] partitionKeyOf;

    /**
     * @param partitionOfRow by transaction
     * @param partitionOfKey by key; every operation is in the partition of its key
     */
    public LogPartitioning(OperationLog whole, int partitionCount, int[] partitionOfRow, int[] partitionOfKey) {
        this.whole = whole;
        firstRowOf = CountingSort.firstOf(partitionOfRow, partitionCount);
        rows = CountingSort.entries(partitionOfRow, firstRowOf);
        firstKeyOf = CountingSort.firstOf(partitionOfKey, partitionCount);
        keys = CountingSort.entries(partitionOfKey, firstKeyOf);
        partitionKeyOf = numbersInPartitions(keys, firstKeyOf);
    }

    private static int[] numbersInPartitions(int[] keys, int[] firstKeyOf) {
        int[] numberOf = new int[keys.length];
        for (int partition = 0; partition + 1 < firstKeyOf.length; partition++) {
            for (int i = firstKeyOf[partition]; i < firstKeyOf[partition + 1]; i++) {
                numberOf[keys[i]] = i - firstKeyOf[partition];
            }
        }
        return numberOf;
    }

    public int txnCount(int partition) {
        return firstRowOf[partition + 1] - firstRowOf[partition];
    }

    /** Returns a partition as a log, equal to the log built from its rows alone. Any thread may call it. */
    public OperationLog partition(int partition) {
        return new OperationLog(new LogPartition(this, partition));
    }
}
