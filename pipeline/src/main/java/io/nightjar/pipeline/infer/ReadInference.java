package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds out who read what from whom, who counts as committed, and which reads nothing can explain. */
public final class ReadInference {

    /*
     * 1. Every write goes into a table by (key, value).
     * 2. Unknown transactions that a committed one read from, directly or through other unknown ones, count as committed.
     * 3. Each committed transaction is walked once. Its operations are chained by key, so that for each read the
     *    operations of its own on the key are at hand:
     *
     *      a register read after an own write returns that write, or is at fault (internal)
     *      a list read ends with the own appends so far, or is at fault; what stands before them is external
     *
     *    An external read names its writer by the value, a list read by its last element. Whatever is at fault is set
     *    down and takes no further part; what is left is a ClientHistory.
     *
     * The reads of unknown transactions are never judged and say nothing but whom to promote.
     *
     * Element positions of a key's trunk stand behind each other: position p of a key is firstElementOf[key] + p, and
     * slotOfElement leads from there into the table of writers.
     */

    private static final int NONE = -1;

    private static final byte REGISTER = 1;
    private static final byte LIST = 2;
    private static final byte OTHER = 4;

    private final OperationLog log;
    private final boolean withEverySeenWriter;
    private final boolean trustsVersions;
    private final int faultLimit;

    private final WriterTable writers;
    private final byte[] usesOf; // by key
    private final int[] firstElementOf;
    private final int[] slotOfElement;
    private final boolean[] isPromoted;
    private int promotedCount;

    private final List<ReadFault> faults = new ArrayList<>();
    private final Map<Anomaly, Long> faultCounts = new EnumMap<>(Anomaly.class);
    private final int[] faultedBy; // by key: the transaction, plus one, of which a read was found at fault last
    private long ambiguousReads;
    private int unjudgedKeys;

    private int[] firstSuspectOf; // by key, NONE where nobody asked
    private int[] firstRepeatOf; // by key, NONE where nobody asked
    private long[] isListed; // a bit for each write whose value stands in a trunk that was looked through

    private final int[] chainedBy; // by key: the transaction, plus one, whose operations latestOf tells of
    private final int[] latestOf; // by key: the latest operation
    private int[] previous = new int[64]; // by operation of the transaction: the one before on its key, or NONE

    private ClientHistory history;
    private int[] rowOf;
    private int[] ordinalOf;

    /**
     * @param withEverySeenWriter whether a list read names the writer of every element and not only of the last, which
     *     levels below prefix consistency need
     * @param trustsVersions whether version numbers give the order of versions
     * @param faultLimit how many faults are kept; their counts go on
     */
    public ReadInference(OperationLog log, boolean withEverySeenWriter, boolean trustsVersions, int faultLimit) {
        this.log = log;
        this.withEverySeenWriter = withEverySeenWriter;
        this.trustsVersions = trustsVersions;
        this.faultLimit = faultLimit;
        this.writers = new WriterTable(log);
        this.usesOf = usesOfKeys();
        this.firstElementOf = new int[log.keyCount + 1];
        this.slotOfElement = slotsOfElements();
        this.isPromoted = new boolean[log.txnCount];
        this.faultedBy = new int[log.keyCount];
        this.chainedBy = new int[log.keyCount];
        this.latestOf = new int[log.keyCount];
    }

    /** Does the work; afterwards everything below can be asked. */
    public ReadInference run() {
        noteDuplicates();
        promote();
        SessionLayout layout = new SessionLayout(log);
        number(layout);
        ClientHistory.Builder builder =
                new ClientHistory.Builder().expect(rowOf.length, log.opCount / 2, log.opCount / 2);
        int next = 0;
        for (int session = 0; session < layout.sessionCount; session++) {
            boolean begun = false;
            for (int i = layout.firstOf[session]; i < layout.firstOf[session + 1]; i++) {
                if (ordinalOf[layout.rows[i]] == NONE) {
                    continue;
                }
                if (!begun) {
                    builder.beginSession();
                    begun = true;
                }
                addTxn(builder, rowOf[next++]);
            }
        }
        builder.logKeys(identity(log.keyCount));
        builder.versions(versionOrders());
        builder.hints(hints());
        history = builder.build();
        return this;
    }

