package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason.NoOverlap;
import io.nightjar.formats.finding.EdgeReason.WasVisible;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Replay of dependency cycles: it verifies the class by the types of edges, and each edge by the rows of its
 * transactions.
 */
final class CycleReplay {

    private final RawTxns raw;
    private final GatheredFacts gathered;
    private final EdgeReplay edges;
    private final ReasonReplay reasons;

    CycleReplay(GatheredFacts gathered) {
        this.raw = gathered.raw();
        this.gathered = gathered;
        this.edges = new EdgeReplay(gathered);
        this.reasons = new ReasonReplay(gathered, edges);
    }

    /** Returns whether an anomaly is neither of an order of transactions nor of accesses to one key. */
    static boolean takes(Anomaly anomaly) {
        return !OrderReplay.takes(anomaly) && !ReadReplay.takes(anomaly);
    }

    void verify(ValueClaim claim) {
        Finding finding = claim.finding;
        if (finding.expectation() != null || finding.slack() != null) {
            claim.refute("a read or a slack where none is involved");
            return;
        }
        if (finding.key() != null
                && finding.edges().stream()
                        .anyMatch(edge -> edge.key() != null && !edge.key().equals(finding.key()))) {
            claim.refute("a step on another key: key=" + finding.key());
            return;
        }
        if (finding.anomaly() == Anomaly.CYCLIC_VERSIONS) {
            verifyVersions(claim);
        } else {
            verifyCycle(claim);
        }
    }

    // ---------------------------------------------------------------- cycles of transactions

    private void verifyCycle(ValueClaim claim) {
        Finding finding = claim.finding;
        int length = CycleEdges.lengthOf(finding);
        if (length < 2) {
            claim.refute("the first steps do not lead through the transactions on the cycle and back");
            return;
        }
        if (finding.participants().stream().anyMatch(txn -> txn.role() != Role.ON_CYCLE && txn.role() != Role.NEEDED)) {
            claim.refute("wrong participants: claimed=" + finding.participants());
            return;
        }
        Set<Integer> distinct = new HashSet<>();
        for (int txn : claim.txnOf) {
            if (!distinct.add(txn)) {
                claim.refute("named twice: txn=" + raw.txnId[txn]);
                return;
            }
        }
        List<Edge> cycle = finding.edges().subList(0, length);
        Anomaly anomaly = classOf(cycle);
        if (anomaly != finding.anomaly()) {
            claim.refute("another class of cycle: expected=" + (anomaly == null ? null : anomaly.spelling()));
            return;
        }
        if (finding.level() != null && !rulesOut(finding.level(), anomaly, cycle)) {
            claim.refute("a level that it does not rule out: level="
                    + finding.level().longName());
            return;
        }
        for (Edge edge : finding.edges()) {
            verifyEdge(claim, edge);
        }
        claim.forgetGraphs();
        if (!claim.isRefuted()) {
            claim.nameOnly(ClassicPattern.ofCycle(cycle));
        }
    }

    /** Returns the class of Adya and Elle for a cycle of such edges; null if none fits. */
    private static @Nullable Anomaly classOf(List<Edge> cycle) {
        int misses = 0;
        boolean hasNeighbours = false;
        boolean hasReads = false;
        boolean hasSession = false;
        boolean hasRealTime = false;
        for (int i = 0; i < cycle.size(); i++) {
            switch (cycle.get(i).type()) {
                case RW -> {
                    misses++;
                    hasNeighbours |= cycle.get((i + 1) % cycle.size()).type() == EdgeType.RW;
                }
                case WR -> hasReads = true;
                case SO -> hasSession = true;
                case RT -> hasRealTime = true;
                case WW -> {}
                case TS -> {
                    return null;
                }
            }
        }
        String name = misses == 0 ? hasReads ? "G1c" : "G0" : misses == 1 ? "G-single-item" : "G-nonadjacent-item";
        if (misses > 1 && hasNeighbours) {
            name = "G2-item";
        }
        return Anomaly.bySpelling(name + (hasRealTime ? "-realtime" : hasSession ? "-process" : ""));
    }

