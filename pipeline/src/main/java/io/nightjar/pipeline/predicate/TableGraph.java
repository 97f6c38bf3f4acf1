package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import java.util.Arrays;

/** Adya's dependencies between the transactions of a history of tables, through rows and through predicates. */
final class TableGraph {

    /*
     * Of a predicate read and a key, its version set says which version was looked at. The last change of the matches at or
     * before that version gives a predicate wr, the first one behind it a predicate rw; farther ones follow by ww. Where
     * several versions are possible, the wr from the least of these last changes and the rw to the greatest of these first
     * ones are true of all of them.
     */

    static final int WW = 1;
    static final int WR = 2;
    static final int RW = 4;
    static final int PREDICATE_WR = 8;
    static final int PREDICATE_RW = 16;
    static final int SESSION = 32;
    static final int ITEM = WW | WR | RW;
    static final int ALL = ITEM | PREDICATE_WR | PREDICATE_RW;

    /** Told of reads that no dependency can be made of. */
    interface Faults {

        /** The version read is of a transaction that does not count, or one that its writer replaced. */
        void oddRead(int txn, int op, int slot);

        /** No version of a key fails the predicate, and none was returned. */
        void miss(int txn, int op, int key);

        /** What the transaction itself wrote matches, and was not returned. */
        void ownMissed(int txn, int op, int key, int own);

        /** A row was returned that does not match. */
        void noMatch(int txn, int op, int row);
    }

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateDoubts doubts;
    private final PredicateMatches matches;
    private final Faults faults;
    private final DigraphBuilder edges;
    private final boolean usesSnapshots;

    private int edgeCount;
    int[] opOf = new int[256]; // by label: the operation that reads, or that writes the later version
    int[] fromSlotOf = new int[256]; // by label: the version read or replaced
    int[] toSlotOf = new int[256]; // by label: the later version

    private int wrSlot; // of the predicate and key looked at last
    private int rwSlot;

