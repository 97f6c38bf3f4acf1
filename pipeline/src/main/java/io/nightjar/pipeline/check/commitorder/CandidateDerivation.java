package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.infer.Observations;
import java.util.Arrays;

/** Derives the edges that follow from an observation, which read one of several versions. */
final class CandidateDerivation {

    /*
     * Definitions. r is the reader, S its snapshot, x the key, C(w) the commit of a writer w of x. The row of a node
     * counts, for each chain, the nodes known to come before it; a < b if the row of b includes a.
     *
     * Rules.
     *   a candidate c is dead if S < C(c), or if C(c) < C(w) < S for another writer w; the initial state if C(w) < S
     *   one candidate is left: C(c) -> S;  w < S gives C(w) -> C(c);  C(c) < C(w) gives S -> C(w)
     *   the initial state is:  S comes before each writer
     *   several are left:      a node that comes before each of them comes before S, unless the initial state is left
     *                          S comes before each writer that comes after all of them
     *
     * The observation of a counter is a sum. Increments that come before S are in it, those after S are not, and the
     * others are open. An open increment is not in the sum if its inclusion makes the sum wrong for every choice
     * of the other open ones; it is in the sum if its omission does.
     *
     * None left is a contradiction: the rules for one candidate, applied to a dead one, close a cycle.
     *
     * Invariant. Rows only grow along a chain. So of the candidates left in a chain, nodes before the first come before
     * all of them, and nodes after the last come after all of them.
     *
     * Cost. Per observation O(runs * log(versions) + candidates left * runs).
     *
     * Source. Biswas and Enea's axioms, for a read of any of several writers.
     */

    /** Receives edges that the rows do not imply. */
    @FunctionalInterface
    interface EdgeConsumer {

        /** Adds an edge; {@code candidate} is the version that is left, or a negative number. */
        void add(int from, int to, byte rule, int candidate, int observation);
    }

    static final int NONE = -1;

    /** Number of candidates up to which a comparison with each writer before the snapshot costs less than joining their rows. */
    private static final int FEW_CANDIDATES = 4;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final CandidateVersions candidates;
    private final int[] lastBefore; // by run: the last version that comes before the snapshot, or NONE
    private final int[] firstLeft; // by chain with candidates left
    private final int[] lastLeft;
    private final int[] left; // candidates that their chain does not exclude
    private final int[] overwrittenIn; // by chain: nodes before some writer that comes before the snapshot
    private final int[] commonIn; // by chain: nodes before each candidate
    private final int[] added; // nodes that were put before the snapshot
    private int snapshotChain;
    private int snapshotPosition;

    CandidateDerivation(OrderGraph graph, CandidateVersions candidates) {
        this.graph = graph;
        this.history = graph.history;
        this.candidates = candidates;
        this.lastBefore = new int[candidates.maxRuns];
        this.firstLeft = new int[candidates.maxRuns];
        this.lastLeft = new int[candidates.maxRuns];
        this.left = new int[candidates.maxCandidates];
        this.overwrittenIn = new int[history.chainCount];
        this.commonIn = new int[history.chainCount];
        this.added = new int[history.chainCount];
    }

