package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of the committed transactions of a history: keys, and the writer of each version read.
 *
 * <p>Immutable by convention, like slices. A part of a history (a component, a few transactions) is a history too.
 */
@SuppressWarnings("NullAway") // columns that the history lacks are null, and nothing reads them then
public final class ClientHistory {

    /*
     * Layout. Five index domains, all dense ints:
     *
     *   session  0 .. sessionCount
     *   txn      0 .. txnCount      numbered session by session, in session order: firstTxnOf[session] .. [session + 1]
     *   read     0 .. readCount     in program order: firstReadOf[txn] .. firstReadOf[txn + 1]
     *   write    0 .. writeCount    each key that a transaction writes, once: firstWriteOf[txn] .. firstWriteOf[txn + 1]
     *   key      0 .. keyCount
     *
     * The arrays may be longer than the counts. If the order of a key's versions is known (lists),
     * txnOfVersion[firstVersionOf[key] .. firstVersionOf[key + 1]] are its writers in that order; writers of the key
     * that are missing there follow all of them, in an unknown order. A writer may occur twice if another writer is in
     * between.
     *
     * Invariant. Reads are external reads only (not of the transaction's own writes), every one of them, also repeated
     * ones. Each has one writer that is a transaction of this history, or INITIAL. A read with key NO_KEY records that
     * the transaction observed a write of its writer, but not the writer's final version of the key: an element of a
     * list that others follow.
     */

    /** Writer of the initial state. It precedes all transactions, in every session. */
    public static final int INITIAL = -1;

    /** The key of a read of which only the writer is known. */
    public static final int NO_KEY = -1;

    /** No write. */
    public static final int NO_WRITE = -1;

    public final int sessionCount;
    public final int[] firstTxnOf;

    public final int txnCount;
    public final int[] sessionOf;

    /** Id of each transaction in the history. */
    public final long[] txnIdOf;

    public final int readCount;
    public final int[] firstReadOf;
    public final int[] keyOfRead;

    /** A transaction or {@link #INITIAL}, by read. */
    public final int[] writerOf;

    public final int writeCount;
    public final int[] firstWriteOf;
    public final int[] keyOfWrite;

    public final int keyCount;

    /** Number of each key in the {@link OperationLog}. */
    public final int[] logKeyOf;

    /** Null if the order of versions is known for no key. */
    public final int[] firstVersionOf;

    public final int[] txnOfVersion;

    /** Orders that may happen to be a commit order: numbers by transaction, smaller first. To be tried, never trusted. */
    public final long[][] hints;

    /** Reads with several candidates, which are not among the reads; null without any. */
    public final @Nullable Observations observations;

    private ClientHistory(Builder from) {
        sessionCount = from.sessionCount;
        firstTxnOf = from.firstTxnOf;
        txnCount = from.txnCount;
        sessionOf = from.sessionOf;
        txnIdOf = from.txnIdOf;
        firstReadOf = from.firstReadOf;
        readCount = firstReadOf[txnCount];
        keyOfRead = from.keyOfRead;
        writerOf = from.writerOf;
        firstWriteOf = from.firstWriteOf;
        writeCount = firstWriteOf[txnCount];
        keyOfWrite = from.keyOfWrite;
        keyCount = from.keyCount;
        logKeyOf = from.logKeyOf;
        firstVersionOf = from.firstVersionOf;
        txnOfVersion = from.txnOfVersion;
        hints = from.hints;
        observations = from.observations;
    }

    /** Returns the number of reads, observations included. */
    public int externalReadCount() {
        return readCount + (observations == null ? 0 : observations.count + observations.answers.count);
    }

