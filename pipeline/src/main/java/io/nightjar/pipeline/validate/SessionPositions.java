package io.nightjar.pipeline.validate;

import it.unimi.dsi.fastutil.longs.LongArrays;
import org.jspecify.annotations.Nullable;

/** Every position of a session, to detect duplicates. Their number is known beforehand. */
final class SessionPositions {

    /*
     *   dense    [smallest, greatest] has at most 64 positions a row: a bitmap of it
     *   sparse   else: the positions themselves, sorted at the end
     */
    private static final int BITS_PER_ROW = 64;

    private final long minSeq;
    private final boolean isDense;
    private final long[] words;
    private int listed; // positions, if sparse

    SessionPositions(SessionState session) {
        minSeq = session.minSeq;
        isDense = isDense(session);
        words = new long[Math.toIntExact(wordsNeeded(session))];
    }

    /**
     * Selects suspects as long as their positions fit, at least one, and clears their suspicion; returns whether any
     * suspect remained.
     */
    static boolean begin(Iterable<SessionState> sessions, long memoryBytes) {
        long wordsLeft = memoryBytes / Long.BYTES;
        boolean isAny = false;
        for (SessionState session : sessions) {
            session.positions = null;
            if (session.isSuspect && wordsLeft >= 0) {
                wordsLeft -= wordsNeeded(session);
                if (wordsLeft >= 0 || !isAny) {
                    session.isSuspect = false;
                    session.positions = new SessionPositions(session);
                    isAny = true;
                }
            }
        }
        return isAny;
    }

    /** Returns false if the position is known to have been added before. */
    boolean add(long seq) {
        if (!isDense) {
            words[listed++] = seq;
            return true;
        }
        long position = seq - minSeq;
        int word = (int) (position >>> 6);
        long bit = 1L << position;
        boolean isNew = (words[word] & bit) == 0;
        words[word] |= bit;
        return isNew;
    }

    /** Returns a repeated position of a sparse session; null if none. */
    @Nullable
    Long repeated() {
        LongArrays.unstableSort(words, 0, listed);
        for (int i = 1; i < listed; i++) {
            if (words[i] == words[i - 1]) {
                return words[i];
            }
        }
        return null;
    }

    private static boolean isDense(SessionState session) {
        long span = session.maxSeq - session.minSeq;
        return span >= 0 && span / BITS_PER_ROW < session.rowCount;
    }

    private static long wordsNeeded(SessionState session) {
        return isDense(session) ? (session.maxSeq - session.minSeq) / BITS_PER_ROW + 1 : session.rowCount;
    }
}
