package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.pipeline.primitive.Mix;

/**
 * Validation of some ids and some sessions of a history, while other parts validate the others.
 *
 * <pre>
 *   ValidationPart part = new ValidationPart(memoryBytes);
 *   in row order: part.addIds(those with partOfId), part.addSessions(those with partOfSession);
 *   while (part.needsAnotherPass()) {
 *       either the same sessions once more, or part.giveUp();
 *   }
 *   merged.add(part.answer());
 * </pre>
 *
 * A part determines whether it is valid. The description of a contradiction requires a {@link Validation} of all rows.
 */
public final class ValidationPart {

    /** Makes these parts independent of the hashes used by the table of sessions and its passes. */
    private static final long SALT = 0x5E55;

    private final UniqueIds ids;
    private final SessionRules sessions;
    private boolean areIdsOpen = true;
    private boolean isInDoubt;

    /** @param memoryBytes memory limit, apart from a few kilobytes */
    public ValidationPart(long memoryBytes) {
        ids = new UniqueIds(memoryBytes / 2);
        sessions = new SessionRules(memoryBytes / 2);
    }

    /** Returns how many arbitrary ids a part has memory for. */
    public static int idsThatFit(long memoryBytes) {
        return UniqueIds.idsThatFit(memoryBytes / 2);
    }

    /** The part of an id; ids that are near each other are mostly in one. */
    public static int partOfId(long txnId, int partCount) {
        return partOf(UniqueIds.pageOf(txnId), partCount);
    }

    public static int partOfSession(long sessionId, int partCount) {
        return partOf(sessionId, partCount);
    }

    /** Returns the part of a number: the upper half of its hash as a fraction of all parts, which needs no division. */
    private static int partOf(long number, int partCount) {
        return (int) ((Mix.hash(SALT, number) >>> 32) * partCount >>> 32);
    }

    /** Adds the next ids of this part. */
    public void addIds(long[] txnIds, int count) {
        ids.add(txnIds, count);
    }

    /**
     * Adds the next transactions of this part's sessions.
     *
     * @param rows number of each among all rows of all parts
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
    public void giveUp() {
        isInDoubt = true;
    }

    /** Returns the result; valid after the last pass. */
    public PartAnswer answer() {
        return new PartAnswer(isInDoubt, sessions.tally());
    }
}
