package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inference of the writer of every read, of the transactions that count as committed, and of reads that no order
 * explains.
 */
public final class ReadInference {

    /*
     * Definitions. An external read is one whose value the transaction did not write itself. An observation is a read
     * of a value that several transactions left, with these as candidates; a guard is one of the versions that satisfy
     * it.
     *
     * Algorithm.
     *
     *   1. Every write is entered into an index by (key, value).
     *   2. Unknown transactions that a committed transaction read from, directly or through other unknown ones, are promoted.
     *   3. Each committed transaction is processed once. Its operations are chained by key, so that for each read the
     *      transaction's previous operations on the key are available:
     *
     *        a register read after an own write returns that write, or is faulty
     *        a list read ends with the own appends so far, or is faulty; the elements before them are external
     *
     *      An external read names its writer by the value, a list read by its last element. A faulty read is counted and
     *      then ignored: its anomaly is reported with the cycles. The rest is a ClientHistory.
     *
     * Invariant. Reads of unknown transactions are never checked; they only determine which transactions are promoted.
     */

    private static final int NONE = -1;

    private final OperationLog log;
    private final boolean withEverySeenWriter;
    private final boolean trustsVersions;

    private final WriterIndex writers;
    private final KeyUse use;
    private final TxnOutcomes outcomes;
    private final TrunkWriters trunks;
    private final ParallelTasks helpers;
    private final boolean @Nullable [] isInitialDoubtful; // by key; null if it is for none
    private final Queue<Walk> walks = new ConcurrentLinkedQueue<>(); // one for each thread

    private CandidateSets candidates;
    private ClientHistory history;
    private int[] rowOf;
    private int[] ordinalOf;

    /**
     * @param withEverySeenWriter whether a list read names the writer of every element and not only of the last, which
     *     levels below prefix consistency need
     * @param trustsVersions whether version numbers give the order of versions
     */
    public ReadInference(ReadResolution reads, boolean withEverySeenWriter, boolean trustsVersions) {
        this.log = reads.log;
        this.withEverySeenWriter = withEverySeenWriter;
        this.trustsVersions = trustsVersions;
        this.writers = reads.writers;
        this.use = reads.use();
        this.outcomes = reads.outcomes();
        this.isInitialDoubtful = reads.doubtfulInitials();
        this.helpers = reads.helpers;
        this.trunks = new TrunkWriters(log, writers, use, helpers);
    }

    /** Infers the writers of all reads; required before any other method. */
    @SetsFields
    public ReadInference run() {
        SessionLayout layout = new SessionLayout(log);
        number(layout);
        candidates = CandidateSets.of(log, use, writers, outcomes, ordinalOf);
        ClientHistory.Builder builder = walk(layout);
        builder.candidates(candidates, new AnswerCollector(log, use, writers, outcomes, ordinalOf).collect(rowOf));
        builder.logKeys(IntStream.range(0, log.keyCount).toArray());
        builder.versions(new KnownOrders(log, writers, trunks, use, rowOf, ordinalOf).byKey(trustsVersions, helpers));
        builder.hints(OrderHints.of(log, rowOf, helpers));
        history = builder.build();
        return this;
    }

    // ---------------------------------------------------------------- results

    /** Returns the log whose keys the history names. */
    public OperationLog log() {
        return log;
    }

    public ClientHistory history() {
        return history;
    }

    /** Returns the row of the log that a transaction of the history is. */
    public int rowOf(int txn) {
        return rowOf[txn];
    }

    /** Returns whether a row is an unknown transaction that counts as committed. */
    public boolean isPromoted(int row) {
        return outcomes.isPromoted(row);
    }

    /**
     * Returns views of the log in which it is supposed which unknown transactions count; none if no read or guard is
     * open.
     */
    public Stream<OperationLog> withSupposedOutcomes() {
        return ambiguousReads() + openGuards() == 0 ? Stream.of() : outcomes.supposed();
    }

    /**
     * Returns a view of the log in which all transactions count that may have committed. A level that it violates is
     * violated for all outcomes of these; null if no read or guard is open.
     */
    public @Nullable OperationLog withOptionalTransactions() {
        OperationLog all = ambiguousReads() + openGuards() == 0 ? null : outcomes.optional();
        return all == null || !all.hasOptional() ? null : all;
    }

    public int promotedCount() {
        return outcomes.promotedCount();
    }

    /** Reads that no order of transactions can explain. */
    public long faultyReads() {
        return sumOfWalks(walk -> walk.faultyReads);
    }

    /**
     * Reads of transactions that count whose candidates are unknown: a transaction of unknown outcome wrote the value
     * or the initial value, or several transactions wrote the value and none left it to the reader.
     */
    public long ambiguousReads() {
        return sumOfWalks(walk -> walk.ambiguousReads);
    }

