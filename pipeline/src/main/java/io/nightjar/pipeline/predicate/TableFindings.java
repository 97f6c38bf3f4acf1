package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Factory of findings, with their sentences, from the numbers used by checks of tables. */
final class TableFindings {

    private final TableHistory history;
    private final TableVersions versions;

    TableFindings(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
    }

    // ---------------------------------------------------------------- reads

    Finding of(RowFault fault, @Nullable IsolationLevel level, EdgeEvidence evidence) {
        String key = history.keyName(fault.key());
        List<Participant> participants = new ArrayList<>();
        Expectation read = expectation(fault.txn(), fault.row(), fault.expectedSlot(), participants);
        long id = history.txnId[fault.txn()];
        long from = read.expectedWriter() == null ? id : read.expectedWriter();
        EdgeReason reason = fault.why() != null ? fault.why() : reason(fault, read);
        Edge edge = new Edge(from, id, EdgeType.WR, key, read.expected(), read.observed(), evidence, reason);
        boolean isOfPredicate = fault.predicateRead() != TableHistory.NONE;
        return finding(
                fault.anomaly(),
                level,
                key,
                participants,
                read,
                List.of(isOfPredicate ? edge.ofPredicate(history.conditionText(fault.predicateRead())) : edge));
    }

    /**
     * Returns the expected and the observed value of a read or row, and the participants; {@code op} is NONE if nothing
     * was returned.
     */
    private Expectation expectation(int txn, int op, int expectedSlot, List<Participant> participants) {
        int expectedWriter = expectedSlot < 0 ? TableHistory.NONE : versions.txnOf[expectedSlot];
        int observedWriter = op == TableHistory.NONE ? TableHistory.NONE : versions.writerRead(op);
        participants.add(participant(txn, Role.READER));
        if (expectedWriter != TableHistory.NONE && expectedWriter != txn) {
            participants.add(participant(expectedWriter, Role.EXPECTED_WRITER));
        }
        if (observedWriter != TableHistory.NONE && observedWriter != txn) {
            participants.add(participant(observedWriter, Role.OBSERVED_WRITER));
        }
        return new Expectation(
                history.valueText(versions.valueOf(expectedSlot)),
                expectedWriter == TableHistory.NONE ? null : (Long) history.txnId[expectedWriter],
                op == TableHistory.NONE ? null : history.valueText(history.value[op]),
                observedWriter == TableHistory.NONE ? null : (Long) history.txnId[observedWriter],
                null);
    }

    /** Returns which version of a row was returned, if the row has two. */
    private static EdgeReason reason(RowFault fault, Expectation read) {
        boolean isReturned = fault.row() != TableHistory.NONE;
        RowFact fact = fault.predicateRead() == TableHistory.NONE
                ? RowFact.SHOULD_HAVE_READ
                : isReturned ? RowFact.RETURNED : RowFact.NOT_RETURNED;
        boolean isOneRow = isReturned && Objects.equals(read.expected(), read.observed());
        return new OfRows(fact, read.expectedWriter(), isOneRow ? read.observedWriter() : null);
    }

    Finding repeatedFinding(IsolationLevel level, int txn, int op, int before, EdgeEvidence evidence) {
        String key = history.keyName(history.key[op]);
        String first = history.valueText(history.value[before]);
        String second = history.valueText(history.value[op]);
        long id = history.txnId[txn];
        EdgeReason reason = new OfRows(RowFact.READ_BEFORE);
        return finding(
                Anomaly.INT,
                level,
                key,
                List.of(participant(txn, Role.READER)),
                new Expectation(first, null, second, null, null),
                List.of(new Edge(id, id, EdgeType.WR, key, first, second, evidence, reason)));
    }