    // ---------------------------------------------------------------- what came out

    public ClientHistory history() {
        return history;
    }

    /** Row of the log that a transaction of the history is. */
    public int rowOf(int txn) {
        return rowOf[txn];
    }

    /** Whether a row is an unknown transaction that counts as committed. */
    public boolean isPromoted(int row) {
        return isPromoted[row];
    }

    public int promotedCount() {
        return promotedCount;
    }

    /** The first faults come upon. */
    public List<ReadFault> faults() {
        return Collections.unmodifiableList(faults);
    }

    /** Exact counts of the faults, kept or not: reads by transaction and key, repeated values by repetition. */
    public Map<Anomaly, Long> faultCounts() {
        return Collections.unmodifiableMap(faultCounts);
    }

    /** Reads of committed transactions whose value several transactions wrote. */
    public long ambiguousReads() {
        return ambiguousReads;
    }

    /** Keys used as sets, as counters or in two ways, whose reads say nothing here. */
    public int unjudgedKeys() {
        return unjudgedKeys;
    }

    // ---------------------------------------------------------------- before the transactions

    private byte[] usesOfKeys() {
        byte[] uses = new byte[log.keyCount];
        for (int op = 0; op < log.opCount; op++) {
            uses[log.key[op]] |= switch (log.kind[op]) {
                case OpKind.READ, OpKind.WRITE -> REGISTER;
                case OpKind.READ_LIST -> log.lists.length(log.value[op]) == 0 ? 0 : LIST;
                case OpKind.APPEND -> LIST;
                case OpKind.READ_NOTHING -> 0;
                default -> OTHER;
            };
        }
        for (byte use : uses) {
            unjudgedKeys += isJudged(use) ? 0 : 1;
        }
        return uses;
    }

    private static boolean isJudged(byte uses) {
        return uses == 0 || uses == REGISTER || uses == LIST;
    }

    private int[] slotsOfElements() {
        long total = 0;
        for (int key = 0; key < log.keyCount; key++) {
            firstElementOf[key] = (int) total;
            total += usesOf[key] == LIST ? log.lists.trunkLength(key) : 0;
            if (total > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("too many list elements: elements=" + total);
            }
        }
        firstElementOf[log.keyCount] = (int) total;
        int[] slots = new int[(int) total];
        for (int key = 0; key < log.keyCount; key++) {
            long[] trunk = log.lists.trunk(key);
            for (int i = firstElementOf[key]; i < firstElementOf[key + 1]; i++) {
                slots[i] = writers.find(key, trunk[i - firstElementOf[key]]);
            }
        }
        return slots;
    }

    private void noteDuplicates() {
        for (int duplicate = 0; duplicate < writers.duplicateCount(); duplicate++) {
            int op = writers.duplicateOp(duplicate);
            int first = writers.duplicatedOp(duplicate);
            int firstTxn = writers.txnOf(writers.find(log.key[op], log.value[op]));
            fault(Anomaly.DUPLICATE_WRITE, writers.duplicateTxn(duplicate), op, firstTxn, first, NONE);
        }
    }

