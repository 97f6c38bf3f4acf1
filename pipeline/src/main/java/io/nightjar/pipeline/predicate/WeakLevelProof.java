package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.StronglyConnected;
import io.nightjar.pipeline.primitive.LongOrdinals;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.EnumSet;
import java.util.Set;

/** Proves read committed, read atomic and causal of a history of tables by its versions; deletions are versions like others. */
final class WeakLevelProof {

    /*
     * Definitions. These levels require an order of commits that respects session order and reads, in which the version
     * read of a row is not older than any version of that row observed by its reader:
     *
     *   read committed   from transactions that it read from before
     *   read atomic      from transactions that it read from, and its predecessors in its session
     *   causal           from all transactions that precede it by these relations
     *
     * Algorithm. If session order, reads and the order of versions have no cycle, any order that respects them
     * satisfies the level, if the last such version is at or before the version read in the order of versions. If it is
     * not, another order of versions might satisfy the level, so it remains undecided.
     */

    /** Maximum size of the clocks; a larger history is not proved. */
    private static final long MAX_CLOCKS = 1L << 25;

    private static final long MAX_STEPS = 1L << 30;

    private final TableHistory history;
    private final TableVersions versions;
    private final int[] inSessions;
    private final int[] sessionOf; // by transaction, dense
    private final int[] rankIn; // by transaction, its position in its session
    private final int sessionCount;
    private final Long2IntOpenHashMap slotOf = new Long2IntOpenHashMap(); // by transaction and key, its final version
    private long steps;
    private int[][] clockOf = new int[0][]; // by transaction and session, how many transactions it has seen

    private WeakLevelProof(TableHistory history, TableVersions versions, int[] inSessions) {
        this.history = history;
        this.versions = versions;
        this.inSessions = inSessions;
        this.sessionOf = new int[history.txnCount];
        this.rankIn = new int[history.txnCount];
        LongOrdinals sessions = new LongOrdinals();
        for (int i = 0; i < inSessions.length; i++) {
            int txn = inSessions[i];
            boolean isNext = i > 0 && history.sessionId[inSessions[i - 1]] == history.sessionId[txn];
            sessionOf[txn] = sessions.ordinal(history.sessionId[txn]);
            rankIn[txn] = isNext ? rankIn[inSessions[i - 1]] + 1 : 0;
        }
        this.sessionCount = sessions.size();
        slotOf.defaultReturnValue(TableVersions.NOWHERE);
    }

    /** @param inSessions committed transactions by session and position */
    static Set<IsolationLevel> proved(TableHistory history, TableVersions versions, int[] inSessions) {
        Set<IsolationLevel> none = EnumSet.noneOf(IsolationLevel.class);
        WeakLevelProof seen = new WeakLevelProof(history, versions, inSessions);
        if (!seen.areKnown()) {
            return none;
        }
        Digraph order = seen.order();
        if (StronglyConnected.of(order).componentCount() > 0) {
            return none;
        }
        seen.addSlots();
        if (seen.isCausal(order)) {
            return EnumSet.of(IsolationLevel.CAUSAL, IsolationLevel.READ_ATOMIC, IsolationLevel.READ_COMMITTED);
        }
        if (seen.isReadFromUpTo(false)) {
            return EnumSet.of(IsolationLevel.READ_ATOMIC, IsolationLevel.READ_COMMITTED);
        }
        return seen.isReadFromUpTo(true) ? EnumSet.of(IsolationLevel.READ_COMMITTED) : none;
    }

