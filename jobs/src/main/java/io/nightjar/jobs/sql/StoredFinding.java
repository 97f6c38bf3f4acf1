package io.nightjar.jobs.sql;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.ReasonText;
import io.nightjar.jobs.sql.AnomalyLookup.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a finding again of the rows that tell it, so that it is explained as it was when it was found. */
public final class StoredFinding {

    private StoredFinding() {}

    /** The finding; empty if a later version wrote it, with a type or a part that this one does not know. */
    public static Optional<Finding> of(Evidence evidence) {
        Anomaly anomaly = Anomaly.bySpelling(evidence.text("anomaly_type"));
        List<Participant> participants = new ArrayList<>();
        for (Map<String, Object> txn : evidence.txns()) {
            Role role = role(CellText.text(txn.get("role")));
            if (role == null) {
                return Optional.empty();
            }
            participants.add(new Participant(
                    number(txn, "txn_id"), role, timestamp(txn, "start_ts"), timestamp(txn, "commit_ts")));
        }
        if (anomaly == null || participants.isEmpty()) {
            return Optional.empty();
        }
        List<Edge> edges = new ArrayList<>();
        for (Map<String, Object> edge : evidence.edges()) {
            EdgeType type = EdgeType.of(CellText.text(edge.get("edge_type")));
            EdgeEvidence shownBy = EdgeEvidence.of(CellText.text(edge.get("evidence")));
            if (type == null || shownBy == null) {
                return Optional.empty();
            }
            edges.add(new Edge(
                    number(edge, "from_txn_id"),
                    number(edge, "to_txn_id"),
                    type,
                    CellText.text(edge.get("object_key")),
                    CellText.text(edge.get("from_value")),
                    CellText.text(edge.get("to_value")),
                    shownBy,
                    ReasonText.parse(CellText.text(edge.get("because")), CellText.text(edge.get("reason"))),
                    CellText.text(edge.get("predicate"))));
        }
        String level = evidence.text("level_violated");
        return Optional.of(new Finding(
                anomaly,
                evidence.text("pattern"),
                level == null ? null : IsolationLevel.byName(level),
                evidence.text("algorithm"),
                evidence.text("object_key"),
                participants,
                expectation(anomaly, evidence.anomaly()),
                numberOrNull(evidence.anomaly(), "slack"),
                Boolean.TRUE.equals(evidence.anomaly().get("is_depending_on_unknown")),
                edges));
    }

    /** The rule that an anomaly breaks, in a sentence; null if this version does not know its type. */
    public static String ruleOf(Evidence evidence) {
        Anomaly anomaly = Anomaly.bySpelling(evidence.text("anomaly_type"));
        String level = evidence.text("level_violated");
        return anomaly == null ? null : anomaly.rule(level == null ? null : IsolationLevel.byName(level));
    }

    private static Expectation expectation(Anomaly anomaly, Map<String, Object> row) {
        Expectation read = new Expectation(
                CellText.text(row.get("expected_value")),
                numberOrNull(row, "expected_writer_txn_id"),
                CellText.text(row.get("observed_value")),
                numberOrNull(row, "observed_writer_txn_id"),
                origin(CellText.text(row.get("observed_origin"))));
        boolean isAlwaysOfARead =
                switch (anomaly) {
                    case EXT, INT, INTERNAL, LOST_UPDATE -> true;
                    default -> false;
                };
        boolean isEmpty = read.equals(new Expectation(null, null, null, null, null));
        return isEmpty && !isAlwaysOfARead ? null : read;
    }

    private static Role role(String word) {
        for (Role role : Role.values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        return null;
    }

    private static Origin origin(String word) {
        for (Origin origin : Origin.values()) {
            if (origin.word().equals(word)) {
                return origin;
            }
        }
        return null;
    }

    private static long number(Map<String, Object> row, String column) {
        return ((Number) row.get(column)).longValue();
    }

    private static Long numberOrNull(Map<String, Object> row, String column) {
        return row.get(column) == null ? null : number(row, column);
    }

    private static long timestamp(Map<String, Object> row, String column) {
        return row.get(column) == null ? HistorySlice.NONE : number(row, column);
    }
}
