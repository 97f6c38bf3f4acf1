package io.nightjar.jobs.run;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares verdicts with each other and with findings: a finding that forbids a level that holds is a bug of the
 * checkers.
 */
final class VerdictGuard {

    /*
     * A finding forbids its own level and all that imply it. The data it depends on determine whether that applies to a
     * level decided by another kind of evidence:
     *
     *   timestamps           its own level only: serializability may hold where snapshots of start timestamps do not. A
     *                        read that contradicts its own transaction depends on values of the client, and forbids
     *                        read
     *                        atomic and all above
     *   a version order of   levels that are decided by versions
     *   the source
     *   an order that was    nothing: by values, another order of versions may explain the reads (timestamps,
     *   assumed              --version-order)
     *   lists, at a level    none of the six: Elle's levels take a list as it was read, the six without the reader's
     *                        own
     *   of Elle's            appends
     *   anything else        every level, since it depends only on values that clients observed
     *
     * Transactions with equal timestamps are ordered by convention. A level that holds by timestamps is undecided if
     * values that clients observed contradict that convention.
     */

    private static final String TIMESTAMPS = Evidence.TIMESTAMPS.word();
    private static final String VERSIONS = Evidence.VERSIONS.word();

    private VerdictGuard() {}

    /**
     * Compares the verdicts of a history and returns them; verdicts that depend on the order of equal timestamps alone
     * become undecided.
     *
     * @param findings the retained findings
     * @throws AssertionError if a level holds that a finding forbids
     */
    static Map<IsolationLevel, LevelResult> checked(Map<IsolationLevel, LevelResult> levels, List<Finding> findings) {
        Map<IsolationLevel, LevelResult> checked = new EnumMap<>(levels);
        levels.forEach((level, result) -> {
            if (result.verdict() != Verdict.HOLDS) {
                return;
            }
            for (IsolationLevel weaker : levels.keySet()) {
                if (isContradicted(level, result, weaker, levels.get(weaker))) {
                    throw new AssertionError("bug: a level holds that implies a violated one: holds=" + level.longName()
                            + " violated=" + weaker.longName() + " evidence=" + result.evidence());
                }
            }
            for (Finding finding : findings) {
                if (!isForbidden(level, result, finding, levels)) {
                    continue;
                }
                if (!result.evidence().equals(TIMESTAMPS) || !hasEqualTimestamps(finding)) {
                    throw new AssertionError("bug: a finding forbids a level that holds: level=" + level.longName()
                            + " evidence=" + result.evidence() + " finding=" + finding);
                }
                checked.put(
                        level,
                        new LevelResult(
                                Verdict.UNDECIDED,
                                result.evidence(),
                                "reads contradict the order chosen for equal timestamps",
                                0,
                                Map.of(),
                                false,
                                result.seconds()));
            }
        });
        return checked;
    }

    /** Returns whether a transaction of a finding starts or commits at a timestamp at which another one commits. */
    private static boolean hasEqualTimestamps(Finding finding) {
        for (Participant one : finding.participants()) {
            for (Participant other : finding.participants()) {
                boolean isPair = one.txnId() != other.txnId() && other.commitTs() != HistorySlice.NONE;
                if (isPair && (one.startTs() == other.commitTs() || one.commitTs() == other.commitTs())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether one of the six holds and another one that it implies is violated by the same evidence. */
    private static boolean isContradicted(
            IsolationLevel level, LevelResult holding, IsolationLevel weaker, LevelResult other) {
        boolean areOfSix = IsolationLevel.all().containsAll(List.of(level, weaker));
        boolean isSameEvidence = holding.evidence().equals(other.evidence())
                && !holding.evidence().equals(TIMESTAMPS);
        return areOfSix && isSameEvidence && other.verdict() == Verdict.VIOLATED && LevelLattice.implies(level, weaker);
    }

    private static boolean isForbidden(
            IsolationLevel level, LevelResult holding, Finding finding, Map<IsolationLevel, LevelResult> levels) {
        IsolationLevel ruledOut = finding.level();
        if (ruledOut == null) {
            return false; // it only makes reads ambiguous, or rules out no requested level
        }
        if (finding.isByTimestamps()) {
            boolean isOfClient = finding.anomaly() == Anomaly.INT && !finding.isOfTables();
            return level == ruledOut || isOfClient && LevelLattice.implies(level, IsolationLevel.READ_ATOMIC);
        }
        if (!LevelLattice.implies(level, ruledOut) || finding.edges().stream().anyMatch(VerdictGuard::isAssumed)) {
            return false;
        }
        if (IsolationLevel.all().contains(level) && !IsolationLevel.all().contains(ruledOut) && isOfLists(finding)) {
            return false;
        }
        LevelResult ofFinding = levels.get(ruledOut);
        boolean isOfClients = !finding.isOfTables()
                && ofFinding != null
                && !ofFinding.evidence().equals(VERSIONS)
                && finding.edges().stream().allMatch(VerdictGuard::isOfClients);
        return isOfClients || holding.evidence().equals(VERSIONS) && isByVersions(ofFinding);
    }

    private static boolean isOfLists(Finding finding) {
        return finding.anomaly() == Anomaly.INCOMPATIBLE_ORDER
                || finding.edges().stream().anyMatch(edge -> edge.evidence() == EdgeEvidence.LIST);
    }

    private static boolean isByVersions(@Nullable LevelResult ofFinding) {
        return ofFinding != null && ofFinding.evidence().equals(VERSIONS);
    }

    /** Returns whether versions were ordered by a rule that need not be the order of commits. */
    private static boolean isAssumed(Edge edge) {
        return switch (edge.evidence()) {
            case TIMESTAMP -> true;
            case SESSION, REALTIME -> edge.key() != null;
            case VERSION, LIST, VALUE -> false;
        };
    }

    private static boolean isOfClients(Edge edge) {
        return switch (edge.evidence()) {
            case LIST, VALUE, SESSION, REALTIME -> true;
            case TIMESTAMP, VERSION -> false;
        };
    }
}
