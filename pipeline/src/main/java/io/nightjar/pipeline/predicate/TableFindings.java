package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.Reason;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import java.util.ArrayList;
import java.util.List;

/** Makes findings, with their sentences, of what checks of tables know by number. */
final class TableFindings {

    private static final int MAX_ROW_CHARS = 120;

    private final TableHistory history;
    private final TableVersions versions;

    TableFindings(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
    }

    // ---------------------------------------------------------------- reads

    Finding readFinding(
            IsolationLevel level, Anomaly anomaly, int txn, int op, int expectedSlot, String evidence, String why) {
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
        String reason = why != null
                ? why
                : "T%d read %s of %s, and should have read %s"
                        .formatted(history.txnId[txn], shown(observed), key, versionText(expectedSlot));
        long from = expectedWriter == null ? history.txnId[txn] : expectedWriter;
        Edge edge =
                new Edge(from, history.txnId[txn], "wr", key, expected, observed, evidence, new Reason.Told(reason));
        return finding(
                anomaly,
                level,
                key,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, null),
                List.of(edge));
    }

    Finding repeatedFinding(IsolationLevel level, int txn, int op, int before, String evidence) {
        String key = history.keyName(history.key[op]);
        String first = history.valueText(history.value[before]);
        String second = history.valueText(history.value[op]);
        long id = history.txnId[txn];
        String reason = "T%d read %s of %s, after it had read %s".formatted(id, shown(second), key, shown(first));
        return finding(
                Anomaly.INT,
                level,
                key,
                List.of(participant(txn, Role.READER)),
                new Expectation(first, null, second, null, null),
                List.of(new Edge(id, id, "wr", key, first, second, evidence, new Reason.Told(reason))));
    }

    Finding resultFinding(IsolationLevel level, int txn, int op, int key, int expectedSlot, int row, String evidence) {
        String name = history.keyName(key);
        String observed = row == TableHistory.NONE ? null : history.valueText(history.value[row]);
        String expected = history.valueText(versions.valueOf(expectedSlot));
        String saw =
                row == TableHistory.NONE ? "did not return " + name : "returned " + shown(observed) + " for " + name;
        String reason = "T%d asked for rows where %s and %s, where it should have seen %s"
                .formatted(history.txnId[txn], history.conditionText(op), saw, versionText(expectedSlot));
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
        Edge edge = new Edge(
                        from, history.txnId[txn], "wr", name, expected, observed, evidence, new Reason.Told(reason))
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
    Finding answer(IsolationLevel level, int txn, int op, String expected, String evidence) {
        String observed = history.valueText(history.value[op]);
        String reason = "T%d asked for %s and got %s, and the rows that it should have seen make %s"
                .formatted(
                        history.txnId[txn],
                        history.conditionText(op),
                        observed == null ? "NULL" : observed,
                        expected.equals("null") ? "NULL" : expected);
        long id = history.txnId[txn];
        return finding(
                Anomaly.RESULT_SET_MISMATCH,
                level,
                null,
                List.of(participant(txn, Role.READER)),
                new Expectation(expected, null, observed, null, null),
                List.of(new Edge(id, id, "rt", null, expected, observed, evidence, new Reason.Told(reason))
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

    Edge edge(int from, int to, String type, String key, String evidence, String reason) {
        return new Edge(
                history.txnId[from], history.txnId[to], type, key, null, null, evidence, new Reason.Told(reason));
    }

    static String shown(String row) {
        if (row == null) {
            return "no row";
        }
        return row.length() <= MAX_ROW_CHARS ? row : row.substring(0, MAX_ROW_CHARS) + "…";
    }

    /** A version with its writer. */
    private String versionText(int slot) {
        if (slot == TableVersions.UNBORN) {
            return "no row, as before its first version";
        }
        String row = history.valueText(versions.valueOf(slot));
        long writer = history.txnId[versions.txnOf[slot]];
        return row == null ? "no row, deleted by T" + writer : shown(row) + " of T" + writer;
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
            return edge(from, to, "so", null, "session", "T%d follows T%d in its session".formatted(toId, fromId));
        }
        int label = in.labelOf[edge];
        int op = labels.opOf[label];
        int fromSlot = labels.fromSlotOf[label];
        int toSlot = labels.toSlotOf[label];
        int versionSlot = toSlot >= 0 ? toSlot : fromSlot;
        String key = history.keyName(history.key[versions.opOf[versionSlot]]);
        String before = history.valueText(versions.valueOf(fromSlot));
        String after = history.valueText(versions.valueOf(toSlot));
        String type;
        String reason;
        if (in.allows(edge, TableDependencies.WW)) {
            type = "ww";
            reason = "T%d replaced %s of T%d by %s in %s".formatted(toId, shown(before), fromId, shown(after), key);
        } else if (in.allows(edge, TableDependencies.WR)) {
            type = "wr";
            reason = "T%d read %s of %s, which T%d wrote".formatted(toId, shown(before), key, fromId);
        } else if (in.allows(edge, TableDependencies.RW)) {
            type = "rw";
            reason = "T%d read %s of %s, which T%d then replaced by %s"
                    .formatted(fromId, shown(before), key, toId, shown(after));
        } else if (in.allows(edge, TableDependencies.PREDICATE_WR)) {
            type = "wr";
            reason = "T%d looked for rows where %s, and the match of %s had changed with %s of T%d"
                    .formatted(toId, history.conditionText(op), key, shown(before), fromId);
        } else {
            type = "rw";
            reason = "T%d looked for rows where %s and saw %s of %s, and T%d changed the match with %s"
                    .formatted(fromId, history.conditionText(op), shown(before), key, toId, shown(after));
        }
        Edge step = new Edge(fromId, toId, type, key, before, after, "version", new Reason.Told(reason));
        boolean isPredicate = in.allows(edge, TableDependencies.PREDICATE_WR | TableDependencies.PREDICATE_RW)
                && !in.allows(edge, TableDependencies.WW | TableDependencies.WR | TableDependencies.RW);
        return isPredicate ? step.ofPredicate(history.conditionText(op)) : step;
    }
}
