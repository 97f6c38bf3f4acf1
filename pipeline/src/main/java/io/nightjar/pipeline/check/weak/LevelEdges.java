package io.nightjar.pipeline.check.weak;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Edges that a level requires of every commit order in addition to sessions and reads: one transaction before another.
 * Reasons are not stored; they are determined later for the few edges that need them.
 */
final class LevelEdges {

    /*
     * Layout. The first versionCount edges represent the known order of versions. The others are derived by a rule, or
     * by a piece of a rule's work, which has separate edges until they are added to the others in the order of the
     * pieces. A read of the initial state by a transaction with a writer of the key in its past is no edge but a
     * violation: it is stored as (overwriter, reader, key), a few of them, at most one for each reader.
     *
     * Invariant. Thinning depends on the total number of edges derived by all pieces, and then applies to all of them
     * in the end: so the result does not depend on the pieces.
     */

    private static final int MAX_STALE_READS = 1_000;
    private static final int MAX_EDGES = 1 << 27;
    private static final int EDGES_BEFORE_THINNING = 1 << 24;

    private IntColumn earlier = new IntColumn();
    private IntColumn later = new IntColumn();
    private int versionCount;
    private int edgesBeforeThinning;
    private final int fewEdges;
    private final AtomicLong derived; // edges added, here and in pieces, as far as reported
    private int reportedCount;

    private final IntColumn overwriters = new IntColumn();
    private final IntColumn staleReaders = new IntColumn();
    private final IntColumn staleKeys = new IntColumn();

    /** Edges by the later transaction, once {@link #sort} was called. */
    int @Nullable [] firstBeforeOf;

    int @Nullable [] before;

    LevelEdges(ClientHistory history) {
        this(EDGES_BEFORE_THINNING, new AtomicLong());
        if (history.knowsVersionOrders()) {
            addVersions(history);
        }
        versionCount = earlier.size();
    }

    private LevelEdges(int fewEdges, AtomicLong derived) {
        this.fewEdges = fewEdges;
        this.edgesBeforeThinning = fewEdges;
        this.derived = derived;
    }

    /** Returns an instance for the edges of one of several pieces of work, to be passed to {@link #addAll}. */
    LevelEdges ofPiece(int pieces) {
        return new LevelEdges(EDGES_BEFORE_THINNING / pieces, derived);
    }

    /** Adds the edges derived by a piece of work, as if they had been derived here. */
    void addAll(LevelEdges piece) {
        piece.report();
        earlier.addAll(piece.earlier);
        later.addAll(piece.later);
        reportedCount += piece.count();
        for (int i = 0; i < piece.staleReadCount(); i++) {
            addStaleRead(piece.overwriter(i), piece.staleReader(i), piece.staleKey(i));
        }
    }

    void add(int from, int to) {
        earlier.add(from);
        later.add(to);
    }

    /**
     * Adds a stale read: a transaction read the initial state of a key although it had seen another one, which writes
     * the key.
     */
    void addStaleRead(int overwriter, int reader, int key) {
        int count = staleReaders.size();
        boolean isNew = count == 0 || staleReaders.get(count - 1) != reader;
        if (isNew && count < MAX_STALE_READS) {
            overwriters.add(overwriter);
            staleReaders.add(reader);
            staleKeys.add(key);
        }
    }

    int count() {
        return earlier.size();
    }

    int from(int edge) {
        return earlier.get(edge);
    }

    int to(int edge) {
        return later.get(edge);
    }

    boolean isVersion(int edge) {
        return edge < versionCount;
    }

    int staleReadCount() {
        return staleReaders.size();
    }

    int overwriter(int staleRead) {
        return overwriters.get(staleRead);
    }

    int staleReader(int staleRead) {
        return staleReaders.get(staleRead);
    }

    int staleKey(int staleRead) {
        return staleKeys.get(staleRead);
    }

    /** Groups the edges by their later transaction. */
    void sort(int txnCount) {
        firstBeforeOf = CountingSort.firstOf(later, txnCount);
        before = CountingSort.values(later, earlier, firstBeforeOf);
    }

    /** Gives up the edges grouped by their later transaction. */
    void forgetSorted() {
        firstBeforeOf = null;
        before = null;
    }

