package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason.WasVisible;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Verifies findings which claim that no order of exactly these transactions satisfies the level. */
final class OrderReplay {

    private static final Set<Anomaly> TAKEN = EnumSet.of(
            Anomaly.COMMIT_ORDER_CYCLE, Anomaly.NO_SERIAL_ORDER, Anomaly.NO_SNAPSHOT_ORDER, Anomaly.NO_PREFIX_ORDER);

    private final RawTxns raw;
    private final GatheredFacts gathered;
    private final BooleanSupplier isTimeOver;
    private @Nullable SubHistory latest;
    private int[] latestTxns = {};
    private boolean latestUsesVersions;

    OrderReplay(GatheredFacts gathered, BooleanSupplier isTimeOver) {
        this.raw = gathered.raw();
        this.gathered = gathered;
        this.isTimeOver = isTimeOver;
    }

    static boolean takes(Anomaly anomaly) {
        return TAKEN.contains(anomaly);
    }

    void verify(ValueClaim claim) {
        OrderRules rules = OrderRules.impliedBy(claim.finding.level());
        String wrong = wrongShape(claim, rules);
        if (rules == null || wrong != null) {
            claim.refute(requireNonNull(wrong));
            return;
        }
        int[] txns = claim.txnOf.clone();
        Arrays.sort(txns);
        for (int i = 0; i < txns.length; i++) {
            if (i > 0 && txns[i] == txns[i - 1]) {
                claim.refute("named twice: txn=" + raw.txnId[txns[i]]);
            }
            if (raw.status[txns[i]] == TxnStatus.ABORTED) {
                claim.refute("an aborted transaction has no position in an order: txn=" + raw.txnId[txns[i]]);
            }
        }
        if (claim.isRefuted()) {
            return;
        }
        if (txns.length > OrderSearch.MAX_TXNS) {
            claim.leaveOpen();
            return;
        }
        SubHistory subHistory = subHistory(txns, speaksOfVersions(claim.finding));
        OrderRules asked =
                new OrderRules(axiomOf(claim.finding.anomaly(), rules), rules.keepsSessions(), rules.keepsRealTime());
        OrderSearch.Answer answer = OrderSearch.decide(subHistory, asked, isTimeOver);
        if (answer == OrderSearch.Answer.POSSIBLE) {
            claim.refute("its transactions do not rule the level out");
        } else if (answer == OrderSearch.Answer.UNDECIDED) {
            claim.leaveOpen();
        } else if (!claim.finding.edges().isEmpty()) {
            verifyEdges(claim, txns, subHistory, rules);
        }
        if (!claim.isRefuted() && !claim.isOpen()) {
            String pattern = ClassicPattern.of(subHistory, isTimeOver);
            int length = CycleEdges.lengthOf(claim.finding);
            boolean isCycle = pattern == null && length != CycleEdges.NONE;
            claim.nameOnly(
                    isCycle ? ClassicPattern.ofCycle(claim.finding.edges().subList(0, length)) : pattern);
        }
    }

    /** Returns a part of the history; of the same transactions, findings of several levels follow each other. */
    private SubHistory subHistory(int[] txns, boolean usesVersions) {
        if (latest == null || latestUsesVersions != usesVersions || !Arrays.equals(latestTxns, txns)) {
            latest = new SubHistoryReader(gathered, usesVersions).read(txns);
            latestTxns = txns;
            latestUsesVersions = usesVersions;
        }
        return latest;
    }

    private static boolean speaksOfVersions(Finding finding) {
        return finding.edges().stream().anyMatch(edge -> edge.evidence() == EdgeEvidence.VERSION);
    }

    private static @Nullable String wrongShape(ValueClaim claim, @Nullable OrderRules rules) {
        Finding finding = claim.finding;
        if (rules == null) {
            return "a level that no order defines: level=" + finding.level();
        }
        OrderRules.Axiom needed = axiomOf(finding.anomaly(), rules);
        if (needed.compareTo(rules.axiom()) > 0) {
            return "an order that this level does not ask for: level="
                    + requireNonNull(finding.level()).longName();
        }
        if (finding.expectation() != null || finding.slack() != null) {
            return "a read or a slack where none is involved";
        }
        if (finding.participants().isEmpty()
                || finding.participants().stream()
                        .anyMatch(txn -> txn.role() != Role.ON_CYCLE && txn.role() != Role.NEEDED)) {
            return "wrong participants: claimed=" + finding.participants();
        }
        boolean isCycle = finding.anomaly() == Anomaly.COMMIT_ORDER_CYCLE;
        if (isCycle && finding.edges().isEmpty()) {
            return "a cycle without steps";
        }
        if (finding.key() != null && finding.edges().stream().anyMatch(edge -> isOnOther(edge, finding.key()))) {
            return "a step on another key: key=" + finding.key();
        }
        return null;
    }

