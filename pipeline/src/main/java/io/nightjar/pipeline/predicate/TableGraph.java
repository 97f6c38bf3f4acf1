package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.StronglyConnected;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The dependencies of a history of tables that may be on a cycle, and a serial order if they have no cycle. */
final class TableGraph {

    /*
     * Algorithm. With timestamps: dependencies that the order of commits does not imply are collected first, and
     * combined with the chain of commits. If this graph has no cycle, the history has none; its components are
     * candidates, and all dependencies are constructed only between the members of each. Without timestamps all
     * dependencies are constructed at once.
     */

    /**
     * Maximum number of versions evaluated individually for each predicate read; above it, the matching ones are found
     * by index first.
     */
    private static final int FEW_VERSIONS = 500;

    private final TableHistory history;
    private final TableVersions versions;
    private final DigraphBuilder edges;
    private final List<IntArrayList> initialKeys;
    private @Nullable TimeBounds bounds; // null without timestamps, as are the next two
    private @Nullable Digraph withChain;
    private @Nullable StronglyConnected candidates;

    private int edgeCount;
    int[] opOf = new int[256]; // by label: the operation that reads, or that writes the later version
    int[] fromSlotOf = new int[256]; // by label: the version read or replaced
    int[] toSlotOf = new int[256]; // by label: the later version

    /** Dependencies without session order. */
    @Nullable
    Digraph withoutSessions;

    /** Dependencies and session order. */
    @Nullable
    Digraph whole;

    private TableGraph(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.edges = DigraphBuilder.withKindsAndLabels(history.txnCount);
        this.initialKeys = initialKeys();
    }

    /**
     * Makes the graph of a history.
     *
     * @param inSessions committed transactions by session and position
     * @param leftOut rows that replays found to be omitted; null if they were not run
     */
    static TableGraph of(
            TableHistory history,
            TableVersions versions,
            UndecidedReasons doubts,
            int[] inSessions,
            TableDependencies.Faults faults,
            @Nullable OmittedRows leftOut) {
        TableGraph graph = new TableGraph(history, versions);
        if (CommitChain.fits(history, versions)) {
            graph.bounds = new TimeBounds(history, versions);
            graph.findCandidates(doubts, inSessions, faults, leftOut);
            graph.addInsideCandidates();
        } else {
            graph.addAll(doubts, faults);
        }
        graph.withoutSessions = graph.edges.build();
        graph.addSessions(inSessions);
        graph.whole = graph.edges.build();
        return graph;
    }

    // ---------------------------------------------------------------- all at once

    private void addAll(UndecidedReasons doubts, TableDependencies.Faults faults) {
        TableDependencies all = new TableDependencies(history, versions, doubts, null, faults, this::label);
        all.addVersions();
        CurrentRows last = isEliminating() ? lastRows() : null;
        if (last != null) {
            all.gatherNothing();
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            all.addReads(txn);
            all.addPredicates(
                    txn,
                    last == null
                            ? this::changing
                            : (op, matches, own, to) -> matchingAtLast(last, op, matches, own, to));
        }
    }

    /*
     * Algorithm. If only elimination determines which version of a row did not match, and no row exists initially, it
     * may have been the state before the first version. So no write is known to precede the read; and a write follows
     * it only if the last version matches, for otherwise it may have been that version.
     */
    private boolean isEliminating() {
        return !versions.areTimestampsComplete && !versions.outcomes.isAnyOpen() && initialKeys.isEmpty();
    }

    private CurrentRows lastRows() {
        CurrentRows last = new CurrentRows(history, versions);
        for (int key = 0; key < history.keyCount(); key++) {
            for (int slot = versions.firstOf[key]; slot < versions.firstOf[key + 1]; slot++) {
                if (versions.isFinal[slot]) {
                    last.set(key, slot);
                }
            }
        }
        return last;
    }

    private void matchingAtLast(CurrentRows last, int op, PredicateMatches matches, OwnWrites own, IntConsumer to) {
        if (!matches.hasRange()) {
            changing(op, matches, own, to);
            return;
        }
        known(op, matches, own, to);
        matches.forEachInRange(last, slot -> to.accept(versions.keyOf(slot)));
    }

    /**
     * Passes the keys of rows returned, reported as not matching or written by the transaction itself, and all keys
     * whose matches ever change.
     */
    private void changing(int op, PredicateMatches matches, OwnWrites own, IntConsumer to) {
        if (!matches.hasRange()) {
            for (int key : history.keysOf(op)) {
                to.accept(key);
            }
            return;
        }
        known(op, matches, own, to);
        int last = TableHistory.NONE;
        for (int at = 0; at < matches.matchCount(); at++) {
            int key = versions.keyOf(matches.match(at));
            if (key != last) {
                to.accept(key);
                last = key;
            }
        }
        for (IntArrayList keys : initialKeys) {
            if (history.isOfRelation(keys.getInt(0), op)) {
                showOneUntouched(keys, matches, own, to);
            }
        }
    }

