package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceTest {

    @Test
    void wantedTransactionIsHandedOutAsItStands() {
        ParticipantRows evidence = new ParticipantRows(7, 9);

        evidence.observe(new SliceRowsWritten("a.jsonl")
                .txn(5, 1, 2)
                .write("x", 1)
                .txn(7, 3, 4, 10, 12)
                .status(TxnStatus.ABORTED)
                .extra("{\"node\":\"n1\"}")
                .write("x", 2)
                .readNothing("y")
                .readList("l", 3, 7)
                .slice());

        TxnRow row = evidence.row(7);
        assertThat(row.sessionId()).isEqualTo(3);
        assertThat(row.sessionSeq()).isEqualTo(4);
        assertThat(row.status()).isEqualTo("aborted");
        assertThat(row.startTs()).isEqualTo(10);
        assertThat(row.commitTs()).isEqualTo(12);
        assertThat(row.extra()).isEqualTo("{\"node\":\"n1\"}");
        assertThat(row.location().file()).isEqualTo("a.jsonl");
        assertThat(row.location().row()).isEqualTo(2);
        assertThat(row.opsText()).isEqualTo("w(x,2) r(y,_) r(l,[3,7])");
    }

    @Test
    void transactionThatIsNotWantedIsNotKept() {
        ParticipantRows evidence = new ParticipantRows(7);

        evidence.observe(
                new SliceRowsWritten("a.jsonl").txn(5, 1, 2).write("x", 1).slice());

        assertThat(evidence.has(5)).isFalse();
        assertThat(evidence.row(5)).isNull();
        assertThat(opIndex(evidence, 5, "x", Anomaly.EXT, Role.EXPECTED_WRITER)).isEqualTo(FaultyOps.NO_OP);
    }

    @Test
    void rowsAreHandedOutWhileOthersStillPassBy() {
        ParticipantRows evidence = new ParticipantRows(1, 2, 3);

        evidence.observe(
                new SliceRowsWritten("a.jsonl").txn(1, 1, 2).write("x", 1).slice());
        assertThat(evidence.row(1).opsText()).isEqualTo("w(x,1)");
        evidence.observe(
                new SliceRowsWritten("b.jsonl").txn(2, 1, 2).write("y", 2).slice());
        evidence.observe(
                new SliceRowsWritten("b.jsonl").txn(3, 1, 2).write("z", 3).slice());

        assertThat(evidence.row(1).location().file()).isEqualTo("a.jsonl");
        assertThat(evidence.row(2).opsText()).isEqualTo("w(y,2)");
        assertThat(evidence.row(3).opsText()).isEqualTo("w(z,3)");
    }

    @Test
    void partsOfARegisterAreFound() {
        ParticipantRows evidence = new ParticipantRows(1);

        evidence.observe(new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .write("y", 1)
                .read("x", 5)
                .write("x", 6)
                .read("x", 5)
                .write("x", 8)
                .read("x", 8)
                .slice());

        assertThat(opIndex(evidence, 1, "x", Anomaly.EXT, Role.READER)).isEqualTo(1);
        assertThat(opIndex(evidence, 1, "x", Anomaly.INT, Role.READER)).isEqualTo(3);
        assertThat(opIndex(evidence, 1, "x", Anomaly.EXT, Role.EXPECTED_WRITER)).isEqualTo(4);
        assertThat(opIndex(evidence, 1, "z", Anomaly.EXT, Role.EXPECTED_WRITER)).isEqualTo(FaultyOps.NO_OP);
    }

    @Test
    void partsOfAListAreFound() {
        ParticipantRows evidence = new ParticipantRows(1);

        evidence.observe(new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .append("l", 3)
                .readList("l", 1, 3)
                .append("l", 4)
                .readList("l", 1, 3, 4)
                .readList("l", 1, 4, 3)
                .slice());

        assertThat(opIndex(evidence, 1, "l", Anomaly.EXT, Role.READER)).isEqualTo(1);
        assertThat(opIndex(evidence, 1, "l", Anomaly.INT, Role.READER)).isEqualTo(4);
        assertThat(opIndex(evidence, 1, "l", Anomaly.EXT, Role.EXPECTED_WRITER)).isEqualTo(2);
    }

    @Test
    void listWithoutTheOwnAppendBreaksAtItsFirstRead() {
        ParticipantRows evidence = new ParticipantRows(1);

        evidence.observe(new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .append("l", 3)
                .readNothing("l")
                .slice());

        assertThat(opIndex(evidence, 1, "l", Anomaly.INT, Role.READER)).isEqualTo(1);
    }

    @Test
    void operationOfAParticipantFollowsItsRole() {
        ParticipantRows evidence = new ParticipantRows(1, 2);
        evidence.observe(new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .write("x", 1)
                .write("x", 2)
                .txn(2, 3, 4)
                .write("y", 1)
                .read("x", 1)
                .slice());
        Participant reader = new Participant(2, Role.READER, 3, 4);
        Participant expected = new Participant(1, Role.EXPECTED_WRITER, 1, 2);
        Participant observed = new Participant(1, Role.OBSERVED_WRITER, 1, 2);
        Finding finding = new Finding(
                Anomaly.EXT,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                "x",
                List.of(reader, expected, observed),
                new Expectation("2", 1L, "1", 1L, Origin.INTERMEDIATE),
                null,
                false,
                List.of());

        assertThat(new FaultyOps(evidence).opIndexOf(finding, reader)).isEqualTo(1);
        assertThat(new FaultyOps(evidence).opIndexOf(finding, expected)).isEqualTo(1);
        assertThat(new FaultyOps(evidence).opIndexOf(finding, observed)).isZero();
    }

    private static int opIndex(ParticipantRows evidence, long txnId, String key, Anomaly anomaly, Role role) {
        Participant participant = new Participant(txnId, role, 1, 2);
        Expectation unseen = new Expectation("-1", null, "-1", null, null);
        Finding finding = new Finding(
                anomaly,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                key,
                List.of(participant),
                unseen,
                null,
                false,
                List.of());
        return new FaultyOps(evidence).opIndexOf(finding, participant);
    }

    @Test
    void longListIsCut() {
        long[] elements = new long[1200];
        HistorySlice slice = new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .readList("l", elements)
                .slice();

        assertThat(ListText.of(slice, slice.value[0])).startsWith("[0,0,").endsWith(",0]… (1200 elements)");
    }
}
