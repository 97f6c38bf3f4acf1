package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.Observations;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Search that chooses an order of two writers of a key where none is forced, propagates each choice, and undoes it if
 * it fails.
 */
final class BacktrackingSearch {

    /*
     * Definitions. The rank of a writer is the number of nodes that come before it. A decision is a guess of the order
     * of two writers.
     *
     * Layout.
     *
     *   level   1 .. levelCount: decisionEdgeOf[level] is also the number of edges before it; trailSizeOf[level]
     *   flip    edges.because is a number in flipReasons: the levels whose guesses exclude the opposite
     *
     * Algorithm. Writers are visited by rank. Each is ordered after the writers of its keys visited before; if the rows
     * do not order a pair, the writer visited first is guessed to precede. Only pairs with a writer that was read
     * matter; if overlaps are forbidden, all pairs.
     *
     * A guess begins a level; undoing it undoes all edges derived from it. From a cycle, reasons are followed back to
     * the guesses that it depends on. The last of them is flipped, at the level of the previous of these guesses: none
     * in between contributed to the cycle. If a cycle depends on no guess, no order exists.
     */

    /** Outcome of the search for an order. */
    enum Outcome {
        HOLDS,
        VIOLATED,
        BUDGET_SPENT,
        TOO_LARGE
    }

    private static final int NONE = -1;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final ForcedEdges edges;
    private final EdgePropagation propagation;

    /** Edges before it are certain. */
    private final int certainEdges;

    private int levelCount;
    private int[] decisionEdgeOf = new int[64];
    private int[] trailSizeOf = new int[64];
    private int[] flipCountOf = new int[64];
    private final List<int[]> flipReasons = new ArrayList<>();

    private long decisions;
    private long conflicts;
    private @Nullable CommitOrder witness;

    private @Nullable ConflictAnalysis reasons;
    private final BitSet usedEdges = new BitSet();
    private final BitSet refutationEdges = new BitSet();
    private final BitSet refutationSlots = new BitSet();

    // Of one round, by key: the last of the visited writers that all others were compared with, and those since.
    private final int[] lastVersionOf;
    private final int[] newestUnreadOf;
    private final int[] olderUnreadOf;
    private boolean isSettled;

    BacktrackingSearch(OrderGraph graph, EdgePropagation propagation) {
        this.graph = graph;
        this.history = graph.history;
        this.edges = graph.edges;
        this.propagation = propagation;
        this.certainEdges = edges.size;
        this.lastVersionOf = new int[history.source.keyCount];
        this.newestUnreadOf = new int[history.source.keyCount];
        this.olderUnreadOf = new int[history.versionCount];
        propagation.startRecording();
    }

    /** Returns the order that satisfies the level, once it holds. */
    @Nullable
    CommitOrder witness() {
        return witness;
    }

    long decisions() {
        return decisions;
    }

    long conflicts() {
        return conflicts;
    }

    Outcome run() {
        if (graph.candidates != null) {
            return runBySchedules(graph.candidates);
        }
        int[] members = new int[history.txnCount];
        int count = gatherWriters(members);
        while (true) {
            isSettled = true;
            Outcome outcome = visitAll(new RankHeap(graph, propagation, members, count));
            if (outcome != null) {
                return outcome;
            }
            witness = orderByRank(graph, propagation);
            if (witness != null) {
                return Outcome.HOLDS;
            }
            if (isSettled) {
                throw new AssertionError("bug: every pair is ordered, but the order is no witness: level=" + graph.level
                        + " decisions=" + decisions);
            }
        }
    }

    // ---------------------------------------------------------------- observations

    /** Guesses orders for the mismatches of a schedule, until a schedule has none. */
    private Outcome runBySchedules(CandidateVersions candidates) {
        CandidateDerivation derivation = new CandidateDerivation(graph, candidates);
        int[] left = new int[history.versionCount + 1];
        while (true) {
            HintedSchedule schedule = new HintedSchedule(graph, hint());
            schedule.sort(propagation);
            long triesBefore = decisions + conflicts;
            MismatchGuess guess = new MismatchGuess(schedule, derivation, left);
            boolean isExplained = schedule.replay(guess);
            if (guess.outcome != null) {
                return guess.outcome;
            }
            if (isExplained) {
                witness = schedule.order();
                return Outcome.HOLDS;
            }
            if (decisions + conflicts == triesBefore) {
                throw new AssertionError("bug: an order explains not everything and leaves nothing open: level="
                        + graph.level + " decisions=" + decisions);
            }
        }
    }

