package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Findings to explain and to draw, with their transactions. */
final class SampleFindings {

    final Map<Long, TxnRow> txns = new TreeMap<>();

    /** T1 saw nothing of what T2 appended to y, and appended to x after T2. */
    Finding readSkew() {
        txn(1, op("append", "x", "2"), op("r", "y", null));
        txn(2, op("append", "x", "1"), op("append", "y", "1"));
        return finding(
                Anomaly.G_SINGLE_ITEM,
                "read-skew",
                "x",
                onCycle(1, 2),
                null,
                new Edge(
                        1,
                        2,
                        EdgeType.RW,
                        "y",
                        null,
                        "[1]",
                        EdgeEvidence.LIST,
                        new EdgeReason.Explained(
                                "T1 observed the initial (nil) state of y, which T2 created by appending 1")),
                new Edge(
                        2,
                        1,
                        EdgeType.WW,
                        "x",
                        "[1]",
                        "[1,2]",
                        EdgeEvidence.LIST,
                        new EdgeReason.Explained("T1 appended 2 after T2 appended 1 to x.")));
    }

    /** Each transaction reads what the one before wrote, and the first reads from the last. */
    Finding ring(int size) {
        List<Edge> edges = new ArrayList<>();
        long[] ids = new long[size];
        for (int i = 0; i < size; i++) {
            long next = (i + 1) % size + 1;
            ids[i] = i + 1;
            String key = "key" + i;
            EdgeType type = List.of(EdgeType.WR, EdgeType.WW, EdgeType.RW, EdgeType.SO, EdgeType.RT)
                    .get(i % 5);
            edges.add(new Edge(i + 1, next, type, i % 5 < 3 ? key : null, "1", "2", EdgeEvidence.VALUE));
            txn(
                    i + 1,
                    op("w", key, "1"),
                    op("r", "key" + (i + size - 1) % size, "1"),
                    op("r", "other", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"));
        }
        return finding(Anomaly.G2_ITEM_REALTIME, null, null, onCycle(ids), null, edges.toArray(new Edge[0]));
    }

    Finding abortedRead() {
        txn(3, op("r", "x", "1"), op("w", "y", "5"));
        txn(1, op("w", "x", "1"));
        return finding(
                Anomaly.G1A,
                null,
                "x",
                List.of(participant(3, Role.READER), participant(1, Role.OBSERVED_WRITER)),
                new Expectation(null, null, "1", 1L, Origin.ABORTED));
    }

    Finding hostile() {
        String nasty = "</text><script>alert('\"&')</script>\u0001\u202E]]>\ud800";
        txn(1, op("w", nasty, nasty), op("r", "a\\\"b", "[1,2]"));
        txn(2, op("r", nasty, nasty));
        return finding(
                Anomaly.G1C,
                nasty,
                nasty,
                onCycle(1, 2),
                null,
                new Edge(1, 2, EdgeType.WR, nasty, nasty, nasty, EdgeEvidence.VALUE, new EdgeReason.Explained(nasty)),
                new Edge(2, 1, EdgeType.SO, null, null, null, EdgeEvidence.SESSION));
    }

    TxnRow txn(long txnId) {
        return txns.get(txnId);
    }

    void txn(long txnId, OpRow... ops) {
        String status = "committed";
        txns.put(
                txnId,
                new TxnRow(
                        txnId,
                        txnId % 3,
                        txnId,
                        status,
                        HistorySlice.NONE,
                        HistorySlice.NONE,
                        null,
                        "a.edn",
                        txnId,
                        List.of(ops)));
    }

    static OpRow op(String name, String key, String value) {
        return new OpRow(name, key, value);
    }

    /** Returns the given number of operations, one of which matters. */
    static OpRow[] manyOps(int count, int at, OpRow mattering) {
        OpRow[] ops = new OpRow[count];
        for (int i = 0; i < count; i++) {
            ops[i] = i == at ? mattering : op("w", "k" + i, "1");
        }
        return ops;
    }

    static List<Participant> onCycle(long... txnIds) {
        List<Participant> participants = new ArrayList<>();
        for (long txnId : txnIds) {
            participants.add(participant(txnId, Role.ON_CYCLE));
        }
        return participants;
    }

    static Participant participant(long txnId, Role role) {
        return new Participant(txnId, role, HistorySlice.NONE, HistorySlice.NONE);
    }

    static Finding finding(
            Anomaly anomaly,
            String pattern,
            String key,
            List<Participant> participants,
            Expectation expectation,
            Edge... edges) {
        return new Finding(
                anomaly,
                pattern,
                IsolationLevel.PL_3,
                "cycle",
                key,
                participants,
                expectation,
                null,
                false,
                List.of(edges));
    }
}