    /**
     * Returns whether the level excludes such a cycle. For levels of commit order the edges decide: version orders that
     * were only assumed are no evidence about these levels.
     */
    private static boolean rulesOut(IsolationLevel level, Anomaly anomaly, List<Edge> cycle) {
        if (!IsolationLevel.all().contains(level)) {
            return LevelLattice.rulesOut(anomaly, level);
        }
        int misses = 0;
        int overwrites = 0;
        for (Edge edge : cycle) {
            boolean isOnVersions = edge.type() == EdgeType.WW || edge.type() == EdgeType.RW;
            boolean isAssumed = edge.evidence() == EdgeEvidence.SESSION || edge.evidence() == EdgeEvidence.REALTIME;
            if (edge.type() == EdgeType.RT || isOnVersions && isAssumed) {
                return false;
            }
            misses += edge.type() == EdgeType.RW ? 1 : 0;
            overwrites += edge.type() == EdgeType.WW ? 1 : 0;
        }
        return switch (requireNonNull(OrderRules.of(level)).axiom()) {
            case READ_COMMITTED -> misses == 0;
            case READ_ATOMIC -> misses == 0 || misses == 1 && overwrites == 0 && cycle.size() == 2;
            case CAUSAL -> misses == 0 || misses == 1 && overwrites == 0;
            case PREFIX -> CycleEdges.isContinuous(cycle, OrderRules.Axiom.PREFIX);
            case SNAPSHOT -> CycleEdges.isContinuous(cycle, OrderRules.Axiom.SNAPSHOT);
            case SERIAL -> true;
        };
    }

    private void verifyEdge(ValueClaim claim, Edge edge) {
        int from = claim.txnById(edge.fromTxnId());
        int to = claim.txnById(edge.toTxnId());
        if (from == RawTxns.NONE || to == RawTxns.NONE || from == to) {
            claim.refute("a step between others than the participants: edge=" + edge);
            return;
        }
        String wrong = edges.wrong(edge, from, to);
        if (wrong == null && (edge.type() == EdgeType.WW || edge.type() == EdgeType.RW)) {
            wrong = wrongOrder(claim, edge, from, to);
        }
        if (wrong == null) {
            boolean isOfOrders = edge.reason() instanceof WasVisible || edge.reason() instanceof NoOverlap;
            wrong = isOfOrders ? "a reason that only an order of commits gives" : reasons.wrong(claim, edge, from, to);
        }
        if (wrong != null) {
            claim.refute(wrong + ": edge=" + edge);
        }
    }

    /** Returns why the rows do not show that the first version precedes the second; null if they do. */
    private @Nullable String wrongOrder(ValueClaim claim, Edge edge, int from, int to) {
        byte kind = kindOfWrite(edge, to);
        boolean isMiss = edge.type() == EdgeType.RW;
        boolean isList = edge.evidence() == EdgeEvidence.LIST;
        if (kind == OpKind.APPEND && edge.evidence() == EdgeEvidence.TIMESTAMP) {
            boolean isRight = !isMiss && isUnread(edge) && graph(claim, edge).leads(edge, from, to);
            return isRight ? null : "a list or commit timestamps do not show the first version before the second";
        }
        if (kind == OpKind.APPEND) {
            if (!isList) {
                return "the order of a list is shown by lists";
            }
            // a read without an element that was appended is older than it: nothing more needs to be shown
            return isMiss || isShownByList(claim, edge) ? null : "no list shows the first version before the second";
        }
        if (kind == OpKind.ADD) {
            return isMiss && (isList || edge.evidence() == EdgeEvidence.VALUE)
                    ? null
                    : "elements of a set have no order";
        }
        if (isMiss && edge.fromValue() == null && edge.evidence() == EdgeEvidence.VALUE) {
            return null;
        }
        return graph(claim, edge).leads(edge, from, to)
                ? null
                : "the named source does not show the first version before the second";
    }

