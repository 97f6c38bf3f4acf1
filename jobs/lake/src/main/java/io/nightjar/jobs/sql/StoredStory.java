package io.nightjar.jobs.sql;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.ExplainedFinding.Actor;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.lake.ReasonText;
import io.nightjar.jobs.lake.ValueText;
import io.nightjar.pipeline.explain.FindingSentences;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Restores the explained finding of an anomaly from its rows, so that it is presented as it was when it was found. */
public final class StoredStory {

    private StoredStory() {}

    /**
     * Returns the explained finding; empty if a later version wrote it, with a type or a part unknown to this version.
     */
    public static Optional<ExplainedFinding> of(StoredAnomaly stored) {
        return of(stored.row(), stored.txns(), stored.edges());
    }

    /** Makes the story of an anomaly from its rows. */
    public static Optional<ExplainedFinding> of(
            LakeRow.Anomaly row, List<LakeRow.AnomalyTxn> txns, List<LakeRow.AnomalyEdge> edges) {
        Anomaly anomaly = Anomaly.bySpelling(row.anomalyType());
        List<Actor> actors = new ArrayList<>();
        List<String> keys = keys(row, edges);
        for (LakeRow.AnomalyTxn txn : txns) {
            Role role = role(txn.role());
            if (role == null) {
                return Optional.empty();
            }
            Participant participant = new Participant(txn.txnId(), role, orNone(txn.startTs()), orNone(txn.commitTs()));
            int opIndex = txn.opIndex() == null ? -1 : txn.opIndex().intValue();
            actors.add(new Actor(participant, txn(txn, keys), opIndex));
        }
        if (anomaly == null || actors.isEmpty()) {
            return Optional.empty();
        }
        List<Edge> explained = edges.stream().map(StoredStory::edge).toList();
        if (explained.contains(null)) {
            return Optional.empty();
        }
        Finding finding = new Finding(
                anomaly,
                row.pattern(),
                row.levelViolated() == null ? null : IsolationLevel.byName(row.levelViolated()),
                row.algorithm(),
                keys.size() > 1 ? null : row.objectKey(), // the column has only the first of several keys
                actors.stream().map(Actor::participant).toList(),
                expectation(anomaly, row.read()),
                row.slack(),
                row.isDependingOnUnknown(),
                explained);
        return Optional.of(new ExplainedFinding(finding, actors));
    }

    /** Returns the keys of some steps in their order, then the anomaly's own. */
    static List<String> keys(LakeRow.Anomaly row, List<LakeRow.AnomalyEdge> edges) {
        Set<String> keys = new LinkedHashSet<>();
        edges.forEach(edge -> keys.add(edge.objectKey()));
        keys.add(row.objectKey());
        keys.remove(null);
        return List.copyOf(keys);
    }

    /** Returns the meaning of the anomaly; the stored explanation, if the rows are incomplete. */
    public static String explanation(
            LakeRow.Anomaly row, List<LakeRow.AnomalyTxn> txns, List<LakeRow.AnomalyEdge> edges) {
        Optional<ExplainedFinding> story = of(row, txns, edges);
        boolean isWhole = story.isPresent()
                && row.extent().txnCount()
                        == txns.stream()
                                .map(LakeRow.AnomalyTxn::txnId)
                                .distinct()
                                .count()
                && edges.stream()
                        .noneMatch(edge -> ValueText.isCut(edge.fromValue()) || ValueText.isCut(edge.toValue()))
                && !ValueText.isCut(row.read().expectedValue())
                && !ValueText.isCut(row.read().observedValue())
                && txns.stream().noneMatch(txn -> txn.opsText() == null || ValueText.isCut(txn.opsText()));
        return isWhole ? FindingSentences.explain(story.get().finding(), story.get()::txn) : row.explanation();
    }

    /** Returns the step of a row; null if its type or reason is unknown to this version. */
    public static @Nullable Edge edge(LakeRow.AnomalyEdge row) {
        EdgeType type = EdgeType.of(row.edgeType());
        EdgeEvidence shownBy = EdgeEvidence.of(row.evidence());
        if (type == null || shownBy == null) {
            return null;
        }
        return new Edge(
                row.fromTxnId(),
                row.toTxnId(),
                type,
                row.objectKey(),
                row.fromValue(),
                row.toValue(),
                shownBy,
                ReasonText.parse(row.because(), row.reason()),
                row.predicate());
    }

    private static @Nullable TxnRow txn(LakeRow.AnomalyTxn row, List<String> keys) {
        if (row.sessionId() == null || row.sessionSeq() == null || row.opsText() == null) {
            return null;
        }
        return new TxnRow(
                row.txnId(),
                row.sessionId(),
                row.sessionSeq(),
                row.status() == null ? "" : row.status(),
                new TxnRow.Times(
                        orNone(row.startTs()),
                        orNone(row.commitTs()),
                        orNone(row.invokeNs()),
                        orNone(row.completeNs())),
                row.extra(),
                InputLocation.row(String.valueOf(row.sourceFile()), row.sourceRow() == null ? 0 : row.sourceRow()),
                OpsText.parse(row.opsText(), List.of()).rows(keys));
    }

    private static @Nullable Expectation expectation(Anomaly anomaly, LakeRow.Anomaly.Read row) {
        Expectation read = new Expectation(
                row.expectedValue(),
                row.expectedWriterTxnId(),
                row.observedValue(),
                row.observedWriterTxnId(),
                origin(row.observedOrigin()));
        boolean isAlwaysOfARead =
                switch (anomaly) {
                    case EXT, INT, INTERNAL, LOST_UPDATE -> true;
                    default -> false;
                };
        boolean isEmpty = read.equals(new Expectation(null, null, null, null, null));
        return isEmpty && !isAlwaysOfARead ? null : read;
    }

    private static @Nullable Role role(String word) {
        for (Role role : Role.values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        return null;
    }

    private static @Nullable Origin origin(@Nullable String word) {
        for (Origin origin : Origin.values()) {
            if (origin.word().equals(word)) {
                return origin;
            }
        }
        return null;
    }

    private static long orNone(@Nullable Long number) {
        return number == null ? HistorySlice.NONE : number;
    }
}
