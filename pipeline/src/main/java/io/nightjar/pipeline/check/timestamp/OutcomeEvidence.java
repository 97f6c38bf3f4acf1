package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evidence from reads on the outcome of unknown transactions, collected lane by lane, because only a lane contains the
 * writers of its keys' values; {@link #resolve} then determines for the whole history which of them count as committed.
 */
public final class OutcomeEvidence {

    /*
     * Layout. By value: a read of a value written by one unknown transaction, and by no committed one, requires that
     * writer.
     *
     *   promoted                      read by a committed transaction
     *   unknownReader, unknownWriter  read by a transaction that counts only if it is needed itself
     *   clauses                       one of several is needed: reader or NO_READER, count, ids
     *
     * By position: if a value was written more than once, the value alone does not determine the required writer. Then
     * ReadConstraintCollector records, for each level, the versions that each read could have observed at its position
     * in time.
     */

    /** The reader of a clause that a committed transaction makes. */
    static final long NO_READER = Long.MIN_VALUE;

    /**
     * Maximum size of the statements about positions; beyond it, keys with repeated values of unknown transactions are
     * not checked.
     */
    private static final int MAX_WORDS = 8 << 20;

    private final @Nullable String initialValue;
    final LongSet promoted = new LongOpenHashSet();
    final LongArrayList unknownReader = new LongArrayList();
    final LongArrayList unknownWriter = new LongArrayList();
    final LongArrayList clauses = new LongArrayList();
    final LongSet withoutTimestamps = new LongOpenHashSet();
    final LongSet ambiguousWriters = new LongOpenHashSet();
    final Map<IsolationLevel, LongArrayList> positionsOf = new EnumMap<>(IsolationLevel.class);
    private boolean lacksPositions;

    /** @param initialValue the text of the value that means the initial state as null does, or null */
    public OutcomeEvidence(@Nullable String initialValue) {
        this.initialValue = initialValue;
    }

    /** Collects reads of values that only unknown transactions wrote. */
    public void observe(Lane lane) {
        if (lane.hasUnknown()) {
            new LaneReads(lane, new UnknownWrites(lane)).collect();
        }
    }

    /** Returns whether a value of an unknown transaction was written again, so that positions must be observed too. */
    public boolean needsPositions() {
        return !ambiguousWriters.isEmpty();
    }

    /** Collects the versions that reads could have observed at their positions in time, at the requested levels. */
    public void observePositions(Lane lane, Iterable<IsolationLevel> levels) {
        if (!lane.hasUnknown()) {
            return;
        }
        UnknownWrites writes = new UnknownWrites(lane);
        for (IsolationLevel level : levels) {
            LongArrayList positions = positionsOf.computeIfAbsent(level, absent -> new LongArrayList());
            if (!lacksPositions) {
                new ReadConstraintCollector(lane, writes, level, initialValue, positions).collect();
            }
            dropPositionsIfTooMany(positions);
        }
    }

    private void dropPositionsIfTooMany(LongArrayList positions) {
        if (positions.size() > MAX_WORDS) {
            lacksPositions = true;
            positionsOf.values().forEach(LongArrayList::clear);
        }
    }

    /** Returns whether the statements about positions exceeded their maximum size. */
    boolean lacksPositions() {
        return lacksPositions;
    }

    /** Adds the evidence of another instance, from other lanes of the same history. */
    public void merge(OutcomeEvidence other) {
        promoted.addAll(other.promoted);
        unknownReader.addAll(other.unknownReader);
        unknownWriter.addAll(other.unknownWriter);
        clauses.addAll(other.clauses);
        withoutTimestamps.addAll(other.withoutTimestamps);
        ambiguousWriters.addAll(other.ambiguousWriters);
        lacksPositions |= other.lacksPositions;
        other.positionsOf.forEach((level, words) -> {
            LongArrayList positions = positionsOf.computeIfAbsent(level, absent -> new LongArrayList());
            if (!lacksPositions) {
                positions.addAll(words);
            }
            dropPositionsIfTooMany(positions);
        });
    }

    private record State(
            LongSet promoted,
            long[] unknownReader,
            long[] unknownWriter,
            long[] clauses,
            LongSet withoutTimestamps,
            LongSet ambiguousWriters,
            boolean lacksPositions,
            Map<IsolationLevel, long[]> positionsOf) {}

