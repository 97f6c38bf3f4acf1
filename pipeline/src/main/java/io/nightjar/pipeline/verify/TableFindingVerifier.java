package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Replays findings about tables against the whole history, with conditions evaluated anew. */
final class TableFindingVerifier {

    private final List<Finding> findings;
    private final RawTables tables = new RawTables();
    private boolean isComplete;

    TableFindingVerifier(List<Finding> findings) {
        this.findings = findings;
    }

    Set<Column> wantedColumns() {
        return findings.isEmpty()
                ? EnumSet.noneOf(Column.class)
                : EnumSet.of(Column.OPERATIONS, Column.TIMESTAMPS, Column.VERSIONS, Column.WRITERS, Column.PREDICATES);
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
        for (Finding finding : findings) {
            String reason;
            try {
                reason = refutation(finding);
            } catch (RuntimeException e) {
                reason = "replay failed: " + e;
            }
            if (reason != null) {
                refuted.add(new RefutedFinding(finding, reason));
            }
        }
        return refuted;
    }

    /** The finding with its classic name. */
    Finding named(Finding finding) {
        long antis = finding.edges().stream()
                .filter(edge -> edge.type().equals("rw"))
                .count();
        boolean isCycle = finding.participants().get(0).role() == Role.ON_CYCLE;
        if (!isCycle || finding.edges().size() != 2 || antis == 0) {
            return finding;
        }
        boolean isPhantom =
                finding.edges().stream().anyMatch(edge -> edge.type().equals("rw") && !isItemRw(edge));
        if (isPhantom) {
            return finding.withPattern("phantom");
        }
        if (antis == 2) {
            return finding.withPattern("write-skew");
        }
        Edge other = finding.edges().get(finding.edges().get(0).type().equals("rw") ? 1 : 0);
        boolean isOneKey = Objects.equals(
                finding.edges().get(0).key(), finding.edges().get(1).key());
        if (isOneKey && other.type().equals("ww")) {
            return finding.withPattern("lost-update");
        }
        return !isOneKey && other.type().equals("wr") ? finding.withPattern("read-skew") : finding;
    }

    private String refutation(Finding finding) {
        if (finding.participants().get(0).role() == Role.ON_CYCLE) {
            return cycle(finding);
        }
        return switch (finding.anomaly()) {
            case NOCONFLICT -> conflict(finding);
            case SESSION, TIMESTAMP_ORDER -> times(finding);
            case RESULT_SET_MISMATCH -> finding.key() == null ? answer(finding) : result(finding);
            case PREDICATE_READ_MISS -> miss(finding);
            case GARBAGE_READ -> noMatch(finding);
            case EXT, INT, INTERNAL, G1A, G1B -> read(finding);
            default -> "a finding of a kind that is not known";
        };
    }

    private Txn reader(Finding finding) {
        return tables.txns.get(finding.participants().get(0).txnId());
    }

    private static boolean isBySnapshot(Finding finding) {
        return finding.level() == IsolationLevel.SNAPSHOT_ISOLATION
                && finding.edges().get(0).evidence().equals("timestamp");
    }

    // ---------------------------------------------------------------- reads and result sets

    private String read(Finding finding) {
        String key = finding.key();
        if (finding.anomaly() == Anomaly.INTERNAL && missesOwn(finding)) {
            return null;
        }
        for (Op op : reader(finding).ops()) {
            if (!OpKind.isRead(op.kind())
                    || !key.equals(op.key())
                    || !Objects.equals(op.value(), finding.expectation().observed())) {
                continue;
            }
            Op own = tables.ownBefore(op, key);
            boolean isIt =
                    switch (finding.anomaly()) {
                        case INT, INTERNAL -> own != null && !Objects.equals(own.value(), op.value());
                        case G1A -> isAborted(op);
                        case G1B -> {
                            Integer place = tables.placeRead(op);
                            yield place != null
                                    && place >= 0
                                    && !tables.isFinal(tables.versions(key).get(place));
                        }
                        default -> own == null && differs(finding, op, key);
                    };
            if (isIt) {
                return null;
            }
        }
        return "no read of the row is as the finding says";
    }

