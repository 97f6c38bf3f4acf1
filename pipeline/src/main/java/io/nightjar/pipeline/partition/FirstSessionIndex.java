package io.nightjar.pipeline.partition;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.Mix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The session that touched each key first. Keys are 64-bit tokens, sessions small numbers. */
final class FirstSessionIndex {

    /*
     * Two tables, used one after the other, each with the session adjacent to its key, since every operation of a
     * history accesses it once and waits for memory. While all tokens lie in a narrow range near zero:
     *
     *   sessions[token] = session + 1                    0 where the token has not been seen
     *
     * and from the first token outside that range on, open addressing, at most half full:
     *
     *   tokens[hash(token) + i] = token
     *   sessions[hash(token) + i] = session + 1
     */

    private static final int DIRECT_LIMIT = 1 << 22;
    private static final int SLOTS_AT_FIRST = 1 << 11;
    private static final int UNSEEN = 0;

    static final int NONE = -1;

    private int[] sessions = new int[1 << 10];
    private long @Nullable [] tokens; // null while the token itself is the index
    private int count;

    /** Returns the session that touched a key first, which is the given session if none did before. */
    int firstOf(long token, int session) {
        if (tokens == null) {
            if (token >= 0 && token < sessions.length) {
                return take((int) token, session);
            }
            if (token >= 0 && token < DIRECT_LIMIT && token < 256L * (count + 4096)) {
                sessions = Arrays.copyOf(
                        sessions, (int) Math.min(DIRECT_LIMIT, Math.max(2L * sessions.length, token + 1)));
                return take((int) token, session);
            }
            leaveDirectIndex();
        }
        if (2L * (count + 1) > sessions.length) {
            rehash(Math.multiplyExact(sessions.length, 2));
        }
        int slot = slotOf(token);
        requireNonNull(tokens)[slot] = token;
        return take(slot, session);
    }

    private int take(int at, int session) {
        int first = sessions[at];
        if (first != UNSEEN) {
            return first - 1;
        }
        sessions[at] = session + 1;
        count++;
        return session;
    }

    private int slotOf(long token) {
        int mask = sessions.length - 1;
        int slot = (int) Mix.hash(token) & mask;
        while (sessions[slot] != UNSEEN && requireNonNull(tokens)[slot] != token) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void leaveDirectIndex() {
        int[] direct = sessions;
        int slots = Math.max(SLOTS_AT_FIRST, Integer.highestOneBit(Math.max(1, count)) * 4);
        sessions = new int[slots];
        tokens = new long[slots];
        for (int token = 0; token < direct.length; token++) {
            if (direct[token] != UNSEEN) {
                move(token, direct[token]);
            }
        }
    }

    private void rehash(int slots) {
        int[] oldSessions = sessions;
        long[] oldTokens = tokens;
        sessions = new int[slots];
        tokens = new long[slots];
        for (int slot = 0; slot < oldSessions.length; slot++) {
            if (oldSessions[slot] != UNSEEN) {
                move(requireNonNull(oldTokens)[slot], oldSessions[slot]);
            }
        }
    }

    private void move(long token, int entry) {
        int slot = slotOf(token);
        requireNonNull(tokens)[slot] = token;
        sessions[slot] = entry;
    }

    /** Returns the number of slots, used or free. */
    int positions() {
        return sessions.length;
    }

    /** Returns the session at a position, or {@link #NONE} if no key is there. */
    int sessionAt(int position) {
        return sessions[position] - 1;
    }

    /** Returns the key at a position where one is. */
    long tokenAt(int position) {
        return tokens == null ? position : tokens[position];
    }

    /** Bytes held, for memory accounting. */
    long byteSize() {
        return 4L * sessions.length + (tokens == null ? 0 : 8L * tokens.length);
    }
}