    /** Returns the number of guards that a transaction of unknown outcome may have satisfied. */
    public long openGuards() {
        return sumOfWalks(walk -> walk.openGuards);
    }

    /**
     * Returns the number of reads of committed transactions whose list contains only part of a transaction's appends,
     * for an unknown reason.
     */
    public long partialReads() {
        return sumOfWalks(walk -> walk.partialReads);
    }

    /** Returns the number of keys that are sets, counters without numbers, or used in two ways: reads do not identify writers. */
    public int unjudgedKeys() {
        return use.unjudgedCount();
    }

    // ---------------------------------------------------------------- pieces

    /** Processes all transactions, concurrently by groups of sessions; results are concatenated in their order. */
    private ClientHistory.Builder walk(SessionLayout layout) {
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), layout.sessionCount, layout.firstOf);
        int pieces = bounds.length - 1;
        ClientHistory.Builder[] builders = new ClientHistory.Builder[pieces];
        int ops = log.opCount / 2 / pieces;
        helpers.run(helpers.count(), pieces, () -> {
            Walk walk = new Walk();
            walks.add(walk);
            return piece -> {
                ClientHistory.Builder builder = new ClientHistory.Builder().expect(rowOf.length / pieces, ops, ops);
                builders[piece] = walk.addSessions(builder, layout, bounds[piece], bounds[piece + 1]);
            };
        });
        return ClientHistory.Builder.joined(builders);
    }

    private long sumOfWalks(ToLongFunction<Walk> counter) {
        return walks.stream().mapToLong(counter).sum();
    }

    // ---------------------------------------------------------------- before the transactions

    @SetsFields
    private void number(SessionLayout layout) {
        ordinalOf = new int[log.txnCount];
        IntColumn counted = new IntColumn();
        for (int row : layout.rows) {
            boolean counts = outcomes.isCounted(row);
            ordinalOf[row] = counts ? counted.size() : NONE;
            if (counts) {
                counted.add(row);
            }
        }
        rowOf = new int[counted.size()];
        for (int txn = 0; txn < rowOf.length; txn++) {
            rowOf[txn] = counted.get(txn);
        }
    }

    // ---------------------------------------------------------------- one transaction after the other

    /** Walks transactions of some sessions, on one thread. */
    private final class Walk {

        private final OwnOperations own = new OwnOperations(log);
        private final CandidateSets.OwnSums ownSums = new CandidateSets.OwnSums(log);
        private final TrunkWriters trunks = ReadInference.this.trunks.forThread();
        private final WriterIndex.Approach approach = writers.new Approach();
        private final IntOpenHashSet lastWritesKnown = new IntOpenHashSet(0); // writers whose last writes are known
        private final Long2IntOpenHashMap lastWrites = new Long2IntOpenHashMap(0); // by writer and key
        private long ambiguousReads;
        private long openGuards;
        private long partialReads;
        private long faultyReads;

        private ClientHistory.Builder builder;

        /** Returns the builder, to which the sessions have been added. */
        @SetsFields
        ClientHistory.Builder addSessions(ClientHistory.Builder to, SessionLayout layout, int first, int end) {
            builder = to;
            for (int session = first; session < end; session++) {
                boolean begun = false;
                for (int i = layout.firstOf[session]; i < layout.firstOf[session + 1]; i++) {
                    int row = layout.rows[i];
                    if (ordinalOf[row] == NONE) {
                        continue;
                    }
                    if (!begun) {
                        builder.beginSession();
                        begun = true;
                    }
                    addTxn(row);
                }
            }
            return builder;
        }

        private void addTxn(int row) {
            builder.beginTxn(log.txnId[row]);
            own.begin(row);
            ownSums.clear();
            boolean isReadJudged = !outcomes.isPromoted(row);
            approach.toReads(log.firstOpOf[row], log.firstOpOf[row + 1]);
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                own.take(op);
                int key = log.key[op];
                if (use.isSummed(key)) {
                    addSum(op, isReadJudged);
                }
                if (!use.isJudged(key)) {
                    continue;
                }
                if (OpKind.isGuard(log.kind[op])) {
                    if (isReadJudged && log.kind[op] != OpKind.COMPUTED) {
                        addGuard(op);
                    }
                } else if (!OpKind.isWrite(log.kind[op])) {
                    if (isReadJudged) {
                        addRead(row, op);
                    } else if ((outcomes.mayOthersCount() || outcomes.areSupposed()) && leavesOutcomesOpen(row, op)) {
                        ambiguousReads++;
                    }
                } else if (own.lastWriteBefore(op) == NONE) {
                    builder.write(key);
                }
            }
        }

        /** Returns whether a read, though not checked, leaves open which other transactions count. */
        private boolean leavesOutcomesOpen(int row, int op) {
            int length = log.lengthRead(op);
            for (int position = 0; position < length; position++) {
                if (leavesOutcomesOpenBySlot(row, trunks.slotOf(op, position))) {
                    return true;
                }
            }
            int written = own.lastWriteBefore(op);
            boolean isOwn = written != NONE && log.value[written] == log.value[op];
            int slot = log.kind[op] == OpKind.READ && !isOwn ? writers.find(log.key[op], log.value[op]) : NONE;
            return leavesOutcomesOpenBySlot(row, slot);
        }

        /** Where outcomes are supposed, a counted writer suffices: no other needs to count. */
        private boolean leavesOutcomesOpenBySlot(int row, int slot) {
            if (slot == NONE || !writers.isAmbiguous(slot)) {
                return false;
            }
            int set = candidates.setOf(writers.opOf(slot));
            return !outcomes.areSupposed() || candidates.countFor(set, ordinalOf[row]) == 0;
        }

        private void addRead(int row, int op) {
            switch (log.kind[op]) {
                case OpKind.READ_LIST -> addListRead(row, op);
                case OpKind.READ_NOTHING -> {
                    if (own.lastWriteBefore(op) != NONE) {
                        faultyReads++;
                    } else if (log.isDoubtful(op, isInitialDoubtful)) {
                        ambiguousReads++;
                    } else {
                        builder.read(log.key[op], ClientHistory.INITIAL);
                    }
                }
                default -> addRegisterRead(row, op);
            }
        }

        private void addRegisterRead(int row, int op) {
            int key = log.key[op];
            int written = own.lastWriteBefore(op);
            if (written != NONE && log.value[written] == log.value[op]) {
                return;
            }
            int slot = written == NONE ? writers.find(key, log.value[op]) : NONE;
            if (slot == NONE) { // no transaction wrote it, or it is not the last write
                faultyReads++;
                return;
            }
            int writer = writerRead(slot, op);
            if (writer == NONE) {
                addObservation(row, key, slot);
            } else if (writers.isAmbiguous(slot) && !isSound(op, writer, row)) {
                ambiguousReads++;
            } else if (writers.isAmbiguous(slot) || writers.originOf(slot, row) == ReadOrigin.FINAL) {
                builder.read(key, ordinalOf[writer]);
            } else {
                faultyReads++;
            }
        }

        /** Adds a read of a value that several wrote: of its only candidate, or an observation. */
        private void addObservation(int row, int key, int slot) {
            int set = candidates.setOf(writers.opOf(slot));
            int count = candidates.isOpen(set) ? 0 : candidates.countFor(set, ordinalOf[row]);
            if (count == 0) {
                ambiguousReads++;
            } else if (count == 1) {
                builder.read(key, candidates.firstFor(set, ordinalOf[row]));
            } else {
                builder.observation(set);
            }
        }

        /** Adds an increment of a counter, or a read of one as an observation. */
        private void addSum(int op, boolean isReadJudged) {
            long sum = ownSums.sumSeen(op);
            if (log.kind[op] == OpKind.INCREMENT && own.lastWriteBefore(op) == NONE) {
                builder.write(log.key[op]);
            } else if (sum != Observations.NO_SUM && isReadJudged) {
                int set = candidates.setOfSum(log.key[op], sum);
                openGuards += candidates.isOpen(set) ? 1 : 0;
                if (!candidates.isOpen(set)) {
                    builder.observation(set);
                }
            }
        }

        /** Adds a guard, as an observation, unless every version satisfies it. */
        private void addGuard(int op) {
            int set = candidates.setOfGuard(log, op);
            if (candidates.isOpen(set)) {
                openGuards++;
            } else if (!candidates.isTrue(set)) {
                builder.observation(set);
            }
        }

        /**
         * Returns whether a read may be of a transaction's final write. No transaction is accused because a source
         * names one of several writers.
         */
        private boolean isSound(int op, int writer, int row) {
            int left = lastWriteOf(writer, log.key[op]);
            return writer != row && ordinalOf[writer] != NONE && log.value[left] == log.value[op];
        }

        /**
         * Returns the last write of a key in a transaction that writes it; the writes of each transaction are collected
         * once.
         */
        private int lastWriteOf(int writer, int key) {
            if (lastWritesKnown.add(writer)) {
                for (int op = log.firstOpOf[writer]; op < log.firstOpOf[writer + 1]; op++) {
                    if (OpKind.isWrite(log.kind[op])) {
                        lastWrites.put((long) writer << Integer.SIZE | log.key[op], op);
                    }
                }
            }
            return lastWrites.get((long) writer << Integer.SIZE | key);
        }

        /** Returns the transaction that a read of a written value is from, or {@link #NONE} if it could be several. */
        private int writerRead(int slot, int op) {
            if (!writers.isAmbiguous(slot)) {
                return writers.txnOf(slot);
            }
            boolean isNamed = log.writerTxn != null && log.writerTxn[op] != HistorySlice.NONE;
            int named = isNamed ? writers.txnNamed(slot, log.writerTxn[op]) : NONE;
            return named == NONE || log.isOptional(named) ? NONE : named;
        }

        // ---------------------------------------------------------------- lists

        private void addListRead(int row, int op) {
            int key = log.key[op];
            int length = log.lists.length(log.value[op]);
            int external = length - own.appendsAtEnd(op);
            if (external > length) {
                faultyReads++;
                return;
            }
            if (hasElementsAtFault(row, op, external)) {
                return;
            }
            if (external == 0) {
                builder.read(key, ClientHistory.INITIAL);
                return;
            }
            int last = trunks.slotOf(op, external - 1);
            if (!writers.isFinal(writers.opOf(last))) {
                faultyReads++;
                return;
            }
            if (!trunks.isWhole(key, external)) {
                partialReads++;
                return;
            }
            if (withEverySeenWriter) {
                int before = NONE;
                for (int position = 0; position < external - 1; position++) {
                    int writer = writers.txnOf(trunks.slotOf(op, position));
                    if (writer != before) {
                        builder.read(ClientHistory.NO_KEY, ordinalOf[writer]);
                    }
                    before = writer;
                }
            }
            builder.read(key, ordinalOf[writers.txnOf(last)]);
        }

        private boolean hasElementsAtFault(int row, int op, int external) {
            boolean isPlain =
                    ListReads.isPrefixOfTrunk(log.value[op]) && external <= trunks.firstSuspectOf(log.key[op]);
            if (isPlain && !own.appendsTo(log.key[op])) {
                return isOutOfLine(op);
            }
            boolean isAmbiguous = false;
            boolean isPartial = false;
            for (int position = 0; position < external; position++) {
                int slot = trunks.slotOf(op, position);
                byte origin = writers.originOf(slot, row);
                if (origin == ReadOrigin.NOWHERE) {
                    faultyReads++;
                    return true;
                }
                if (writers.isAmbiguous(slot)) {
                    isAmbiguous = true; // its position in the list does not identify it either
                } else if (writers.isRepeated(slot) && (origin == ReadOrigin.OWN || !isWhole(op, external, slot))) {
                    isPartial = true;
                } else if (origin == ReadOrigin.OWN || origin == ReadOrigin.ABORTED) {
                    faultyReads++;
                    return true;
                }
            }
            ambiguousReads += isAmbiguous ? 1 : 0;
            partialReads += isPartial && !isAmbiguous ? 1 : 0;
            return isAmbiguous || isPartial || isOutOfLine(op);
        }

        /** Returns whether a list holds a value as often as the transaction appended it that did so more than once. */
        private boolean isWhole(int op, int external, int slot) {
            int key = log.key[op];
            long element = log.value[writers.opOf(slot)];
            int missing = 0;
            int writer = writers.txnOf(slot);
            for (int write = log.firstOpOf[writer]; write < log.firstOpOf[writer + 1]; write++) {
                boolean isIt = log.kind[write] == OpKind.APPEND && log.key[write] == key && log.value[write] == element;
                missing += isIt ? 1 : 0;
            }
            for (int position = 0; position < external; position++) {
                missing -= trunks.slotOf(op, position) == slot ? 1 : 0;
            }
            return missing == 0;
        }

        /** Returns whether a list contains an element twice that was appended once, or contradicts the longest list. */
        private boolean isOutOfLine(int op) {
            int repeated = repeatedElement(op);
            boolean isWrittenOnce = repeated != NONE
                    && (trunks.slotOf(op, repeated) == NONE || !writers.isRepeated(trunks.slotOf(op, repeated)));
            boolean isOut = isWrittenOnce || !ListReads.isPrefixOfTrunk(log.value[op]);
            faultyReads += isOut ? 1 : 0;
            return isOut;
        }

        private int repeatedElement(int op) {
            if (ListReads.isPrefixOfTrunk(log.value[op])) {
                int repeated = trunks.firstRepeatOf(log.key[op]);
                return repeated < (int) log.value[op] ? repeated : NONE;
            }
            int length = log.lists.length(log.value[op]);
            LongOpenHashSet distinct = new LongOpenHashSet(length);
            for (int position = 0; position < length; position++) {
                if (!distinct.add(log.lists.element(log.key[op], log.value[op], position))) {
                    return position;
                }
            }
            return NONE;
        }
    }
}