    private TableGraph(
            TableHistory history,
            TableVersions versions,
            PredicateDoubts doubts,
            boolean usesSnapshots,
            Faults faults) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
        this.matches = new PredicateMatches(history, versions, doubts);
        this.faults = faults;
        this.usesSnapshots = usesSnapshots && versions.areTimestampsComplete;
        this.edges = DigraphBuilder.withKindsAndLabels(history.txnCount);
    }

    static TableGraph of(
            TableHistory history,
            TableVersions versions,
            PredicateDoubts doubts,
            boolean usesSnapshots,
            Faults faults) {
        TableGraph graph = new TableGraph(history, versions, doubts, usesSnapshots, faults);
        graph.addVersions();
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED) {
                graph.addReads(txn);
            }
        }
        return graph;
    }

    /** @param order sessions, null if their order does not matter: transactions by session and position */
    Digraph build(int[] order) {
        for (int i = 1; order != null && i < order.length; i++) {
            int before = order[i - 1];
            int txn = order[i];
            if (history.sessionId[before] == history.sessionId[txn]) {
                add(before, txn, SESSION, TableHistory.NONE, TableVersions.NOWHERE, TableVersions.NOWHERE);
            }
        }
        return edges.build();
    }

    /** The same without session order; asked before {@link #build} adds that. */
    Digraph buildWithoutSessions() {
        return edges.build();
    }

    private void add(int from, int to, int kind, int op, int fromSlot, int toSlot) {
        if (from == to) {
            return;
        }
        if (edgeCount == opOf.length) {
            opOf = Arrays.copyOf(opOf, 2 * edgeCount);
            fromSlotOf = Arrays.copyOf(fromSlotOf, 2 * edgeCount);
            toSlotOf = Arrays.copyOf(toSlotOf, 2 * edgeCount);
        }
        opOf[edgeCount] = op;
        fromSlotOf[edgeCount] = fromSlot;
        toSlotOf[edgeCount] = toSlot;
        edges.add(from, to, kind, edgeCount++);
    }

    private void addVersions() {
        for (int key = 0; key < history.keyCount(); key++) {
            int from = versions.firstOf[key];
            int to = versions.firstOf[key + 1];
            if (!versions.isOrdered[key]) {
                doubts.add(
                        "nothing orders the versions of a key: key=" + history.keyName(key),
                        history.placeOf(versions.txnOf[from]));
                continue;
            }
            int last = TableVersions.UNBORN;
            for (int slot = from; slot < to; slot++) {
                if (versions.isFinal[slot]) {
                    if (last >= 0) {
                        add(versions.txnOf[last], versions.txnOf[slot], WW, versions.opOf[slot], last, slot);
                    }
                    last = slot;
                }
            }
        }
    }

    // ---------------------------------------------------------------- reads

    private void addReads(int txn) {
        boolean wrote = false;
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            byte kind = history.kind[op];
            if (OpKind.isPredicate(kind)) {
                addPredicate(txn, op, wrote);
            } else if (OpKind.isRead(kind)) {
                addRead(txn, op, wrote);
            } else if (OpKind.isWrite(kind) && !TableVersions.isWrite(kind)) {
                doubts.add("lists, sets and counters beside rows of tables", history.placeOf(txn));
            }
            wrote |= TableVersions.isWrite(kind);
        }
    }

    private void addRead(int txn, int op, boolean wrote) {
        int key = history.key[op];
        boolean isOwn = wrote && versions.ownBefore(txn, key, op) >= 0;
        int slot = versionSeen(txn, op, history.startTs[txn]);
        if (isOdd(txn, slot)) {
            faults.oddRead(txn, op, slot);
            return;
        }
        if (isOwn) {
            return; // judged beside
        }
        if (slot == TableVersions.UNKNOWN) {
            doubts.add("several versions have the value read: key=" + history.keyName(key), history.placeOf(txn));
            return;
        }
        if (slot >= 0) {
            add(versions.txnOf[slot], txn, WR, op, slot, slot);
        }
        int next = versions.isOrdered[key] ? versions.nextByOthers(key, slot, txn) : TableVersions.NOWHERE;
        if (next >= 0) {
            add(txn, versions.txnOf[next], RW, op, slot, next);
        }
    }

    /** Whether a version is one that only its writer may see. */
    private boolean isOdd(int txn, int slot) {
        return slot == TableVersions.NOWHERE || slot >= 0 && !versions.isFinal[slot] && versions.txnOf[slot] != txn;
    }

    /** What a look saw, by its snapshot where its value is that of several versions. */
    private int versionSeen(int txn, int op, long snapshot) {
        int slot = versions.slotOfRead(op);
        if (slot == TableVersions.UNKNOWN && usesSnapshots) {
            int shown = versions.atSnapshot(history.key[op], snapshot, txn);
            return versions.valueOf(shown) == history.value[op] ? shown : slot;
        }
        return slot;
    }

    private void addPredicate(int txn, int op, boolean wrote) {
        if (!matches.begin(txn, op)) {
            return;
        }
        long snapshot = history.readTs[op] != TableHistory.NO_NUMBER ? history.readTs[op] : history.startTs[txn];
        boolean hasSnapshot = usesSnapshots && snapshot != TableHistory.NO_NUMBER;
        if (!matches.areRowsKnown() && !hasSnapshot) {
            doubts.add("predicate read with neither rows nor a snapshot", history.placeOf(txn));
            return;
        }
        try {
            for (int key : history.keysOf(op)) {
                addPredicate(txn, op, key, wrote, hasSnapshot, snapshot);
            }
        } catch (ConditionException fault) {
            matches.noteFault(txn, fault);
        }
    }

    private void addPredicate(int txn, int op, int key, boolean wrote, boolean hasSnapshot, long snapshot) {
        if (!versions.isOrdered[key]) {
            return; // noted with the key
        }
        int own = wrote ? versions.ownBefore(txn, key, op) : TableVersions.NOWHERE;
        int row = matches.rowOf(key);
        int unmatched = matches.unmatchedOf(key);
        int slot = TableVersions.UNKNOWN;
        if (row != TableHistory.NONE) {
            slot = versionSeen(txn, row, snapshot);
            if (slot == TableVersions.NOWHERE || slot >= 0 && !versions.isFinal[slot] && slot != own) {
                return; // an odd read of its row
            }
            if (slot != TableVersions.UNKNOWN && !matches.matches(slot)) {
                faults.noMatch(txn, op, row);
                return;
            }
        } else if (unmatched != TableHistory.NONE) {
            slot = versions.slotOfRead(unmatched);
            if (isOdd(txn, slot)) {
                faults.oddRead(txn, unmatched, slot);
                return;
            }
        }
        if (own >= 0 && row == TableHistory.NONE && matches.areRowsKnown() && matches.matches(own)) {
            faults.ownMissed(txn, op, key, own);
        }
        if (slot < TableVersions.UNBORN && own >= 0) {
            return; // what it wrote itself comes from nobody else
        }
        if (slot < TableVersions.UNBORN && hasSnapshot && row == TableHistory.NONE) {
            slot = versions.atSnapshot(key, snapshot, txn);
        }
        if (slot >= TableVersions.UNBORN) {
            change(txn, key, slot);
            addChanges(txn, op, slot);
        } else if (row == TableHistory.NONE) {
            eliminate(txn, op, key);
        }
    }

    /** Finds the last change of the matches at or before a version, and the first behind it. */
    private void change(int txn, int key, int slot) {
        boolean isMatch = matches.matches(slot);
        int first = versions.firstOf[key];
        wrSlot = TableVersions.NOWHERE;
        int at = slot;
        while (at >= first) {
            int before = at - 1;
            while (before >= first && !versions.isFinal[before]) {
                before--;
            }
            boolean didMatch = before >= first && matches.matches(before);
            if (didMatch != isMatch) {
                wrSlot = at;
                break;
            }
            at = before;
        }
        if (wrSlot < 0 && slot >= first && !mayBeUnborn(key)) {
            wrSlot = first; // it was there from the start, so whoever looked came after that
        }
        rwSlot = TableVersions.NOWHERE;
        for (int next = Math.max(first, slot + 1); next < versions.firstOf[key + 1]; next++) {
            if (versions.isFinal[next] && versions.txnOf[next] != txn && matches.matches(next) != isMatch) {
                rwSlot = next;
                break;
            }
            if (versions.isFinal[next] && versions.txnOf[next] == txn) {
                break; // what follows its own version follows it by ww
            }
        }
    }

    private void addChanges(int txn, int op, int slot) {
        if (wrSlot >= 0) {
            add(versions.txnOf[wrSlot], txn, PREDICATE_WR, op, wrSlot, slot);
        }
        if (rwSlot >= 0) {
            add(txn, versions.txnOf[rwSlot], PREDICATE_RW, op, slot, rwSlot);
        }
    }

    /** No row was returned and nothing else is known: it was one of the versions that do not match. */
    private void eliminate(int txn, int op, int key) {
        int least = Integer.MAX_VALUE;
        int greatest = TableVersions.NOWHERE;
        boolean isWr = true;
        boolean isRw = true;
        int candidates = 0;
        int lastSlot = TableVersions.UNBORN;
        for (int slot = versions.firstOf[key] - 1; slot < versions.firstOf[key + 1]; slot++) {
            boolean isUnborn = slot < versions.firstOf[key];
            int version = isUnborn ? TableVersions.UNBORN : slot;
            boolean isOwn = !isUnborn && versions.txnOf[slot] == txn;
            boolean isSeen = isUnborn ? mayBeUnborn(key) : versions.isFinal[slot] && !isOwn;
            if (!isSeen || matches.matches(version)) {
                continue;
            }
            candidates++;
            lastSlot = version;
            change(txn, key, version);
            isWr &= wrSlot >= 0;
            isRw &= rwSlot >= 0;
            least = wrSlot >= 0 ? Math.min(least, wrSlot) : least;
            greatest = Math.max(greatest, rwSlot);
        }
        if (candidates == 0) {
            faults.miss(txn, op, key);
            return;
        }
        wrSlot = isWr ? least : TableVersions.NOWHERE;
        rwSlot = isRw ? greatest : TableVersions.NOWHERE;
        addChanges(txn, op, lastSlot);
    }

    /** Before its first version a key is not there, unless that is the initial state, by its number 0. */
    private boolean mayBeUnborn(int key) {
        int first = versions.firstOf[key];
        return first == versions.firstOf[key + 1] || history.version[versions.opOf[first]] != 0;
    }
}
