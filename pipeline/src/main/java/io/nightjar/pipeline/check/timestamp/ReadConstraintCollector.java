package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.LaneOp;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Collector of the constraints that the reads of one lane impose on unknown transactions at their positions in time,
 * including transactions that cannot count without a conflict.
 */
final class ReadConstraintCollector {

    /*
     * Layout. The result is a sequence of numbers for the whole history, a series of statements:
     *
     *   REGISTER  length  base  items     operations on a register between two committed writes, in order of time:
     *       WRITE  id  value                an unknown transaction wrote
     *       READ   value  isInitial  n  ids a committed transaction read; ids of writers of the value without a position
     *   LIST  length  blocks  reads       the same for a list whose elements repeat, from its beginning:
     *       id or COMMITTED  n  elements    appends of one transaction
     *       blocksBefore  n  elements  n  ids
     *   OUT  id                           a committed read would have returned the transaction's append, and did not
     *   BAD  id                           it conflicts with a committed transaction, or commits before it starts
     *   PAIR  id  id                      the two conflict with each other
     *
     * Values are numbered within a statement; INITIAL is the initial state.
     *
     * Algorithm. A lane is replayed with all unknown transactions, each of which is optional.
     *
     * Cost. Only keys that unknown transactions wrote are replayed, so the size grows with their writes and with the
     * distinct values read after those.
     */

    static final int REGISTER = 1;
    static final int LIST = 2;
    static final int OUT = 3;
    static final int BAD = 4;
    static final int PAIR = 5;

    static final int WRITE = 0;
    static final int READ = 1;

    static final int INITIAL = -1;
    static final long COMMITTED = Long.MIN_VALUE;

    private final Lane lane;
    private final UnknownWrites writes;
    private final boolean isSerial;
    private final LongArrayList out;
    private final long initial;
    private final boolean @Nullable [] wroteInitial; // by key; null if no value means the initial state
    private final BitSet repeats;
    private final Int2ObjectMap<Register> registers = new Int2ObjectOpenHashMap<>();
    private final Int2ObjectMap<AppendedList> lists = new Int2ObjectOpenHashMap<>();

    ReadConstraintCollector(
            Lane lane, UnknownWrites writes, IsolationLevel level, @Nullable String initialValue, LongArrayList out) {
        this.lane = lane;
        this.writes = writes;
        this.isSerial = level == IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        this.out = out;
        boolean known = lane.knowsInitialValue(initialValue);
        this.initial = initialValue != null && known ? lane.initialValue(initialValue) : 0;
        this.wroteInitial = known ? lane.findWritersOf(initial) : null;
        this.repeats = writes.keysWithRepeats();
    }

    void collect() {
        lane.countEveryUnknown(true);
        EventOrder order = isSerial ? EventOrder.ofCommits(lane) : EventOrder.ofSnapshots(lane);
        for (int i = 0; i < order.count(); i++) {
            int event = order.events()[i];
            int txn = EventOrder.txn(event);
            int eventClass = EventOrder.eventClass(event);
            if (isSerial || eventClass == EventOrder.START || eventClass == EventOrder.AT_ONCE) {
                takeReads(txn);
            }
            if (isSerial || eventClass != EventOrder.START) {
                takeWrites(txn);
            }
        }
        registers.values().forEach(Register::flush);
        lists.values().forEach(AppendedList::flush);
        if (!isSerial) {
            findConflicts();
        }
        lane.countEveryUnknown(false);
    }

