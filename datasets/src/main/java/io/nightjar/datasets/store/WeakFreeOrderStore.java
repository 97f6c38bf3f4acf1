package io.nightjar.datasets.store;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SetsFields;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Returns for reads any version that read committed, read atomic or causal consistency allows, which a chooser draws;
 * commits every transaction.
 */
public final class WeakFreeOrderStore extends AbstractNondeterministicStore {

    /*
     * No order of versions is assumed. A read of x by t3 from t1 forces some transactions to commit before others:
     *
     *   (a) every writer of x that is already related to t3 before t1.   Related are
     *         rc: all that t3 has read from so far;   ra: these and the session's earlier ones;
     *         cc: everything in the past of t3 by sessions and reads
     *   (b) at ra and cc, each that becomes related through t1 and wrote a key that t3 has read already, before the
     *         transaction that t3 read that key from
     *
     * The level holds as long as the forced edges, together with sessions and reads, have no cycle. The initial state
     * is before all transactions, so no transaction can be forced before it. An open transaction is before no
     * transaction; hence the edges of one read concern committed transactions only, and reads of others need not be
     * checked again.
     *
     * Before that, the writers of each session are omitted that precede a writer which the reader must observe.
     */

    /** The relation to a reader of the transactions that wrote a key before. */
    public enum Level {
        READ_COMMITTED,
        READ_ATOMIC,
        CAUSAL
    }

    private final Level level;
    private final CommittedTxns txns = new CommittedTxns();
    private final ForcedCommits order = new ForcedCommits(txns);

    /** The values that each committed transaction wrote, parallel to its keys. */
    private long[][] valuesOf = new long[64][];

    /** The numbers of each session's committed transactions. */
    private int[][] numberOf = {};

    /** {@code writers[key][session]}: positions of the session's transactions that wrote it, ascending; null for none. */
    private IntArrayList[][] writers;

    /** The transactions that wrote each key, as they committed; null where reads may return a version however old. */
    private IntArrayList @Nullable [] committedOf;

    private final int staleness;
    private int[][] openCauses = {};
    private int[] floor;
    private int[] seen;

    public WeakFreeOrderStore(Level level, int sessions, int keys, Chooser chooser) {
        this(level, sessions, keys, Integer.MAX_VALUE, chooser);
    }

    /**
     * @param staleness maximum number of versions by which a read is older than the last version, if the level allows a
     * newer one
     */
    public WeakFreeOrderStore(Level level, int sessions, int keys, int staleness, Chooser chooser) {
        super(chooser);
        this.level = level;
        this.staleness = staleness;
        this.committedOf = staleness == Integer.MAX_VALUE ? null : new IntArrayList[keys];
        this.writers = new IntArrayList[keys][];
        growSessions(sessions);
    }

    @Override
    @SetsFields
    void grow(int from, int count) {
        order.grow(from, count);
        numberOf = Arrays.copyOf(numberOf, count);
        openCauses = Arrays.copyOf(openCauses, count);
        floor = new int[count];
        seen = new int[count];
        for (int session = 0; session < from; session++) {
            if (openCauses[session] != null) {
                openCauses[session] = Arrays.copyOf(openCauses[session], count);
            }
        }
        for (int key = 0; key < writers.length; key++) {
            if (writers[key] != null) {
                writers[key] = Arrays.copyOf(writers[key], count);
            }
        }
        for (int session = from; session < count; session++) {
            numberOf[session] = new int[8];
        }
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        int[] past = new int[sessionCount];
        int last = committed[session] - 1;
        if (last >= 0) {
            VectorClocks.joinTxn(past, order.causesOf(session, last), session, last);
        }
        openCauses[session] = past;
    }

    // ---------------------------------------------------------------- reads

    @Override
    long readOfOthers(int session, int key) {
        return accept(session, key, choose(session, key));
    }

    @Override
    long readLastOfOthers(int session, int key) {
        findRelatedWriters(session, key);
        int newest = NONE;
        IntArrayList[] ofKey = writersOf(key);
        for (int other = 0; ofKey != null && other < sessionCount; other++) {
            if (ofKey[other] != null) {
                newest = Math.max(newest, numberOf[other][ofKey[other].topInt()]);
            }
        }
        if (!isAllowed(session, newest)) {
            readNewestUntilCommit(session, true);
            abort(session);
            return ABORTED;
        }
        return accept(session, key, newest);
    }

