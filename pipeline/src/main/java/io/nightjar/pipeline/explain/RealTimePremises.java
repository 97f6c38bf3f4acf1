package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Real-time premises of the steps of a contradiction: which transaction ended before which began. */
final class RealTimePremises {

    /*
     * A step orders an older version before a newer one, for one of these reasons:
     *
     *   older ──► newer            because the older writer precedes the newer writer, or
     *   older ──► reader           because the older writer precedes a reader of the newer
     *
     * by sessions, reads and real time. Paths that use real time are reported; others are evident. If a step depends on
     * more than such a path, all real-time pairs of the transactions are reported, except the implied ones.
     */

    private final ClientHistory history;
    private final LogValues values;
    private final List<Integer> txns;
    private final Function<Step, Edge> edgeOf;
    private final Set<Edge> edges = new LinkedHashSet<>();
    private boolean isOpen; // a step depends on further evidence

    private RealTimePremises(
            ClientHistory history, LogValues values, Collection<Integer> txns, Function<Step, Edge> edgeOf) {
        this.history = history;
        this.values = values;
        this.txns = List.copyOf(txns);
        this.edgeOf = edgeOf;
    }

    /**
     * Returns the real-time edges to report in addition to the steps; none if real time is not used.
     *
     * @param steps the cycle; empty if an exhaustive search found no order
     * @param txns all required transactions
     * @param edgeOf creates the edge of a step without real time
     */
    static List<Edge> of(
            ClientHistory history,
            LogValues values,
            List<Step> steps,
            Collection<Integer> txns,
            Function<Step, Edge> edgeOf) {
        RealTimePremises premises = new RealTimePremises(history, values, txns, edgeOf);
        if (!premises.hasSights()) {
            return List.of();
        }
        steps.forEach(premises::addOf);
        if (steps.isEmpty() || premises.isOpen) {
            premises.addAll();
        }
        return List.copyOf(premises.edges);
    }

    /** Returns whether some transaction precedes another only because it had ended. */
    private boolean hasSights() {
        for (int txn : txns) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                boolean isSight = history.keyOfRead[read] == ClientHistory.NO_KEY && writer != ClientHistory.INITIAL;
                if (isSight && values.writeSeenBy(id(txn), id(writer), LogValues.NO_OP) == LogValues.NO_OP) {
                    return true;
                }
            }
        }
        return false;
    }

    private void addOf(Step step) {
        switch (step.rule()) {
            case OVERWRITES -> {
                if (step.because() >= 0) {
                    isOpen |= !addOlder(step.because(), step.to(), step.key());
                }
            }
            case OVERWRITTEN -> isOpen |= !addWay(step.from(), step.because());
            case SESSION_ORDER, READ_FROM, VERSION_ORDER -> {
                // Evident from the step.
            }
            case NO_OVERLAP -> isOpen = true;
        }
    }

    /**
     * Adds the path that orders one version before another; returns false if none exists, so that the order has other
     * evidence.
     */
    private boolean addOlder(int older, int newer, int key) {
        if (addWay(older, newer)) {
            return true;
        }
        for (int reader : txns) {
            if (reader != older && reads(reader, key, newer) && addWay(older, reader)) {
                edges.add(edgeOf.apply(Step.of(older, newer, Rule.OVERWRITTEN, key, reader)));
                return true;
            }
        }
        return false;
    }

    private boolean reads(int reader, int key, int writer) {
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            if (history.keyOfRead[read] == key && history.writerOf[read] == writer) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- paths

    /** Adds the shortest path between two transactions if it uses real time; returns false if no path exists. */
    private boolean addWay(int from, int to) {
        List<Supplier<Edge>> way = from == to ? null : LogValues.path(from, to, txns, this::between);
        if (way == null) {
            return false;
        }
        List<Edge> steps = way.stream().map(Supplier::get).toList();
        if (steps.stream().anyMatch(step -> step.type() == EdgeType.RT)) {
            edges.addAll(steps);
        }
        return true;
    }

    private @Nullable Supplier<Edge> between(int from, int to) {
        Step sight = sight(from, to);
        if (sight != null) {
            return () -> edgeOf.apply(sight);
        }
        return isEndedBefore(from, to) ? () -> realTime(from, to) : null;
    }

    /** Returns the step by a session or a read; null if none. */
    private @Nullable Step sight(int from, int to) {
        if (history.sessionOf[from] == history.sessionOf[to] && from < to) {
            return Step.of(from, to, Rule.SESSION_ORDER, Contradiction.NONE, Contradiction.NONE);
        }
        for (int read = history.firstReadOf[to]; read < history.firstReadOf[to + 1]; read++) {
            if (history.writerOf[read] == from && history.keyOfRead[read] != ClientHistory.NO_KEY) {
                return Step.of(from, to, Rule.READ_FROM, history.keyOfRead[read], Contradiction.NONE);
            }
        }
        return null;
    }

    private boolean isEndedBefore(int from, int to) {
        long completeNs = values.log.completeNs[row(from)];
        long invokeNs = values.log.invokeNs[row(to)];
        return completeNs != HistorySlice.NONE && invokeNs != HistorySlice.NONE && completeNs < invokeNs;
    }

    private Edge realTime(int from, int to) {
        return DependencyEdges.inTime(values.log, row(from), row(to));
    }

    private int row(int txn) {
        return values.txnOf(id(txn));
    }

    /** Adds every pair ordered by real time, except those with another transaction wholly between them. */
    private void addAll() {
        List<Edge> pairs = new ArrayList<>();
        for (int from : txns) {
            for (int to : txns) {
                boolean isNeeded = isEndedBefore(from, to)
                        && txns.stream().noneMatch(other -> isEndedBefore(from, other) && isEndedBefore(other, to));
                if (isNeeded) {
                    pairs.add(realTime(from, to));
                }
            }
        }
        edges.addAll(pairs);
    }

    private long id(int txn) {
        return history.txnIdOf[txn];
    }
}