    private long[] hint() {
        if (history.source.hints.length > 0) {
            return history.source.hints[0];
        }
        long[] ranks = new long[history.txnCount];
        for (int slot = 0; slot < history.txnCount; slot++) {
            ranks[history.txnOf[slot]] = propagation.rankOf(graph.commitOf(slot));
        }
        return ranks;
    }

    /** Guesses for each mismatch of a schedule; ends the replay when a guess was flipped. */
    private final class MismatchGuess implements HintedSchedule.MismatchConsumer {

        private final HintedSchedule schedule;
        private final CandidateDerivation derivation;
        private final int[] left;
        private @Nullable Outcome outcome;

        MismatchGuess(HintedSchedule schedule, CandidateDerivation derivation, int[] left) {
            this.schedule = schedule;
            this.derivation = derivation;
            this.left = left;
        }

        @Override
        public boolean read(int reader, int observation, int version, int current) {
            int snapshot = graph.snapshotOf(reader);
            int count = 1;
            left[0] = version;
            if (observation != NONE) {
                count = derivation.candidatesLeft(observation, left);
                Observations observations = requireNonNull(history.source.observations);
                if (observations.isSum(observations.setOf[observation])) {
                    return guessIncrement(observations, observation, snapshot, count);
                }
            }
            int before = NONE;
            int after = NONE;
            boolean isInitialLeft = false;
            for (int i = 0; i < count; i++) {
                if (left[i] == ChainedHistory.INITIAL) {
                    isInitialLeft = true;
                } else if (current != ChainedHistory.INITIAL && position(left[i]) < position(current)) {
                    before = before == NONE || position(left[i]) > position(before) ? left[i] : before;
                } else {
                    after = after == NONE || position(left[i]) < position(after) ? left[i] : after;
                }
            }
            boolean isAnyBefore = current != ChainedHistory.INITIAL && (before != NONE || isInitialLeft);
            if (isAnyBefore && areOpen(snapshot, commitOfWriter(current))) {
                return guess(snapshot, commitOfWriter(current));
            }
            if (before != NONE) {
                return guessPair(current, before);
            }
            return after == NONE
                    || guess(commitOfWriter(after), snapshot)
                            && (current == ChainedHistory.INITIAL || guessPair(current, after));
        }

        /** Guesses the side of the open increment nearest to the snapshot that makes the sum more wrong where it is. */
        private boolean guessIncrement(Observations observations, int observation, int snapshot, int count) {
            int set = observations.setOf[observation];
            long seen = 0;
            CandidateVersions candidates = requireNonNull(graph.candidates);
            for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
                boolean isOther = history.writerOfVersion[candidates.versionOf[i]] != graph.slotOf(snapshot);
                boolean isSeen = isOther && position(candidates.versionOf[i]) < schedule.positionOf[snapshot];
                seen += isSeen ? candidates.deltaOf[i] : 0;
            }
            boolean isTooLarge = seen > observations.sum(set);
            int best = NONE;
            boolean isBestApt = false;
            for (int i = 0; i < count; i++) {
                int txn = history.txnOf[history.writerOfVersion[left[i]]];
                boolean isSeen = position(left[i]) < schedule.positionOf[snapshot];
                boolean isPositive = observations.deltaOf(txn, observations.keyOf[set]) > 0;
                boolean isApt = (isSeen == isPositive) == isTooLarge;
                boolean isNearer = best == NONE || distance(left[i], snapshot) < distance(best, snapshot);
                if (isApt && !isBestApt || isApt == isBestApt && isNearer) {
                    best = left[i];
                    isBestApt = isApt;
                }
            }
            if (best == NONE) {
                return true;
            }
            boolean becomesSeen = position(best) < schedule.positionOf[snapshot] != isBestApt;
            return becomesSeen ? guess(commitOfWriter(best), snapshot) : guess(snapshot, commitOfWriter(best));
        }