    private int choose(int session, int key) {
        boolean mustSee = findRelatedWriters(session, key);
        IntArrayList[] ofKey = writersOf(key);
        int initial = mustSee ? 0 : 1;
        int count = initial;
        for (int other = 0; ofKey != null && other < sessionCount; other++) {
            count += ofKey[other] == null ? 0 : ofKey[other].size() - below(ofKey[other], floor[other]);
        }
        IntUnaryOperator candidate = number -> candidate(ofKey, number, initial);
        if (!isDrawn(session)) {
            int[] asCommitted = new int[count];
            Arrays.setAll(asCommitted, candidate);
            Arrays.sort(asCommitted);
            candidate = number -> asCommitted[number];
        }
        IntUnaryOperator version = candidate;
        IntPredicate isAllowed = number -> isAllowed(session, version.applyAsInt(number));
        IntToLongFunction value = number -> valueOf(version.applyAsInt(number), key);
        int oldest = oldestFresh(key);
        int drawn = oldest == NONE
                ? NONE
                : draw(session, count, number -> version.applyAsInt(number) >= oldest && isAllowed.test(number), value);
        drawn = drawn == NONE ? draw(session, count, isAllowed, value) : drawn;
        if (drawn == NONE) {
            throw new AssertionError("a read without an answer: session=" + session + " key=" + key);
        }
        if (!isAllowed.test(drawn)) { // leaves the edges in the trial
            throw new AssertionError(
                    "a version that was allowed is not any more: version=" + version.applyAsInt(drawn));
        }
        return version.applyAsInt(drawn);
    }

    /**
     * Returns the first transaction whose version of a key is not too old, if a newer one is allowed; {@link #NONE} if
     * all are.
     */
    private int oldestFresh(int key) {
        IntArrayList versions = committedOf == null || key >= committedOf.length ? null : committedOf[key];
        return versions == null || versions.size() <= staleness
                ? NONE
                : versions.getInt(versions.size() - 1 - staleness);
    }

    private long valueOf(int version, int key) {
        return version == NONE ? INITIAL : valuesOf[version][txns.writeOf(version, key)];
    }

    private int candidate(IntArrayList @Nullable [] ofKey, int number, int initial) {
        if (number < initial) {
            return NONE;
        }
        int left = number - initial;
        for (int other = 0; ; other++) {
            if (requireNonNull(ofKey)[other] != null) {
                int first = below(ofKey[other], floor[other]);
                int count = ofKey[other].size() - first;
                if (left < count) {
                    return numberOf[other][ofKey[other].getInt(first + left)];
                }
                left -= count;
            }
        }
    }

    /**
     * Fills {@code seen} with the position after the last writer of a key in each session that is related to the
     * reader, and {@code floor} with the first position in each session that is not before one of these. Returns true
     * if such a writer exists.
     */
    private boolean findRelatedWriters(int session, int key) {
        Arrays.fill(seen, 0);
        Arrays.fill(floor, 0);
        IntArrayList[] ofKey = writersOf(key);
        if (ofKey == null) {
            return false;
        }
        boolean any = false;
        if (level == Level.CAUSAL) {
            for (int other = 0; other < sessionCount; other++) {
                any |= see(ofKey, other, openCauses[session][other]);
            }
        } else {
            any = seeSources(open[session], key);
            if (level == Level.READ_ATOMIC) {
                any |= see(ofKey, session, committed[session]);
            }
        }
        for (int other = 0; any && other < sessionCount; other++) {
            if (seen[other] > 0) {
                VectorClocks.join(floor, order.beforeOf(other, seen[other] - 1));
            }
        }
        return any;
    }

    /** Visits the transactions that a transaction has read from and that wrote a key. */
    private boolean seeSources(TxnBuffer txn, int key) {
        boolean any = false;
        for (int read = 0; read < txn.readCount; read++) {
            int source = txn.readVersion[read];
            if (source != NONE && txns.writeOf(source, key) >= 0) {
                int other = txns.sessionOf[source];
                seen[other] = Math.max(seen[other], txns.positionOf[source] + 1);
                any = true;
            }
        }
        return any;
    }

    /** Records the last writer among a session's first transactions as seen; returns false if it has none. */
    private boolean see(IntArrayList[] ofKey, int other, int bound) {
        int count = ofKey[other] == null ? 0 : below(ofKey[other], bound);
        if (count > 0) {
            seen[other] = Math.max(seen[other], ofKey[other].getInt(count - 1) + 1);
        }
        return count > 0;
    }