    private VersionGraph graph(ValueClaim claim, Edge edge) {
        long key = raw.keys.intern(edge.key());
        return claim.graph(key, () -> new VersionGraph(gathered, key));
    }

    /** Returns whether the longest list does not contain the versions of an edge. */
    private boolean isUnread(Edge edge) {
        long older = raw.values.intern(edge.fromValue());
        long newer = raw.values.intern(edge.toValue());
        return LongStream.of(gathered.of(raw.keys.intern(edge.key())).outside.elements)
                .noneMatch(element -> element == older || element == newer);
    }

    private byte kindOfWrite(Edge edge, int to) {
        long key = raw.keys.intern(edge.key());
        byte kind = OpKind.WRITE;
        for (int op : raw.opsOn(to, key)) {
            kind = OpKind.isWrite(raw.kind[op]) ? raw.kind[op] : kind;
        }
        return kind;
    }

    private boolean isShownByList(ValueClaim claim, Edge edge) {
        long key = raw.keys.intern(edge.key());
        long older = raw.values.intern(edge.fromValue());
        long newer = raw.values.intern(edge.toValue());
        boolean isOutside = claim.isAboutSnapshots();
        if (shows(gathered.of(key).outside.elements, older, newer)
                || !isOutside && shows(gathered.of(key).whole.elements, older, newer)) {
            return true;
        }
        for (int txn : claim.txnOf) {
            for (int op : raw.opsOn(txn, key)) {
                if (edges.isJudgedList(txn, op)
                        && (shows(raw.outsideList(txn, op), older, newer)
                                || !isOutside && shows(raw.list(op), older, newer))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a list contains the older element without the newer one before it. */
    private static boolean shows(long[] list, long older, long newer) {
        for (long element : list) {
            if (element == newer) {
                return false;
            }
            if (element == older) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- cycles of versions

    private void verifyVersions(ValueClaim claim) {
        Finding finding = claim.finding;
        List<Edge> circle = finding.edges();
        boolean isOfSubjects = finding.participants().stream().allMatch(txn -> txn.role() == Role.SUBJECT);
        if (finding.key() == null || circle.size() < 2 || !isOfSubjects) {
            claim.refute("a circle of versions without its key or its steps, or with other parts");
            return;
        }
        if (finding.level() != null && !LevelLattice.rulesOut(Anomaly.CYCLIC_VERSIONS, finding.level())) {
            claim.refute("a level that it does not rule out: level="
                    + finding.level().longName());
            return;
        }
        VersionGraph graph = new VersionGraph(gathered, claim.key);
        graph.take(claim);
        for (int i = 0; i < circle.size(); i++) {
            Edge edge = circle.get(i);
            Edge next = circle.get((i + 1) % circle.size());
            if (edge.type() != EdgeType.WW
                    || !finding.key().equals(edge.key())
                    || !Objects.equals(edge.toValue(), next.fromValue())) {
                claim.refute("a step that does not lead to the next: edge=" + edge);
                return;
            }
            String wrong = reasons.wrong(claim, edge, claim.txnById(edge.fromTxnId()), claim.txnById(edge.toTxnId()));
            if (wrong != null) {
                claim.refute(wrong + ": edge=" + edge);
                return;
            }
        }
        if (graph.versionsOf(circle.get(0).fromValue()).stream().noneMatch(first -> closes(claim, graph, first))) {
            claim.refute("nothing shows that each version precedes the next and the last one the first");
            return;
        }
        claim.nameOnly(null);
    }

    /** Returns whether the steps of a circle lead from a version back to it. */
    private static boolean closes(ValueClaim claim, VersionGraph graph, @Nullable String first) {
        Set<String> versions = new HashSet<>();
        versions.add(first);
        for (Edge edge : claim.finding.edges()) {
            int from = claim.txnById(edge.fromTxnId());
            int to = claim.txnById(edge.toTxnId());
            versions = graph.next(versions, edge.toValue(), edge.evidence().word(), from, to);
        }
        return versions.contains(first);
    }
}