    /**
     * Returns whether versions have an order, every outcome is known, every row read is one of a version that all may
     * see, and no predicate read has a result, which may depend on rows that it did not return.
     */
    private boolean areKnown() {
        for (int key = 0; key < history.keyCount(); key++) {
            if (!versions.isOrdered[key]) {
                return false;
            }
        }
        OwnWrites own = new OwnWrites(history, versions);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (versions.counts[txn] && history.status[txn] != TxnStatus.COMMITTED) {
                return false;
            }
            own.begin();
            for (int op = history.firstOpOf[txn]; versions.counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                byte kind = history.kind[op];
                boolean isRow = TableVersions.isRead(kind) || TableVersions.isWrite(kind) || OpKind.isPredicate(kind);
                boolean hasResult = OpKind.isPredicate(kind)
                        && (kind != OpKind.PREDICATE || history.rowCount(op) != TableHistory.NONE);
                if (!isRow || hasResult || isItemRead(op) && !isKnown(op, own)) {
                    return false;
                }
                own.take(op);
            }
        }
        return true;
    }

    private boolean isItemRead(int op) {
        return OpKind.isRead(history.kind[op]) && !OpKind.isPredicate(history.kind[op]);
    }

    private boolean isKnown(int op, OwnWrites own) {
        int slot = versions.slotOfRead(op);
        int written = own.of(history.key[op]);
        if (written >= 0) {
            return slot == written && history.value[op] == versions.valueOf(written);
        }
        int txn = slot < 0 ? TableHistory.NONE : versions.txnOf[slot];
        return slot == TableVersions.UNBORN || txn >= 0 && versions.isFinal[slot] && txn != history.txnOfOp(op);
    }

    /** Returns the graph of session order, reads, and the order of versions. */
    private Digraph order() {
        DigraphBuilder edges = DigraphBuilder.plain(history.txnCount);
        for (int i = 1; i < inSessions.length; i++) {
            if (sessionOf[inSessions[i - 1]] == sessionOf[inSessions[i]]) {
                edges.add(inSessions[i - 1], inSessions[i]);
            }
        }
        for (int key = 0; key < history.keyCount(); key++) {
            int before = versions.next(key, TableVersions.UNBORN);
            for (int slot = before; slot >= 0; slot = versions.next(key, slot)) {
                if (slot != before) {
                    edges.add(versions.txnOf[before], versions.txnOf[slot]);
                }
                before = slot;
            }
        }
        for (int txn : inSessions) {
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                int slot = isItemRead(op) ? versions.slotOfRead(op) : TableVersions.UNBORN;
                if (slot >= 0 && versions.txnOf[slot] != txn) {
                    edges.add(versions.txnOf[slot], txn);
                }
            }
        }
        return edges.build();
    }

    private void addSlots() {
        for (int slot = 0; slot < versions.opOf.length; slot++) {
            if (versions.isFinal[slot]) {
                slotOf.put(pair(versions.txnOf[slot], versions.keyOf(slot)), slot);
            }
        }
    }

    private static long pair(int txn, int key) {
        return (long) txn << 32 | key;
    }

    // ---------------------------------------------------------------- read committed, read atomic

    /** @param isInOrder whether only earlier reads of its transaction count for a read, and sessions do not */
    private boolean isReadFromUpTo(boolean isInOrder) {
        int[][] newest = isInOrder ? null : newestInSession();
        for (int txn : inSessions) {
            IntArrayList writers = new IntArrayList();
            for (int op = history.firstOpOf[txn]; !isInOrder && op < history.firstOpOf[txn + 1]; op++) {
                addWriter(txn, op, writers);
            }
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                if (isItemRead(op) && !isOwn(txn, op)) {
                    boolean isStale =
                            newest != null && newest[txn][op - history.firstOpOf[txn]] > versions.slotOfRead(op);
                    if (isStale || isNewerIn(writers, op)) {
                        return false;
                    }
                }
                if (isInOrder) {
                    addWriter(txn, op, writers);
                }
            }
        }
        return true;
    }

    private boolean isOwn(int txn, int op) {
        int slot = versions.slotOfRead(op);
        return slot >= 0 && versions.txnOf[slot] == txn;
    }

    private void addWriter(int txn, int op, IntArrayList writers) {
        int slot = isItemRead(op) ? versions.slotOfRead(op) : TableVersions.UNBORN;
        if (slot >= 0 && versions.txnOf[slot] != txn && !writers.contains(versions.txnOf[slot])) {
            writers.add(versions.txnOf[slot]);
        }
    }

    private boolean isNewerIn(IntArrayList writers, int op) {
        for (int i = 0; i < writers.size(); i++) {
            if (slotOf.get(pair(writers.getInt(i), history.key[op])) > versions.slotOfRead(op)) {
                return true;
            }
        }
        return false;
    }

    /** Returns, by transaction and operation, the greatest version of its key by those before it in its session. */
    private int[][] newestInSession() {
        int[][] newest = new int[history.txnCount][];
        Long2IntOpenHashMap last = new Long2IntOpenHashMap(); // by key
        last.defaultReturnValue(TableVersions.UNBORN);
        for (int i = 0; i < inSessions.length; i++) {
            int txn = inSessions[i];
            if (rankIn[txn] == 0) {
                last.clear();
            }
            int from = history.firstOpOf[txn];
            newest[txn] = new int[history.firstOpOf[txn + 1] - from];
            for (int op = from; op < history.firstOpOf[txn + 1]; op++) {
                newest[txn][op - from] = isItemRead(op) ? last.get(history.key[op]) : TableVersions.UNBORN;
            }
            for (int op = from; op < history.firstOpOf[txn + 1]; op++) {
                int slot = versions.slotOfWrite(op);
                if (slot >= 0 && versions.isFinal[slot]) {
                    last.put(history.key[op], Math.max(slot, last.get(history.key[op])));
                }
            }
        }
        return newest;
    }

    // ---------------------------------------------------------------- causal

    private boolean isCausal(Digraph order) {
        if ((long) history.txnCount * sessionCount > MAX_CLOCKS) {
            return false;
        }
        clockOf = new int[history.txnCount][];
        int[] before = new int[history.txnCount]; // its predecessor in its session, plus one
        for (int i = 1; i < inSessions.length; i++) {
            before[inSessions[i]] = rankIn[inSessions[i]] > 0 ? inSessions[i - 1] + 1 : 0;
        }
        for (int txn : TopologicalOrder.of(order)) {
            if (versions.counts[txn]) {
                clockOf[txn] = before[txn] > 0 ? clockOf[before[txn] - 1].clone() : new int[sessionCount];
                if (before[txn] > 0) {
                    see(txn, before[txn] - 1);
                }
                for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                    int slot = isItemRead(op) ? versions.slotOfRead(op) : TableVersions.UNBORN;
                    if (slot >= 0 && versions.txnOf[slot] != txn) {
                        see(txn, versions.txnOf[slot]);
                    }
                }
            }
        }
        for (int txn : inSessions) {
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                if (isItemRead(op) && !isOwn(txn, op) && hasSeenNewer(txn, op)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void see(int txn, int other) {
        int[] clock = clockOf[txn];
        for (int session = 0; session < sessionCount; session++) {
            clock[session] = Math.max(clock[session], clockOf[other][session]);
        }
        clock[sessionOf[other]] = Math.max(clock[sessionOf[other]], rankIn[other] + 1);
    }

    /** Returns whether a version after the version read is of a transaction that precedes the reader. */
    private boolean hasSeenNewer(int txn, int op) {
        int key = history.key[op];
        for (int slot = versions.next(key, versions.slotOfRead(op)); slot >= 0; slot = versions.next(key, slot)) {
            int writer = versions.txnOf[slot];
            steps++;
            if (steps > MAX_STEPS || writer != txn && clockOf[txn][sessionOf[writer]] > rankIn[writer]) {
                return true;
            }
        }
        return false;
    }
}