    /** Returns an answer that was computed of other rows. */
    Finding answer(IsolationLevel level, int txn, int op, String expected, EdgeEvidence evidence) {
        String observed = history.valueText(history.value[op]);
        EdgeReason reason = new OfRows(RowFact.ANSWERED);
        long id = history.txnId[txn];
        return finding(
                Anomaly.RESULT_SET_MISMATCH,
                level,
                null,
                List.of(participant(txn, Role.READER)),
                new Expectation(expected, null, observed, null, null),
                List.of(new Edge(id, id, EdgeType.RT, null, expected, observed, evidence, reason)
                        .ofPredicate(history.conditionText(op))));
    }

    // ---------------------------------------------------------------- parts

    static Finding finding(
            Anomaly anomaly,
            @Nullable IsolationLevel level,
            @Nullable String key,
            List<Participant> participants,
            @Nullable Expectation expectation,
            List<Edge> edges) {
        return new Finding(
                anomaly, null, level, TableCheck.ALGORITHM, key, participants, expectation, null, false, edges);
    }

    Participant participant(int txn, Role role) {
        return new Participant(history.txnId[txn], role, history.startTs[txn], versions.commitTs(txn));
    }

    Edge edge(int from, int to, EdgeType type, @Nullable String key, EdgeEvidence evidence, EdgeReason reason) {
        return new Edge(history.txnId[from], history.txnId[to], type, key, null, null, evidence, reason);
    }

    // ---------------------------------------------------------------- cycles

    Finding cycleFinding(TableCycles.Cycle cycle, TableGraph labels, Digraph in, IsolationLevel level) {
        List<Participant> participants = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        boolean isPredicate = false;
        for (int edge : cycle.edges()) {
            int from = in.tailOf(edge);
            int to = in.headOf[edge];
            participants.add(participant(from, Role.ON_CYCLE));
            edges.add(dependency(labels, in, edge, from, to));
            isPredicate |= in.allows(edge, TableDependencies.PREDICATE_RW);
        }
        String pattern = isPredicate ? "phantom" : null;
        return new Finding(
                cycle.anomaly(), pattern, level, TableCheck.ALGORITHM, null, participants, null, null, false, edges);
    }

    Edge dependency(TableGraph labels, Digraph in, int edge, int from, int to) {
        long fromId = history.txnId[from];
        long toId = history.txnId[to];
        if (in.allows(edge, TableDependencies.SESSION)) {
            return edge(from, to, EdgeType.SO, null, EdgeEvidence.SESSION, new OfRows(RowFact.FOLLOWS));
        }
        int label = in.labelOf[edge];
        int op = labels.opOf[label];
        int fromSlot = labels.fromSlotOf[label];
        int toSlot = labels.toSlotOf[label];
        int versionSlot = toSlot >= 0 ? toSlot : fromSlot;
        String key = history.keyName(history.key[versions.opOf[versionSlot]]);
        String before = history.valueText(versions.valueOf(fromSlot));
        String after = history.valueText(versions.valueOf(toSlot));
        EdgeType type;
        RowFact fact;
        if (in.allows(edge, TableDependencies.WW)) {
            type = EdgeType.WW;
            fact = RowFact.REPLACED;
        } else if (in.allows(edge, TableDependencies.WR)) {
            type = EdgeType.WR;
            fact = RowFact.READ;
        } else if (in.allows(edge, TableDependencies.RW)) {
            type = EdgeType.RW;
            fact = RowFact.READ_THEN_REPLACED;
        } else if (in.allows(edge, TableDependencies.PREDICATE_WR)) {
            type = EdgeType.WR;
            fact = RowFact.MATCH_HAD_CHANGED;
        } else {
            type = EdgeType.RW;
            fact = RowFact.MATCH_CHANGED;
        }
        Edge step = new Edge(fromId, toId, type, key, before, after, EdgeEvidence.VERSION, new OfRows(fact));
        boolean isPredicate = in.allows(edge, TableDependencies.PREDICATE_WR | TableDependencies.PREDICATE_RW)
                && !in.allows(edge, TableDependencies.WW | TableDependencies.WR | TableDependencies.RW);
        return isPredicate ? step.ofPredicate(history.conditionText(op)) : step;
    }
}