    /** Appends the evidence, so that lanes may be observed separately. */
    public void encode(ByteWriter to) {
        Map<IsolationLevel, long[]> positions = new EnumMap<>(IsolationLevel.class);
        positionsOf.forEach((level, words) -> positions.put(level, words.toLongArray()));
        ResultCodec.encode(
                new State(
                        promoted,
                        unknownReader.toLongArray(),
                        unknownWriter.toLongArray(),
                        clauses.toLongArray(),
                        withoutTimestamps,
                        ambiguousWriters,
                        lacksPositions,
                        positions),
                to);
    }

    /** Returns the evidence written by {@link #encode}, for merging. */
    public static OutcomeEvidence decode(ByteReader from) {
        State state = ResultCodec.decode(State.class, from);
        OutcomeEvidence reads = new OutcomeEvidence(null);
        reads.promoted.addAll(state.promoted);
        reads.unknownReader.addAll(LongArrayList.wrap(state.unknownReader));
        reads.unknownWriter.addAll(LongArrayList.wrap(state.unknownWriter));
        reads.clauses.addAll(LongArrayList.wrap(state.clauses));
        reads.withoutTimestamps.addAll(state.withoutTimestamps);
        reads.ambiguousWriters.addAll(state.ambiguousWriters);
        reads.lacksPositions = state.lacksPositions;
        state.positionsOf.forEach((level, words) -> reads.positionsOf.put(level, new LongArrayList(words)));
        return reads;
    }

    /** Returns who counts as committed at each level; final once every lane was observed. */
    public PromotedTxns resolve(Iterable<IsolationLevel> levels) {
        return new OutcomeResolver(this).resolve(levels);
    }

    /** One lane's reads of values written by unknown transactions. */
    private final class LaneReads {

        private final Lane lane;
        private final UnknownWrites writes;
        private final long initial;
        private final boolean @Nullable [] wroteInitial; // by key; null if no value means the initial state
        private final LongArrayList found = new LongArrayList();

        LaneReads(Lane lane, UnknownWrites writes) {
            this.lane = lane;
            this.writes = writes;
            boolean known = lane.knowsInitialValue(initialValue);
            this.initial = initialValue != null && known ? lane.initialValue(initialValue) : 0;
            this.wroteInitial = known ? lane.findWritersOf(initial) : null;
        }

        void collect() {
            withoutTimestamps.addAll(writes.unplacedWriters());
            ambiguousWriters.addAll(writes.ambiguousWriters(initial, wroteInitial));
            for (int txn = 0; txn < lane.txnCount(); txn++) {
                byte status = lane.status(txn);
                if (status == TxnStatus.ABORTED) {
                    continue;
                }
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    recordRead(txn, op, status == TxnStatus.COMMITTED);
                }
            }
        }

        private void recordRead(int txn, int op, boolean isCommitted) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            long code = lane.value().get(op);
            if (kind == LaneOp.READ || kind == LaneOp.OWN_OBSERVED) {
                boolean isInitial = wroteInitial != null && code == initial && !wroteInitial[key];
                if (!isInitial) {
                    recordReadOf(txn, writes.find(key, code), isCommitted);
                }
            } else if (kind == LaneOp.READ_LIST || kind == LaneOp.READ_LIST_LOOSE || kind == LaneOp.OWN_OBSERVED_LIST) {
                for (int at = 0; at < lane.lists().length(code); at++) {
                    recordReadOf(txn, writes.find(key, lane.lists().element(key, code, at)), isCommitted);
                }
            }
        }

        private void recordReadOf(int txn, int first, boolean isCommitted) {
            if (first == Lane.NONE || writes.isKnown(first)) {
                return;
            }
            found.clear();
            for (int entry = first; entry != Lane.NONE; entry = writes.next(entry)) {
                if (writes.txn(entry) == txn) {
                    return; // its own, as far as is known
                }
                long writer = lane.txnId().get(writes.txn(entry));
                if (!found.contains(writer)) {
                    found.add(writer);
                }
            }
            long reader = lane.txnId().get(txn);
            if (found.size() > 1) {
                clauses.add(isCommitted ? NO_READER : reader);
                clauses.add(found.size());
                clauses.addAll(found);
            } else if (isCommitted) {
                promoted.add(found.getLong(0));
            } else {
                unknownReader.add(reader);
                unknownWriter.add(found.getLong(0));
            }
        }
    }
}