        /**
         * Guesses the side of the nearest writer on which the answer depends, if possible of one that moves the answer
         * closer to the versions. If the answer depends on none, it is wrong in all orders with these guesses.
         */
        @Override
        public boolean answer(int reader, int answer, long excess) {
            AnswerVersions versions = new AnswerVersions(graph, answer, reader, schedule.positionOf);
            int snapshot = graph.snapshotOf(reader);
            int from = NONE;
            int to = NONE;
            boolean isBestApt = false;
            int bestDistance = Integer.MAX_VALUE;
            for (int version = versions.next(NONE); version != NONE; version = versions.next(version)) {
                int current = versions.currentOf(version);
                long change = versions.part(version) - versions.part(current);
                if (version != current && change == 0) {
                    continue;
                }
                int commit = commitOfWriter(version);
                boolean isLate = schedule.positionOf[commit] > schedule.positionOf[snapshot];
                int other = version == current || isLate ? snapshot : commitOfWriter(current);
                boolean isBefore = schedule.positionOf[commit] < schedule.positionOf[other];
                if (isBefore ? graph.comesBefore(other, commit) : graph.comesBefore(commit, other)) {
                    return true; // by a guess made since
                }
                boolean isApt = version != current && change > 0 == excess < 0;
                int distance = distance(version, snapshot);
                boolean isBetter = isApt == isBestApt ? distance < bestDistance : isApt;
                if (isBetter && areOpen(commit, other)) {
                    isBestApt = isApt;
                    bestDistance = distance;
                    from = isBefore == isApt ? other : commit;
                    to = isBefore == isApt ? commit : other;
                }
            }
            if (from == NONE) {
                outcome = refute(versions);
                return false;
            }
            boolean areWriters = from != snapshot && to != snapshot;
            return areWriters ? guessWriters(graph.slotOf(from), graph.slotOf(to), NONE) : guess(from, to);
        }

        private int distance(int version, int snapshot) {
            return Math.abs(position(version) - schedule.positionOf[snapshot]);
        }

        @Override
        public boolean overlap(int first, int second, int key) {
            return !isOpen(first, second) || guessWriters(first, second, key);
        }

        private int position(int version) {
            return schedule.positionOf[commitOfWriter(version)];
        }

        private boolean guessPair(int older, int newer) {
            int first = history.writerOfVersion[older];
            int second = history.writerOfVersion[newer];
            return !isOpen(first, second) || guessWriters(first, second, history.keyOfVersion[older]);
        }

        private boolean guessWriters(int first, int second, int key) {
            beginLevel();
            addPair(first, second, ForcedEdges.DECISION, key, NONE);
            return followGuess();
        }

        private boolean guess(int from, int to) {
            if (!areOpen(from, to)) {
                return true;
            }
            beginLevel();
            edges.add(from, to, ForcedEdges.READ_DECISION, NONE, NONE);
            return followGuess();
        }

