package io.nightjar.pipeline.validate;

import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Every position of some sessions, to detect duplicates. Their number is known beforehand. */
final class SessionPositions {

    /*
     * One long[] holds a segment for each session:
     *
     *   dense    [smallest, greatest] has at most 64 positions a row: a bitmap of it
     *   sparse   else: the positions themselves, sorted at the end
     */
    private static final int BITS_PER_ROW = 64;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final SessionColumns sessions;
    private final int[] segmentOf; // by session, NONE if not checked
    private final int[] sessionOf; // by segment
    private final int[] firstWordOf; // one entry more than segments
    private final int[] listedOf; // positions in a sparse segment
    private final long[] words;
    private long repeatedSeq;

    private SessionPositions(SessionColumns sessions, int[] sessionOf, int[] firstWordOf) {
        this.sessions = sessions;
        this.sessionOf = sessionOf;
        this.firstWordOf = firstWordOf;
        this.listedOf = new int[sessionOf.length];
        this.words = new long[firstWordOf[sessionOf.length]];
        this.segmentOf = new int[sessions.count];
        Arrays.fill(segmentOf, SessionColumns.NONE);
        for (int segment = 0; segment < sessionOf.length; segment++) {
            segmentOf[sessionOf[segment]] = segment;
        }
    }

    /**
     * Selects suspects as long as they fit, at least one, and clears their suspicion; returns null if no suspect
     * remains.
     */
    static @Nullable SessionPositions ofSuspects(SessionColumns sessions, long memoryBytes) {
        int[] taken = new int[sessions.count];
        int[] firstWordOf = new int[sessions.count + 1];
        int count = 0;
        long wordLimit = Math.min(memoryBytes / Long.BYTES, LARGEST_ARRAY);
        for (int session = 0; session < sessions.count; session++) {
            if (!sessions.isSuspect[session]) {
                continue;
            }
            long end = firstWordOf[count] + wordsNeeded(sessions, session);
            if (end > wordLimit && count > 0) {
                break;
            }
            sessions.isSuspect[session] = false;
            taken[count++] = session;
            firstWordOf[count] = Math.toIntExact(end);
        }
        if (count == 0) {
            return null;
        }
        return new SessionPositions(sessions, Arrays.copyOf(taken, count), Arrays.copyOf(firstWordOf, count + 1));
    }

    /** Returns false if the position is known to have been added before. */
    boolean add(int session, long seq) {
        int segment = segmentOf[session];
        if (segment == SessionColumns.NONE) {
            return true;
        }
        if (!isDense(sessions, session)) {
            words[firstWordOf[segment] + listedOf[segment]++] = seq;
            return true;
        }
        long position = seq - sessions.minSeqOf[session];
        int word = firstWordOf[segment] + (int) (position >>> 6);
        long bit = 1L << position;
        boolean isNew = (words[word] & bit) == 0;
        words[word] |= bit;
        return isNew;
    }

    /** Returns a session with a repeated position in a sparse segment, or NONE. */
    int findRepeated() {
        for (int segment = 0; segment < sessionOf.length; segment++) {
            if (isDense(sessions, sessionOf[segment])) {
                continue;
            }
            int first = firstWordOf[segment];
            int end = first + listedOf[segment];
            LongArrays.unstableSort(words, first, end);
            for (int i = first + 1; i < end; i++) {
                if (words[i] == words[i - 1]) {
                    repeatedSeq = words[i];
                    return sessionOf[segment];
                }
            }
        }
        return SessionColumns.NONE;
    }

    long repeatedSeq() {
        return repeatedSeq;
    }

    private static boolean isDense(SessionColumns sessions, int session) {
        long span = sessions.maxSeqOf[session] - sessions.minSeqOf[session];
        return span >= 0 && span / BITS_PER_ROW < sessions.rowCountOf[session];
    }

    private static long wordsNeeded(SessionColumns sessions, int session) {
        long span = sessions.maxSeqOf[session] - sessions.minSeqOf[session];
        return isDense(sessions, session) ? span / BITS_PER_ROW + 1 : sessions.rowCountOf[session];
    }
}
