package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Replays cycles of dependencies between the transactions of a history of tables, edge by edge. */
final class TableCycleReplay {

    private final RawTables tables;

    TableCycleReplay(RawTables tables) {
        this.tables = tables;
    }

    /** Returns why a cycle is none; null if it is one. */
    @Nullable
    String refutation(Finding finding) {
        List<Edge> edges = finding.edges();
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            if (edge.toTxnId() != edges.get((i + 1) % edges.size()).fromTxnId()) {
                return "edges do not meet: " + edge;
            }
            if (!(edge.reason() instanceof OfRows reason)) {
                return "edge without a reason: " + edge;
            }
            boolean holds =
                    switch (reason.fact()) {
                        case FOLLOWS -> edge.type() == EdgeType.SO && follows(edge);
                        case REPLACED -> edge.type() == EdgeType.WW && isWw(edge);
                        case READ -> edge.type() == EdgeType.WR && isItemWr(edge);
                        case READ_THEN_REPLACED -> edge.type() == EdgeType.RW && isItemRw(edge);
                        case MATCH_HAD_CHANGED -> edge.type() == EdgeType.WR && isPredicateEdge(edge, true);
                        case MATCH_CHANGED -> edge.type() == EdgeType.RW && isPredicateEdge(edge, false);
                        default -> false;
                    };
            if (!holds) {
                return "edge is not in the history: " + edge;
            }
            if (!namesVersions(edge)) {
                return "edge names other rows than its versions have: " + edge;
            }
        }
        return null;
    }

    private boolean follows(Edge edge) {
        Txn from = tables.txn(edge.fromTxnId());
        Txn to = tables.txn(edge.toTxnId());
        return from.session() == to.session() && from.seq() < to.seq();
    }

    /** Returns the row that an edge is about. */
    private static String row(Edge edge) {
        return requireNonNull(edge.key());
    }

    /** Returns the position of the last version that a transaction made of a row; -1 if it made none. */
    private int positionOf(long txn, String key) {
        List<Op> versions = tables.versions(key);
        for (int i = versions.size() - 1; i >= 0; i--) {
            if (versions.get(i).txn() == txn) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether the rows of an edge equal its versions, as far as its own transactions wrote them. */
    private boolean namesVersions(Edge edge) {
        boolean isFromWritten = edge.type() == EdgeType.WW || edge.type() == EdgeType.WR;
        boolean isToWritten = edge.type() == EdgeType.WW || edge.type() == EdgeType.RW;
        String from = isFromWritten ? rowOf(edge.fromTxnId(), row(edge)) : edge.fromValue();
        String to = isToWritten ? rowOf(edge.toTxnId(), row(edge)) : edge.toValue();
        return Objects.equals(from, edge.fromValue()) && Objects.equals(to, edge.toValue());
    }

    private @Nullable String rowOf(long txn, String key) {
        return tables.rowAt(key, positionOf(txn, key));
    }

    private boolean isWw(Edge edge) {
        int from = positionOf(edge.fromTxnId(), row(edge));
        return from >= 0 && from < positionOf(edge.toTxnId(), row(edge));
    }

    private boolean isItemWr(Edge edge) {
        int from = positionOf(edge.fromTxnId(), row(edge));
        return from >= 0 && hasRead(edge, edge.toTxnId(), position -> position == from);
    }

    boolean isItemRw(Edge edge) {
        int to = positionOf(edge.toTxnId(), row(edge));
        return hasRead(edge, edge.fromTxnId(), position -> position < to);
    }

    /** Returns whether a transaction read a version of the row at some position. */
    private boolean hasRead(Edge edge, long reader, IntPredicate isRead) {
        for (Op op : tables.txn(reader).ops()) {
            Integer position = OpKind.isRead(op.kind()) && op.isOn(edge.key()) ? tables.positionRead(op) : null;
            if (position != null && isRead.test(position)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a predicate read follows a change of its matches, or precedes one, for each version that it may
     * have observed.
     */
    private boolean isPredicateEdge(Edge edge, boolean isAfter) {
        long reader = isAfter ? edge.toTxnId() : edge.fromTxnId();
        int writer = positionOf(isAfter ? edge.fromTxnId() : edge.toTxnId(), row(edge));
        for (Op op : tables.txn(reader).ops()) {
            if (!OpKind.isPredicate(op.kind())
                    || !RawTables.isOfRelation(edge.key(), op)
                    || !TableReasonReplay.conditionOf(op).equals(edge.predicate())
                    || writer < 0) {
                continue;
            }
            List<Integer> seen = tables.examinedPositions(op, row(edge));
            boolean holds = !seen.isEmpty();
            for (int position : seen) {
                holds &= isAfter
                        ? hasChange(op, row(edge), writer, position) || isThereFromTheStart(row(edge), writer, position)
                        : hasChange(op, row(edge), position + 1, writer);
            }
            if (holds) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a writer made the initial state of a row, and the version observed is that or a later one. */
    private boolean isThereFromTheStart(String key, int writer, int position) {
        return writer == 0
                && position >= 0
                && Objects.equals(tables.versions(key).get(0).version(), 0L);
    }

    /** Returns whether the match changes with a version from one position to another. */
    private boolean hasChange(Op predicate, String key, int from, int to) {
        List<Op> versions = tables.versions(key);
        for (int position = Math.max(0, from); position <= to; position++) {
            if (!tables.isFinal(versions.get(position))) {
                continue;
            }
            int before = position - 1;
            while (before >= 0 && !tables.isFinal(versions.get(before))) {
                before--;
            }
            boolean did = tables.matches(predicate, key, tables.rowAt(key, before));
            boolean does = tables.matches(predicate, key, tables.rowAt(key, position));
            if (did != does
                    || did && tables.differ(predicate, tables.rowAt(key, before), tables.rowAt(key, position))) {
                return true;
            }
        }
        return false;
    }
}