    /**
     * Limits the number of edges; called from time to time during the derivation, and {@link #settle} in the end.
     *
     * @return false if the edges are too many to continue
     */
    boolean keepFew(Chains chains, int txnCount) {
        report();
        if (count() > edgesBeforeThinning && isMuch()) {
            thinOut(chains, txnCount);
            edgesBeforeThinning = (int) Math.min(MAX_EDGES, Math.max(fewEdges, 2L * count()));
        }
        return count() <= MAX_EDGES;
    }

    /**
     * Ends the derivation: if edges are many, drops the implied ones.
     *
     * @return false if the edges are too many to continue
     */
    boolean settle(Chains chains, int txnCount) {
        report();
        if (isMuch()) {
            thinOut(chains, txnCount);
        }
        return count() <= MAX_EDGES;
    }

    private boolean isMuch() {
        return derived.get() > EDGES_BEFORE_THINNING;
    }

    private void report() {
        derived.addAndGet(count() - reportedCount);
        reportedCount = count();
    }

    /**
     * Retains, of the edges from one chain to one transaction, only the edge from the last transaction of the chain,
     * which implies the rest.
     */
    void thinOut(Chains chains, int txnCount) {
        sort(txnCount);
        IntColumn keptEarlier = new IntColumn();
        IntColumn keptLater = new IntColumn();
        for (int version = 0; version < versionCount; version++) {
            keptEarlier.add(earlier.get(version));
            keptLater.add(later.get(version));
        }
        int[] furthestOf = new int[chains.chainCount];
        int[] furthestFor = new int[chains.chainCount]; // the transaction, plus one, for which furthestOf holds
        for (int txn = 0; txn < txnCount; txn++) {
            for (int i = requireNonNull(firstBeforeOf)[txn]; i < firstBeforeOf[txn + 1]; i++) {
                int chain = chains.chainOf[requireNonNull(before)[i]];
                int position = chains.positionOf[before[i]];
                if (furthestFor[chain] != txn + 1 || furthestOf[chain] < position) {
                    furthestFor[chain] = txn + 1;
                    furthestOf[chain] = position;
                }
            }
            for (int i = firstBeforeOf[txn]; i < firstBeforeOf[txn + 1]; i++) {
                int chain = chains.chainOf[requireNonNull(before)[i]];
                if (furthestFor[chain] == txn + 1 && furthestOf[chain] == chains.positionOf[before[i]]) {
                    keptEarlier.add(before[i]);
                    keptLater.add(txn);
                    furthestFor[chain] = 0;
                }
            }
        }
        earlier = keptEarlier;
        later = keptLater;
        reportedCount = count();
        forgetSorted();
    }

    /** Orders each version of a key after the previous one, and writers with unknown position after the last one. */
    private void addVersions(ClientHistory history) {
        int[] first = history.firstVersionOf;
        int[] lastVersionOf = new int[history.keyCount];
        for (int key = 0; key < history.keyCount; key++) {
            lastVersionOf[key] =
                    first[key + 1] > first[key] ? history.txnOfVersion[first[key + 1] - 1] : TxnConstants.NONE;
            for (int version = first[key] + 1; version < first[key + 1]; version++) {
                if (history.txnOfVersion[version - 1] != history.txnOfVersion[version]) {
                    add(history.txnOfVersion[version - 1], history.txnOfVersion[version]);
                }
            }
        }
        addWritersWithoutPosition(history, lastVersionOf);
    }

    private void addWritersWithoutPosition(ClientHistory history, int[] lastVersionOf) {
        WritersByKey writers = WritersByKey.of(history, null);
        int[] placedFor = new int[history.txnCount]; // the key, plus one, in whose order it has a position
        for (int key = 0; key < history.keyCount; key++) {
            if (lastVersionOf[key] == TxnConstants.NONE) {
                continue;
            }
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                placedFor[history.txnOfVersion[version]] = key + 1;
            }
            for (int i = writers.firstWriterOf[key]; i < writers.firstWriterOf[key + 1]; i++) {
                if (placedFor[writers.writers[i]] != key + 1) {
                    add(lastVersionOf[key], writers.writers[i]);
                }
            }
        }
    }
}
