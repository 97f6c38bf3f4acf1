package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Finds Adya's dependencies between the transactions of a history of tables, through rows and through predicates. */
final class TableDependencies {

    /*
     * Algorithm. For a predicate read and a key, the version set determines the version that was evaluated. A change of
     * the matches is a version that matches while the previous one does not, or vice versa, or that changes the answer.
     * The last change at or before the evaluated version gives a predicate wr, the first change after it a predicate
     * rw; more distant ones follow by ww. If several versions are possible, the wr from the smallest of these last
     * changes and the rw to the greatest of these first changes hold for all of them.
     */

    static final int WW = 1;
    static final int WR = 2;
    static final int RW = 4;
    static final int PREDICATE_WR = 8;
    static final int PREDICATE_RW = 16;
    static final int SESSION = 32;

    /**
     * Receiver of dependencies: the operation that reads or writes later, the version read or replaced, and the later
     * version.
     */
    interface Edges {
        void add(int from, int to, int kind, int op, int fromSlot, int toSlot);
    }

    /** Called for reads that no dependency can be made of. */
    interface Faults {

        /** Takes a read of a version of a transaction that does not count, or of one that its writer replaced. */
        void invalidRead(int txn, int op, int slot);

        /** Takes a key of which no version fails the predicate, and none was returned. */
        void miss(int txn, int op, int key);

        /** Takes an own write of the transaction that matches and was not returned. */
        void ownMissed(int txn, int op, int key, int own);

        /** Takes a row that was returned and does not match. */
        void noMatch(int txn, int op, int row);
    }

    /** Provider of the keys to evaluate for a predicate read; a key may be passed more than once. */
    interface Keys {
        void forEach(int op, PredicateMatches matches, OwnWrites own, IntConsumer to);
    }

    private final TableHistory history;
    private final TableVersions versions;
    private final UndecidedReasons doubts;
    private final PredicateMatches matches;
    private final OwnWrites own;
    private final Faults faults;
    private final Edges edges;
    private final boolean usesSnapshots;
    private final @Nullable TimeBounds bounds; // of transactions that matter; null if all do

    private final OwnWrites all; // all writes of the current transaction, before and after
    private boolean gathers = true;
    private boolean isGathered; // whether the versions that match are known beforehand
    private final int[] shownFor; // by key, the last predicate read it was evaluated for, plus one
    private final int[] wrShownFor; // by transaction, the predicate read that was seen to depend on it last, plus one
    private final int[] rwShownFor;
    private boolean isContradicted; // whether the current predicate read is
    private int wrSlot; // of the predicate and key evaluated last
    private int rwSlot;