    /**
     * Passes one of the initial rows that never match: it suffices to order the transaction after the writers of all of
     * them.
     */
    private void showOneUntouched(IntArrayList keys, PredicateMatches matches, OwnWrites own, IntConsumer to) {
        for (int i = 0; i < keys.size(); i++) {
            int key = keys.getInt(i);
            int match = matches.firstMatchAfter(versions.firstOf[key] - 1);
            boolean everMatches = match < matches.matchCount() && matches.match(match) < versions.firstOf[key + 1];
            boolean isKnown = own.of(key) >= 0
                    || matches.rowOf(key) != TableHistory.NONE
                    || matches.unmatchedOf(key) != TableHistory.NONE;
            if (!everMatches && !isKnown) {
                to.accept(key);
                return;
            }
        }
    }

    /** Groups the initial rows by the transaction that wrote them and their relation. */
    private List<IntArrayList> initialKeys() {
        Map<Long, IntArrayList> keysOf = new LinkedHashMap<>();
        for (int key = 0; key < history.keyCount(); key++) {
            if (versions.isInitial(key)) {
                long group = (long) history.relationOf(key) << 32 | versions.txnOf[versions.firstOf[key]];
                keysOf.computeIfAbsent(group, unseen -> new IntArrayList()).add(key);
            }
        }
        return List.copyOf(keysOf.values());
    }

    /** Passes the keys of rows returned, reported as not matching or written by the transaction itself. */
    private void known(int op, PredicateMatches matches, OwnWrites own, IntConsumer to) {
        for (int row = matches.firstRow(); row < matches.endOfRows(); row++) {
            to.accept(history.key[row]);
        }
        for (int i = 0; i < own.count(); i++) {
            if (history.isOfRelation(own.key(i), op)) {
                to.accept(own.key(i));
            }
        }
    }

