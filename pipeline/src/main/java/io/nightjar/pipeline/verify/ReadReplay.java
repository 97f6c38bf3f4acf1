package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Verifies findings about one key that need no order of transactions: wrong reads, duplicate values, torn lists. */
final class ReadReplay {

    /** The verification of each type of finding. */
    private static final Map<Anomaly, BiConsumer<ReadReplay, ValueClaim>> JUDGES = new EnumMap<>(Anomaly.class);

    static {
        JUDGES.put(Anomaly.G1A, (replay, claim) -> replay.wrongReads.verifyAborted(claim));
        JUDGES.put(Anomaly.G1B, (replay, claim) -> replay.wrongReads.verifyIntermediate(claim));
        JUDGES.put(Anomaly.GARBAGE_READ, (replay, claim) -> replay.wrongReads.verifyGarbage(claim));
        JUDGES.put(Anomaly.FUTURE_READ, (replay, claim) -> replay.wrongReads.verifyFuture(claim));
        JUDGES.put(Anomaly.INTERNAL, (replay, claim) -> replay.wrongReads.verifyInternal(claim));
        JUDGES.put(Anomaly.DUPLICATE_WRITE, (replay, claim) -> replay.lists.verifyDuplicateWrite(claim));
        JUDGES.put(Anomaly.DUPLICATE_ELEMENTS, (replay, claim) -> replay.lists.verifyDuplicateElements(claim));
        JUDGES.put(Anomaly.INCOMPATIBLE_ORDER, (replay, claim) -> replay.lists.verifyIncompatible(claim));
        JUDGES.put(Anomaly.DIRTY_UPDATE, (replay, claim) -> replay.updates.verifyDirtyUpdate(claim));
        JUDGES.put(Anomaly.LOST_UPDATE, (replay, claim) -> replay.updates.verifyLostUpdate(claim));
    }

    private static final Set<Anomaly> NEEDS_OBSERVED =
            EnumSet.of(Anomaly.G1A, Anomaly.G1B, Anomaly.GARBAGE_READ, Anomaly.FUTURE_READ, Anomaly.DUPLICATE_ELEMENTS);

    private final RawTxns raw;
    private final WrongReadReplay wrongReads;
    private final ListReplay lists;
    private final UpdateReplay updates;

    ReadReplay(GatheredFacts gathered) {
        raw = gathered.raw();
        ClaimedReads reads = new ClaimedReads(gathered);
        wrongReads = new WrongReadReplay(gathered, reads);
        lists = new ListReplay(raw, reads);
        updates = new UpdateReplay(raw, reads);
    }

    static boolean takes(Anomaly anomaly) {
        return JUDGES.containsKey(anomaly);
    }

    /** Returns whether a finding may need facts about values other than the observed one. */
    static boolean asksWidely(ValueClaim claim, RawTxns raw) {
        Expectation read = claim.finding.expectation();
        return switch (claim.finding.anomaly()) {
            case DIRTY_UPDATE, LOST_UPDATE -> read == null;
            case INTERNAL, INCOMPATIBLE_ORDER, DUPLICATE_WRITE -> false;
            default -> read != null && read.observed() != null && isWholeList(claim, read.observed(), raw);
        };
    }

    /** Returns whether a list read of the key returned exactly the observed value, which may be a single element. */
    private static boolean isWholeList(ValueClaim claim, String observed, RawTxns raw) {
        for (int txn : claim.txnOf) {
            for (int op : raw.opsOn(txn, claim.key)) {
                if (raw.isListRead(op) && observed.equals(raw.text(op))) {
                    return true;
                }
            }
        }
        return false;
    }

    void verify(ValueClaim claim) {
        Finding finding = claim.finding;
        if (finding.key() == null) {
            claim.refute("no key where one is involved");
        } else if (finding.level() != null && !rulesOut(finding.anomaly(), finding.level())) {
            claim.refute("a level that it does not rule out: level="
                    + finding.level().longName());
        } else if (finding.slack() != null) {
            claim.refute("a slack where none is involved");
        } else if (NEEDS_OBSERVED.contains(finding.anomaly())
                && (finding.expectation() == null || finding.expectation().observed() == null)) {
            claim.refute("a read without the value that was observed");
        } else {
            requireNonNull(JUDGES.get(finding.anomaly())).accept(this, claim);
            verifyEdges(claim);
            claim.nameOnly(finding.anomaly() == Anomaly.LOST_UPDATE ? ClassicPattern.LOST_UPDATE : null);
        }
    }

    private static boolean rulesOut(Anomaly anomaly, IsolationLevel level) {
        return LevelLattice.rulesOut(anomaly, level)
                || anomaly == Anomaly.INTERNAL && level == IsolationLevel.READ_COMMITTED;
    }

    /** Verifies the edges: the only order that a read shows is that of its writer and itself. */
    private void verifyEdges(ValueClaim claim) {
        List<Edge> edges = claim.finding.edges();
        if (edges.isEmpty()) {
            return;
        }
        Edge edge = edges.get(0);
        int writer = claim.txnBy(Role.OBSERVED_WRITER);
        int reader = claim.txnBy(Role.READER);
        boolean isRight = edges.size() == 1
                && writer != RawTxns.NONE
                && reader != RawTxns.NONE
                && edge.fromTxnId() == raw.txnId[writer]
                && edge.toTxnId() == raw.txnId[reader]
                && edge.type() == EdgeType.WR
                && Objects.equals(claim.finding.key(), edge.key())
                && Objects.equals(edge.fromValue(), claim.read().observed())
                && Objects.equals(edge.toValue(), claim.read().observed())
                && edge.evidence() == (isListKey(claim, reader) ? EdgeEvidence.LIST : EdgeEvidence.VALUE);
        if (!isRight) {
            claim.refute("an edge that the read does not show: edge=" + edge);
        }
    }

    private boolean isListKey(ValueClaim claim, int reader) {
        for (int op : raw.opsOn(reader, claim.key)) {
            if (raw.isListRead(op)) {
                return true;
            }
        }
        return false;
    }
}