    TableDependencies(
            TableHistory history,
            TableVersions versions,
            UndecidedReasons doubts,
            @Nullable TimeBounds bounds,
            Faults faults,
            Edges edges) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
        this.matches = new PredicateMatches(history, versions, doubts);
        this.own = new OwnWrites(history, versions);
        this.all = new OwnWrites(history, versions);
        this.faults = faults;
        this.edges = edges;
        this.usesSnapshots = versions.areTimestampsComplete;
        this.bounds = bounds;
        this.shownFor = new int[history.keyCount()];
        this.wrShownFor = new int[history.txnCount];
        this.rwShownFor = new int[history.txnCount];
    }

    /** Turns off gathering, for keys that matter although not all versions that match were found beforehand. */
    void gatherNothing() {
        gathers = false;
    }

    private void add(int from, int to, int kind, int op, int fromSlot, int toSlot) {
        if (from != to) {
            edges.add(from, to, kind, op, fromSlot, toSlot);
        }
    }

    /** Adds the dependencies given by the order of versions. */
    void addVersions() {
        for (int key = 0; key < history.keyCount(); key++) {
            int from = versions.firstOf[key];
            int to = versions.firstOf[key + 1];
            if (!versions.isOrdered[key]) {
                doubts.add(
                        "nothing orders the versions of key " + history.keyName(key),
                        history.locationOf(versions.txnOf[from]));
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

    /** Adds the dependencies given by a transaction's reads of rows, including reads of rows by predicate reads. */
    void addReads(int txn) {
        if (history.status[txn] != TxnStatus.COMMITTED) {
            return;
        }
        own.begin();
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            byte kind = history.kind[op];
            if (!OpKind.isPredicate(kind) && OpKind.isRead(kind)) {
                addRead(txn, op);
            } else if (OpKind.isGuard(kind)) {
                doubts.add("conditions that did not hold among rows of tables", history.locationOf(txn));
            } else if (OpKind.isWrite(kind) && !TableVersions.isWrite(kind)) {
                doubts.add("lists, sets and counters mixed with rows of tables", history.locationOf(txn));
            }
            own.take(op);
        }
    }

    private void addRead(int txn, int op) {
        int key = history.key[op];
        int slot = versionSeen(txn, op, history.startTs[txn]);
        if (isInvalid(txn, slot)) {
            faults.invalidRead(txn, op, slot);
            return;
        }
        if (own.of(key) >= 0) {
            return; // checked separately
        }
        if (slot == TableVersions.UNKNOWN) {
            String several = "several versions have the value that was read of key " + history.keyName(key);
            boolean isOpen = versions.outcomes.isOpenRow(op);
            doubts.add(isOpen ? versions.outcomes.openText(key) : several, history.locationOf(txn));
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

    /** Returns whether a version is one that only its writer may see. */
    private boolean isInvalid(int txn, int slot) {
        return slot == TableVersions.NOWHERE || slot >= 0 && !versions.isFinal[slot] && versions.txnOf[slot] != txn;
    }

    /** Returns the version that a row read observed, by its snapshot if several versions have its value. */
    private int versionSeen(int txn, int op, long snapshot) {
        int slot = versions.slotOfRead(op);
        if (slot == TableVersions.UNKNOWN && usesSnapshots && !versions.outcomes.isOpenRow(op)) {
            int shown = versions.atSnapshot(history.key[op], snapshot, txn);
            return versions.valueOf(shown) == history.value[op] ? shown : slot;
        }
        return slot;
    }

    // ---------------------------------------------------------------- predicate reads

    /** Adds the dependencies given by a transaction's predicate reads for some keys. */
    void addPredicates(int txn, Keys keys) {
        if (history.status[txn] != TxnStatus.COMMITTED) {
            return;
        }
        all.begin();
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            all.take(op);
        }
        own.begin();
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            if (OpKind.isPredicate(history.kind[op])) {
                addPredicate(txn, op, keys);
            }
            own.take(op);
        }
    }

    private void addPredicate(int txn, int op, Keys keys) {
        if (!matches.begin(txn, op)) {
            return;
        }
        long snapshot = history.readTs(op) != TableHistory.NO_NUMBER ? history.readTs(op) : history.startTs[txn];
        boolean hasSnapshot = usesSnapshots && snapshot != TableHistory.NO_NUMBER;
        if (!matches.areRowsKnown() && !hasSnapshot && !matches.isCountOfNone()) {
            doubts.add("predicate read with neither rows nor a snapshot", history.locationOf(txn));
            return;
        }
        isContradicted = matches.isAggregate() && versions.isContradicted(op);
        if (isContradicted) {
            doubts.add(
                    "aggregate that differs from its snapshot, so the versions read are undetermined",
                    history.locationOf(txn));
        }
        try {
            isGathered = gathers && bounds == null && matches.gather();
            keys.forEach(op, matches, own, key -> {
                if (shownFor[key] != op + 1) {
                    shownFor[key] = op + 1;
                    addPredicate(txn, op, key, hasSnapshot, snapshot);
                }
            });
            for (int i = 0; !gathers && i < all.count(); i++) { // whose last versions by others come before its own
                if (shownFor[all.key(i)] != op + 1 && history.isOfRelation(all.key(i), op)) {
                    shownFor[all.key(i)] = op + 1;
                    addPredicate(txn, op, all.key(i), hasSnapshot, snapshot);
                }
            }
        } catch (ConditionException fault) {
            matches.recordFault(txn, fault);
        }
    }

    private void addPredicate(int txn, int op, int key, boolean hasSnapshot, long snapshot) {
        if (!versions.isOrdered[key]) {
            return; // recorded with the key
        }
        int written = own.of(key);
        int row = matches.rowOf(key);
        int unmatched = matches.unmatchedOf(key);
        int slot = TableVersions.UNKNOWN;
        if (row != TableHistory.NONE) {
            slot = written >= 0 ? versions.slotOfRead(row) : versionSeen(txn, row, snapshot);
            if (slot == TableVersions.NOWHERE || slot >= 0 && !versions.isFinal[slot] && slot != written) {
                return; // an inconsistent read of its row
            }
            if (slot != TableVersions.UNKNOWN && !matches.matches(slot)) {
                faults.noMatch(txn, op, row);
                return;
            }
        } else if (unmatched != TableHistory.NONE) {
            slot = versions.slotOfRead(unmatched);
            if (isInvalid(txn, slot)) {
                faults.invalidRead(txn, unmatched, slot);
                return;
            }
        }
        if (written >= 0 && row == TableHistory.NONE && matches.areRowsKnown() && matches.matches(written)) {
            faults.ownMissed(txn, op, key, written);
        }
        if (slot < TableVersions.UNBORN && (written >= 0 || isContradicted)) {
            return; // an own write depends on no other transaction
        }
        boolean isGuess = slot < TableVersions.UNBORN && row == TableHistory.NONE;
        if (slot < TableVersions.UNBORN && hasSnapshot && row == TableHistory.NONE) {
            slot = versions.atSnapshot(key, snapshot, txn);
            if (matches.areRowsKnown() && matches.matches(slot)) { // it would have been returned
                doubts.add(
                        "omitted row that its snapshot contains: key=" + history.keyName(key), history.locationOf(txn));
                if (!versions.outcomes.isOpen[key]) {
                    eliminate(txn, op, key);
                }
                return;
            }
        }
        if (isGuess && versions.outcomes.isOpen[key] && (slot < TableVersions.UNBORN || matches.matches(slot))) {
            doubts.add(versions.outcomes.openText(key), history.locationOf(txn));
            return;
        }
        if (slot >= TableVersions.UNBORN) {
            change(txn, key, slot);
            if (wrSlot >= 0 && versions.outcomes.isOpen[key]) { // the last change may be another one
                doubts.add(versions.outcomes.openText(key), history.locationOf(txn));
                wrSlot = TableVersions.NOWHERE;
            }
            addChanges(txn, op, slot);
        } else if (row == TableHistory.NONE) {
            eliminate(txn, op, key);
        }
    }

    /** Finds the last change of the matches at or before a version, and the first change after it. */
    private void change(int txn, int key, int slot) {
        boolean isMatch = matches.matches(slot);
        if (isGathered && !isMatch) {
            wrSlot = changeBefore(key, slot);
            rwSlot = changeAfter(key, slot);
        } else {
            wrSlot = walkBack(key, slot, isMatch);
            rwSlot = walkOn(txn, key, slot, isMatch);
        }
    }

    /** Returns the version that ended the last match before one that does not match; the first one if that is the initial state. */
    private int changeBefore(int key, int slot) {
        int at = matches.firstMatchAfter(slot) - 1;
        int first = versions.firstOf[key];
        if (at >= 0 && matches.match(at) >= first && slot >= first) {
            return versions.next(key, matches.match(at));
        }
        return slot >= first && versions.isInitial(key)
                ? versions.next(key, TableVersions.UNBORN)
                : TableVersions.NOWHERE;
    }

    /** Returns the next version that matches, unless an own version precedes it: later versions follow that by ww. */
    private int changeAfter(int key, int slot) {
        int from = Math.max(slot, versions.firstOf[key] - 1);
        int at = matches.firstMatchAfter(from);
        boolean isThere = at < matches.matchCount() && matches.match(at) < versions.firstOf[key + 1];
        int written = all.of(key);
        return isThere && !(written > from && written <= matches.match(at)) ? matches.match(at) : TableVersions.NOWHERE;
    }

    private int walkBack(int key, int slot, boolean isMatch) {
        int at = slot;
        while (at >= 0 && (bounds == null || bounds.reachesBack(at))) {
            int before = versions.before(key, at);
            if (matches.matches(before) != isMatch || isMatch && matches.differ(before, at)) {
                return at;
            }
            if (before == TableVersions.UNBORN && versions.isInitial(key)) {
                return at; // it existed initially, so a transaction that evaluated it came later
            }
            at = before;
        }
        return TableVersions.NOWHERE;
    }

    private int walkOn(int txn, int key, int slot, boolean isMatch) {
        int end = versions.firstOf[key + 1];
        for (int next = Math.max(versions.firstOf[key], slot + 1); next < end; next++) {
            if (!versions.isFinal[next]) {
                continue;
            }
            boolean isOwn = versions.txnOf[next] == txn; // later versions follow by ww
            if (isOwn || bounds != null && !bounds.reachesOn(next)) {
                return TableVersions.NOWHERE;
            }
            if (matches.matches(next) != isMatch || isMatch && matches.differ(slot, next)) {
                return next;
            }
        }
        return TableVersions.NOWHERE;
    }

    /** Adds one dependency of a predicate read on a transaction, which is equivalent to one for each key. */
    private void addChanges(int txn, int op, int slot) {
        if (wrSlot >= 0 && wrShownFor[versions.txnOf[wrSlot]] != op + 1) {
            wrShownFor[versions.txnOf[wrSlot]] = op + 1;
            add(versions.txnOf[wrSlot], txn, PREDICATE_WR, op, wrSlot, slot);
        }
        if (rwSlot >= 0 && rwShownFor[versions.txnOf[rwSlot]] != op + 1) {
            rwShownFor[versions.txnOf[rwSlot]] = op + 1;
            add(txn, versions.txnOf[rwSlot], PREDICATE_RW, op, slot, rwSlot);
        }
    }

    /**
     * Determines the version observed if no row was returned and no other evidence exists: one of the versions that do
     * not match.
     */
    private void eliminate(int txn, int op, int key) {
        int minSlot = versions.isInitial(key) ? candidate(txn, key, 1) : TableVersions.UNBORN;
        int greatest = candidate(txn, key, -1);
        if (greatest == TableVersions.NOWHERE && !versions.isInitial(key)) {
            greatest = TableVersions.UNBORN;
        }
        if (greatest == TableVersions.NOWHERE) {
            faults.miss(txn, op, key);
            return;
        }
        int rw = furthestChange(txn, key, minSlot, greatest);
        change(txn, key, minSlot); // the last change before the smallest of them precedes all of them
        rwSlot = rw;
        addChanges(txn, op, greatest);
    }

    /** Returns the first version from one end that may have been observed without matching; NOWHERE if none. */
    private int candidate(int txn, int key, int step) {
        int from = versions.firstOf[key];
        int to = versions.firstOf[key + 1];
        for (int slot = step > 0 ? from : to - 1; slot >= from && slot < to; slot += step) {
            if (isCandidate(txn, slot)) {
                return slot;
            }
        }
        return TableVersions.NOWHERE;
    }

    private boolean isCandidate(int txn, int slot) {
        return versions.isFinal[slot] && versions.txnOf[slot] != txn && !matches.matches(slot);
    }

    /** Returns the greatest of the first changes after the possible versions; NOWHERE unless each has one. */
    private int furthestChange(int txn, int key, int minSlot, int greatest) {
        int furthest = walkOn(txn, key, greatest, false);
        if (furthest < 0 || all.of(key) < 0) {
            return furthest; // which follows all of them
        }
        for (int slot = Math.max(versions.firstOf[key], minSlot); slot <= greatest; slot++) {
            if (isCandidate(txn, slot) && walkOn(txn, key, slot, false) < 0) {
                return TableVersions.NOWHERE;
            }
        }
        boolean isUnbornCut = minSlot == TableVersions.UNBORN && walkOn(txn, key, TableVersions.UNBORN, false) < 0;
        return isUnbornCut ? TableVersions.NOWHERE : furthest;
    }
}
