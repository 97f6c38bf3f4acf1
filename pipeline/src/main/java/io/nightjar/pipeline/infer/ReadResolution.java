package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.ParallelTasks;
import org.jspecify.annotations.Nullable;

/**
 * Resolution of a log's reads: the writer of each version read, the use of each key, and the transactions that count;
 * computed once for all decisions on the log.
 *
 * <p>Results that only some decisions need are computed on request. For one thread.
 */
public final class ReadResolution {

    public final OperationLog log;
    final ParallelTasks helpers;
    final WriterIndex writers;
    private final KeyUse use;
    private final TxnOutcomes outcomes;
    private final boolean @Nullable [] doubtfulInitials;
    private @Nullable ListOrders lists;
    private @Nullable Versions versions;
    private @Nullable ReadResolution recorded; // of a view: that of the log as it was recorded

    private ReadResolution(OperationLog log, ParallelTasks helpers) {
        this.log = log;
        this.helpers = helpers;
        writers = new WriterIndex(log, helpers);
        use = KeyUse.of(log, helpers);
        outcomes = TxnOutcomes.of(log, writers, use, this::lists);
        doubtfulInitials = log.doubtfulInitials(outcomes);
    }

    public static ReadResolution of(OperationLog log) {
        return of(log, ParallelTasks.NONE);
    }

    /** @param helpers who may help to find it */
    public static ReadResolution of(OperationLog log, ParallelTasks helpers) {
        return new ReadResolution(log, helpers);
    }

    /** Creates the resolution of a view, with the repeated writes of the recorded log. */
    public static ReadResolution ofView(OperationLog view, ReadResolution recorded) {
        ReadResolution reads = new ReadResolution(view, recorded.helpers);
        reads.recorded = recorded;
        return reads;
    }

    /** Returns the threads for decisions on the log. */
    public ParallelTasks helpers() {
        return helpers;
    }

    public KeyUse use() {
        return use;
    }

    /** Returns the number of writes of a value that was written to the key before, by transactions of any outcome. */
    public int repeatedWriteCount() {
        return recorded == null ? writers.duplicateCount() : recorded.repeatedWriteCount();
    }

    /** Takes two transactions that wrote a value, or one that did so twice, with the later operation. */
    @FunctionalInterface
    public interface RepeatConsumer {

        void take(int first, int second, int op);
    }

    public void forEachRepeatedWrite(RepeatConsumer consumer) {
        if (recorded != null) {
            recorded.forEachRepeatedWrite(consumer);
            return;
        }
        for (int duplicate = 0; duplicate < writers.duplicateCount(); duplicate++) {
            int first = writers.duplicatedOp(duplicate);
            int firstTxn = writers.txnOf(writers.find(log.key[first], log.value[first]));
            consumer.take(firstTxn, writers.duplicateTxn(duplicate), writers.duplicateOp(duplicate));
        }
    }

    public TxnOutcomes outcomes() {
        return outcomes;
    }

    /**
     * Returns the keys of which it is unknown whether a read of the initial value is a read of the initial state; null
     * if none.
     */
    public boolean @Nullable [] doubtfulInitials() {
        return doubtfulInitials;
    }

    /** Returns the longest list of each key. */
    public ListOrders lists() {
        if (lists == null) {
            lists = ListOrders.of(log, use);
        }
        return lists;
    }

    /** Returns the versions of all keys. */
    public Versions versions() {
        if (versions == null) {
            versions = Versions.of(this);
            if (doubtfulInitials != null) {
                versions.forgetInitials(doubtfulInitials);
            }
        }
        return versions;
    }
}