    private void label(int from, int to, int kind, int op, int fromSlot, int toSlot) {
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

    private void addSessions(int[] inSessions) {
        for (int i = 1; i < inSessions.length; i++) {
            int before = inSessions[i - 1];
            int txn = inSessions[i];
            boolean isInside = candidates == null || areTogether(candidates, before, txn);
            if (history.sessionId[before] == history.sessionId[txn] && isInside) {
                label(
                        before,
                        txn,
                        TableDependencies.SESSION,
                        TableHistory.NONE,
                        TableVersions.NOWHERE,
                        TableVersions.NOWHERE);
            }
        }
    }

    // ---------------------------------------------------------------- candidates first

    private void findCandidates(
            UndecidedReasons doubts, int[] inSessions, TableDependencies.Faults faults, @Nullable OmittedRows leftOut) {
        CommitChain chain = new CommitChain(history, versions);
        DigraphBuilder builder = DigraphBuilder.plain(history.txnCount + chain.vertexCount());
        TableDependencies search = new TableDependencies(
                history, versions, doubts, bounds, faults, (from, to, kind, op, fromSlot, toSlot) -> {
                    if (!chain.agrees(from, to)) {
                        builder.add(from, to);
                    }
                });
        search(search, leftOut == null ? OmittedRows.of(history, versions) : leftOut);
        for (int i = 1; i < inSessions.length; i++) {
            int before = inSessions[i - 1];
            if (history.sessionId[before] == history.sessionId[inSessions[i]] && !chain.agrees(before, inSessions[i])) {
                builder.add(before, inSessions[i]);
            }
        }
        chain.addTo(builder);
        withChain = builder.build();
        candidates = StronglyConnected.of(withChain);
    }

    /** Finds all dependencies of a history with timestamps that commits do not order anyway, and some that they do. */
    static void showOverlapping(
            TableHistory history,
            TableVersions versions,
            UndecidedReasons doubts,
            TableDependencies.Faults faults,
            TableDependencies.Edges edges) {
        TableGraph graph = new TableGraph(history, versions);
        graph.bounds = new TimeBounds(history, versions);
        graph.search(new TableDependencies(history, versions, doubts, graph.bounds, faults, edges), null);
    }

    /** @param leftOut additional rows to evaluate; null for none */
    private void search(TableDependencies search, @Nullable OmittedRows leftOut) {
        search.addVersions();
        for (int txn = 0; txn < history.txnCount; txn++) {
            search.addReads(txn);
        }
        int[] unsorted = unsortedKeys();
        new OverlappingWrites(history, versions).forEach((txn, slots) -> {
            requireNonNull(bounds).between(history.startTs[txn], versions.commitTs(txn));
            search.addPredicates(txn, (op, matches, own, to) -> {
                known(op, matches, own, to);
                changed(op, matches, slots, to);
                for (int key : unsorted) {
                    if (history.isOfRelation(key, op)) {
                        to.accept(key);
                    }
                }
                if (leftOut != null) {
                    leftOut.of(op).forEach(to);
                }
            });
        });
    }

    /** Adds the keys of which one of some versions changes the match. */
    private void changed(int op, PredicateMatches matches, IntColumn slots, IntConsumer to) {
        for (int i = 0; i < slots.size(); i++) {
            int slot = slots.get(i);
            int key = versions.keyOf(slot);
            if (history.isOfRelation(key, op)) {
                int before = versions.before(key, slot);
                if (before == TableVersions.UNBORN || matches.changes(before, slot)) {
                    to.accept(key);
                }
            }
        }
    }

    /** Returns the keys whose versions do not come in the order of their commits, or in none. */
    private int[] unsortedKeys() {
        IntArrayList keys = new IntArrayList();
        for (int key = 0; key < history.keyCount(); key++) {
            if (versions.isOrdered[key] && !versions.isByTime(key)) {
                keys.add(key);
            }
        }
        return keys.toIntArray();
    }

    private static boolean areTogether(StronglyConnected candidates, int one, int other) {
        return candidates.componentOf[one] != StronglyConnected.NONE
                && candidates.componentOf[one] == candidates.componentOf[other];
    }

    private void addInsideCandidates() {
        StronglyConnected candidates = requireNonNull(this.candidates);
        TableDependencies.Edges inside = (from, to, kind, op, fromSlot, toSlot) -> {
            if (areTogether(candidates, from, to)) {
                label(from, to, kind, op, fromSlot, toSlot);
            }
        };
        UndecidedReasons noted = new UndecidedReasons();
        TableDependencies near = new TableDependencies(history, versions, noted, bounds, NO_FAULTS, inside);
        TableDependencies far = new TableDependencies(history, versions, noted, null, NO_FAULTS, inside);
        if (candidates.componentCount() > 0) {
            near.addVersions();
        }
        for (int component = 0; component < candidates.componentCount(); component++) {
            int[] members = membersOf(candidates, component);
            IntColumn slots = versionsOf(members);
            boolean areFew = slots.size() <= FEW_VERSIONS;
            for (int txn : members) {
                near.addReads(txn);
                if (areFew) {
                    near.addPredicates(txn, (op, matches, own, to) -> changed(op, matches, slots, to));
                } else {
                    far.addPredicates(txn, this::changing);
                }
            }
        }
    }

    /** Ignores faults that the search for candidates has recorded already. */
    private static final TableDependencies.Faults NO_FAULTS = new TableDependencies.Faults() {
        @Override
        public void invalidRead(int txn, int op, int slot) {}

        @Override
        public void miss(int txn, int op, int key) {}

        @Override
        public void ownMissed(int txn, int op, int key, int own) {}

        @Override
        public void noMatch(int txn, int op, int row) {}
    };

    private int[] membersOf(StronglyConnected candidates, int component) {
        IntArrayList members = new IntArrayList();
        for (int vertex : candidates.verticesOf(component)) {
            if (vertex < history.txnCount && history.status[vertex] != TxnStatus.ABORTED) {
                members.add(vertex);
            }
        }
        return members.toIntArray();
    }

    /** Returns the versions that some transactions made, to whose time the search is bounded. */
    private IntColumn versionsOf(int[] members) {
        IntColumn slots = new IntColumn();
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int txn : members) {
            low = Math.min(low, history.startTs[txn]);
            high = Math.max(high, versions.commitTs(txn));
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                int slot = versions.slotOfWrite(op);
                if (slot >= 0 && versions.isFinal[slot]) {
                    slots.add(slot);
                }
            }
        }
        requireNonNull(bounds).between(low, high);
        return slots;
    }

    // ---------------------------------------------------------------- orders

    /** Returns an order of all transactions that keeps all dependencies of one of the two graphs, which must have no cycle. */
    int[] order(@Nullable Digraph dependencies) {
        if (withChain == null || candidates == null) {
            return TopologicalOrder.of(requireNonNull(dependencies));
        }
        int[] order = TopologicalOrder.of(withChain, candidates, requireNonNull(dependencies));
        int count = 0;
        for (int vertex : order) {
            if (vertex < history.txnCount) {
                order[count++] = vertex;
            }
        }
        return Arrays.copyOf(order, count);
    }
}
