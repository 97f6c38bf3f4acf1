package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.Reason;
import io.nightjar.formats.finding.Reason.OfRows;
import io.nightjar.formats.finding.Reason.RowFact;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import java.util.ArrayList;
import java.util.List;

/** Makes findings, with their sentences, of what checks of tables know by number. */
final class TableFindings {

    private final TableHistory history;
    private final TableVersions versions;

    TableFindings(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
    }

    // ---------------------------------------------------------------- reads

    Finding readFinding(
            IsolationLevel level,
            Anomaly anomaly,
            int txn,
            int op,
            int expectedSlot,
            EdgeEvidence evidence,
            OfRows why) {
        int seen = versions.slotOfRead(op);
        String key = history.keyName(history.key[op]);
        String expected = history.valueText(versions.valueOf(expectedSlot));
        String observed = history.valueText(history.value[op]);
        Long expectedWriter = expectedSlot < 0 ? null : history.txnId[versions.txnOf[expectedSlot]];
        Long observedWriter = seen < 0 ? null : history.txnId[versions.txnOf[seen]];
        List<Participant> participants = new ArrayList<>();
        participants.add(participant(txn, Role.READER));
        if (expectedSlot >= 0 && versions.txnOf[expectedSlot] != txn) {
            participants.add(participant(versions.txnOf[expectedSlot], Role.EXPECTED_WRITER));
        }
        if (seen >= 0 && versions.txnOf[seen] != txn) {
            participants.add(participant(versions.txnOf[seen], Role.OBSERVED_WRITER));
        }
        Reason reason = why != null ? why : new OfRows(RowFact.SHOULD_HAVE_READ, expectedWriter, null);
        long from = expectedWriter == null ? history.txnId[txn] : expectedWriter;
        Edge edge = new Edge(from, history.txnId[txn], EdgeType.WR, key, expected, observed, evidence, reason);
        return finding(
                anomaly,
                level,
                key,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, null),
                List.of(edge));
    }

    Finding repeatedFinding(IsolationLevel level, int txn, int op, int before, EdgeEvidence evidence) {
        String key = history.keyName(history.key[op]);
        String first = history.valueText(history.value[before]);
        String second = history.valueText(history.value[op]);
        long id = history.txnId[txn];
        Reason reason = new OfRows(RowFact.READ_BEFORE);
        return finding(
                Anomaly.INT,
                level,
                key,
                List.of(participant(txn, Role.READER)),
                new Expectation(first, null, second, null, null),
                List.of(new Edge(id, id, EdgeType.WR, key, first, second, evidence, reason)));
    }

    Finding resultFinding(
            IsolationLevel level, int txn, int op, int key, int expectedSlot, int row, EdgeEvidence evidence) {
        String name = history.keyName(key);
        String observed = row == TableHistory.NONE ? null : history.valueText(history.value[row]);
        String expected = history.valueText(versions.valueOf(expectedSlot));
        int seen = row == TableHistory.NONE ? TableVersions.NOWHERE : versions.slotOfRead(row);
        List<Participant> participants = new ArrayList<>();
        participants.add(participant(txn, Role.READER));
        Long expectedWriter = null;
        if (expectedSlot >= 0) {
            expectedWriter = history.txnId[versions.txnOf[expectedSlot]];
            if (versions.txnOf[expectedSlot] != txn) {
                participants.add(participant(versions.txnOf[expectedSlot], Role.EXPECTED_WRITER));
            }
        }
        Long observedWriter = seen < 0 ? null : history.txnId[versions.txnOf[seen]];
        if (seen >= 0 && versions.txnOf[seen] != txn) {
            participants.add(participant(versions.txnOf[seen], Role.OBSERVED_WRITER));
        }
        long from = expectedWriter == null ? history.txnId[txn] : expectedWriter;
        RowFact fact = row == TableHistory.NONE ? RowFact.NOT_RETURNED : RowFact.RETURNED;
        Reason reason = new OfRows(fact, expectedWriter, null);
        Edge edge = new Edge(from, history.txnId[txn], EdgeType.WR, name, expected, observed, evidence, reason)
                .ofPredicate(history.conditionText(op));
        return finding(
                Anomaly.RESULT_SET_MISMATCH,
                level,
                name,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, null),
                List.of(edge));
    }

    /** An answer that was computed of other rows. */
    Finding answer(IsolationLevel level, int txn, int op, String expected, EdgeEvidence evidence) {
        String observed = history.valueText(history.value[op]);
        Reason reason = new OfRows(RowFact.ANSWERED);
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
            IsolationLevel level,
            String key,
            List<Participant> participants,
            Expectation expectation,
            List<Edge> edges) {
        return new Finding(
                anomaly, null, level, TableCheck.ALGORITHM, key, participants, expectation, null, false, edges);
    }

    Participant participant(int txn, Role role) {
        return new Participant(history.txnId[txn], role, history.startTs[txn], versions.commitTs(txn));
    }

    Edge edge(int from, int to, EdgeType type, String key, EdgeEvidence evidence, Reason reason) {
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
