package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays findings about tables against the whole history, with conditions evaluated anew. */
final class TableFindingVerifier {

    private final List<Finding> findings;
    private final RawTables tables;
    private final long @Nullable [] serialOrder;
    private boolean isComplete;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     * @param serialOrder ids in the order in which serializability was checked; null for commit order
     */
    TableFindingVerifier(List<Finding> findings, @Nullable String initialValue, long @Nullable [] serialOrder) {
        this.findings = findings;
        this.serialOrder = serialOrder;
        this.tables = new RawTables(txnsOf(findings), keysOf(findings), initialValue);
    }

    private static Set<Long> txnsOf(List<Finding> findings) {
        Set<Long> txns = new HashSet<>();
        findings.forEach(finding -> finding.participants().forEach(one -> txns.add(one.txnId())));
        return txns;
    }

    /** Returns the rows that findings are about; null if one is about all of them, as an answer that was computed is. */
    private static @Nullable Set<String> keysOf(List<Finding> findings) {
        Set<String> keys = new HashSet<>();
        for (Finding finding : findings) {
            if (finding.anomaly() == Anomaly.RESULT_SET_MISMATCH && finding.key() == null) {
                return null;
            }
            keys.add(finding.key());
            finding.edges().forEach(edge -> keys.add(edge.key()));
        }
        return keys;
    }

    Set<ColumnGroup> wantedColumns() {
        return findings.isEmpty()
                ? EnumSet.noneOf(ColumnGroup.class)
                : EnumSet.of(
                        ColumnGroup.OPERATIONS,
                        ColumnGroup.TIMESTAMPS,
                        ColumnGroup.VERSIONS,
                        ColumnGroup.WRITERS,
                        ColumnGroup.PREDICATES);
    }

    void observe(HistorySlice slice) {
        if (!findings.isEmpty() && !isComplete) {
            tables.add(slice);
        }
    }

    void endOfPass() {
        if (!isComplete) {
            isComplete = true;
            tables.finish();
        }
    }

    List<RefutedFinding> refuted() {
        List<RefutedFinding> refuted = new ArrayList<>();
        TableReadReplay reads = new TableReadReplay(tables, serialOrder);
        TableCycleReplay cycles = new TableCycleReplay(tables);
        TableReasonReplay reasons = new TableReasonReplay(tables);
        for (Finding finding : findings) {
            String reason;
            try {
                reason = finding.participants().get(0).role() == Role.ON_CYCLE
                        ? cycles.refutation(finding)
                        : refutation(finding, reads);
                if (reason == null && finding.participants().get(0).role() != Role.ON_CYCLE) {
                    reason = reasons.wrong(finding);
                }
            } catch (RuntimeException e) {
                reason = "replay failed: " + e;
            }
            if (reason != null) {
                refuted.add(new RefutedFinding(finding, reason));
            }
        }
        return refuted;
    }

    /** Returns the finding with its classic name. */
    Finding named(Finding finding) {
        long antis = finding.edges().stream()
                .filter(edge -> edge.type() == EdgeType.RW)
                .count();
        boolean isCycle = finding.participants().get(0).role() == Role.ON_CYCLE;
        if (!isCycle || finding.edges().size() != 2 || antis == 0) {
            return finding;
        }
        TableCycleReplay cycles = new TableCycleReplay(tables);
        boolean isPhantom =
                finding.edges().stream().anyMatch(edge -> edge.type() == EdgeType.RW && !cycles.isItemRw(edge));
        if (isPhantom) {
            return finding.withPattern("phantom");
        }
        if (antis == 2) {
            return finding.withPattern("write-skew");
        }
        Edge other = finding.edges().get(finding.edges().get(0).type() == EdgeType.RW ? 1 : 0);
        boolean isOneKey = Objects.equals(
                finding.edges().get(0).key(), finding.edges().get(1).key());
        if (isOneKey && other.type() == EdgeType.WW) {
            return finding.withPattern("lost-update");
        }
        return !isOneKey && other.type() == EdgeType.WR ? finding.withPattern("read-skew") : finding;
    }

    private @Nullable String refutation(Finding finding, TableReadReplay reads) {
        return switch (finding.anomaly()) {
            case NOCONFLICT -> conflict(finding);
            case SESSION, TIMESTAMP_ORDER -> times(finding);
            default -> reads.refutation(finding);
        };
    }

    private Txn reader(Finding finding) {
        return tables.txn(finding.participants().get(0).txnId());
    }

    // ---------------------------------------------------------------- timestamps

    private @Nullable String conflict(Finding finding) {
        Txn one = tables.txn(finding.participants().get(0).txnId());
        Txn other = tables.txn(finding.participants().get(1).txnId());
        boolean bothWrote = writes(one, finding.key()) && writes(other, finding.key());
        boolean overlap =
                one.start() < other.commit() && other.start() < one.commit() || one.commit() == other.commit();
        return bothWrote && overlap ? null : "the two do not overlap, or did not both write the row";
    }

    private static boolean writes(Txn txn, @Nullable String key) {
        return txn.ops().stream().anyMatch(op -> op.makesVersion() && op.isOn(key));
    }

    private @Nullable String times(Finding finding) {
        Txn txn = reader(finding);
        if (finding.participants().size() == 1) {
            return txn.start() > txn.commit() ? null : "it starts before it commits";
        }
        Txn before = tables.txn(finding.participants().get(1).txnId());
        boolean isEarly = finding.level() != IsolationLevel.SNAPSHOT_ISOLATION
                ? txn.commit() <= before.commit()
                : txn.start() < before.commit();
        boolean isNext = txn.session() == before.session() && before.seq() < txn.seq();
        return isEarly && isNext ? null : "it keeps the order of its session";
    }
}