    /**
     * Returns whether the forced edges have no cycle together with the edges of a read; these are in the trial then.
     */
    private boolean isAllowed(int session, int version) {
        order.beginTrial();
        for (int other = 0; other < sessionCount; other++) {
            if (seen[other] > 0 && !order.force(numberOf[other][seen[other] - 1], version)) {
                return false;
            }
        }
        if (level != Level.READ_COMMITTED && version != NONE && !forceThroughSource(session, version)) {
            return false;
        }
        return !order.isCyclic();
    }

    private boolean forceThroughSource(int session, int source) {
        TxnBuffer txn = open[session];
        for (int read = 0; read < txn.readCount; read++) {
            int key = txn.readKey[read];
            int from = txn.readVersion[read];
            boolean isForced = level == Level.CAUSAL
                    ? forceNewlySeen(session, source, writersOf(key), from)
                    : txns.writeOf(source, key) < 0 || order.force(source, from);
            if (!isForced) {
                return false;
            }
        }
        return true;
    }

    /**
     * Forces the writers of a key that become visible to a reader through a source before the transaction that it read
     * the key from.
     */
    private boolean forceNewlySeen(int session, int source, IntArrayList @Nullable [] ofKey, int from) {
        int ofSource = txns.sessionOf[source];
        int[] past = order.causesOf(ofSource, txns.positionOf[source]);
        for (int other = 0; ofKey != null && other < sessionCount; other++) {
            int bound = other == ofSource ? txns.positionOf[source] + 1 : past[other];
            int known = openCauses[session][other];
            IntArrayList positions = ofKey[other];
            if (positions != null && bound > known) {
                int count = below(positions, bound);
                if (count > 0
                        && positions.getInt(count - 1) >= known
                        && !order.force(numberOf[other][positions.getInt(count - 1)], from)) {
                    return false;
                }
            }
        }
        return true;
    }

    private long accept(int session, int key, int version) {
        order.acceptTrial(session);
        open[session].read(key, version);
        if (version == NONE) {
            return INITIAL;
        }
        int source = txns.sessionOf[version];
        int position = txns.positionOf[version];
        VectorClocks.joinTxn(openCauses[session], order.causesOf(source, position), source, position);
        return valueOf(version, key);
    }

    // ---------------------------------------------------------------- ends

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        int position = committed[session]++;
        int number = txns.add(session, position, txn);
        if (number == valuesOf.length) {
            valuesOf = Arrays.copyOf(valuesOf, 2 * number);
        }
        valuesOf[number] = Arrays.copyOf(txn.written, txn.writeCount);
        if (position == numberOf[session].length) {
            numberOf[session] = Arrays.copyOf(numberOf[session], 2 * position);
        }
        numberOf[session][position] = number;
        order.commit(session, openCauses[session], txn);
        for (int key : txns.keysOf[number]) {
            addWriter(key, session, position);
            if (committedOf != null) {
                addCommitted(key, number);
            }
        }
        readNewestUntilCommit(session, false);
        return true;
    }

    private void addWriter(int key, int session, int position) {
        writers = grownFor(key, writers);
        if (writers[key] == null) {
            writers[key] = new IntArrayList[sessionCount];
        }
        if (writers[key][session] == null) {
            writers[key][session] = new IntArrayList();
        }
        writers[key][session].add(position);
    }

    private void addCommitted(int key, int number) {
        committedOf = grownFor(key, requireNonNull(committedOf));
        if (committedOf[key] == null) {
            committedOf[key] = new IntArrayList();
        }
        committedOf[key].add(number);
    }

    @Override
    public void abort(int session) {
        order.abort(session);
    }

    // ---------------------------------------------------------------- interface of databases

    @Override
    public int versionCount(int key) {
        int count = 0;
        IntArrayList[] ofKey = writersOf(key);
        for (int session = 0; ofKey != null && session < sessionCount; session++) {
            count += ofKey[session] == null ? 0 : ofKey[session].size();
        }
        return count;
    }

    @Override
    int initialVersion() {
        return NONE;
    }

    private IntArrayList @Nullable [] writersOf(int key) {
        return key < writers.length ? writers[key] : null;
    }
}
