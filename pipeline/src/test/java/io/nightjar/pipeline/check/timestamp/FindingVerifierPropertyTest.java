package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.RefutedFinding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verifier confirms what the definitions say, of every kind, and refutes it as soon as one word is changed. */
@Tag(Seeds.TAG)
class FindingVerifierPropertyTest {

    private static final long SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(2_000);

    @Test
    void findingsOfDefinitionsAreConfirmed() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            List<Finding> findings = ReferenceFindings.of(history);

            List<RefutedFinding> refuted = ReferenceFindings.refuted(findings, history, 1 + (int) (seed % 4));

            if (!refuted.isEmpty()) {
                SmallHistory smallest = Shrinker.shrink(
                        history, fewer -> !ReferenceFindings.refuted(ReferenceFindings.of(fewer), fewer, 2)
                                .isEmpty());
                assertThat(ReferenceFindings.refuted(ReferenceFindings.of(smallest), smallest, 2))
                        .as("nightjar.seed=%d, smallest history:%n%s", seed, smallest)
                        .isEmpty();
            }
        }
    }

    @Test
    void findingsAreConfirmedInAnyRowOrder() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            if (ReferenceChronos.canCheck(history)) {
                SmallCheck check = SmallCheck.of(history)
                        .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
                List<Finding> findings = check.run().inTime();

                assertThat(ReferenceFindings.refuted(findings, history.shuffled(seed), 3, check.unknown()::counted))
                        .as("nightjar.seed=%d%n%s", seed, history)
                        .isEmpty();
            }
        }
    }

    @Test
    void anyChangedWordIsRefuted() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            for (Finding honest : ReferenceFindings.of(history)) {
                for (Finding changed : changes(honest, history, new Random(seed))) {
                    assertThat(ReferenceFindings.refuted(List.of(changed), history, 3))
                            .as("nightjar.seed=%d honest=%s%nchanged=%s%n%s", seed, honest, changed, history)
                            .isNotEmpty();
                }
            }
        }
    }

    @Test
    void everyKindOfFindingOccurs() {
        Map<Anomaly, Integer> countBy = new EnumMap<>(Anomaly.class);
        Map<Origin, Integer> countByOrigin = new EnumMap<>(Origin.class);
        int clean = 0;
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            List<Finding> findings = ReferenceFindings.of(RandomHistory.of(seed));
            clean += findings.isEmpty() ? 1 : 0;
            for (Finding finding : findings) {
                countBy.merge(finding.anomaly(), 1, Integer::sum);
                if (finding.expectation() != null && finding.expectation().origin() != null) {
                    countByOrigin.merge(finding.expectation().origin(), 1, Integer::sum);
                }
            }
        }

        assertThat(countBy)
                .containsOnlyKeys(
                        Anomaly.SESSION, Anomaly.INT, Anomaly.EXT, Anomaly.NOCONFLICT, Anomaly.TIMESTAMP_ORDER);
        assertThat(countByOrigin).containsOnlyKeys(Origin.values());
        assertThat(clean).isGreaterThan(HISTORIES / 20);
    }

    /** The finding with one thing changed at a time, so that none of the results is true. */
    private static List<Finding> changes(Finding honest, SmallHistory history, Random random) {
        List<Finding> changed = new ArrayList<>();
        changed.add(with(honest, honest.expectation(), slackOff(honest, random)));
        changed.add(withLevel(honest));
        changed.add(withDependence(honest));
        for (int i = 0; i < honest.participants().size(); i++) {
            Participant part = honest.participants().get(i);
            changed.add(withParticipant(
                    honest, i, new Participant(part.txnId(), part.role(), part.startTs() + 1, part.commitTs())));
            changed.add(withParticipant(
                    honest, i, new Participant(part.txnId(), part.role(), part.startTs(), part.commitTs() - 1)));
            changed.add(
                    withParticipant(honest, i, new Participant(1000, part.role(), part.startTs(), part.commitTs())));
        }
        if (honest.participants().size() == 2 && honest.expectation() == null) {
            changed.addAll(swapped(honest));
        }
        if (honest.expectation() != null) {
            changed.addAll(changedReads(honest, history));
        }
        return changed;
    }

    private static List<Finding> changedReads(Finding honest, SmallHistory history) {
        Expectation read = honest.expectation();
        List<Finding> changed = new ArrayList<>();
        changed.add(with(
                honest,
                new Expectation(
                        read.expected() == null ? "98" : null,
                        read.expectedWriter(),
                        read.observed(),
                        read.observedWriter(),
                        read.origin()),
                honest.slack()));
        changed.add(with(
                honest,
                new Expectation(
                        read.expected(),
                        read.expectedWriter(),
                        read.observed() == null ? "98" : null,
                        read.observedWriter(),
                        read.origin()),
                honest.slack()));
        for (Origin origin : Origin.values()) {
            if (origin != read.origin()) {
                changed.add(with(
                        honest,
                        new Expectation(
                                read.expected(), read.expectedWriter(), read.observed(), read.observedWriter(), origin),
                        honest.slack()));
            }
        }
        for (Role role : List.of(Role.EXPECTED_WRITER, Role.OBSERVED_WRITER)) {
            for (SmallHistory.Txn txn : history.txns()) {
                Finding other = withWriter(honest, role, txn);
                if (other != null && !isAlsoTrueWriter(honest, role, txn, history)) {
                    changed.add(other);
                }
            }
            changed.add(withoutWriter(honest, role));
        }
        changed.removeIf(finding -> finding == null);
        return changed;
    }

    /** Several may have written the value that was observed; then any of them is a true answer. */
    private static boolean isAlsoTrueWriter(Finding honest, Role role, SmallHistory.Txn txn, SmallHistory history) {
        if (role == Role.EXPECTED_WRITER) {
            return honest.anomaly() == Anomaly.INT && writes(txn, honest);
        }
        return writes(txn, honest);
    }

    private static boolean writes(SmallHistory.Txn txn, Finding honest) {
        return txn.opsOn(honest.key()).stream().anyMatch(SmallHistory.Op::isWrite);
    }

    private static Finding withWriter(Finding honest, Role role, SmallHistory.Txn txn) {
        Expectation read = honest.expectation();
        Long before = role == Role.EXPECTED_WRITER ? read.expectedWriter() : read.observedWriter();
        if (before != null && before == txn.id()) {
            return null;
        }
        List<Participant> participants = new ArrayList<>(honest.participants());
        participants.removeIf(participant -> participant.role() == role);
        participants.add(new Participant(txn.id(), role, txn.start(), txn.commit()));
        return withRoleWriter(honest, role, txn.id(), participants);
    }

    private static Finding withoutWriter(Finding honest, Role role) {
        Expectation read = honest.expectation();
        Long before = role == Role.EXPECTED_WRITER ? read.expectedWriter() : read.observedWriter();
        if (before == null) {
            return null;
        }
        List<Participant> participants = new ArrayList<>(honest.participants());
        participants.removeIf(participant -> participant.role() == role);
        return withRoleWriter(honest, role, null, participants);
    }

    private static Finding withRoleWriter(Finding honest, Role role, Long writer, List<Participant> participants) {
        Expectation read = honest.expectation();
        boolean expected = role == Role.EXPECTED_WRITER;
        return copy(
                honest,
                honest.level(),
                participants,
                new Expectation(
                        read.expected(),
                        expected ? writer : read.expectedWriter(),
                        read.observed(),
                        expected ? read.observedWriter() : writer,
                        read.origin()),
                honest.slack(),
                honest.dependsOnUnknown());
    }

    private static Long slackOff(Finding honest, Random random) {
        if (honest.slack() == null) {
            return (long) random.nextInt(7) - 3;
        }
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> honest.slack() == 0 ? 5 : -honest.slack();
            case 2 -> honest.slack() - 1;
            default -> honest.slack() + 1;
        };
    }

    private static List<Finding> swapped(Finding honest) {
        Participant first = honest.participants().get(0);
        Participant second = honest.participants().get(1);
        if (honest.anomaly() == Anomaly.NOCONFLICT && first.commitTs() == second.commitTs()) {
            return List.of();
        }
        List<Participant> swapped = List.of(
                new Participant(first.txnId(), second.role(), first.startTs(), first.commitTs()),
                new Participant(second.txnId(), first.role(), second.startTs(), second.commitTs()));
        return List.of(copy(honest, honest.level(), swapped, null, honest.slack(), honest.dependsOnUnknown()));
    }

    private static Finding withLevel(Finding honest) {
        IsolationLevel other = honest.level() == IsolationLevel.COMMIT_ORDER_SERIALIZABLE
                ? IsolationLevel.SNAPSHOT_ISOLATION
                : IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        return copy(
                honest, other, honest.participants(), honest.expectation(), honest.slack(), honest.dependsOnUnknown());
    }

    private static Finding withDependence(Finding honest) {
        return copy(
                honest,
                honest.level(),
                honest.participants(),
                honest.expectation(),
                honest.slack(),
                !honest.dependsOnUnknown());
    }

    private static Finding withParticipant(Finding honest, int position, Participant other) {
        List<Participant> participants = new ArrayList<>(honest.participants());
        participants.set(position, other);
        return copy(
                honest, honest.level(), participants, honest.expectation(), honest.slack(), honest.dependsOnUnknown());
    }

    private static Finding with(Finding honest, Expectation read, Long slack) {
        return copy(honest, honest.level(), honest.participants(), read, slack, honest.dependsOnUnknown());
    }

    private static Finding copy(
            Finding honest,
            IsolationLevel level,
            List<Participant> participants,
            Expectation read,
            Long slack,
            boolean dependsOnUnknown) {
        return new Finding(
                honest.anomaly(),
                honest.pattern(),
                level,
                honest.algorithm(),
                honest.key(),
                participants,
                read,
                slack,
                dependsOnUnknown,
                honest.edges());
    }
}