        private boolean followGuess() {
            decisions++;
            long conflictsBefore = conflicts;
            outcome = follow();
            return outcome == null && conflicts == conflictsBefore;
        }
    }

    private boolean areOpen(int from, int to) {
        return !graph.comesBefore(from, to) && !graph.comesBefore(to, from);
    }

    /** Returns the order of commits by rank, if it is a witness; else null. */
    static @Nullable CommitOrder orderByRank(OrderGraph graph, EdgePropagation propagation) {
        ChainedHistory history = graph.history;
        long[] ranks = new long[history.txnCount];
        int[] txns = new int[history.txnCount];
        for (int slot = 0; slot < history.txnCount; slot++) {
            ranks[slot] = propagation.rankOf(graph.commitOf(slot));
            txns[slot] = history.txnOf[slot];
        }
        RadixSort.sort(ranks, txns, txns.length);
        return CandidateOrder.tryOrder(history.source, graph.level, txns);
    }

    /** Returns the number of pairs of writers, adjacent by rank, that are not ordered. */
    long openPairs() {
        int[] members = new int[history.txnCount];
        RankHeap heap = new RankHeap(graph, propagation, members, gatherWriters(members));
        Arrays.fill(lastVersionOf, NONE);
        long open = 0;
        for (int slot = heap.poll(); slot != NONE; slot = heap.poll()) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                int version = history.versionOfWrite[write];
                int key = history.keyOfVersion[version];
                int last = lastVersionOf[key];
                boolean matters =
                        graph.forbidsOverlap || history.isRead(version) || last != NONE && history.isRead(last);
                if (last != NONE && matters && isOpen(history.writerOfVersion[last], slot)) {
                    open++;
                }
                lastVersionOf[key] = version;
            }
        }
        return open;
    }

    /** Returns the number of observations with more than one candidate left. */
    long openObservations() {
        CandidateVersions candidates = requireNonNull(graph.candidates);
        CandidateDerivation derivation = new CandidateDerivation(graph, candidates);
        int[] left = new int[history.versionCount + 1];
        long open = 0;
        for (int observation = 0; observation < candidates.observations.count; observation++) {
            open += derivation.candidatesLeft(observation, left) > 1 ? 1 : 0;
        }
        return open;
    }

    private int gatherWriters(int[] members) {
        int count = 0;
        for (int slot = 0; slot < history.txnCount; slot++) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                int key = history.keyOfVersion[history.versionOfWrite[write]];
                if (history.firstVersionOf[key + 1] - history.firstVersionOf[key] > 1) {
                    members[count++] = slot;
                    break;
                }
            }
        }
        return count;
    }

    // ---------------------------------------------------------------- one round

    /** Returns null when the round is over, or has to begin again. */
    private @Nullable Outcome visitAll(RankHeap heap) {
        Arrays.fill(lastVersionOf, NONE);
        Arrays.fill(newestUnreadOf, NONE);
        for (int slot = heap.poll(); slot != NONE; slot = heap.poll()) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                int levelsBefore = levelCount;
                Outcome outcome = place(slot, history.versionOfWrite[write]);
                if (outcome != null) {
                    return outcome;
                }
                if (levelCount < levelsBefore) {
                    return null;
                }
            }
        }
        return null;
    }

    private @Nullable Outcome place(int slot, int version) {
        int key = history.keyOfVersion[version];
        int last = lastVersionOf[key];
        int levelsBefore = levelCount;
        Outcome outcome = last == NONE ? null : order(history.writerOfVersion[last], slot, key);
        if (outcome != null || levelCount < levelsBefore) {
            return outcome;
        }
        boolean isAfterLast = last == NONE || !graph.comesBefore(graph.commitOf(slot), commitOfWriter(last));
        if (!graph.forbidsOverlap && !history.isRead(version)) {
            olderUnreadOf[version] = newestUnreadOf[key];
            newestUnreadOf[key] = version;
            return null;
        }
        for (int unread = newestUnreadOf[key]; unread != NONE; unread = olderUnreadOf[unread]) {
            outcome = order(history.writerOfVersion[unread], slot, key);
            if (outcome != null || levelCount < levelsBefore) {
                return outcome;
            }
        }
        if (isAfterLast) {
            newestUnreadOf[key] = NONE;
            lastVersionOf[key] = version;
        }
        return null;
    }

    private int commitOfWriter(int version) {
        return graph.commitOf(history.writerOfVersion[version]);
    }

    private boolean isOpen(int first, int second) {
        int left = graph.commitOf(first);
        int right = graph.commitOf(second);
        return !graph.comesBefore(left, right) && !graph.comesBefore(right, left);
    }

    /** Sees to it that two writers of a key are ordered. Afterwards there may be fewer levels than before. */
    private @Nullable Outcome order(int first, int second, int key) {
        if (graph.comesBefore(graph.commitOf(first), graph.commitOf(second))) {
            return null;
        }
        isSettled = false;
        if (graph.comesBefore(graph.commitOf(second), graph.commitOf(first))) {
            return null;
        }
        beginLevel();
        addPair(first, second, ForcedEdges.DECISION, key, NONE);
        decisions++;
        return follow();
    }

    /** Orders two writers of a key: where overlaps are forbidden, one commits before the other one's snapshot. */
    private void addPair(int first, int second, byte rule, int key, int because) {
        int to = graph.forbidsOverlap ? graph.snapshotOf(second) : graph.commitOf(second);
        edges.add(graph.commitOf(first), to, rule, key, because);
    }

    private void beginLevel() {
        levelCount++;
        if (levelCount == decisionEdgeOf.length) {
            int capacity = Math.addExact(levelCount, levelCount);
            decisionEdgeOf = Arrays.copyOf(decisionEdgeOf, capacity);
            trailSizeOf = Arrays.copyOf(trailSizeOf, capacity);
            flipCountOf = Arrays.copyOf(flipCountOf, capacity);
        }
        decisionEdgeOf[levelCount] = edges.size;
        trailSizeOf[levelCount] = propagation.trailSize();
        flipCountOf[levelCount] = flipReasons.size();
    }

    // ---------------------------------------------------------------- backtracking

    /** Takes back the last guess on which a wrong answer depends. */
    private @Nullable Outcome refute(AnswerVersions versions) {
        conflicts++;
        usedEdges.clear();
        reasons().explainAnswer(versions, certainEdges, usedEdges, refutationSlots);
        return flip(levelsOfUsedEdges()) ? follow() : Outcome.VIOLATED;
    }

    private @Nullable Outcome follow() {
        while (true) {
            switch (propagation.run()) {
                case DONE -> {
                    return null;
                }
                case BUDGET_SPENT -> {
                    return Outcome.BUDGET_SPENT;
                }
                case TOO_LARGE -> {
                    return Outcome.TOO_LARGE;
                }
                case CYCLE -> {
                    conflicts++;
                    if (!flip(levelsOfCycle())) {
                        return Outcome.VIOLATED;
                    }
                }
            }
        }
    }

    /** Flips the last of the guesses that a contradiction depends on; returns false if it depends on none. */
    private boolean flip(BitSet levels) {
        int last = levels.length() - 1;
        if (last < 0) {
            return false;
        }
        levels.clear(last);
        int decision = decisionEdgeOf[last];
        int from = edges.from[decision];
        int to = edges.to[decision];
        int key = edges.key[decision];
        boolean isOfReader = edges.rule[decision] == ForcedEdges.READ_DECISION;
        backTo(Math.max(0, levels.length() - 1));
        flipReasons.add(membersOf(levels));
        if (isOfReader) {
            edges.add(to, from, ForcedEdges.FLIPPED, key, flipReasons.size() - 1);
        } else {
            addPair(graph.slotOf(to), graph.slotOf(from), ForcedEdges.FLIPPED, key, flipReasons.size() - 1);
        }
        return true;
    }

    private static int[] membersOf(BitSet set) {
        int[] members = new int[set.cardinality()];
        int count = 0;
        for (int member = set.nextSetBit(0); member >= 0; member = set.nextSetBit(member + 1)) {
            members[count++] = member;
        }
        return members;
    }

    private BitSet levelsOfCycle() {
        reasons().findCycleAt(propagation.cycleNode());
        usedEdges.clear();
        reasons().explainPath(certainEdges, usedEdges, refutationSlots);
        return levelsOfUsedEdges();
    }

    private ConflictAnalysis reasons() {
        if (reasons == null) {
            reasons = new ConflictAnalysis(graph, propagation);
        }
        return reasons;
    }

    private BitSet levelsOfUsedEdges() {
        BitSet levels = new BitSet();
        for (int edge = usedEdges.nextSetBit(0); edge >= 0; edge = usedEdges.nextSetBit(edge + 1)) {
            if (edge < certainEdges) {
                refutationEdges.set(edge);
            } else if (edges.rule[edge] == ForcedEdges.DECISION || edges.rule[edge] == ForcedEdges.READ_DECISION) {
                levels.set(levelOf(edge));
            } else {
                for (int level : flipReasons.get(edges.because[edge])) {
                    levels.set(level);
                }
            }
        }
        return levels;
    }

    private int levelOf(int decisionEdge) {
        return Arrays.binarySearch(decisionEdgeOf, 1, levelCount + 1, decisionEdge);
    }

    private void backTo(int level) {
        if (level == levelCount) {
            throw new AssertionError("bug: nothing to take back: level=" + level);
        }
        propagation.undo(trailSizeOf[level + 1], decisionEdgeOf[level + 1]);
        flipReasons.subList(flipCountOf[level + 1], flipReasons.size()).clear();
        levelCount = level;
    }

    /** Returns the transactions that the reasons of a violation name. */
    BitSet refutationSlots() {
        reasons().explainEdges(refutationEdges, refutationSlots);
        return refutationSlots;
    }
}
