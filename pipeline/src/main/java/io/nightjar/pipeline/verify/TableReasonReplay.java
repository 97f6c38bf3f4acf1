package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifier of the edge reasons of findings about tables: each fact is compared with the rows; the finding itself has
 * been replayed before.
 */
final class TableReasonReplay {

    private static final int MAX_TEXT_CHARS = 160;

    private final RawTables tables;

    TableReasonReplay(RawTables tables) {
        this.tables = tables;
    }

    /** Returns why the rows contradict a reason of a finding without a cycle; null if they confirm it. */
    @Nullable
    String wrong(Finding finding) {
        for (Edge edge : finding.edges()) {
            if (!(edge.reason() instanceof OfRows reason)
                    || !factsOf(finding.anomaly()).contains(reason.fact())) {
                return "a reason that is none for such a finding: " + edge;
            }
            Expectation read = finding.expectation();
            boolean isAsRead = read == null
                    || Objects.equals(edge.fromValue(), read.expected())
                            && Objects.equals(edge.toValue(), read.observed());
            boolean isRight = isAsRead
                    && Objects.equals(edge.key(), finding.key())
                    && hasEnds(finding, edge)
                    && asksFor(edge, edge.toTxnId())
                    && bears(finding, edge, reason);
            if (!isRight) {
                return "the rows do not show the reason that is given: " + edge;
            }
        }
        return null;
    }

    private static Set<RowFact> factsOf(Anomaly anomaly) {
        return switch (anomaly) {
            case EXT -> EnumSet.of(RowFact.SHOULD_HAVE_READ);
            case INT -> EnumSet.of(RowFact.SHOULD_HAVE_READ, RowFact.READ_BEFORE);
            case INTERNAL -> EnumSet.of(RowFact.SHOULD_HAVE_READ, RowFact.MISSED_OWN);
            case RESULT_SET_MISMATCH -> EnumSet.of(RowFact.NOT_RETURNED, RowFact.RETURNED, RowFact.ANSWERED);
            case GARBAGE_READ ->
                EnumSet.of(RowFact.READ_UNWRITTEN, RowFact.LOOKED_AT_UNWRITTEN, RowFact.RETURNED_UNMATCHED);
            case FUTURE_READ -> EnumSet.of(RowFact.READ_TOO_EARLY);
            case G1A -> EnumSet.of(RowFact.READ_ABORTED, RowFact.LOOKED_AT_ABORTED);
            case G1B -> EnumSet.of(RowFact.READ_REPLACED, RowFact.LOOKED_AT_REPLACED);
            case PREDICATE_READ_MISS -> EnumSet.of(RowFact.MISSED_ALWAYS);
            case SESSION -> EnumSet.of(RowFact.EARLY_START, RowFact.EARLY_COMMIT);
            case TIMESTAMP_ORDER -> EnumSet.of(RowFact.LATE_START);
            case NOCONFLICT -> EnumSet.of(RowFact.OVERLAP);
            default -> EnumSet.noneOf(RowFact.class);
        };
    }

    /**
     * Returns whether an edge begins at the writer of the expected version, if a transaction wrote it, and ends at the
     * transaction at fault.
     */
    private static boolean hasEnds(Finding finding, Edge edge) {
        long atFault = finding.participants().get(0).txnId();
        if (finding.anomaly() == Anomaly.NOCONFLICT) {
            return edge.fromTxnId() == atFault
                    && edge.toTxnId() == finding.participants().get(1).txnId();
        }
        if (finding.anomaly() == Anomaly.SESSION) {
            return edge.toTxnId() == atFault
                    && edge.fromTxnId() == finding.participants().get(1).txnId();
        }
        Long writer =
                finding.expectation() == null ? null : finding.expectation().expectedWriter();
        return edge.toTxnId() == atFault && edge.fromTxnId() == (writer == null ? atFault : writer);
    }

    /** Returns whether a transaction has a predicate read with the condition of an edge, if that has one. */
    boolean asksFor(Edge edge, long txn) {
        return edge.predicate() == null
                || tables.txn(txn).ops().stream()
                        .anyMatch(op -> OpKind.isPredicate(op.kind())
                                && edge.predicate().equals(conditionOf(op)));
    }