    private void takeReads(int txn) {
        if (lane.status(txn) != TxnStatus.COMMITTED || !lane.reads(txn)) {
            return;
        }
        for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            if (kind > LaneOp.READ_LIST || !isLookedAt(key)) {
                continue;
            }
            if (lane.isList(key)) {
                lists.computeIfAbsent(key, AppendedList::new).read(op);
            } else {
                registers.computeIfAbsent(key, Register::new).read(op);
            }
        }
    }

    private void takeWrites(int txn) {
        boolean isUnknown = lane.status(txn) == TxnStatus.UNKNOWN;
        for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            if (!LaneOp.isEffective(kind) || !isLookedAt(key)) {
                continue;
            }
            if (lane.isList(key)) {
                lists.computeIfAbsent(key, AppendedList::new).append(txn, op, isUnknown);
            } else {
                registers.computeIfAbsent(key, Register::new).write(txn, op, isUnknown);
            }
        }
    }

    private boolean isLookedAt(int key) {
        return writes.isWritten(key) && lane.isJudged(key);
    }

    /** Appends the ids of writers of a value that lack a position. */
    private void addUnplaced(int key, long value, LongArrayList to) {
        int first = writes.find(key, value);
        for (int entry = first; entry != Lane.NONE; entry = writes.next(entry)) {
            if (!lane.isPlaced(writes.txn(entry))) {
                to.add(lane.txnId().get(writes.txn(entry)));
            }
        }
    }

    // ---------------------------------------------------------------- registers

    /** Operations on a register since the last committed write. */
    private final class Register {

        private final int key;
        private final LongArrayList items = new LongArrayList();
        private final Long2IntOpenHashMap numberOf = new Long2IntOpenHashMap();
        private final LongArrayList unplaced = new LongArrayList();
        private int base = INITIAL;
        private int endOfReads; // items after the last read impose no constraint
        private int lastRead; // where the last item begins if it is a read, else NONE
        private boolean hasWrites;

        Register(int key) {
            this.key = key;
            lastRead = Lane.NONE;
        }

        private int number(long value) {
            int known = numberOf.getOrDefault(value, Lane.NONE);
            if (known == Lane.NONE) {
                known = numberOf.size();
                numberOf.put(value, known);
            }
            return known;
        }

        void write(int txn, int op, boolean isUnknown) {
            if (isUnknown) {
                items.add(WRITE);
                items.add(lane.txnId().get(txn));
                items.add(number(lane.value().get(op)));
                lastRead = Lane.NONE;
                hasWrites = true;
                return;
            }
            flush();
            base = number(lane.value().get(op));
        }

        void read(int op) {
            boolean isNull = lane.kind().get(op) != LaneOp.READ;
            long value = lane.value().get(op);
            boolean isInitial = isNull || wroteInitial != null && value == initial && !wroteInitial[key];
            int number = isNull ? INITIAL : number(value);
            unplaced.clear();
            if (!isNull) {
                addUnplaced(key, value, unplaced);
            }
            boolean isBase = base == INITIAL ? isInitial : base == number;
            if (!hasWrites && (isBase || unplaced.isEmpty())) {
                return;
            }
            if (lastRead != Lane.NONE && items.getLong(lastRead + 1) == number) {
                return;
            }
            lastRead = items.size();
            items.add(READ);
            items.add(number);
            items.add(isInitial ? 1 : 0);
            items.add(unplaced.size());
            items.addAll(unplaced);
            endOfReads = items.size();
        }

        void flush() {
            if (endOfReads > 0) {
                out.add(REGISTER);
                out.add(endOfReads + 1L);
                out.add(base);
                out.addAll(items.subList(0, endOfReads));
            }
            items.clear();
            numberOf.clear();
            endOfReads = 0;
            lastRead = Lane.NONE;
            hasWrites = false;
        }
    }

    // ---------------------------------------------------------------- lists

    /**
     * Elements appended to a list so far. If no element repeats, a read determines for each transaction whether it
     * counts.
     */
    private final class AppendedList {

        private final int key;
        private final boolean isRepeating;
        private final LongArrayList blocks = new LongArrayList();
        private final LongArrayList reads = new LongArrayList();
        private final LongArrayList unplaced = new LongArrayList();
        private int blockCount;
        private int readCount;
        private int lastBlock; // where the last block begins
        private int lastTxn = Lane.NONE;
        private final LongArrayList undetermined = new LongArrayList(); // id, first element

        AppendedList(int key) {
            this.key = key;
            this.isRepeating = repeats.get(key);
        }

        void append(int txn, int op, boolean isUnknown) {
            long element = lane.value().get(op);
            if (!isRepeating) {
                if (isUnknown && lane.kind().get(op) == LaneOp.APPEND) {
                    undetermined.add(lane.txnId().get(txn));
                    undetermined.add(element);
                }
                return;
            }
            if (txn != lastTxn) {
                lastTxn = txn;
                lastBlock = blocks.size();
                blockCount++;
                blocks.add(isUnknown ? lane.txnId().get(txn) : COMMITTED);
                blocks.add(0);
            }
            blocks.add(element);
            blocks.set(lastBlock + 1, blocks.getLong(lastBlock + 1) + 1);
        }

        void read(int op) {
            boolean isNull = lane.kind().get(op) != LaneOp.READ_LIST;
            long code = isNull ? 0 : lane.value().get(op);
            int length = isNull ? 0 : lane.lists().length(code);
            if (!isRepeating) {
                for (int i = 0; i < undetermined.size(); i += 2) {
                    if (!contains(code, length, undetermined.getLong(i + 1))) {
                        out.add(OUT);
                        out.add(undetermined.getLong(i));
                    }
                }
                undetermined.clear();
                return;
            }
            unplaced.clear();
            reads.add(blockCount);
            reads.add(length);
            for (int at = 0; at < length; at++) {
                long element = lane.lists().element(key, code, at);
                reads.add(element);
                addUnplaced(key, element, unplaced);
            }
            reads.add(unplaced.size());
            reads.addAll(unplaced);
            readCount++;
        }

        private boolean contains(long code, int length, long element) {
            for (int at = 0; at < length; at++) {
                if (lane.lists().element(key, code, at) == element) {
                    return true;
                }
            }
            return false;
        }

        void flush() {
            if (readCount > 0) {
                out.add(LIST);
                out.add(2L + blocks.size() + reads.size());
                out.add(blockCount);
                out.addAll(blocks);
                out.add(readCount);
                out.addAll(reads);
            }
        }
    }

    // ---------------------------------------------------------------- conflicts

    private void findConflicts() {
        Int2ObjectMap<Overlaps> overlapsOf = new Int2ObjectOpenHashMap<>();
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (!lane.writes(txn) || !lane.countsAsCommitted(txn) || !lane.isPlaced(txn)) {
                continue;
            }
            if (lane.startTs().get(txn) > lane.commitTs().get(txn)) {
                if (lane.status(txn) == TxnStatus.UNKNOWN) {
                    out.add(BAD);
                    out.add(lane.txnId().get(txn));
                }
                continue;
            }
            for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                int key = lane.key().get(op);
                if (SnapshotSweep.isFirstWrite(lane.kind().get(op)) && isLookedAt(key)) {
                    overlapsOf.computeIfAbsent(key, absent -> new Overlaps()).add(txn);
                }
            }
        }
        overlapsOf.values().forEach(Overlaps::find);
    }

    /** The writers of a key, to find the overlapping ones. */
    private final class Overlaps {

        private final LongArrayList unknown = new LongArrayList();
        private final LongArrayList committed = new LongArrayList();

        void add(int txn) {
            (lane.status(txn) == TxnStatus.UNKNOWN ? unknown : committed).add(txn);
        }

        void find() {
            unknown.sort((a, b) -> Long.compare(start(a), start(b)));
            committed.sort((a, b) -> Long.compare(start(a), start(b)));
            long[] latestCommit = new long[committed.size()];
            long[] commits = new long[committed.size()];
            for (int i = 0; i < commits.length; i++) {
                commits[i] = commit(committed.getLong(i));
                latestCommit[i] = i == 0 ? commits[i] : Math.max(latestCommit[i - 1], commits[i]);
            }
            Arrays.sort(commits);
            for (int i = 0; i < unknown.size(); i++) {
                long txn = unknown.getLong(i);
                int before = startingBefore(commit(txn));
                boolean overlaps = before > 0 && latestCommit[before - 1] > start(txn);
                if (overlaps || Arrays.binarySearch(commits, commit(txn)) >= 0) {
                    out.add(BAD);
                    out.add(lane.txnId().get((int) txn));
                }
                for (int j = i + 1; j < unknown.size() && start(unknown.getLong(j)) <= commit(txn); j++) {
                    long other = unknown.getLong(j);
                    boolean isOpen = start(other) < commit(txn) && start(txn) < commit(other);
                    if (isOpen || commit(other) == commit(txn)) {
                        out.add(PAIR);
                        out.add(lane.txnId().get((int) txn));
                        out.add(lane.txnId().get((int) other));
                    }
                }
            }
        }

        private int startingBefore(long ts) {
            int low = 0;
            int high = committed.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (start(committed.getLong(middle)) < ts) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private long start(long txn) {
            return lane.startTs().get((int) txn);
        }

        private long commit(long txn) {
            return lane.commitTs().get((int) txn);
        }
    }
}
