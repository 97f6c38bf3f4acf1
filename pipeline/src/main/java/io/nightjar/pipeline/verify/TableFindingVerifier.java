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
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays findings about tables against the whole history, with conditions evaluated anew. */
final class TableFindingVerifier {

    private final List<Claim> claims;
    private final RawTables tables;
    private final long @Nullable [] serialOrder;
    private boolean isComplete;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if none does
     * @param serialOrder ids in the order in which serializability was checked; null for commit order
     */
    TableFindingVerifier(List<Claim> claims, @Nullable String initialValue, long @Nullable [] serialOrder) {
        this.claims = claims;
        this.serialOrder = serialOrder;
        List<Finding> findings = claims.stream().map(claim -> claim.finding).toList();
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
        return claims.isEmpty() || isComplete
                ? EnumSet.noneOf(ColumnGroup.class)
                : EnumSet.of(
                        ColumnGroup.OPERATIONS,
                        ColumnGroup.TIMESTAMPS,
                        ColumnGroup.VERSIONS,
                        ColumnGroup.WRITERS,
                        ColumnGroup.PREDICATES);
    }

    void observe(HistorySlice slice) {
        if (!claims.isEmpty() && !isComplete) {
            tables.add(slice);
        }
    }

    void endOfPass() {
        if (!isComplete) {
            isComplete = true;
            tables.finish();
        }
    }

    void verify() {
        TableReadReplay reads = new TableReadReplay(tables, serialOrder);
        TableCycleReplay cycles = new TableCycleReplay(tables);
        TableReasonReplay reasons = new TableReasonReplay(tables);
        for (Claim claim : claims) {
            Finding finding = claim.finding;
            boolean isCycle = finding.participants().get(0).role() == Role.ON_CYCLE;
            String wrong;
            try {
                wrong = isCycle ? cycles.refutation(finding) : refutation(finding, reads);
                wrong = isCycle || wrong != null ? wrong : reasons.wrong(finding);
            } catch (RuntimeException e) {
                wrong = "replay failed: " + e;
            }
            if (wrong != null) {
                claim.refute(wrong);
            } else {
                claim.name(isCycle ? nameOf(finding.edges(), cycles) : null);
            }
        }
    }

    /** Returns the classic name of a cycle; null if none fits. */
    private static @Nullable String nameOf(List<Edge> cycle, TableCycleReplay replay) {
        List<Edge> antis =
                cycle.stream().filter(edge -> edge.type() == EdgeType.RW).toList();
        if (cycle.size() != 2 || antis.isEmpty()) {
            return null;
        }
        if (!antis.stream().allMatch(replay::isItemRw)) {
            return "phantom";
        }
        if (antis.size() == 2) {
            return ClassicPattern.WRITE_SKEW;
        }
        EdgeType other = cycle.get(cycle.get(0) == antis.get(0) ? 1 : 0).type();
        boolean isOneKey = Objects.equals(cycle.get(0).key(), cycle.get(1).key());
        if (isOneKey) {
            return other == EdgeType.WW ? ClassicPattern.LOST_UPDATE : null;
        }
        return other == EdgeType.WR ? ClassicPattern.READ_SKEW : null;
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