    static String conditionOf(Op op) {
        String params = op.params() == null || op.params().equals("[]") ? "" : op.params();
        String limit = op.limit() == null
                ? ""
                : (op.order() == null ? "" : " ORDER BY " + op.order()) + " LIMIT " + op.limit();
        return cut(requireNonNull(op.predicate())) + limit + (params.isEmpty() ? "" : " " + cut(params));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS) + "…";
    }

    private boolean bears(Finding finding, Edge edge, OfRows reason) {
        Txn from = tables.txn(edge.fromTxnId());
        Txn to = tables.txn(edge.toTxnId());
        return switch (reason.fact()) {
            case SHOULD_HAVE_READ, NOT_RETURNED, RETURNED -> {
                boolean isReturned = reason.fact() != RowFact.NOT_RETURNED || edge.toValue() == null;
                yield isReturned
                        && Objects.equals(
                                reason.first(),
                                requireNonNull(finding.expectation()).expectedWriter())
                        && isOneRowOfTwo(finding.expectation(), reason, edge)
                        && (reason.first() == null
                                ? edge.fromValue() == null
                                : wrote(from, edge.key(), edge.fromValue()));
            }
            case READ_UNWRITTEN -> hasSeen(to, edge.key(), edge.toValue(), true);
            case LOOKED_AT_UNWRITTEN -> hasSeen(to, edge.key(), edge.toValue(), false);
            case READ_TOO_EARLY ->
                from == to && wrote(to, edge.key(), edge.toValue()) && hasSeen(to, edge.key(), edge.toValue(), true);
            case READ_REPLACED, LOOKED_AT_REPLACED ->
                from != to
                        && wrote(from, edge.key(), edge.fromValue())
                        && hasSeen(to, edge.key(), edge.toValue(), reason.fact() == RowFact.READ_REPLACED);
            case READ_ABORTED, LOOKED_AT_ABORTED -> {
                Txn writer = reason.first() == null ? null : tables.txns.get(reason.first());
                yield writer != null
                        && writer.status() == TxnStatus.ABORTED
                        && writer.ops().stream().anyMatch(op -> isVersion(op, edge.key()))
                        && hasSeen(to, edge.key(), edge.toValue(), reason.fact() == RowFact.READ_ABORTED);
            }
            case RETURNED_UNMATCHED, MISSED_OWN, MISSED_ALWAYS -> edge.predicate() != null;
            case ANSWERED -> edge.predicate() != null && edge.key() == null;
            case LATE_START -> is(reason, to.start(), to.commit());
            case EARLY_START -> is(reason, to.start(), from.commit());
            case EARLY_COMMIT -> is(reason, to.commit(), from.commit());
            default -> true;
        };
    }

    /**
     * Returns whether a reason names the writer of the returned version if one row represents two, and no transaction
     * otherwise.
     */
    private boolean isOneRowOfTwo(Expectation read, OfRows reason, Edge edge) {
        boolean isOneRow = reason.fact() != RowFact.NOT_RETURNED && Objects.equals(read.expected(), read.observed());
        Long writer = isOneRow ? read.observedWriter() : null;
        return Objects.equals(reason.second(), writer)
                && (writer == null || wrote(tables.txns.get(writer), edge.key(), edge.toValue()));
    }

    private static boolean is(OfRows reason, long first, long second) {
        return reason.first() != null
                && reason.second() != null
                && reason.first() == first
                && reason.second() == second;
    }

    private static boolean isVersion(Op op, @Nullable String key) {
        return op.makesVersion() && op.isOn(key);
    }

    private static boolean wrote(@Nullable Txn txn, @Nullable String key, @Nullable String row) {
        return txn != null && txn.ops().stream().anyMatch(op -> isVersion(op, key) && Objects.equals(op.value(), row));
    }

    private static boolean hasSeen(Txn txn, @Nullable String key, @Nullable String row, boolean isRead) {
        return txn.ops().stream()
                .anyMatch(op -> !op.makesVersion()
                        && !OpKind.isPredicate(op.kind())
                        && OpKind.isRead(op.kind()) == isRead
                        && op.isOn(key)
                        && Objects.equals(op.value(), row));
    }
}
