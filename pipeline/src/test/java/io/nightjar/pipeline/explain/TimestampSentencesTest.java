package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimestampSentencesTest {

    private static final Participant READER = new Participant(5, Role.READER, 12, 20);
    private static final Participant EXPECTED = new Participant(2, Role.EXPECTED_WRITER, 7, 10);
    private static final Participant OBSERVED = new Participant(1, Role.OBSERVED_WRITER, 1, 4);

    @Test
    void aStaleReadNamesBothWritersAndTheShift() {
        Finding finding = wrongRead(
                IsolationLevel.SNAPSHOT_ISOLATION,
                List.of(READER, EXPECTED, OBSERVED),
                new Expectation("3", 2L, "1", 1L, Origin.STALE),
                -3L);

        assertThat(TimestampSentences.explain(finding))
                .isEqualTo("T5 read x=1, but its snapshot at 12 shows x=3, committed by T2 at 10. The value it read is"
                        + " stale: T1 committed it at 4. A snapshot 3 earlier would have been right.");
    }

    @Test
    void aSerialMismatchSpeaksOfTheCommit() {
        Finding finding = wrongRead(
                IsolationLevel.COMMIT_ORDER_SERIALIZABLE,
                List.of(READER, EXPECTED),
                new Expectation("3", 2L, null, null, Origin.STALE),
                null);

        assertThat(TimestampSentences.explain(finding))
                .isEqualTo("T5 read x=nothing, but in commit-timestamp order, just before its commit at 20, x was 3,"
                        + " committed by T2 at 10. It read the initial state, which had been replaced.");
    }

    @Test
    void unwrittenValueIsStated() {
        Finding finding = wrongRead(
                IsolationLevel.SNAPSHOT_ISOLATION,
                List.of(READER),
                new Expectation(null, null, "99", null, Origin.NEVER),
                null);

        assertThat(TimestampSentences.explain(finding))
                .isEqualTo("T5 read x=99, but its snapshot at 12 shows x=nothing: no transaction had written it yet."
                        + " No transaction wrote that value.");
    }

    @Test
    void aConflictGivesBothIntervals() {
        Finding finding = new Finding(
                Anomaly.NOCONFLICT,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                "x",
                List.of(new Participant(1, Role.EARLIER_WRITER, 2, 5), new Participant(2, Role.LATER_WRITER, 3, 8)),
                null,
                2L,
                true,
                List.of());

        assertThat(TimestampSentences.explain(finding))
                .isEqualTo("T1 [2, 5] and T2 [3, 8] both wrote x. T2 was still running when T1 committed, so the second"
                        + " to commit had to abort. This needs a transaction whose outcome the client never learned.");
    }

    @Test
    void aStartAfterItsCommitGivesBoth() {
        Finding finding = new Finding(
                Anomaly.TIMESTAMP_ORDER,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                null,
                List.of(new Participant(7, Role.SUBJECT, 9, 5)),
                null,
                -4L,
                false,
                List.of());

        assertThat(TimestampSentences.explain(finding))
                .isEqualTo("T7 started at 9, after it committed at 5. No snapshot is known for it, so its reads were"
                        + " not checked against one.");
    }

    private static Finding wrongRead(
            IsolationLevel level, List<Participant> participants, Expectation expectation, Long slack) {
        return new Finding(
                Anomaly.EXT, null, level, "chronos", "x", participants, expectation, slack, false, List.of());
    }
}
