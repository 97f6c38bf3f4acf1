package io.nightjar.bench.micro;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.commitorder.ForcedOrder;
import io.nightjar.pipeline.infer.ClientHistory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The cost of the two parts of the search for an order, on snapshots: passes of all rows, and edges followed one by
 * one.
 */
public class ForcedOrderBenchmark extends KernelBenchmark {

    /** A history, and the number of pairs of its transactions, out of some pairs, that passes order. */
    @State(Scope.Benchmark)
    public static class Generated {

        @Param({"BISWAS_ENEA", "POLYSI", "COBRA", "FEW_READS"})
        public Shape shape;

        @Param("0")
        public long transactions;

        private ClientHistory history;
        private int orderedPairs;

        @Setup(Level.Trial)
        public void generate() {
            history = ClientView.history(shape.options(transactions).build());
            orderedPairs = pairs(ForcedOrder.bySaturation(history, IsolationLevel.SNAPSHOT_ISOLATION));
        }

        private int pairs(ForcedOrder order) {
            int ordered = 0;
            for (int txn = 0; txn + 1 < history.txnCount; txn++) {
                int other = history.txnCount - 1 - txn;
                ordered += order.isBefore(txn, other) ? 1 : 0;
            }
            return ordered;
        }

        private ForcedOrder verified(ForcedOrder order) {
            int ordered = pairs(order);
            if (ordered != orderedPairs) {
                throw new IllegalStateException("another order: pairs=" + ordered + " expected=" + orderedPairs);
            }
            return order;
        }
    }

    /** Rows that a single pass has filled; following edges uses them up. */
    @State(Scope.Thread)
    public static class Begun {

        private ForcedOrder order;

        @Setup(Level.Invocation)
        public void passOnce(Generated of) {
            order = ForcedOrder.byOnePass(of.history, IsolationLevel.SNAPSHOT_ISOLATION);
        }
    }

    @Benchmark
    public ForcedOrder saturateOrder(Generated of) {
        return of.verified(ForcedOrder.bySaturation(of.history, IsolationLevel.SNAPSHOT_ISOLATION));
    }

    @Benchmark
    public ForcedOrder propagateEdges(Generated of, Begun begun) {
        return of.verified(begun.order.propagate());
    }
}
