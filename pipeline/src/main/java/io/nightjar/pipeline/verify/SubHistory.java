package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Sub-history of a few transactions and their reads from each other, which a finding claims to be impossible at a
 * level.
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

    final int txnCount;
    final int keyCount;
    final List<Read> reads;
    final List<Observation> observations;
    final List<Sum> sums;
    final List<BitSet> writersOf;

    /** Orders in which some versions of a key are known to follow each other, as their writers. */
    final List<int[]> versionOrders;

    private final Long2IntOpenHashMap firstReadOf = new Long2IntOpenHashMap(); // operation, by reader and writer
    private final Long2IntOpenHashMap lastReadOf = new Long2IntOpenHashMap(); // operation, by reader and writer
    private final long[] session;
    private final long[] seq;
    private final long[] invoke;
    private final long[] complete;

    private SubHistory(Builder from) {
        txnCount = from.txnCount;
        keyCount = from.writersOf.size();
        reads = List.copyOf(from.reads);
        observations = List.copyOf(from.observations);
        sums = List.copyOf(from.sums);
        writersOf = from.writersOf;
        versionOrders = from.versionOrders;
        session = Arrays.copyOf(from.session, txnCount);
        seq = Arrays.copyOf(from.seq, txnCount);
        invoke = Arrays.copyOf(from.invoke, txnCount);
        complete = Arrays.copyOf(from.complete, txnCount);
        for (Read read : reads) {
            firstReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::min);
            lastReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::max);
        }
    }

    private SubHistory(SubHistory from, List<Read> reads, List<Observation> observations) {
        txnCount = from.txnCount;
        keyCount = from.keyCount;
        this.reads = reads;
        this.observations = observations;
        sums = from.sums;
        writersOf = from.writersOf;
        versionOrders = from.versionOrders;
        session = from.session;
        seq = from.seq;
        invoke = from.invoke;
        complete = from.complete;
        for (Read read : reads) {
            firstReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::min);
            lastReadOf.mergeInt(pair(read.reader(), read.writer()), read.op(), Math::max);
        }
    }

    /** Returns the history in which an observation is a read from one of its candidates. */
    SubHistory naming(Observation observation, int writer) {
        List<Read> more = new ArrayList<>(reads);
        more.add(new Read(observation.reader(), observation.op(), observation.key(), writer));
        List<Observation> fewer = new ArrayList<>(observations);
        fewer.remove(observation);
        return new SubHistory(this, more, fewer);
    }

    boolean writes(int txn, int key) {
        return key != NO_KEY && writersOf.get(key).get(txn);
    }

    boolean precedesInSession(int txn, int other) {
        return session[txn] == session[other] && seq[txn] < seq[other];
    }

    boolean precedesInRealTime(int txn, int other) {
        return complete[txn] != Builder.UNKNOWN && invoke[other] != Builder.UNKNOWN && complete[txn] < invoke[other];
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
        long from = pair(reader, first);
        long laterFrom = pair(reader, second);
        return firstReadOf.containsKey(from)
                && lastReadOf.containsKey(laterFrom)
                && firstReadOf.get(from) <= lastReadOf.get(laterFrom);
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

    /** Collects transactions in any order; reads and writes speak of transactions by the number that adding them gave. */
    public static final class Builder {

        /** No such time exists. */
        public static final long UNKNOWN = Long.MIN_VALUE;

        private int txnCount;
        private long[] session = new long[8];
        private long[] seq = new long[8];
        private long[] invoke = new long[8];
        private long[] complete = new long[8];
        private final List<Read> reads = new ArrayList<>();
        private final List<Observation> observations = new ArrayList<>();
        private final List<Sum> sums = new ArrayList<>();
        private final List<BitSet> writersOf = new ArrayList<>();
        private final List<int[]> versionOrders = new ArrayList<>();

        /** Adds a transaction of unknown client times. */
        public int txn(long ofSession, long position) {
            return txn(ofSession, position, UNKNOWN, UNKNOWN);
        }

        public int txn(long ofSession, long position, long invokedAt, long completedAt) {
            if (txnCount == session.length) {
                session = Arrays.copyOf(session, txnCount * 2);
                seq = Arrays.copyOf(seq, txnCount * 2);
                invoke = Arrays.copyOf(invoke, txnCount * 2);
                complete = Arrays.copyOf(complete, txnCount * 2);
            }
            session[txnCount] = ofSession;
            seq[txnCount] = position;
            invoke[txnCount] = invokedAt;
            complete[txnCount] = completedAt;
            return txnCount++;
        }

        /** Adds a write; keys are numbered from 0. */
        public Builder write(int txn, int key) {
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
        public Builder read(int reader, int op, int key, int writer) {
            if (key != NO_KEY) {
                reach(key);
            }
            if (reader != writer) {
                reads.add(new Read(reader, op, key, writer));
            }
            return this;
        }

        /**
         * Adds a read of a value that any of several transactions may have left.
         *
         * @param candidates all of them, without the reader
         * @param acceptsInitial whether it may be the initial state too
         */
        Builder observe(int reader, int op, int key, BitSet candidates, boolean acceptsInitial) {
            reach(key);
            observations.add(new Observation(reader, op, key, candidates, acceptsInitial));
            return this;
        }

        /** Adds a read of a counter. */
        void sum(int reader, long sum, Map<Integer, Long> deltaOf) {
            sums.add(new Sum(reader, sum, Map.copyOf(deltaOf)));
        }

        /** Adds the writers of some versions of one key, oldest first. */
        public Builder versionOrder(int... writers) {
            if (writers.length > 1) {
                versionOrders.add(writers.clone());
            }
            return this;
        }

        public SubHistory build() {
            return new SubHistory(this);
        }

        private void reach(int key) {
            while (writersOf.size() <= key) {
                writersOf.add(new BitSet());
            }
        }
    }
}