    /** Whether a predicate read left out what its transaction wrote itself before. */
    private boolean missesOwn(Finding finding) {
        for (Op op : reader(finding).ops()) {
            if (OpKind.isPredicate(op.kind()) && RawTables.isOfRelation(finding.key(), op)) {
                Op own = tables.ownBefore(op, finding.key());
                boolean isMatch = own != null && tables.matches(op, own.value());
                if (isMatch && op.rows() != null && tables.rowOf(op, finding.key()) == null) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean differs(Finding finding, Op op, String key) {
        String expected = isBySnapshot(finding)
                ? tables.rowAt(key, tables.placeAt(key, reader(finding).start(), op.txn()))
                : finding.expectation().expected();
        return Objects.equals(expected, finding.expectation().expected()) && !Objects.equals(expected, op.value());
    }

    private boolean isAborted(Op look) {
        for (Txn txn : tables.txns.values()) {
            for (Op op : txn.ops()) {
                boolean isSame = look.version() != null
                        ? look.version().equals(op.version())
                        : Objects.equals(look.value(), op.value());
                if (txn.status() == TxnStatus.ABORTED
                        && op.makesVersion()
                        && op.key().equals(look.key())
                        && isSame) {
                    return true;
                }
            }
        }
        return false;
    }

    private String result(Finding finding) {
        String key = finding.key();
        for (Op op : reader(finding).ops()) {
            if (!OpKind.isPredicate(op.kind()) || !RawTables.isOfRelation(key, op)) {
                continue;
            }
            Op row = tables.rowOf(op, key);
            String returned = row == null || !OpKind.isRead(row.kind()) ? null : row.value();
            Op own = tables.ownBefore(op, key);
            String seen = own != null
                    ? own.value()
                    : isBySnapshot(finding)
                            ? tables.rowAt(
                                    key, tables.placeAt(key, reader(finding).start(), op.txn()))
                            : finding.expectation().expected();
            boolean isAsSaid = Objects.equals(seen, finding.expectation().expected())
                    && Objects.equals(returned, finding.expectation().observed());
            String expected = tables.matches(op, seen) ? seen : null;
            if (isAsSaid && !Objects.equals(expected, returned)) {
                return null;
            }
        }
        return "no predicate read returned other rows than it should have";
    }

    /** What was computed differs from what was recorded; which rows it is of was replayed by the check. */
    private String answer(Finding finding) {
        for (Op op : reader(finding).ops()) {
            if (OpKind.isPredicate(op.kind())
                    && Objects.equals(op.value(), finding.expectation().observed())) {
                return Objects.equals(op.value(), finding.expectation().expected()) ? "the answer is right" : null;
            }
        }
        return "no predicate read has this answer";
    }

    private String noMatch(Finding finding) {
        for (Op op : reader(finding).ops()) {
            Op row = OpKind.isPredicate(op.kind()) ? tables.rowOf(op, finding.key()) : null;
            if (row != null && OpKind.isRead(row.kind())) {
                Integer place = tables.placeRead(row);
                if (place != null && !tables.matches(op, tables.rowAt(finding.key(), place))) {
                    return null;
                }
            }
        }
        return "every row that was returned matches";
    }

    private String miss(Finding finding) {
        for (Op op : reader(finding).ops()) {
            boolean isAsked = OpKind.isPredicate(op.kind()) && RawTables.isOfRelation(finding.key(), op);
            if (isAsked
                    && tables.rowOf(op, finding.key()) == null
                    && candidates(op, finding.key()).isEmpty()) {
                return null;
            }
        }
        return "some version of the row does not match";
    }

    // ---------------------------------------------------------------- timestamps

    private String conflict(Finding finding) {
        Txn one = tables.txns.get(finding.participants().get(0).txnId());
        Txn other = tables.txns.get(finding.participants().get(1).txnId());
        boolean bothWrote = writes(one, finding.key()) && writes(other, finding.key());
        boolean overlap =
                one.start() < other.commit() && other.start() < one.commit() || one.commit() == other.commit();
        return bothWrote && overlap ? null : "the two do not overlap, or did not both write the row";
    }

    private static boolean writes(Txn txn, String key) {
        return txn.ops().stream().anyMatch(op -> op.makesVersion() && op.key().equals(key));
    }

    private String times(Finding finding) {
        Txn txn = reader(finding);
        if (finding.participants().size() == 1) {
            return txn.start() > txn.commit() ? null : "it starts before it commits";
        }
        Txn before = tables.txns.get(finding.participants().get(1).txnId());
        boolean isEarly = finding.level() == IsolationLevel.SERIALIZABLE
                ? txn.commit() <= before.commit()
                : txn.start() < before.commit();
        boolean isNext = txn.session() == before.session() && before.seq() < txn.seq();
        return isEarly && isNext ? null : "it keeps the order of its session";
    }

    // ---------------------------------------------------------------- cycles

    private String cycle(Finding finding) {
        List<Edge> edges = finding.edges();
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            if (edge.toTxnId() != edges.get((i + 1) % edges.size()).fromTxnId()) {
                return "edges do not meet: " + edge;
            }
            boolean holds =
                    switch (edge.type()) {
                        case "so" -> follows(edge);
                        case "ww" -> isWw(edge);
                        case "wr" -> isItemWr(edge) || isPredicateEdge(edge, true);
                        case "rw" -> isItemRw(edge) || isPredicateEdge(edge, false);
                        default -> false;
                    };
            if (!holds) {
                return "edge is not in the history: " + edge;
            }
        }
        return null;
    }

    private boolean follows(Edge edge) {
        Txn from = tables.txns.get(edge.fromTxnId());
        Txn to = tables.txns.get(edge.toTxnId());
        return from.session() == to.session() && from.seq() < to.seq();
    }

    /** The place of the last version that a transaction made of a row; -1 if it made none. */
    private int placeOf(long txn, String key) {
        List<Op> versions = tables.versions(key);
        for (int i = versions.size() - 1; i >= 0; i--) {
            if (versions.get(i).txn() == txn) {
                return i;
            }
        }
        return -1;
    }

    private boolean isWw(Edge edge) {
        int from = placeOf(edge.fromTxnId(), edge.key());
        return from >= 0 && from < placeOf(edge.toTxnId(), edge.key());
    }

    private boolean isItemWr(Edge edge) {
        int from = placeOf(edge.fromTxnId(), edge.key());
        for (Op op : tables.txns.get(edge.toTxnId()).ops()) {
            if (OpKind.isRead(op.kind()) && edge.key().equals(op.key()) && from >= 0) {
                Integer read = tables.placeRead(op);
                if (read != null && read == from) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isItemRw(Edge edge) {
        int to = placeOf(edge.toTxnId(), edge.key());
        for (Op op : tables.txns.get(edge.fromTxnId()).ops()) {
            if (OpKind.isRead(op.kind()) && edge.key().equals(op.key())) {
                Integer read = tables.placeRead(op);
                if (read != null && read < to) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a predicate read lies behind a change of its matches, or in front of one, whichever version it saw. */
    private boolean isPredicateEdge(Edge edge, boolean isBehind) {
        long reader = isBehind ? edge.toTxnId() : edge.fromTxnId();
        int writer = placeOf(isBehind ? edge.fromTxnId() : edge.toTxnId(), edge.key());
        for (Op op : tables.txns.get(reader).ops()) {
            if (!OpKind.isPredicate(op.kind()) || !RawTables.isOfRelation(edge.key(), op) || writer < 0) {
                continue;
            }
            List<Integer> seen = versionsSeen(op, edge.key());
            boolean holds = !seen.isEmpty();
            for (int place : seen) {
                holds &= isBehind
                        ? hasChange(op, edge.key(), writer, place) || isThereFromTheStart(edge.key(), writer, place)
                        : hasChange(op, edge.key(), place + 1, writer);
            }
            if (holds) {
                return true;
            }
        }
        return false;
    }

    /** Whether a writer made the initial state of a row, and a version at or behind it was seen. */
    private boolean isThereFromTheStart(String key, int writer, int place) {
        return writer == 0
                && place >= 0
                && Objects.equals(tables.versions(key).get(0).version(), 0L);
    }

    /** Whether the match changes with a version from one place to another. */
    private boolean hasChange(Op predicate, String key, int from, int to) {
        List<Op> versions = tables.versions(key);
        for (int place = Math.max(0, from); place <= to; place++) {
            if (!tables.isFinal(versions.get(place))) {
                continue;
            }
            int before = place - 1;
            while (before >= 0 && !tables.isFinal(versions.get(before))) {
                before--;
            }
            boolean did = tables.matches(predicate, tables.rowAt(key, before));
            if (did != tables.matches(predicate, tables.rowAt(key, place))) {
                return true;
            }
        }
        return false;
    }

    private List<Integer> versionsSeen(Op predicate, String key) {
        Op row = tables.rowOf(predicate, key);
        Integer place = row == null ? null : tables.placeRead(row);
        if (place != null) {
            return List.of(place);
        }
        if (row != null && OpKind.isRead(row.kind()) || tables.ownBefore(predicate, key) != null) {
            return List.of();
        }
        Txn txn = tables.txns.get(predicate.txn());
        long snapshot = predicate.readTs() != null ? predicate.readTs() : txn.start();
        boolean areTimed = tables.txns.values().stream()
                .filter(other -> other.status() == TxnStatus.COMMITTED)
                .allMatch(other -> other.start() != HistorySlice.NONE && other.commit() != HistorySlice.NONE);
        if (areTimed && snapshot != HistorySlice.NONE) {
            return List.of(tables.placeAt(key, snapshot, predicate.txn()));
        }
        return candidates(predicate, key);
    }

    /** The versions that do not match, any of which may have been seen of a row that was not returned. */
    private List<Integer> candidates(Op predicate, String key) {
        List<Op> versions = tables.versions(key);
        List<Integer> places = new ArrayList<>();
        boolean isThereFromTheStart =
                !versions.isEmpty() && Objects.equals(versions.get(0).version(), 0L);
        if (!isThereFromTheStart) {
            places.add(-1);
        }
        for (int place = 0; place < versions.size(); place++) {
            Op version = versions.get(place);
            if (version.txn() != predicate.txn()
                    && tables.isFinal(version)
                    && !tables.matches(predicate, version.value())) {
                places.add(place);
            }
        }
        return places;
    }
}