    /** Returns whether the observation has one candidate left, and its position among all writers is known. */
    boolean derive(int observation, EdgeConsumer consumer) {
        int reader = candidates.readerSlotOf[observation];
        int snapshot = graph.snapshotOf(reader);
        int set = candidates.observations.setOf[observation];
        int key = candidates.observations.keyOf[set];
        int firstRun = candidates.firstRunOf[key];
        int runs = candidates.firstRunOf[key + 1] - firstRun;
        if (candidates.observations.isSum(set)) {
            return deriveFromSum(observation, snapshot, reader, consumer);
        }
        boolean isInitialLeft = findLastBefore(set, snapshot, firstRun, runs);
        snapshotChain = graph.chainOf(snapshot);
        snapshotPosition = graph.positionOf(snapshot);
        int dead = NONE;
        int concurrent = 0;
        int end = candidates.firstVersionOf[set + 1];
        for (int i = candidates.firstVersionOf[set]; i < end; i++) {
            int version = candidates.versionOf[i];
            int writer = history.writerOfVersion[version];
            if (writer == reader) {
                continue;
            }
            int run = candidates.runOf[version];
            if (version < lastBefore[run - firstRun]) {
                dead = version;
                i = firstNotBefore(lastBefore[run - firstRun], i + 1, end) - 1;
            } else if (isAfterSnapshot(graph.commitOf(writer))) {
                dead = version;
                i = firstNotBefore(candidates.firstOfRun[run + 1], i + 1, end) - 1;
            } else {
                left[concurrent++] = version;
            }
        }
        boolean areMany = concurrent > FEW_CANDIDATES;
        if (areMany) {
            findOverwritten(runs);
        }
        int count = 0;
        int chains = 0;
        int chain = NONE;
        for (int i = 0; i < concurrent; i++) {
            int version = left[i];
            if (areMany ? isOverwritten(version) : isOverwritten(version, runs)) {
                dead = version;
                continue;
            }
            count++;
            int ofVersion = history.chainOf[history.writerOfVersion[version]];
            if (ofVersion != chain) {
                chain = ofVersion;
                firstLeft[chains++] = version;
            }
            lastLeft[chains - 1] = version;
        }
        if (count == 1 && !isInitialLeft) {
            return deriveFromOnly(firstLeft[0], observation, snapshot, firstRun, runs, consumer);
        }
        if (count == 0 && (isInitialLeft || dead == NONE)) {
            deriveFromInitial(observation, snapshot, firstRun, runs, consumer);
        } else if (count == 0) {
            deriveFromOnly(dead, observation, snapshot, firstRun, runs, consumer);
        } else {
            if (!isInitialLeft) {
                derivePast(observation, snapshot, chains, consumer);
            }
            deriveFuture(observation, snapshot, firstRun, runs, chains, consumer);
        }
        return false;
    }

