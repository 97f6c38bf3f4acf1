package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.pipeline.primitive.Mix;

/**
 * What is asked of every history about some of its ids and some of its sessions, where other parts are asked the same
 * about the others.
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
 * A part says whether all is well. What is not, and where, is said by a {@link Validation} of everything.
 */
public final class ValidationPart {

    /** Other parts than those that a table of sessions, or a pass over some of them, goes by. */
    private static final long SALT = 0x5E55;

    private final UniqueIds ids;
    private final SessionRules sessions;
    private boolean areIdsOpen = true;
    private boolean isInDoubt;

    /** @param memoryBytes what may be kept at most, apart from a few kilobytes */
    public ValidationPart(long memoryBytes) {
        ids = new UniqueIds(memoryBytes / 2);
        sessions = new SessionRules(memoryBytes / 2);
    }

    /** How many ids a part has memory for, whatever they are. */
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

    /** The upper half of a hash as a fraction of all parts, which takes no division. */
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
     * @param rows where each stands among all rows, of whatever part
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

    /** There is no other pass. */
    public void giveUp() {
        isInDoubt = true;
    }

    /** Returns what came out; valid after the last pass. */
    public PartAnswer answer() {
        return new PartAnswer(isInDoubt, sessions.tally());
    }
}