    /** Returns the axiom that a finding refutes, which may belong to a weaker level than its own. */
    private static OrderRules.Axiom axiomOf(Anomaly anomaly, OrderRules rules) {
        return switch (anomaly) {
            case NO_PREFIX_ORDER -> OrderRules.Axiom.PREFIX;
            case NO_SNAPSHOT_ORDER -> OrderRules.Axiom.SNAPSHOT;
            case NO_SERIAL_ORDER -> OrderRules.Axiom.SERIAL;
            default -> rules.axiom();
        };
    }

    private static boolean isOnOther(Edge edge, String key) {
        return edge.key() != null && !edge.key().equals(key);
    }

    private void verifyEdges(ValueClaim claim, int[] txns, SubHistory subHistory, OrderRules rules) {
        boolean isCycle = claim.finding.anomaly() == Anomaly.COMMIT_ORDER_CYCLE;
        int length = isCycle ? CycleEdges.lengthOf(claim.finding) : 0; // other findings have premises only
        if (isCycle && length == CycleEdges.NONE) {
            claim.refute("the first steps do not lead through the transactions on the cycle and back");
            return;
        }
        if (isCycle && !CycleEdges.isContinuous(claim.finding.edges().subList(0, length), rules.axiom())) {
            claim.refute("a step ends at a commit and the next begins at the snapshot before it");
            return;
        }
        OrderSearch.Forced forced = OrderSearch.forced(subHistory, rules, isTimeOver);
        if (forced.isPartial()) {
            claim.leaveOpen();
            return;
        }
        EdgeReplay edges = new EdgeReplay(gathered);
        ReasonReplay reasons = new ReasonReplay(gathered, edges);
        List<Edge> all = claim.finding.edges();
        for (Edge edge : all) {
            int from = claim.txnById(edge.fromTxnId());
            int to = claim.txnById(edge.toTxnId());
            if (from == RawTxns.NONE || to == RawTxns.NONE || from == to) {
                claim.refute("a step between others than the participants: edge=" + edge);
                return;
            }
            String wrong = edges.wrong(edge, from, to);
            if (wrong == null
                    && edge.type() == EdgeType.WW
                    && !forced.commitsBefore(position(txns, from), position(txns, to))) {
                wrong = "nothing forces it";
            }
            if (wrong == null && edge.type() == EdgeType.RW && !isOverwritten(subHistory, txns, forced, from, to)) {
                wrong = "no evidence shows that the version read was overwritten later";
            }
            if (wrong == null) {
                wrong = reasons.wrong(claim, edge, from, to);
            }
            if (wrong == null && edge.reason() instanceof WasVisible visible && visible.reader() != null) {
                wrong = wrongVisibility(edge, visible, claim, txns, subHistory, forced, edges);
            }
            if (wrong != null) {
                claim.refute(wrong + ": edge=" + edge);
                return;
            }
        }
    }

    /**
     * Returns why the named transaction had not read the newer version, or did not have to observe the writer of the
     * older; null otherwise.
     */
    private @Nullable String wrongVisibility(
            Edge edge,
            WasVisible visible,
            ValueClaim claim,
            int[] txns,
            SubHistory subHistory,
            OrderSearch.Forced forced,
            EdgeReplay edges) {
        int row = claim.txnById(requireNonNull(visible.reader()));
        if (row == RawTxns.NONE || !edges.hasRead(edge, row)) {
            return "the named transaction did not read the newer version";
        }
        int reader = position(txns, row);
        int writer = position(txns, claim.txnById(edge.fromTxnId()));
        int newer = position(txns, claim.txnById(edge.toTxnId()));
        IsolationLevel level = visible.level();
        boolean isRight =
                switch (level == null ? IsolationLevel.SERIALIZABLE : level) {
                    case READ_COMMITTED -> subHistory.hasReadBefore(reader, writer, newer);
                    case READ_ATOMIC ->
                        subHistory.readsFrom(reader, writer) || subHistory.precedesInSession(writer, reader);
                    case CAUSAL -> subHistory.isSeenBy(writer, reader);
                    default -> subHistory.isSeenBy(writer, reader) || forced.commitsBefore(writer, reader);
                };
        return isRight ? null : "the older version need not have been visible";
    }

    /** Returns the position of a row in the sub-history of some rows. */
    private static int position(int[] txns, int row) {
        return Arrays.binarySearch(txns, row);
    }

    /**
     * Returns whether a transaction read the initial state, or a version whose writer precedes the overwriting
     * transaction.
     */
    private boolean isOverwritten(SubHistory subHistory, int[] txns, OrderSearch.Forced forced, int from, int to) {
        for (SubHistory.Read read : subHistory.reads) {
            if (read.reader() == position(txns, from)
                    && read.key() != SubHistory.NO_KEY
                    && subHistory.writes(position(txns, to), read.key())
                    && (read.writer() == SubHistory.INITIAL
                            || forced.commitsBefore(read.writer(), position(txns, to)))) {
                return true;
            }
        }
        return false;
    }
}
