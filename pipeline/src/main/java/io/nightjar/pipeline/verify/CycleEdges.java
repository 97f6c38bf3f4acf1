package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.pipeline.verify.OrderRules.Axiom;
import java.util.ArrayList;
import java.util.List;

/**
 * The edges of a finding that form its cycle: they come first, in order, with the closing edge last; others may follow.
 */
final class CycleEdges {

    /** The edges begin with no cycle. */
    static final int NONE = 0;

    private CycleEdges() {}

    /** Returns how many of the first edges make the cycle through exactly the transactions that claim to be on it, in order. */
    static int lengthOf(Finding finding) {
        List<Long> onCycle = new ArrayList<>();
        for (Participant participant : finding.participants()) {
            if (participant.role() == Role.ON_CYCLE) {
                onCycle.add(participant.txnId());
            }
        }
        List<Edge> edges = finding.edges();
        if (onCycle.isEmpty() || edges.size() < onCycle.size()) {
            return NONE;
        }
        for (int i = 0; i < onCycle.size(); i++) {
            boolean leads = edges.get(i).fromTxnId() == onCycle.get(i)
                    && edges.get(i).toTxnId() == onCycle.get((i + 1) % onCycle.size());
            if (!leads) {
                return NONE;
            }
        }
        return onCycle.size();
    }

    /**
     * Returns whether each step begins where the previous step ended, at levels that distinguish snapshots from
     * commits.
     *
     * <p>A transaction that read a version overwritten by another has its snapshot before that commit: such a step
     * begins at a snapshot and ends at a commit. Observed writes and session order lead from a commit to a snapshot,
     * and so does overwriting where writers of one key do not overlap; where they do, it leads from commit to commit.
     */
    static boolean isContinuous(List<Edge> cycle, Axiom axiom) {
        if (!axiom.isSplit()) {
            return true;
        }
        for (int i = 0; i < cycle.size(); i++) {
            EdgeType before = cycle.get(i).type();
            boolean endsAtCommit = before == EdgeType.RW || before == EdgeType.WW && axiom == Axiom.PREFIX;
            if (endsAtCommit && cycle.get((i + 1) % cycle.size()).type() == EdgeType.RW) {
                return false;
            }
        }
        return true;
    }
}