    /** Closes "committed" over what committed transactions read from unknown ones. */
    private void promote() {
        boolean anyUnknown = false;
        for (int txn = 0; txn < log.txnCount; txn++) {
            anyUnknown |= log.status[txn] == TxnStatus.UNKNOWN;
        }
        if (!anyUnknown) {
            return;
        }
        IntColumn pending = new IntColumn();
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                promoteWritersReadBy(txn, pending);
            }
        }
        for (int i = 0; i < pending.size(); i++) {
            promoteWritersReadBy(pending.get(i), pending);
        }
        promotedCount = pending.size();
    }

    private void promoteWritersReadBy(int txn, IntColumn pending) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            if (log.kind[op] == OpKind.READ && usesOf[log.key[op]] == REGISTER) {
                int slot = writers.find(log.key[op], log.value[op]);
                if (slot != NONE && !writers.isAmbiguous(slot)) {
                    promote(writers.txnOf(slot), pending);
                }
            } else if (log.kind[op] == OpKind.READ_LIST && usesOf[log.key[op]] == LIST) {
                int length = log.lists.length(log.value[op]);
                for (int position = 0; position < length; position++) {
                    int slot = slotOf(op, position);
                    if (slot != NONE && !writers.isAmbiguous(slot)) {
                        promote(writers.txnOf(slot), pending);
                    }
                }
            }
        }
    }

    private void promote(int writer, IntColumn pending) {
        if (log.status[writer] == TxnStatus.UNKNOWN && !isPromoted[writer]) {
            isPromoted[writer] = true;
            pending.add(writer);
        }
    }

    private void number(SessionLayout layout) {
        ordinalOf = new int[log.txnCount];
        IntColumn counted = new IntColumn();
        for (int row : layout.rows) {
            boolean counts = log.status[row] == TxnStatus.COMMITTED || isPromoted[row];
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

    // ---------------------------------------------------------------- one transaction

    private void addTxn(ClientHistory.Builder builder, int row) {
        builder.beginTxn(log.txnId[row]);
        int first = log.firstOpOf[row];
        int count = log.firstOpOf[row + 1] - first;
        if (previous.length < count) {
            previous = new int[Math.max(count, 2 * previous.length)];
        }
        boolean isJudged = !isPromoted[row];
        for (int i = 0; i < count; i++) {
            int op = first + i;
            int key = log.key[op];
            boolean seen = chainedBy[key] == row + 1;
            previous[i] = seen ? latestOf[key] : NONE;
            chainedBy[key] = row + 1;
            latestOf[key] = op;
            byte kind = log.kind[op];
            if (OpKind.isWrite(kind)) {
                if (isJudged(usesOf[key]) && !wroteBefore(first, i)) {
                    builder.write(key);
                }
            } else if (isJudged && isJudged(usesOf[key])) {
                addRead(builder, row, op, i);
            }
        }
    }

    private boolean wroteBefore(int first, int i) {
        return lastOwnWrite(first, i) != NONE;
    }

    /** The last operation before {@code i} that wrote its key, or {@link #NONE}. */
    private int lastOwnWrite(int first, int i) {
        int before = previous[i];
        while (before != NONE && !OpKind.isWrite(log.kind[before])) {
            before = previous[before - first];
        }
        return before;
    }

    private void addRead(ClientHistory.Builder builder, int row, int op, int i) {
        switch (log.kind[op]) {
            case OpKind.READ_LIST -> addListRead(builder, row, op, i);
            case OpKind.READ_NOTHING -> {
                if (lastOwnWrite(log.firstOpOf[row], i) != NONE) {
                    readFault(Anomaly.INTERNAL, row, op, NONE, NONE);
                } else {
                    builder.read(log.key[op], ClientHistory.INITIAL);
                }
            }
            default -> addRegisterRead(builder, row, op, i);
        }
    }

    private void addRegisterRead(ClientHistory.Builder builder, int row, int op, int i) {
        int key = log.key[op];
        int own = lastOwnWrite(log.firstOpOf[row], i);
        if (own != NONE && log.value[own] == log.value[op]) {
            return;
        }
        int slot = writers.find(key, log.value[op]);
        if (own != NONE) {
            readFault(Anomaly.INTERNAL, row, op, slot, NONE);
            return;
        }
        if (slot == NONE) {
            readFault(Anomaly.GARBAGE_READ, row, op, NONE, NONE);
            return;
        }
        int writer = writerRead(slot, op);
        if (writer == NONE) {
            ambiguousReads++;
        } else if (writer == row) {
            readFault(Anomaly.FUTURE_READ, row, op, slot, NONE);
        } else if (log.status[writer] == TxnStatus.ABORTED) {
            readFault(Anomaly.G1A, row, op, slot, NONE);
        } else if (!isFinalValue(slot, writer)) {
            readFault(Anomaly.G1B, row, op, slot, NONE);
        } else {
            builder.read(key, ordinalOf[writer]);
        }
    }

    /** The transaction that a read of a written value is from, or {@link #NONE} if it could be several. */
    private int writerRead(int slot, int op) {
        if (!writers.isAmbiguous(slot)) {
            return writers.txnOf(slot);
        }
        boolean isNamed = log.writerTxn != null && log.writerTxn[op] != HistorySlice.NONE;
        return isNamed ? writers.txnNamed(slot, log.writerTxn[op]) : NONE;
    }

    /** A value that its transaction wrote twice stands in the table with the later of its writes. */
    private boolean isFinalValue(int slot, int writer) {
        return writers.txnOf(slot) != writer || writers.isFinal(writers.opOf(slot));
    }

    // ---------------------------------------------------------------- lists

    private void addListRead(ClientHistory.Builder builder, int row, int op, int i) {
        int key = log.key[op];
        int length = log.lists.length(log.value[op]);
        int external = length - ownAppendsAtEnd(row, op, i, length);
        if (external > length) {
            readFault(Anomaly.INTERNAL, row, op, NONE, NONE);
            return;
        }
        if (hasElementsAtFault(row, op, external)) {
            return;
        }
        if (external == 0) {
            builder.read(key, ClientHistory.INITIAL);
            return;
        }
        if (withEverySeenWriter) {
            int before = NONE;
            for (int position = 0; position < external - 1; position++) {
                int writer = writers.txnOf(slotOf(op, position));
                if (writer != before) {
                    builder.read(ClientHistory.NO_KEY, ordinalOf[writer]);
                }
                before = writer;
            }
        }
        int last = slotOf(op, external - 1);
        if (!writers.isFinal(writers.opOf(last))) {
            readFault(Anomaly.G1B, row, op, last, external - 1);
            return;
        }
        builder.read(key, ordinalOf[writers.txnOf(last)]);
    }

    /** How many own appends precede a list read and stand at its end, or -1 if they do not stand there. */
    private int ownAppendsAtEnd(int row, int op, int i, int length) {
        int first = log.firstOpOf[row];
        int found = 0;
        for (int own = lastOwnWrite(first, i); own != NONE; own = lastOwnWrite(first, own - first)) {
            found++;
            if (found > length || log.lists.element(log.key[op], log.value[op], length - found) != log.value[own]) {
                return -1;
            }
        }
        return found;
    }

    private boolean hasElementsAtFault(int row, int op, int external) {
        boolean isPlain = ListReads.isPrefixOfTrunk(log.value[op]) && external <= firstSuspectOf(log.key[op]);
        if (isPlain && !appendsTo(row, log.key[op])) {
            return isOutOfLine(row, op);
        }
        long ambiguousBefore = ambiguousReads;
        for (int position = 0; position < external; position++) {
            int slot = slotOf(op, position);
            if (slot == NONE) {
                readFault(Anomaly.GARBAGE_READ, row, op, NONE, position);
                return true;
            }
            int writer = writers.txnOf(slot);
            if (writers.isRepeated(slot)) {
                ambiguousReads = ambiguousBefore + 1; // its place in the list tells nothing either
            } else if (writer == row) {
                boolean isLater = writers.opOf(slot) > op;
                readFault(isLater ? Anomaly.FUTURE_READ : Anomaly.INTERNAL, row, op, slot, position);
                return true;
            } else if (log.status[writer] == TxnStatus.ABORTED) {
                readFault(Anomaly.G1A, row, op, slot, position);
                return true;
            }
        }
        return ambiguousReads > ambiguousBefore || isOutOfLine(row, op);
    }

    private boolean appendsTo(int row, int key) {
        for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
            if (log.key[op] == key && log.kind[op] == OpKind.APPEND) {
                return true;
            }
        }
        return false;
    }

    /** Position of the first element of a trunk whose writer is not one committed or promoted transaction; or its end. */
    private int firstSuspectOf(int key) {
        if (firstSuspectOf == null) {
            firstSuspectOf = new int[log.keyCount];
            Arrays.fill(firstSuspectOf, NONE);
        }
        if (firstSuspectOf[key] == NONE) {
            int at = firstElementOf[key];
            while (at < firstElementOf[key + 1]
                    && slotOfElement[at] != NONE
                    && !writers.isAmbiguous(slotOfElement[at])
                    && log.status[writers.txnOf(slotOfElement[at])] != TxnStatus.ABORTED) {
                at++;
            }
            firstSuspectOf[key] = at - firstElementOf[key];
        }
        return firstSuspectOf[key];
    }

    /** Whether a list repeats an element or contradicts the longest one that was read of its key. */
    private boolean isOutOfLine(int row, int op) {
        long value = log.value[op];
        int repeated = repeatedElement(op);
        boolean isWrittenOnce =
                repeated != NONE && (slotOf(op, repeated) == NONE || !writers.isRepeated(slotOf(op, repeated)));
        if (isWrittenOnce) {
            readFault(Anomaly.DUPLICATE_ELEMENTS, row, op, slotOf(op, repeated), repeated);
            return true;
        }
        if (!ListReads.isPrefixOfTrunk(value)) {
            readFault(Anomaly.INCOMPATIBLE_ORDER, row, op, NONE, NONE);
            return true;
        }
        return false;
    }

    private int repeatedElement(int op) {
        if (ListReads.isPrefixOfTrunk(log.value[op])) {
            int repeated = firstRepeatOf(log.key[op]);
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

    /** Position of the first element of a trunk that occurred before in it; beyond its end if there is none. */
    private int firstRepeatOf(int key) {
        if (firstRepeatOf == null) {
            firstRepeatOf = new int[log.keyCount];
            isListed = new long[(log.opCount >>> 6) + 1];
            Arrays.fill(firstRepeatOf, NONE);
        }
        if (firstRepeatOf[key] == NONE) {
            firstRepeatOf[key] = firstRepeatIn(key, log.lists.trunkLength(key));
        }
        return firstRepeatOf[key];
    }

    /** An element that somebody wrote has one slot, so that a mark for each write tells; others are compared. */
    private int firstRepeatIn(int key, int length) {
        LongOpenHashSet unwritten = new LongOpenHashSet(0);
        for (int position = 0; position < length; position++) {
            int slot = slotOfElement[firstElementOf[key] + position];
            boolean isNew;
            if (slot == NONE) {
                isNew = unwritten.add(log.lists.trunk(key)[position]);
            } else {
                int op = writers.opOf(slot);
                isNew = (isListed[op >>> 6] & 1L << op) == 0;
                isListed[op >>> 6] |= 1L << op;
            }
            if (!isNew) {
                return position;
            }
        }
        return length;
    }

    /** Who appended an element of a list read: a slot of the table of writers, or {@link #NONE}. */
    private int slotOf(int op, int position) {
        int key = log.key[op];
        long value = log.value[op];
        return ListReads.isPrefixOfTrunk(value)
                ? slotOfElement[firstElementOf[key] + position]
                : writers.find(key, log.lists.element(key, value, position));
    }

    // ---------------------------------------------------------------- orders

    /** Writers of each key in the order of its versions, where it is known; null if it is for no key. */
    private int[][] versionOrders() {
        int[][] orders = trustsVersions && log.version != null ? ordersByVersion() : null;
        for (int key = 0; key < log.keyCount; key++) {
            if (firstElementOf[key] < firstElementOf[key + 1]) {
                orders = orders == null ? new int[log.keyCount][] : orders;
                orders[key] = orderOfTrunk(key);
            }
        }
        return orders;
    }

    private int[] orderOfTrunk(int key) {
        int[] order = new int[firstElementOf[key + 1] - firstElementOf[key]];
        int count = 0;
        for (int i = firstElementOf[key]; i < firstElementOf[key + 1]; i++) {
            int slot = slotOfElement[i];
            if (slot == NONE || writers.isAmbiguous(slot)) {
                continue;
            }
            int txn = ordinalOf[writers.txnOf(slot)];
            if (txn != NONE && (count == 0 || order[count - 1] != txn)) {
                order[count++] = txn;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Keys of which every counted write carries a version number of its own. */
    private int[][] ordersByVersion() {
        int[] countOf = new int[log.keyCount];
        boolean[] isIncomplete = new boolean[log.keyCount];
        for (int row : rowOf) {
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                if (log.kind[op] == OpKind.WRITE && writers.isFinal(op)) {
                    countOf[log.key[op]]++;
                    isIncomplete[log.key[op]] |= log.version[op] == HistorySlice.NONE;
                }
            }
        }
        long[][] versionsOf = new long[log.keyCount][];
        int[][] orders = new int[log.keyCount][];
        int[] filled = new int[log.keyCount];
        for (int txn = 0; txn < rowOf.length; txn++) {
            for (int op = log.firstOpOf[rowOf[txn]]; op < log.firstOpOf[rowOf[txn] + 1]; op++) {
                int key = log.key[op];
                if (log.kind[op] == OpKind.WRITE && writers.isFinal(op) && !isIncomplete[key]) {
                    if (versionsOf[key] == null) {
                        versionsOf[key] = new long[countOf[key]];
                        orders[key] = new int[countOf[key]];
                    }
                    versionsOf[key][filled[key]] = log.version[op];
                    orders[key][filled[key]++] = txn;
                }
            }
        }
        for (int key = 0; key < log.keyCount; key++) {
            if (orders[key] != null) {
                orders[key] = inOrder(versionsOf[key], orders[key]);
            }
        }
        return orders;
    }

    private static int[] inOrder(long[] versions, int[] txns) {
        RadixSort.sort(versions, txns, txns.length);
        for (int i = 1; i < txns.length; i++) {
            if (versions[i] == versions[i - 1]) {
                return null; // two versions of one number: the source contradicts itself
            }
        }
        return txns;
    }

    /** Commit timestamps and completion times, the order of the rows, of ids, and of values, which are often counted up. */
    private long[][] hints() {
        List<long[]> hints = new ArrayList<>();
        for (long[] column : Arrays.asList(log.commitTs, log.completeNs)) {
            if (column != null) {
                hints.add(ofHistory(column));
            }
        }
        long[] rows = new long[rowOf.length];
        for (int txn = 0; txn < rows.length; txn++) {
            rows[txn] = rowOf[txn];
        }
        hints.add(rows);
        hints.add(ids());
        hints.add(largestValues());
        return hints.toArray(new long[0][]);
    }

    private long[] ids() {
        long[] ids = new long[rowOf.length];
        for (int txn = 0; txn < ids.length; txn++) {
            ids[txn] = log.txnId[rowOf[txn]];
        }
        return ids;
    }

    /** The largest value that each transaction wrote, or read if it wrote none. */
    private long[] largestValues() {
        long[] numbers = new long[rowOf.length];
        for (int txn = 0; txn < numbers.length; txn++) {
            long written = Long.MIN_VALUE;
            long read = Long.MIN_VALUE;
            for (int op = log.firstOpOf[rowOf[txn]]; op < log.firstOpOf[rowOf[txn] + 1]; op++) {
                if (OpKind.isWrite(log.kind[op])) {
                    written = Math.max(written, log.value[op]);
                } else if (log.kind[op] == OpKind.READ) {
                    read = Math.max(read, log.value[op]);
                }
            }
            numbers[txn] = written == Long.MIN_VALUE ? read : written;
        }
        return numbers;
    }

    /** A transaction without a number comes last. */
    private long[] ofHistory(long[] column) {
        long[] numbers = new long[rowOf.length];
        for (int txn = 0; txn < numbers.length; txn++) {
            long number = column[rowOf[txn]];
            numbers[txn] = number == HistorySlice.NONE ? Long.MAX_VALUE : number;
        }
        return numbers;
    }

    private static int[] identity(int count) {
        int[] identity = new int[count];
        for (int i = 0; i < count; i++) {
            identity[i] = i;
        }
        return identity;
    }

    // ---------------------------------------------------------------- faults

    /** Counted once for each transaction and key. */
    private void readFault(Anomaly anomaly, int row, int op, int slot, int element) {
        if (faultedBy[log.key[op]] == row + 1) {
            return;
        }
        faultedBy[log.key[op]] = row + 1;
        int writer = slot == NONE ? NONE : writers.txnOf(slot);
        fault(anomaly, row, op, writer, slot == NONE ? NONE : writers.opOf(slot), element);
    }

    private void fault(Anomaly anomaly, int txn, int op, int otherTxn, int otherOp, int element) {
        faultCounts.merge(anomaly, 1L, Long::sum);
        if (faults.size() < faultLimit) {
            faults.add(new ReadFault(anomaly, txn, op, otherTxn, otherOp, element));
        }
    }
}