    /** Returns whether a transaction writes a key. */
    public boolean writes(int txn, int key) {
        for (int write = firstWriteOf[txn]; write < firstWriteOf[txn + 1]; write++) {
            if (keyOfWrite[write] == key) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns by read the write that it returned, or {@link #NO_WRITE} for the initial state, where only the writer is
     * known, and where the writer does not write the key. Takes linear time: reads are grouped by their writers.
     */
    public int[] writesRead() {
        int[] firstReadFrom = new int[txnCount + 1];
        for (int read = 0; read < readCount; read++) {
            if (writerOf[read] != INITIAL) {
                firstReadFrom[writerOf[read] + 1]++;
            }
        }
        CountingSort.addUp(firstReadFrom);
        int[] readsByWriter = new int[firstReadFrom[txnCount]];
        int[] next = firstReadFrom.clone();
        for (int read = 0; read < readCount; read++) {
            if (writerOf[read] != INITIAL) {
                readsByWriter[next[writerOf[read]]++] = read;
            }
        }
        int[] writeOfRead = new int[readCount];
        Arrays.fill(writeOfRead, NO_WRITE);
        int[] writeOfKey = new int[keyCount];
        Arrays.fill(writeOfKey, NO_WRITE);
        for (int writer = 0; writer < txnCount; writer++) {
            for (int write = firstWriteOf[writer]; write < firstWriteOf[writer + 1]; write++) {
                writeOfKey[keyOfWrite[write]] = write;
            }
            for (int i = firstReadFrom[writer]; i < firstReadFrom[writer + 1]; i++) {
                int key = keyOfRead[readsByWriter[i]];
                int write = key == NO_KEY ? NO_WRITE : writeOfKey[key];
                if (write >= firstWriteOf[writer]) {
                    writeOfRead[readsByWriter[i]] = write;
                }
            }
        }
        return writeOfRead;
    }

    /** Returns the position of a transaction in its session, from 0. */
    public int positionOf(int txn) {
        return txn - firstTxnOf[sessionOf[txn]];
    }

    public boolean knowsVersionOrders() {
        return firstVersionOf != null;
    }

    /**
     * Returns the history of some transactions alone, without their reads from removed transactions and without
     * observations of which a candidate was removed.
     *
     * <p>A contradiction in the result is a contradiction in the whole history.
     *
     * @param txns ascending; transaction {@code i} of the result is {@code txns[i]} of this history
     */
    public ClientHistory restrictedTo(int[] txns) {
        int[] newTxnOf = new int[txnCount];
        Arrays.fill(newTxnOf, NOT_KEPT);
        for (int i = 0; i < txns.length; i++) {
            newTxnOf[txns[i]] = i;
        }
        int[] newKeyOf = new int[keyCount];
        Arrays.fill(newKeyOf, NOT_KEPT);
        Builder builder = new Builder();
        int session = NOT_KEPT;
        for (int txn : txns) {
            if (sessionOf[txn] != session) {
                session = sessionOf[txn];
                builder.beginSession();
            }
            builder.beginTxn(txnIdOf[txn]);
            for (int read = firstReadOf[txn]; read < firstReadOf[txn + 1]; read++) {
                int writer = writerOf[read] == INITIAL ? INITIAL : newTxnOf[writerOf[read]];
                if (writer != NOT_KEPT) {
                    builder.read(builder.renumber(newKeyOf, keyOfRead[read]), writer);
                }
            }
            for (int write = firstWriteOf[txn]; write < firstWriteOf[txn + 1]; write++) {
                builder.write(builder.renumber(newKeyOf, keyOfWrite[write]));
            }
        }
        int[] logKeys = new int[builder.keyCount];
        for (int key = 0; key < keyCount; key++) {
            if (newKeyOf[key] != NOT_KEPT) {
                logKeys[newKeyOf[key]] = logKeyOf[key];
            }
        }
        builder.logKeys(logKeys);
        builder.versions(restrictedVersions(newTxnOf, newKeyOf, builder.keyCount));
        builder.hints(restrictedHints(txns));
        if (observations != null) {
            BitSet partial = observations.answers.count == 0 ? new BitSet() : keysWrittenByOthers(newTxnOf);
            builder.observations(observations.restrictedTo(txns, newTxnOf, newKeyOf, key -> !partial.get(key)));
        }
        return builder.build();
    }

    /** Returns the keys that a transaction writes which is not kept. */
    private BitSet keysWrittenByOthers(int[] newTxnOf) {
        BitSet keys = new BitSet();
        for (int txn = 0; txn < txnCount; txn++) {
            for (int write = firstWriteOf[txn]; newTxnOf[txn] < 0 && write < firstWriteOf[txn + 1]; write++) {
                keys.set(keyOfWrite[write]);
            }
        }
        return keys;
    }

    /**
     * Returns the same transactions with a session for each, so that only their reads order them: Elle's PL-SI and PL-3
     * of this history are snapshot isolation and serializability of the result. Shares its arrays.
     */
    public ClientHistory withoutSessions() {
        Builder copy = copy();
        copy.sessionCount = txnCount;
        copy.firstTxnOf = IntStream.rangeClosed(0, txnCount).toArray();
        copy.sessionOf = IntStream.range(0, txnCount).toArray();
        return new ClientHistory(copy);
    }

    /**
     * Returns the same transactions, whose observations are reads of their nearest candidates by some numbers: a
     * possible history. Null if the order of reads and observations is unknown.
     */
    public @Nullable ClientHistory withNearestWriters(long[] numberOf) {
        if (observations.readsBefore.length == 0
                || observations.hasSums()
                || observations.answers.count > 0
                || observations.firstImpossibleTxn() >= 0) {
            return null;
        }
        Builder builder = new Builder().expect(txnCount, readCount + observations.count, writeCount);
        for (int txn = 0; txn < txnCount; txn++) {
            if (positionOf(txn) == 0) {
                builder.beginSession();
            }
            builder.beginTxn(txnIdOf[txn]);
            int observation = observations.firstOf[txn];
            int end = observations.firstOf[txn + 1];
            for (int read = firstReadOf[txn]; read <= firstReadOf[txn + 1]; read++) {
                for (;
                        observation < end && observations.readsBefore[observation] == read - firstReadOf[txn];
                        observation++) {
                    builder.read(observations.keyRead(observation), observations.nearest(observation, txn, numberOf));
                }
                if (read < firstReadOf[txn + 1]) {
                    builder.read(keyOfRead[read], writerOf[read]);
                }
            }
            for (int write = firstWriteOf[txn]; write < firstWriteOf[txn + 1]; write++) {
                builder.write(keyOfWrite[write]);
            }
        }
        builder.logKeys(logKeyOf);
        builder.firstVersionOf = firstVersionOf;
        builder.txnOfVersion = txnOfVersion;
        return builder.hints(hints).build();
    }

    /**
     * Returns the same transactions, which see further ones: sightsOf[firstSightOf[txn] .. firstSightOf[txn + 1]].
     * Shares the other arrays.
     */
    public ClientHistory withSights(int[] firstSightOf, int[] sightsOf) {
        Builder copy = copy();
        copy.firstReadOf = new int[txnCount + 1];
        copy.keyOfRead = new int[Math.addExact(readCount, sightsOf.length)];
        copy.writerOf = new int[copy.keyOfRead.length];
        int next = 0;
        for (int txn = 0; txn < txnCount; txn++) {
            copy.firstReadOf[txn] = next;
            for (int sight = firstSightOf[txn]; sight < firstSightOf[txn + 1]; sight++) {
                copy.keyOfRead[next] = NO_KEY;
                copy.writerOf[next++] = sightsOf[sight];
            }
            for (int read = firstReadOf[txn]; read < firstReadOf[txn + 1]; read++) {
                copy.keyOfRead[next] = keyOfRead[read];
                copy.writerOf[next++] = writerOf[read];
            }
        }
        copy.firstReadOf[txnCount] = next;
        return new ClientHistory(copy);
    }

    /** Returns a builder that shares the arrays, for a history with others of some. */
    private Builder copy() {
        Builder copy = new Builder();
        copy.sessionCount = sessionCount;
        copy.firstTxnOf = firstTxnOf;
        copy.txnCount = txnCount;
        copy.sessionOf = sessionOf;
        copy.txnIdOf = txnIdOf;
        copy.firstReadOf = firstReadOf;
        copy.keyOfRead = keyOfRead;
        copy.writerOf = writerOf;
        copy.firstWriteOf = firstWriteOf;
        copy.keyOfWrite = keyOfWrite;
        copy.keyCount = keyCount;
        copy.logKeyOf = logKeyOf;
        copy.firstVersionOf = firstVersionOf;
        copy.txnOfVersion = txnOfVersion;
        copy.hints = hints;
        copy.observations = observations;
        return copy;
    }

    /** Represents a writer that is not part of the history; distinct from {@link #INITIAL}. */
    private static final int NOT_KEPT = -2;

    private int @Nullable [][] restrictedVersions(int[] newTxnOf, int[] newKeyOf, int newKeyCount) {
        if (firstVersionOf == null) {
            return null;
        }
        int[][] versions = new int[newKeyCount][];
        for (int key = 0; key < keyCount; key++) {
            if (newKeyOf[key] == NOT_KEPT) {
                continue;
            }
            IntColumn kept = new IntColumn();
            for (int version = firstVersionOf[key]; version < firstVersionOf[key + 1]; version++) {
                int txn = newTxnOf[txnOfVersion[version]];
                if (txn != NOT_KEPT && (kept.size() == 0 || kept.get(kept.size() - 1) != txn)) {
                    kept.add(txn);
                }
            }
            int[] ofKey = new int[kept.size()];
            for (int i = 0; i < ofKey.length; i++) {
                ofKey[i] = kept.get(i);
            }
            versions[newKeyOf[key]] = ofKey;
        }
        return versions;
    }

    private long[][] restrictedHints(int[] txns) {
        long[][] restricted = new long[hints.length][txns.length];
        for (int hint = 0; hint < hints.length; hint++) {
            for (int i = 0; i < txns.length; i++) {
                restricted[hint][i] = hints[hint][txns[i]];
            }
        }
        return restricted;
    }

    /** Collects a history session by session, transaction by transaction, each one's reads and writes in between. */
    public static final class Builder {

        private int sessionCount;
        private int[] firstTxnOf = new int[16];
        private int txnCount;
        private int[] sessionOf = new int[16];
        private long[] txnIdOf = new long[16];
        private int[] firstReadOf = new int[16];
        private int[] keyOfRead = new int[64];
        private int[] writerOf = new int[64];
        private int readCount;
        private int[] firstWriteOf = new int[16];
        private int[] keyOfWrite = new int[64];
        private int writeCount;
        private int keyCount;
        private int[] logKeyOf;
        private int[] firstVersionOf;
        private int[] txnOfVersion;
        private long[][] hints = new long[0][];
        private @Nullable Observations observations;
        private final IntColumn observedTxns = new IntColumn();
        private final IntColumn observedSets = new IntColumn();
        private final IntColumn readsBefore = new IntColumn();

        /** Allocates arrays of the given sizes, which avoids growing. */
        public Builder expect(int txns, int reads, int writes) {
            sessionOf = Arrays.copyOf(sessionOf, Math.max(txns, sessionOf.length));
            txnIdOf = Arrays.copyOf(txnIdOf, Math.max(txns, txnIdOf.length));
            firstReadOf = Arrays.copyOf(firstReadOf, Math.max(txns + 1, firstReadOf.length));
            firstWriteOf = Arrays.copyOf(firstWriteOf, Math.max(txns + 1, firstWriteOf.length));
            keyOfRead = Arrays.copyOf(keyOfRead, Math.max(reads, keyOfRead.length));
            writerOf = Arrays.copyOf(writerOf, Math.max(reads, writerOf.length));
            keyOfWrite = Arrays.copyOf(keyOfWrite, Math.max(writes, keyOfWrite.length));
            return this;
        }

        public Builder beginSession() {
            if (sessionCount + 2 > firstTxnOf.length) {
                firstTxnOf = Arrays.copyOf(firstTxnOf, 2 * firstTxnOf.length);
            }
            firstTxnOf[sessionCount++] = txnCount;
            return this;
        }

        public Builder beginTxn(long txnId) {
            if (txnCount == sessionOf.length) {
                sessionOf = Arrays.copyOf(sessionOf, larger(txnCount));
                txnIdOf = Arrays.copyOf(txnIdOf, larger(txnCount));
            }
            if (txnCount + 2 > firstReadOf.length) {
                firstReadOf = Arrays.copyOf(firstReadOf, larger(txnCount) + 1);
                firstWriteOf = Arrays.copyOf(firstWriteOf, larger(txnCount) + 1);
            }
            sessionOf[txnCount] = sessionCount - 1;
            txnIdOf[txnCount] = txnId;
            firstReadOf[txnCount] = readCount;
            firstWriteOf[txnCount] = writeCount;
            txnCount++;
            return this;
        }

        /**
         * @param key or {@link #NO_KEY}
         * @param writer a transaction, which may be still to come, or {@link #INITIAL}
         */
        public Builder read(int key, int writer) {
            if (readCount == keyOfRead.length) {
                keyOfRead = Arrays.copyOf(keyOfRead, larger(readCount));
                writerOf = Arrays.copyOf(writerOf, larger(readCount));
            }
            keyOfRead[readCount] = key;
            writerOf[readCount++] = writer;
            keyCount = Math.max(keyCount, key + 1);
            return this;
        }

        /**
         * Returns the concatenation of several builders, each of whole sessions, whose writers are numbered as in the
         * whole.
         */
        static Builder joined(Builder[] builders) {
            if (builders.length == 1) {
                return builders[0];
            }
            int txns = 0;
            int reads = 0;
            int writes = 0;
            for (Builder builder : builders) {
                txns += builder.txnCount;
                reads += builder.readCount;
                writes += builder.writeCount;
            }
            Builder whole = new Builder().expect(txns, reads, writes);
            for (int i = 0; i < builders.length; i++) {
                whole.append(builders[i]);
                builders[i] = null;
            }
            return whole;
        }

        private void append(Builder next) {
            for (int session = 0; session < next.sessionCount; session++) {
                beginSession();
                firstTxnOf[sessionCount - 1] += next.firstTxnOf[session];
            }
            int sessionsBefore = sessionCount - next.sessionCount;
            System.arraycopy(next.txnIdOf, 0, txnIdOf, txnCount, next.txnCount);
            for (int txn = 0; txn < next.txnCount; txn++) {
                sessionOf[txnCount + txn] = sessionsBefore + next.sessionOf[txn];
                firstReadOf[txnCount + txn] = readCount + next.firstReadOf[txn];
                firstWriteOf[txnCount + txn] = writeCount + next.firstWriteOf[txn];
            }
            System.arraycopy(next.keyOfRead, 0, keyOfRead, readCount, next.readCount);
            System.arraycopy(next.writerOf, 0, writerOf, readCount, next.readCount);
            System.arraycopy(next.keyOfWrite, 0, keyOfWrite, writeCount, next.writeCount);
            for (int i = 0; i < next.observedSets.size(); i++) {
                observedTxns.add(txnCount + next.observedTxns.get(i));
                observedSets.add(next.observedSets.get(i));
                readsBefore.add(next.readsBefore.get(i));
            }
            txnCount += next.txnCount;
            readCount += next.readCount;
            writeCount += next.writeCount;
            keyCount = Math.max(keyCount, next.keyCount);
        }

        /** Adds a key that the transaction writes and has not added yet. */
        public Builder write(int key) {
            if (writeCount == keyOfWrite.length) {
                keyOfWrite = Arrays.copyOf(keyOfWrite, larger(writeCount));
            }
            keyOfWrite[writeCount++] = key;
            keyCount = Math.max(keyCount, key + 1);
            return this;
        }

        /** Adds an observation of the current transaction; its set is defined by {@link #candidates}. */
        Builder observation(int set) {
            observedTxns.add(txnCount - 1);
            observedSets.add(set);
            readsBefore.add(readCount - firstReadOf[txnCount - 1]);
            return this;
        }

        /** Defines the sets of the observations that were added. */
        Builder candidates(CandidateSets sets, Answers answers) {
            int[] firstOf = CountingSort.firstOf(observedTxns, txnCount);
            observations = sets.observations(firstOf, observedSets.toArray(), readsBefore.toArray(), answers);
            return this;
        }

        public Builder observations(@Nullable Observations ofAll) {
            observations = ofAll;
            return this;
        }

        /** Sets the number of each key in the operation log; by default the same number. */
        public Builder logKeys(int[] keys) {
            keyCount = Math.max(keyCount, keys.length);
            logKeyOf = keys;
            return this;
        }

        /** @param writersByKey the known order of versions; null where it is not known for a key, or for none */
        public Builder versions(int @Nullable [][] writersByKey) {
            if (writersByKey == null) {
                return this;
            }
            keyCount = Math.max(keyCount, writersByKey.length);
            int count = 0;
            for (int[] writers : writersByKey) {
                count += writers == null ? 0 : writers.length;
            }
            firstVersionOf = new int[keyCount + 1];
            txnOfVersion = new int[count];
            count = 0;
            for (int key = 0; key < keyCount; key++) {
                firstVersionOf[key] = count;
                if (key < writersByKey.length && writersByKey[key] != null) {
                    System.arraycopy(writersByKey[key], 0, txnOfVersion, count, writersByKey[key].length);
                    count += writersByKey[key].length;
                }
            }
            firstVersionOf[keyCount] = count;
            return this;
        }

        public Builder hints(long[][] numbersByTxn) {
            hints = numbersByTxn;
            return this;
        }

        public ClientHistory build() {
            firstTxnOf[sessionCount] = txnCount;
            firstReadOf[txnCount] = readCount;
            firstWriteOf[txnCount] = writeCount;
            if (logKeyOf == null) {
                logKeyOf = IntStream.range(0, keyCount).toArray();
            }
            return new ClientHistory(this);
        }

        private int renumber(int[] newKeyOf, int key) {
            if (key == NO_KEY) {
                return NO_KEY;
            }
            if (newKeyOf[key] == NOT_KEPT) {
                newKeyOf[key] = keyCount;
            }
            return newKeyOf[key];
        }

        private static int larger(int capacity) {
            return Math.max(16, capacity + (capacity >> 1));
        }
    }
}
