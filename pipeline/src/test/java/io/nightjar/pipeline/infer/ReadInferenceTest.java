package io.nightjar.pipeline.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadInferenceTest {

    private static final byte COMMITTED = TxnStatus.COMMITTED;

    private OperationLog log;

    private static Txn txn(long id, long session, byte status, Op... ops) {
        return new Txn(id, session, id, status, HistorySlice.NONE, HistorySlice.NONE, List.of(ops));
    }

    private ReadInference infer(Txn... txns) {
        return infer(false, txns);
    }

    private ReadInference infer(boolean withEverySeenWriter, Txn... txns) {
        log = OperationLogTest.log(new SmallHistory(List.of(txns), null), 2);
        return new ReadInference(ReadResolution.of(log), withEverySeenWriter, false).run();
    }

    /** What each transaction read, as {@code T3: x<-T1 y<-_}. */
    private List<String> reads(ReadInference inference) {
        ClientHistory history = inference.history();
        List<String> lines = new ArrayList<>();
        for (int txn = 0; txn < history.txnCount; txn++) {
            StringBuilder line = new StringBuilder("T" + history.txnIdOf[txn] + ":");
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int key = history.keyOfRead[read];
                int writer = history.writerOf[read];
                line.append(' ').append(key == ClientHistory.NO_KEY ? "*" : log.keyText(history.logKeyOf[key]));
                line.append("<-").append(writer == ClientHistory.INITIAL ? "_" : "T" + history.txnIdOf[writer]);
            }
            lines.add(line.toString());
        }
        return lines;
    }

    @Test
    void readNamesTheTransactionThatWroteItsValue() {
        ReadInference inference = infer(
                txn(1, 0, COMMITTED, Op.write("x", "1")),
                txn(2, 1, COMMITTED, Op.read("x", "1"), Op.read("y", null), Op.write("x", "2"), Op.read("x", "2")));

        assertThat(reads(inference)).containsExactly("T1:", "T2: x<-T1 y<-_");
        assertThat(inference.faultyReads()).isZero();
        assertThat(inference.history().writeCount).isEqualTo(2);
    }

    @Test
    void sessionsAreInTheOrderOfTheirPositions() {
        ReadInference inference = infer(txn(2, 0, COMMITTED), txn(3, 1, COMMITTED), txn(1, 0, COMMITTED));

        assertThat(inference.history().txnIdOf).startsWith(1, 2, 3);
        assertThat(inference.history().firstTxnOf).startsWith(0, 2, 3);
    }

    @Test
    void unknownTransactionCountsWhenACommittedOneReadFromItThroughAnother() {
        ReadInference inference = infer(
                txn(1, 0, TxnStatus.UNKNOWN, Op.write("x", "1")),
                txn(2, 1, TxnStatus.UNKNOWN, Op.read("x", "1"), Op.write("y", "1")),
                txn(3, 2, COMMITTED, Op.read("y", "1")),
                txn(4, 3, TxnStatus.UNKNOWN, Op.write("z", "1")));

        assertThat(reads(inference)).containsExactly("T1:", "T2:", "T3: y<-T2");
        assertThat(inference.promotedCount()).isEqualTo(2);
    }

    @Test
    void faultsOfReadsAreFoundAndTakeNoFurtherPart() {
        ReadInference inference = infer(
                txn(1, 0, TxnStatus.ABORTED, Op.write("a", "1")),
                txn(2, 1, COMMITTED, Op.write("b", "1"), Op.write("b", "2")),
                txn(3, 2, COMMITTED, Op.read("a", "1"), Op.read("b", "1"), Op.read("c", "9"), Op.read("c", "9")),
                txn(4, 3, COMMITTED, Op.read("d", "1"), Op.write("d", "1"), Op.write("e", "1"), Op.read("e", null)));

        assertThat(reads(inference)).containsExactly("T2:", "T3:", "T4:");
        assertThat(inference.faultyReads()).isEqualTo(6);
    }

    @Test
    void valueWrittenTwiceMakesItsReadsObservations() {
        ReadInference inference = infer(
                txn(1, 0, COMMITTED, Op.write("x", "1")),
                txn(2, 1, COMMITTED, Op.write("x", "1")),
                txn(3, 2, COMMITTED, Op.read("x", "1")));

        assertThat(reads(inference)).containsExactly("T1:", "T2:", "T3:");
        assertThat(inference.ambiguousReads()).isZero();
        assertThat(inference.history().observations.candidate).containsExactly(0, 1);
    }

    @Test
    void listReadNamesTheWriterOfItsLastElementBeforeTheOwnAppends() {
        ReadInference inference = infer(
                txn(1, 0, COMMITTED, Op.append("l", "1")),
                txn(2, 1, COMMITTED, Op.append("l", "2")),
                txn(3, 2, COMMITTED, Op.append("l", "3"), Op.readList("l", List.of("1", "2", "3"))));

        assertThat(reads(inference)).containsExactly("T1:", "T2:", "T3: l<-T2");
        assertThat(inference.history().txnOfVersion).containsExactly(0, 1, 2);
    }

    @Test
    void listReadNamesEveryWriterItSawIfAsked() {
        ReadInference inference = infer(
                true,
                txn(1, 0, COMMITTED, Op.append("l", "1")),
                txn(2, 1, COMMITTED, Op.append("l", "2")),
                txn(3, 2, COMMITTED, Op.readList("l", List.of("1", "2"))));

        assertThat(reads(inference)).containsExactly("T1:", "T2:", "T3: *<-T1 l<-T2");
    }

    @Test
    void faultsOfListsAreFound() {
        ReadInference inference = infer(
                txn(1, 0, COMMITTED, Op.append("l", "1"), Op.append("l", "2")),
                txn(2, 1, COMMITTED, Op.readList("l", List.of("1"))),
                txn(3, 2, COMMITTED, Op.append("m", "1"), Op.append("m", "2")),
                txn(4, 3, COMMITTED, Op.readList("m", List.of("1", "2"))),
                txn(5, 4, COMMITTED, Op.readList("m", List.of("2"))),
                txn(6, 5, COMMITTED, Op.append("n", "1"), Op.readList("n", List.of())),
                txn(7, 6, COMMITTED, Op.readList("n", List.of("1", "1"))));

        assertThat(inference.faultyReads()).isEqualTo(4);
    }

    @Test
    void partOfAHistoryForgetsReadsFromTheRest() {
        ClientHistory whole = infer(
                        txn(1, 0, COMMITTED, Op.write("x", "1")),
                        txn(2, 1, COMMITTED, Op.write("y", "1")),
                        txn(3, 2, COMMITTED, Op.read("x", "1"), Op.read("y", "1"), Op.read("z", null)))
                .history();

        ClientHistory part = whole.restrictedTo(new int[] {1, 2});

        assertThat(part.txnIdOf).startsWith(2, 3);
        assertThat(part.readCount).isEqualTo(2);
        assertThat(part.writerOf).startsWith(0, ClientHistory.INITIAL);
        assertThat(log.keyText(part.logKeyOf[part.keyOfRead[0]])).isEqualTo("y");
    }
}
