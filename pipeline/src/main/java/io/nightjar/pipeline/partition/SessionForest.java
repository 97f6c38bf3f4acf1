package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Connected sessions of a history: sessions that touch a common key, directly or through other sessions.
 *
 * <p>Each reader of a part of the rows has a separate forest; merged in any order, they equal the forest of all rows.
 * One instance for each thread.
 */
public final class SessionForest {

    /*
     * A forest of sessions in which every tree is connected, and for each key one session of its tree:
     *
     *   parentOf[session]    another session of the tree, with a smaller number; itself at the root
     *   firstOf[key]         the session that touched the key first
     *
     * Keys need no separate trees: a session that touches a key is joined with the session that touched it first. An
     * int64 key is its own token, a name has a 64-bit hash; two keys of one token only make groups coarser, which is
     * still right. Transactions of any status count: their writes may have been read.
     *
     * Cost: one table access per operation, and 4 to 48 bytes for each key and 20 to 40 for each session.
     *
     * The bytes are chunks that can be merged one by one, in any order:
     *
     *   KEYS or SESSIONS   count { token or session id } { session id at the root of its tree }      packed
     */

    private static final int SESSIONS = 0;
    private static final int KEYS = 1;
    private static final int ENTRIES_IN_CHUNK = 1 << 16;

    private final LongOrdinals sessions = new LongOrdinals();
    private final LongOrdinals keys = new LongOrdinals(); // of tokens
    private int[] parentOf = new int[64];
    private int[] firstOf = new int[1 << 10];

    private long[] tokenOfName = new long[0];

    // ---------------------------------------------------------------- rows

    /** Takes all transactions of a slice; keys must have been read. */
    public void add(HistorySlice slice) {
        if (slice.keyType == ValueType.STRING) {
            hashNames(slice.keyNames);
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int session = sessionOrdinal(slice.sessionId[txn]);
            if (slice.keyType == ValueType.STRING) {
                touchNames(slice, txn, session);
            } else {
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    touch(slice.key[op], session);
                }
            }
        }
    }

    private void touchNames(HistorySlice slice, int txn, int session) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            touch(tokenOfName[(int) slice.key[op]], session);
        }
    }

    private void hashNames(StringPool names) {
        if (tokenOfName.length < names.size()) {
            tokenOfName = new long[Math.max(names.size(), tokenOfName.length * 2)];
        }
        for (int name = 0; name < names.size(); name++) {
            tokenOfName[name] = Mix.hash(names.bytes(), names.firstByte(name), names.length(name));
        }
    }

    private void touch(long token, int session) {
        int known = keys.size();
        int key = keys.ordinal(token);
        if (key == known) {
            firstOf = key < firstOf.length ? firstOf : Arrays.copyOf(firstOf, 2 * key);
            firstOf[key] = session;
        }
        join(session, firstOf[key]); // no branch for a session's own keys: it would have to be guessed
    }

    private int sessionOrdinal(long sessionId) {
        int known = sessions.size();
        int session = sessions.ordinal(sessionId);
        if (session == known) {
            if (session == parentOf.length) {
                parentOf = Arrays.copyOf(parentOf, session + (session >> 1));
            }
            parentOf[session] = session;
        }
        return session;
    }

    private void join(int first, int second) {
        if (parentOf[first] == parentOf[second]) {
            return; // nearly always, once a tree has grown together
        }
        int firstRoot = rootOf(first);
        int secondRoot = rootOf(second);
        if (firstRoot < secondRoot) {
            parentOf[secondRoot] = firstRoot;
        } else {
            parentOf[firstRoot] = secondRoot;
        }
    }

    private int rootOf(int session) {
        int at = session;
        while (parentOf[at] != at) {
            parentOf[at] = parentOf[parentOf[at]]; // halves the path for later searches
            at = parentOf[at];
        }
        return at;
    }

    // ---------------------------------------------------------------- bytes

    /** Passes the entries in chunks; a chunk is valid only during the call. */
    public void encode(Consumer<ByteWriter> each) {
        Entries entries = new Entries(SESSIONS, sessions.size(), each);
        for (int session = 0; session < sessions.size(); session++) {
            entries.add(sessions.name(session), session);
        }
        entries.handOut();
        entries = new Entries(KEYS, keys.size(), each);
        for (int key = 0; key < keys.size(); key++) {
            entries.add(keys.name(key), firstOf[key]);
        }
        entries.handOut();
    }

    /** A chunk that fills. */
    private final class Entries {

        private final int what;
        private final Consumer<ByteWriter> each;
        private final ByteWriter sink = new ByteWriter(1 << 12);
        private final long[] tokens;
        private final long[] roots;
        private int count;

        Entries(int what, int max, Consumer<ByteWriter> each) {
            this.what = what;
            this.each = each;
            this.tokens = new long[Math.min(max, ENTRIES_IN_CHUNK)];
            this.roots = new long[tokens.length];
        }

        void add(long token, int session) {
            tokens[count] = token;
            roots[count++] = sessions.name(rootOf(session));
            if (count == tokens.length) {
                handOut();
            }
        }

        void handOut() {
            if (count > 0) {
                sink.clear();
                sink.putByte(what);
                sink.putVarint(count);
                PackedLongs.put(tokens, count, sink);
                PackedLongs.put(roots, count, sink);
                each.accept(sink);
                count = 0;
            }
        }
    }

    /** Adds a chunk written by another instance. */
    public void merge(ByteReader from) {
        int what = from.getByte();
        int count = from.getCount();
        long[] tokens = new long[count];
        long[] roots = new long[count];
        PackedLongs.get(from, tokens, count);
        PackedLongs.get(from, roots, count);
        for (int i = 0; i < count; i++) {
            int root = sessionOrdinal(roots[i]);
            if (what == SESSIONS) {
                join(sessionOrdinal(tokens[i]), root);
            } else {
                touch(tokens[i], root);
            }
        }
    }

    // ---------------------------------------------------------------- answers

    /** Returns the trees as groups, numbered by their smallest session ids, independent of the order of rows. */
    public GroupedSessions groups() {
        int[] rootBySession = new int[sessions.size()];
        for (int session = 0; session < rootBySession.length; session++) {
            rootBySession[session] = rootOf(session);
        }
        return GroupedSessions.of(sessions, rootBySession);
    }
}
