package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeType;
import java.util.ArrayList;
import java.util.List;

/** A finding with one thing changed at a time, so that none of the results is true. */
final class FindingChanges {

    private final Finding honest;
    private final List<Finding> changed = new ArrayList<>();

    private FindingChanges(Finding honest) {
        this.honest = honest;
    }

    static List<Finding> of(Finding honest) {
        FindingChanges changes = new FindingChanges(honest);
        changes.changeWhole();
        changes.changeParticipants();
        changes.changeEdges();
        changes.changeReasons();
        if (honest.expectation() != null) {
            changes.changeExpectation();
        }
        changes.changed.remove(honest); // a step from a transaction to itself, turned round
        return changes.changed;
    }

    private void changeWhole() {
        changed.add(honest.withPattern("another-pattern"));
        add(honest.participants(), honest.expectation(), honest.edges(), 7L, honest.dependsOnUnknown(), honest.key());
        if (honest.anomaly() != Anomaly.DUPLICATE_WRITE && honest.anomaly() != Anomaly.INTERNAL) {
            add(
                    honest.participants(),
                    honest.expectation(),
                    honest.edges(),
                    null,
                    !honest.dependsOnUnknown(),
                    honest.key());
        }
        add(
                honest.participants(),
                honest.expectation(),
                honest.edges(),
                null,
                honest.dependsOnUnknown(),
                "another key");
    }

    private void changeParticipants() {
        for (int i = 0; i < honest.participants().size(); i++) {
            Participant part = honest.participants().get(i);
            List<Participant> fewer = new ArrayList<>(honest.participants());
            fewer.remove(i);
            if (part.role() == Role.ON_CYCLE || part.role() == Role.READER || part.role() == Role.OBSERVED_WRITER) {
                withParticipants(fewer);
            }
            replaced(i, new Participant(1000, part.role(), part.startTs(), part.commitTs()));
            replaced(i, new Participant(part.txnId(), part.role(), 555, part.commitTs()));
            Role other = part.role() == Role.SUBJECT ? Role.PREVIOUS : Role.SUBJECT;
            replaced(i, new Participant(part.txnId(), other, part.startTs(), part.commitTs()));
        }
    }

    private void replaced(int position, Participant other) {
        List<Participant> participants = new ArrayList<>(honest.participants());
        participants.set(position, other);
        withParticipants(participants);
    }

    private void changeEdges() {
        List<Edge> edges = honest.edges();
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            if (honest.expectation() == null) {
                List<Edge> fewer = new ArrayList<>(edges);
                fewer.remove(i);
                withEdges(fewer);
            }
            replaced(
                    i,
                    edge,
                    edge.toTxnId(),
                    edge.fromTxnId(),
                    edge.type(),
                    edge.key(),
                    edge.fromValue(),
                    edge.toValue());
            for (EdgeType type : List.of(EdgeType.TS, EdgeType.RT, EdgeType.SO, EdgeType.WR)) {
                if (type != edge.type()) {
                    replaced(
                            i,
                            edge,
                            edge.fromTxnId(),
                            edge.toTxnId(),
                            type,
                            edge.key(),
                            edge.fromValue(),
                            edge.toValue());
                }
            }
            replaced(i, edge, edge.fromTxnId(), edge.toTxnId(), edge.type(), "k", edge.fromValue(), edge.toValue());
            replaced(i, edge, edge.fromTxnId(), edge.toTxnId(), edge.type(), edge.key(), "98", edge.toValue());
            replaced(i, edge, edge.fromTxnId(), edge.toTxnId(), edge.type(), edge.key(), edge.fromValue(), "98");
        }
    }

    /** Whatever else a reason could say is false, but for the level by which something had to be visible. */
    private void changeReasons() {
        for (int i = 0; i < honest.edges().size(); i++) {
            EdgeReason reason = honest.edges().get(i).reason();
            if (reason == null) {
                continue;
            }
            withReason(i, new EdgeReason.Explained(EdgeReasons.of(honest.edges().get(i))));
            for (int part = 0; part < reason.fields().size(); part++) {
                List<String> parts = new ArrayList<>(reason.fields());
                boolean isLevel = reason instanceof EdgeReason.WasVisible && part == 1;
                parts.set(part, otherPart(parts.get(part)));
                EdgeReason other = isLevel ? reason : EdgeReason.of(reason.word(), parts);
                if (!EdgeReasons.of(withReason(honest.edges().get(i), other))
                        .equals(EdgeReasons.of(honest.edges().get(i)))) {
                    withReason(i, other);
                }
            }
        }
    }

    private static String otherPart(String part) {
        if (part == null || part.matches("-?[0-9]+")) {
            return "1000";
        }
        return switch (part) {
            case "true" -> "false";
            case "false" -> "true";
            case "READ_THEN_WRITTEN", "SESSION", "REAL_TIME", "TIMESTAMP", "VERSION" -> "INITIAL";
            case "INITIAL" -> "SESSION";
            default -> "98";
        };
    }

    private void withReason(int position, EdgeReason reason) {
        List<Edge> edges = new ArrayList<>(honest.edges());
        edges.set(position, withReason(edges.get(position), reason));
        withEdges(edges);
    }

    private static Edge withReason(Edge edge, EdgeReason reason) {
        return new Edge(
                edge.fromTxnId(),
                edge.toTxnId(),
                edge.type(),
                edge.key(),
                edge.fromValue(),
                edge.toValue(),
                edge.evidence(),
                reason);
    }

    private void replaced(
            int position, Edge edge, long from, long to, EdgeType type, String key, String fromValue, String toValue) {
        List<Edge> edges = new ArrayList<>(honest.edges());
        edges.set(position, new Edge(from, to, type, key, fromValue, toValue, edge.evidence(), edge.reason()));
        withEdges(edges);
    }

    private void changeExpectation() {
        Expectation read = honest.expectation();
        String other = "98";
        with(new Expectation(other, read.expectedWriter(), read.observed(), read.observedWriter(), read.origin()));
        with(new Expectation(read.expected(), 1000L, read.observed(), read.observedWriter(), read.origin()));
        with(new Expectation(read.expected(), read.expectedWriter(), other, read.observedWriter(), read.origin()));
        with(new Expectation(read.expected(), read.expectedWriter(), read.observed(), 1000L, read.origin()));
        for (Origin origin : Origin.values()) {
            if (origin != read.origin()) {
                with(new Expectation(
                        read.expected(), read.expectedWriter(), read.observed(), read.observedWriter(), origin));
            }
        }
    }

    private void with(Expectation expectation) {
        add(honest.participants(), expectation, honest.edges(), null, honest.dependsOnUnknown(), honest.key());
    }

    private void withEdges(List<Edge> edges) {
        add(honest.participants(), honest.expectation(), edges, null, honest.dependsOnUnknown(), honest.key());
    }

    private void withParticipants(List<Participant> participants) {
        add(participants, honest.expectation(), honest.edges(), null, honest.dependsOnUnknown(), honest.key());
    }

    private void add(
            List<Participant> participants,
            Expectation expectation,
            List<Edge> edges,
            Long slack,
            boolean dependsOnUnknown,
            String key) {
        changed.add(new Finding(
                honest.anomaly(),
                honest.pattern(),
                honest.level(),
                honest.algorithm(),
                key,
                participants,
                expectation,
                slack,
                dependsOnUnknown,
                edges));
    }
}
