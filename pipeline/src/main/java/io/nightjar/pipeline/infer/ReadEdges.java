package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.ParallelTasks;

/**
 * Dependencies derived from reads: wr edges from each writer read from, rw edges to each writer of a missed version,
 * and the reads after which several versions may come next, whose edges are added later.
 */
final class ReadEdges {

    /*
     * Algorithm. Transactions are independent of each other here, so they are processed in pieces, each with separate
     * edges, which are concatenated in the order of the pieces.
     */

    final IntColumn lateKeys = new IntColumn(); // pairs: a key, and a reader that saw its whole chain
    final IntColumn lateReaders = new IntColumn();
    final IntColumn partialVersions = new IntColumn(); // pairs: a version of a partial order, and its reader
    final IntColumn partialReaders = new IntColumn();
    private final DigraphBuilder graph;

    private ReadEdges(DigraphBuilder graph) {
        this.graph = graph;
    }

    /** Adds the edges of all reads to a graph. */
    static ReadEdges addTo(DigraphBuilder graph, ReadResolution reads, VersionOrders orders) {
        OperationLog log = reads.log;
        int[] bounds = ParallelTasks.bounds(reads.helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        ReadEdges all = new ReadEdges(graph);
        if (bounds.length == 2) {
            new Walk(log, orders).follow(0, log.txnCount, all);
            return all;
        }
        ReadEdges[] ofPiece = new ReadEdges[bounds.length - 1];
        reads.helpers.run(reads.helpers.count(), ofPiece.length, () -> {
            Walk walk = new Walk(log, orders);
            return piece -> {
                int ops = log.firstOpOf[bounds[piece + 1]] - log.firstOpOf[bounds[piece]];
                ReadEdges into =
                        new ReadEdges(DigraphBuilder.withKinds(log.txnCount).ensureCapacity(ops));
                walk.follow(bounds[piece], bounds[piece + 1], into);
                ofPiece[piece] = into;
            };
        });
        for (int piece = 0; piece < ofPiece.length; piece++) {
            all.addAll(ofPiece[piece]);
            ofPiece[piece] = null;
        }
        return all;
    }

    private void addAll(ReadEdges others) {
        graph.addAll(others.graph);
        lateKeys.addAll(others.lateKeys);
        lateReaders.addAll(others.lateReaders);
        partialVersions.addAll(others.partialVersions);
        partialReaders.addAll(others.partialReaders);
    }

    /** State of one thread that processes transactions. */
    private static final class Walk {

        private final OperationLog log;
        private final VersionOrders orders;
        private final Versions versions;
        private final int[] wroteOf; // by key: the last transaction that was seen to write it, plus one
        private ReadEdges into;

        Walk(OperationLog log, VersionOrders orders) {
            this.log = log;
            this.orders = orders;
            this.versions = orders.versions();
            this.wroteOf = new int[log.keyCount];
        }

        @SetsFields
        void follow(int firstTxn, int endTxn, ReadEdges edges) {
            into = edges;
            KeyUse use = orders.use();
            byte[] kinds = log.kind;
            for (int txn = firstTxn; txn < endTxn; txn++) {
                if (log.status[txn] != TxnStatus.COMMITTED) {
                    continue;
                }
                for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                    int key = log.key[op];
                    if (OpKind.isWrite(kinds[op])) {
                        wroteOf[key] = txn + 1;
                    } else if (use.of(key) == KeyUse.LIST) {
                        followListRead(txn, key, op, wroteOf[key] == txn + 1 && !log.isCutBeforeOwn(op));
                    } else if (use.of(key) == KeyUse.REGISTER && wroteOf[key] != txn + 1) {
                        followRegisterRead(txn, key, op);
                    }
                }
            }
        }

        /**
         * @param wrote whether the list may end with own appends: versions that the transaction misses then were
         *     written by others after it
         */
        private void followListRead(int txn, int key, int op, boolean wrote) {
            if (log.kind[op] == OpKind.READ_NOTHING || log.lists.length(log.value[op]) == 0) {
                if (!wrote) {
                    missNext(txn, key, 0);
                }
            } else if (orders.lists().isPrefix(op)) {
                int length = log.lists.length(log.value[op]);
                int next = orders.firstMissed(key, length);
                if (next > 0) {
                    int seen = orders.chainVersion(key, next - 1);
                    if (orders.positionOf(seen) == length - 1) {
                        int writer = versions.firstWriter(seen);
                        if (writer == txn) {
                            return;
                        }
                        into.graph.add(writer, txn, DependencyGraph.WR);
                    }
                }
                if (!wrote) {
                    missNext(txn, key, length);
                }
            } else {
                readFrom(txn, versions.find(key, lastElement(op)));
            }
        }

        private long lastElement(int op) {
            long list = log.value[op];
            return log.lists.element(log.key[op], list, log.lists.length(list) - 1);
        }

        private void readFrom(int txn, int version) {
            if (version != Versions.NONE && orders.isResolved(version) && versions.writer(version) != txn) {
                into.graph.add(versions.writer(version), txn, DependencyGraph.WR);
            }
        }

        private void followRegisterRead(int txn, int key, int op) {
            int version = versions.ofOp(op);
            readFrom(txn, version);
            if (version == Versions.NONE || versions.writer(version) == Versions.SEVERAL) {
                return;
            }
            if (orders.isPartial(key)) {
                into.partialVersions.add(version);
                into.partialReaders.add(txn);
            } else if (orders.positionOf(version) != VersionOrders.NOWHERE) {
                missNext(txn, key, orders.positionOf(version) + 1);
            } else if (versions.isInitial(version)) {
                missNext(txn, key, 0);
            }
        }

        /** Adds an edge: the transaction saw the given number of first versions of a key, and not the next. */
        private void missNext(int txn, int key, int position) {
            int next = orders.firstMissed(key, position);
            if (next == orders.chainLength(key)) {
                if (orders.endCount(key) > 0) {
                    into.lateKeys.add(key);
                    into.lateReaders.add(txn);
                }
                return;
            }
            int writer = versions.firstWriter(orders.chainVersion(key, next));
            if (writer != txn) {
                into.graph.add(txn, writer, DependencyGraph.RW);
            }
        }
    }
}
