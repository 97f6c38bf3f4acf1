package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sub-history of a few transactions and their reads from each other, which a finding claims to be impossible at a
 * level. Reads and writes name a transaction by the number that adding it returned.
 */
public final class SubHistory {

    /** The writer of the initial state. */
    public static final int INITIAL = -1;

    /** The key of a read that only identifies an observed transaction. */
    public static final int NO_KEY = -1;

    /** A read of a version: its reader, the reader's operation, the key and the writer. */
    record Read(int reader, int op, int key, int writer) {}

    /** A read of a value that several transactions left, or a guard that several versions satisfy. */
    record Observation(int reader, int op, int key, BitSet candidates, boolean acceptsInitial) {

        /** Returns the writers among the candidates, and {@link SubHistory#INITIAL} for the initial state. */
        List<Integer> writers() {
            List<Integer> writers = new ArrayList<>(candidates.stream().boxed().toList());
            if (acceptsInitial) {
                writers.add(INITIAL);
            }
            return writers;
        }
    }

    /**
     * A read of a counter: the deltas of the transactions before its snapshot add up to a sum.
     *
     * @param deltaOf by transaction, all that may have incremented the counter except the reader
     */
    record Sum(int reader, long sum, Map<Integer, Long> deltaOf) {}

    /**
     * A computed answer about several keys.
     *
     * @param isRight whether it is right if some rows are current
     */
    record ComputedAnswer(int reader, List<Part> parts, Predicate<List<String>> isRight) {}

    /** A row that a writer of a key left; null if it adds nothing to the answer. */
    record Part(int key, int writer, @Nullable String row) {}

    int txnCount;
    final List<Read> reads;
    final List<Observation> observations;
    final List<Sum> sums;
    final List<ComputedAnswer> answers;
    final List<BitSet> writersOf;

    /** Orders in which some versions of a key are known to follow each other, as their writers. */
    final List<int[]> versionOrders;

    private final Long2IntOpenHashMap firstReadOf; // operation, by reader and writer
    private final Long2IntOpenHashMap lastReadOf; // operation, by reader and writer
    private final BitSet optional; // transactions that need not have committed
    private final LongArrayList session;
    private final LongArrayList seq;
    private final LongArrayList invoke; // NONE if unknown
    private final LongArrayList complete;

    public SubHistory() {
        reads = new ArrayList<>();
        observations = new ArrayList<>();
        sums = new ArrayList<>();
        answers = new ArrayList<>();
        writersOf = new ArrayList<>();
        versionOrders = new ArrayList<>();
        firstReadOf = new Long2IntOpenHashMap();
        lastReadOf = new Long2IntOpenHashMap();
        optional = new BitSet();
        session = new LongArrayList();
        seq = new LongArrayList();
        invoke = new LongArrayList();
        complete = new LongArrayList();
    }

    private SubHistory(SubHistory from) {
        txnCount = from.txnCount;
        reads = new ArrayList<>(from.reads);
        observations = new ArrayList<>(from.observations);
        sums = from.sums;
        answers = from.answers;
        writersOf = from.writersOf;
        versionOrders = from.versionOrders;
        firstReadOf = from.firstReadOf.clone();
        lastReadOf = from.lastReadOf.clone();
        optional = from.optional;
        session = from.session;
        seq = from.seq;
        invoke = from.invoke;
        complete = from.complete;
    }

    /** Returns the history in which an observation is a read from one of its candidates. */
    SubHistory naming(Observation observation, int writer) {
        SubHistory named = new SubHistory(this);
        named.addRead(new Read(observation.reader(), observation.op(), observation.key(), writer));
        named.observations.remove(observation);
        return named;
    }

    // ---------------------------------------------------------------- construction

    /** Adds a transaction of unknown client times. */
    public int txn(long ofSession, long position) {
        return txn(ofSession, position, HistorySlice.NONE, HistorySlice.NONE);
    }

    int txn(long ofSession, long position, long invokedAt, long completedAt) {
        session.add(ofSession);
        seq.add(position);
        invoke.add(invokedAt);
        complete.add(completedAt);
        return txnCount++;
    }