    /** Returns whether no increment is open. */
    private boolean deriveFromSum(int observation, int snapshot, int reader, EdgeConsumer consumer) {
        Observations observations = candidates.observations;
        int set = observations.setOf[observation];
        long min = 0;
        long max = 0;
        int open = 0;
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int writer = history.writerOfVersion[candidates.versionOf[i]];
            int commit = graph.commitOf(writer);
            if (writer == reader || graph.comesBefore(snapshot, commit)) {
                continue;
            }
            long delta = candidates.deltaOf[i];
            boolean isIn = graph.comesBefore(commit, snapshot);
            min += isIn ? delta : Math.min(delta, 0);
            max += isIn ? delta : Math.max(delta, 0);
            open += isIn ? 0 : 1;
        }
        long sum = observations.sum(set);
        boolean isWrong = min > sum || max < sum;
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int writer = history.writerOfVersion[candidates.versionOf[i]];
            int commit = graph.commitOf(writer);
            boolean isOut = graph.comesBefore(snapshot, commit);
            boolean isIn = graph.comesBefore(commit, snapshot);
            long delta = candidates.deltaOf[i];
            if (writer == reader || !isWrong && (isIn || isOut)) {
                continue;
            }
            long minWithout = min - (isOut ? 0 : isIn ? delta : Math.min(delta, 0));
            long maxWithout = max - (isOut ? 0 : isIn ? delta : Math.max(delta, 0));
            if (!isOut && (minWithout + delta > sum || maxWithout + delta < sum)) {
                consumer.add(snapshot, commit, ForcedEdges.SUM, NONE, observation);
            }
            if (!isIn && (minWithout > sum || maxWithout < sum)) {
                consumer.add(commit, snapshot, ForcedEdges.SUM, NONE, observation);
            }
            if (isWrong && (isIn || isOut)) {
                return false; // the edge closes a cycle
            }
        }
        return open == 0 && !isWrong;
    }

    /** Finds the last version of each run that comes before a snapshot; returns whether the initial state is left. */
    private boolean findLastBefore(int set, int snapshot, int firstRun, int runs) {
        boolean isInitialLeft = candidates.observations.acceptsInitial[set];
        for (int run = 0; run < runs; run++) {
            lastBefore[run] = lastCommittedBefore(snapshot, firstRun + run);
            isInitialLeft &= lastBefore[run] == NONE;
        }
        return isInitialLeft;
    }

    /** Returns the first index from a range of indexes whose version is not before a given one. */
    private int firstNotBefore(int version, int from, int end) {
        int low = from;
        int high = end;
        while (low < high) {
            int middle = low + high >>> 1;
            if (candidates.versionOf[middle] < version) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether a candidate cannot have been read, according to the rows; after {@link #lastBefore} is set. */
    private boolean isDead(int version, int snapshot, int runs) {
        return graph.comesBefore(snapshot, commitOf(version)) || isOverwritten(version, runs);
    }

    private boolean isAfterSnapshot(int node) {
        return graph.clocks.get(node, snapshotChain) > snapshotPosition;
    }

    /** Joins the rows of the last writers of each run that come before the snapshot. */
    private void findOverwritten(int runs) {
        Arrays.fill(overwrittenIn, 0);
        for (int run = 0; run < runs; run++) {
            if (lastBefore[run] != NONE) {
                int[] block = graph.clocks.blockOf(commitOf(lastBefore[run]));
                int base = graph.clocks.baseOf(commitOf(lastBefore[run]));
                for (int chain = 0; chain < overwrittenIn.length; chain++) {
                    overwrittenIn[chain] = Math.max(overwrittenIn[chain], block[base + chain]);
                }
            }
        }
    }

    /** Returns whether a version was overwritten before the snapshot; after {@link #findOverwritten}. */
    private boolean isOverwritten(int version) {
        int commit = commitOf(version);
        return overwrittenIn[graph.chainOf(commit)] > graph.positionOf(commit);
    }

    private boolean isOverwritten(int version, int runs) {
        int commit = commitOf(version);
        for (int run = 0; run < runs; run++) {
            int later = lastBefore[run];
            if (later != NONE && later != version && graph.comesBefore(commit, commitOf(later))) {
                return true;
            }
        }
        return false;
    }

    private int commitOf(int version) {
        return graph.commitOf(history.writerOfVersion[version]);
    }

    private int lastCommittedBefore(int snapshot, int run) {
        int low = candidates.firstOfRun[run];
        int first = low;
        int high = candidates.firstOfRun[run + 1];
        int chain = history.chainOf[history.writerOfVersion[low]];
        int end = history.firstOf[chain] + (graph.clocks.get(snapshot, chain) >> graph.shift);
        while (low < high) {
            int middle = low + high >>> 1;
            if (history.writerOfVersion[middle] < end) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == first ? NONE : low - 1;
    }

    private boolean deriveFromOnly(
            int version, int observation, int snapshot, int firstRun, int runs, EdgeConsumer consumer) {
        int commit = commitOf(version);
        boolean isSettled = graph.comesBefore(commit, snapshot);
        if (!isSettled) {
            consumer.add(commit, snapshot, ForcedEdges.ONLY_CANDIDATE, version, observation);
        }
        for (int run = 0; run < runs; run++) {
            int before = lastBefore[run];
            if (before != NONE && before != version && !graph.comesBefore(commitOf(before), commit)) {
                isSettled = false;
                consumer.add(commitOf(before), commit, ForcedEdges.BEFORE_CANDIDATE, version, observation);
            }
            isSettled = isSettled && isNextAfter(snapshot, before, firstRun + run);
            int after = firstAfter(firstRun + run, version);
            if (after != NONE) {
                addMissed(snapshot, after, ForcedEdges.AFTER_CANDIDATE, version, observation, consumer);
            }
        }
        return isSettled;
    }

    /** Returns whether the versions of a run after those before a snapshot come after it. */
    private boolean isNextAfter(int snapshot, int before, int run) {
        int next = before == NONE ? candidates.firstOfRun[run] : before + 1;
        return next == candidates.firstOfRun[run + 1] || graph.comesBefore(snapshot, commitOf(next));
    }

    /** Returns the first version of a run that comes after a version, or {@link #NONE}. */
    private int firstAfter(int run, int version) {
        int commit = commitOf(version);
        int low = candidates.firstOfRun[run];
        int end = candidates.firstOfRun[run + 1];
        int high = end;
        while (low < high) {
            int middle = low + high >>> 1;
            if (graph.comesBefore(commit, commitOf(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == end ? NONE : low;
    }

    private void addMissed(
            int snapshot, int version, byte rule, int candidate, int observation, EdgeConsumer consumer) {
        int writer = history.writerOfVersion[version];
        boolean isReader = writer == candidates.readerSlotOf[observation];
        if (!isReader && !graph.comesBefore(snapshot, graph.commitOf(writer))) {
            consumer.add(snapshot, graph.commitOf(writer), rule, candidate, observation);
        }
    }

    private void deriveFromInitial(int observation, int snapshot, int firstRun, int runs, EdgeConsumer consumer) {
        for (int run = 0; run < runs; run++) {
            int first = candidates.firstOfRun[firstRun + run];
            addMissed(snapshot, first, ForcedEdges.AFTER_CANDIDATE, ChainedHistory.INITIAL, observation, consumer);
        }
    }

    private void derivePast(int observation, int snapshot, int chains, EdgeConsumer consumer) {
        if (!findCommon(snapshot, chains)) {
            return;
        }
        int count = 0;
        for (int chain = 0; chain < history.chainCount; chain++) {
            int nodes = commonIn[chain];
            if (nodes <= graph.clocks.get(snapshot, chain)) {
                continue;
            }
            int node = (history.firstOf[chain] << graph.shift) + nodes - 1;
            if (!isBeforeAdded(node, count)) {
                added[count++] = node;
                consumer.add(node, snapshot, ForcedEdges.BEFORE_CANDIDATES, NONE, observation);
            }
        }
    }

    /** Finds the nodes that come before each candidate left; returns whether some are not known to precede the snapshot. */
    private boolean findCommon(int snapshot, int chains) {
        int[] ofSnapshot = graph.clocks.blockOf(snapshot);
        int baseOfSnapshot = graph.clocks.baseOf(snapshot);
        Arrays.fill(commonIn, Integer.MAX_VALUE);
        for (int i = 0; i < chains; i++) {
            int commit = commitOf(firstLeft[i]);
            int[] block = graph.clocks.blockOf(commit);
            int base = graph.clocks.baseOf(commit);
            int own = graph.chainOf(commit);
            int inOwn = Math.min(commonIn[own], graph.positionOf(commit) + 1);
            for (int chain = 0; chain < commonIn.length; chain++) {
                commonIn[chain] = Math.min(commonIn[chain], block[base + chain]);
            }
            commonIn[own] = inOwn;
            int difference = 0; // negative if the snapshot lacks a node
            for (int chain = 0; chain < commonIn.length; chain++) {
                difference |= ofSnapshot[baseOfSnapshot + chain] - commonIn[chain];
            }
            if (difference >= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isBeforeAdded(int node, int count) {
        for (int i = 0; i < count; i++) {
            if (graph.comesBefore(node, added[i])) {
                return true;
            }
        }
        return false;
    }

    private void deriveFuture(
            int observation, int snapshot, int firstRun, int runs, int chains, EdgeConsumer consumer) {
        for (int run = 0; run < runs; run++) {
            int low = lastBefore[run] == NONE ? candidates.firstOfRun[firstRun + run] : lastBefore[run] + 1;
            int end = candidates.firstOfRun[firstRun + run + 1];
            if (low == end || isAfterSnapshot(commitOf(low)) || !isAfterAll(end - 1, chains)) {
                continue;
            }
            int high = end - 1;
            while (low < high) {
                int middle = low + high >>> 1;
                if (isAfterAll(middle, chains)) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            addMissed(snapshot, low, ForcedEdges.AFTER_CANDIDATES, NONE, observation, consumer);
        }
    }

    private boolean isAfterAll(int version, int chains) {
        int commit = commitOf(version);
        for (int i = 0; i < chains; i++) {
            if (!graph.comesBefore(commitOf(lastLeft[i]), commit)) {
                return false;
            }
        }
        return true;
    }

    private int openIncrements(int set, int snapshot, int reader, int[] into) {
        int count = 0;
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int writer = history.writerOfVersion[candidates.versionOf[i]];
            int commit = graph.commitOf(writer);
            boolean isOpen = !graph.comesBefore(snapshot, commit) && !graph.comesBefore(commit, snapshot);
            if (writer != reader && isOpen) {
                into[count++] = candidates.versionOf[i];
            }
        }
        return count;
    }

    /**
     * Writes the candidates left of an observation: versions, and {@link ChainedHistory#INITIAL} for the initial state; of
     * an observation of a counter, the open increments. Returns their number.
     */
    int candidatesLeft(int observation, int[] into) {
        int reader = candidates.readerSlotOf[observation];
        int snapshot = graph.snapshotOf(reader);
        int set = candidates.observations.setOf[observation];
        int key = candidates.observations.keyOf[set];
        int firstRun = candidates.firstRunOf[key];
        int runs = candidates.firstRunOf[key + 1] - firstRun;
        if (candidates.observations.isSum(set)) {
            return openIncrements(set, snapshot, reader, into);
        }
        boolean isInitialLeft = findLastBefore(set, snapshot, firstRun, runs);
        int count = 0;
        if (isInitialLeft) {
            into[count++] = ChainedHistory.INITIAL;
        }
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int version = candidates.versionOf[i];
            if (history.writerOfVersion[version] != reader && !isDead(version, snapshot, runs)) {
                into[count++] = version;
            }
        }
        return count;
    }
}
