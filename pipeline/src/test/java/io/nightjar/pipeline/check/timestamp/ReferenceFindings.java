package io.nightjar.pipeline.check.timestamp;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import io.nightjar.pipeline.verify.SievedReplay;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The reference's violations as findings, and how to have findings verified. */
final class ReferenceFindings {

    private ReferenceFindings() {}

    static List<Finding> of(SmallHistory history) {
        List<Finding> findings = new ArrayList<>();
        for (IsolationLevel level :
                List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            for (ExpectedViolation violation : ReferenceChronos.violations(history, level)) {
                findings.add(finding(violation, history));
            }
        }
        return findings;
    }

    static Finding finding(ExpectedViolation violation, SmallHistory history) {
        List<Participant> participants = new ArrayList<>();
        for (Role role : Role.values()) {
            Long id = violation.roles().get(role.word());
            if (id != null) {
                participants.add(participant(history, id, role));
            }
        }
        boolean isRead = violation.roles().containsKey(Role.READER.word());
        Expectation read = new Expectation(
                violation.expected(),
                violation.expectedWriter(),
                violation.observed(),
                violation.observedWriter(),
                violation.origin());
        return new Finding(
                violation.anomaly(),
                null,
                violation.level(),
                violation.level() == IsolationLevel.COMMIT_ORDER_SERIALIZABLE ? "chronos-ser" : "chronos-si",
                violation.key(),
                participants,
                isRead ? read : null,
                violation.slack(),
                violation.dependsOnUnknown(),
                List.of());
    }

    private static Participant participant(SmallHistory history, long id, Role role) {
        Txn txn = history.txns().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
        boolean lacksCommit = txn.commit() == HistorySlice.NONE || txn.commit() == 0;
        boolean isItsStart = txn.status() == TxnStatus.COMMITTED && txn.isReadOnly() && lacksCommit;
        return new Participant(id, role, txn.start(), isItsStart ? txn.start() : txn.commit());
    }

    /** Shows the whole history to a verifier. */
    static List<RefutedFinding> refuted(List<Finding> findings, SmallHistory history, int txnsPerSlice) {
        return refuted(
                findings,
                history,
                txnsPerSlice,
                level -> new LongOpenHashSet(UnknownOutcomes.of(history, level).counted()));
    }

    /** The same where these unknown transactions count as committed. */
    static List<RefutedFinding> refuted(
            List<Finding> findings,
            SmallHistory history,
            int txnsPerSlice,
            Function<IsolationLevel, LongSet> countedUnknown) {
        return SievedReplay.refuted(
                findings,
                history.initialValue(),
                history.slices(txnsPerSlice),
                () -> new FindingReplay(
                        findings,
                        history.initialValue(),
                        countedUnknown,
                        level -> LongSets.EMPTY_SET,
                        LongSets.EMPTY_SET,
                        null));
    }
}