    /**
     * Adds that a transaction need not have committed: neither its session nor time orders others after it, so that it may
     * come last, where nothing depends on it.
     */
    void beOptional(int txn) {
        optional.set(txn);
    }

    boolean hasOptional() {
        return !optional.isEmpty();
    }

    /** Adds a write; keys are numbered from 0. */
    public SubHistory write(int txn, int key) {
        reach(key);
        writersOf.get(key).set(txn);
        return this;
    }

    /**
     * Adds a read of a value from outside the reader.
     *
     * @param op numbers that grow with the reader's operations
     * @param key or {@link #NO_KEY}
     * @param writer a transaction or {@link #INITIAL}
     */
    public SubHistory read(int reader, int op, int key, int writer) {
        reach(key);
        if (reader != writer) {
            addRead(new Read(reader, op, key, writer));
        }
        return this;
    }

    private void addRead(Read read) {
        reads.add(read);
        firstReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::min);
        lastReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::max);
    }

    /**
     * Adds a read of a value that any of several transactions may have left.
     *
     * @param candidates all of them, without the reader
     * @param acceptsInitial whether it may be the initial state too
     */
    void observe(int reader, int op, int key, BitSet candidates, boolean acceptsInitial) {
        reach(key);
        observations.add(new Observation(reader, op, key, candidates, acceptsInitial));
    }

    /** Adds a read of a counter. */
    void sum(int reader, long sum, Map<Integer, Long> deltaOf) {
        sums.add(new Sum(reader, sum, Map.copyOf(deltaOf)));
    }

    /** Adds a computed answer, with all transactions that may have written one of its keys. */
    void answer(int reader, List<Part> parts, Predicate<List<String>> isRight) {
        answers.add(new ComputedAnswer(reader, List.copyOf(parts), isRight));
    }

    /** Adds the writers of some versions of one key, oldest first. */
    void versionOrder(int... writers) {
        versionOrders.add(writers);
    }

    private void reach(int key) {
        while (writersOf.size() <= key) {
            writersOf.add(new BitSet());
        }
    }

    // ---------------------------------------------------------------- queries

    boolean writes(int txn, int key) {
        return key != NO_KEY && writersOf.get(key).get(txn);
    }

    boolean precedesInSession(int txn, int other) {
        return !optional.get(txn)
                && session.getLong(txn) == session.getLong(other)
                && seq.getLong(txn) < seq.getLong(other);
    }

    boolean precedesInRealTime(int txn, int other) {
        return !optional.get(txn)
                && complete.getLong(txn) != HistorySlice.NONE
                && invoke.getLong(other) != HistorySlice.NONE
                && complete.getLong(txn) < invoke.getLong(other);
    }

    boolean readsFrom(int reader, int writer) {
        return firstReadOf.containsKey(pair(reader, writer));
    }

    /** Returns whether a transaction read from another in an operation before a given one. */
    boolean hasReadBeforeOp(int reader, int writer, int op) {
        return firstReadOf.getOrDefault(pair(reader, writer), Integer.MAX_VALUE) < op;
    }

    /** Returns whether a transaction had read from one when it read from another. */
    boolean hasReadBefore(int reader, int first, int second) {
        long laterFrom = pair(reader, second);
        return lastReadOf.containsKey(laterFrom)
                && firstReadOf.getOrDefault(pair(reader, first), Integer.MAX_VALUE) <= lastReadOf.get(laterFrom);
    }

    private static long pair(int reader, int writer) {
        return (long) reader << Integer.SIZE | Integer.toUnsignedLong(writer);
    }

    /** Returns whether sessions and reads lead from one transaction to another. */
    boolean isSeenBy(int writer, int reader) {
        BitSet reached = new BitSet();
        reached.set(writer);
        boolean grew = true;
        while (grew) {
            int before = reached.cardinality();
            for (int txn = 0; txn < txnCount; txn++) {
                for (int seen = reached.nextSetBit(0); seen >= 0; seen = reached.nextSetBit(seen + 1)) {
                    if (readsFrom(txn, seen) || precedesInSession(seen, txn)) {
                        reached.set(txn);
                        break;
                    }
                }
            }
            grew = reached.cardinality() > before;
        }
        return reached.get(reader);
    }
}
