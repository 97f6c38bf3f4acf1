package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.Helpers;
import org.jspecify.annotations.Nullable;

/**
 * Who wrote what was read, how each key is used and which transactions count: found once for all that is decided of a log.
 *
 * <p>What only some decisions need is found when it is asked for. One thread asks.
 */
public final class ReadResolution {

    public final OperationLog log;
    final Helpers helpers;
    final WriterTable writers;
    private final KeyUse use;
    private final Outcomes outcomes;
    private final boolean @Nullable [] doubtfulInitials;
    private @Nullable ListOrders lists;
    private @Nullable Versions versions;
    private @Nullable ReadResolution recorded; // of a view: that of the log as it was recorded

    private ReadResolution(OperationLog log, Helpers helpers) {
        this.log = log;
        this.helpers = helpers;
        writers = new WriterTable(log, helpers);
        use = KeyUse.of(log, helpers);
        outcomes = Outcomes.of(log, writers, use, this::lists);
        doubtfulInitials = log.doubtfulInitials(outcomes::mayCount);
    }

    public static ReadResolution of(OperationLog log) {
        return of(log, Helpers.NONE);
    }

    /** @param helpers who may help to find it */
    public static ReadResolution of(OperationLog log, Helpers helpers) {
        return new ReadResolution(log, helpers);
    }

    /** Creates the resolution of a view, which says of repeated writes what the recorded log does. */
    public static ReadResolution ofView(OperationLog view, ReadResolution recorded) {
        ReadResolution reads = new ReadResolution(view, recorded.helpers);
        reads.recorded = recorded;
        return reads;
    }

    /** Returns who may help with what is decided of the log. */
    public Helpers helpers() {
        return helpers;
    }

    public KeyUse use() {
        return use;
    }

    /** Writes of what was written to the key before, whatever became of either. */
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

    public Outcomes outcomes() {
        return outcomes;
    }

    /** Keys of which it is unknown whether a read of the initial value is one of the initial state; null if there are none. */
    public boolean @Nullable [] doubtfulInitials() {
        return doubtfulInitials;
    }

    /** The longest list of each key. */
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
