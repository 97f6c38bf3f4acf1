package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.pipeline.primitive.Mix;

/**
 * Validation of some ids and some sessions of a history, while other partitions validate the others.
 *
 * <pre>
 *   ValidationPartition partition = new ValidationPartition(memoryBytes);
 *   in row order: partition.addIds(those with partitionOfId), partition.addSessions(those with partitionOfSession);
 *   while (partition.needsAnotherPass()) {
 *       either the same sessions once more, or partition.cancel();
 *   }
 *   merged.add(partition.answer());
 * </pre>
 *
 * A partition determines whether it is valid. The description of a contradiction requires a {@link Validation} of all
 * rows.
 */
public final class ValidationPartition {

    /** Makes these partitions independent of the hashes used by the table of sessions and its passes. */
    private static final long SALT = 0x5E55;

    private final UniqueIds ids;
    private final SessionRules sessions;
    private boolean areIdsOpen = true;
    private boolean isInDoubt;

    /** @param memoryBytes memory limit, apart from a few kilobytes */
    public ValidationPartition(long memoryBytes) {
        ids = new UniqueIds(memoryBytes / 2);
        sessions = new SessionRules(memoryBytes / 2);
    }

    /** Returns how many arbitrary ids a partition has memory for. */
    public static int idsThatFit(long memoryBytes) {
        return UniqueIds.idsThatFit(memoryBytes / 2);
    }

    /** Returns the partition of an id; ids that are near each other are mostly in one. */
    public static int partitionOfId(long txnId, int partitionCount) {
        return partitionOf(UniqueIds.pageOf(txnId), partitionCount);
    }

    public static int partitionOfSession(long sessionId, int partitionCount) {
        return partitionOf(sessionId, partitionCount);
    }

    /** Returns the partition of a number: the upper half of its hash as a fraction of all partitions, which needs no division. */
    private static int partitionOf(long number, int partitionCount) {
        return (int) ((Mix.hash(SALT, number) >>> 32) * partitionCount >>> 32);
    }

    /** Adds the next ids of this partition. */
    public void addIds(long[] txnIds, int count) {
        ids.add(txnIds, count);
    }

    /**
     * Adds the next transactions of this partition's sessions.
     *
     * @param rows number of each among all rows of all partitions
     */
    public void addSessions(HistorySlice slice, long[] rows) {
        if (isInDoubt) {
            return;
        }
        try {
            sessions.add(slice, rows);
        } catch (MalformedHistoryException contradiction) {
            isInDoubt = true;
        }
    }

    /** Ends a pass; if it returns true, the transactions of the sessions are to be added again, or to be given up. */
    public boolean needsAnotherPass() {
        if (areIdsOpen) {
            areIdsOpen = false;
            isInDoubt |= ids.needsAnotherPass();
        }
        isInDoubt |= sessions.isDuplicateKnown();
        boolean isOpen = !isInDoubt && sessions.needsAnotherPass();
        isInDoubt |= sessions.isDuplicateKnown();
        return isOpen && !isInDoubt;
    }

    /** Ends the validation without another pass. */
    public void cancel() {
        isInDoubt = true;
    }

    /** Returns the result; valid after the last pass. */
    public PartitionAnswer answer() {
        return new PartitionAnswer(isInDoubt, sessions.tally());
    }
}
