package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CobraTest extends PeerTestFolder {

    private static final long INITIAL = 0xbebeebeeL;

    private Path logs;

    @BeforeEach
    void makeDirectory() throws IOException {
        logs = Files.createDirectory(folder.resolve("logs"));
    }

    @Test
    void logsAreSessionsInTheOrderOfTheirNumbers() throws IOException {
        Files.write(logs.resolve("T10.log"), Samples.cobra(false));
        byte[] other = new Samples.Cobra(false)
                .start(1, 0)
                .write(2, 11, 0)
                .commit(1, 0)
                .bytes();
        Files.write(logs.resolve("T9.log"), other);
        Files.writeString(logs.resolve("T9.error"), "noise");
        Files.writeString(logs.resolve("T9.log.debug"), "noise");
        Files.createFile(logs.resolve("_SUCCESS"));

        assertThat(formatOf(logs)).isEqualTo("cobra");
        assertThat(rows(logs))
                .containsExactly(
                        "txn=1 session=9 seq=0 committed w(11,2)",
                        "txn=100 session=10 seq=0 committed w(11,1) r(12,nothing)",
                        "txn=101 session=10 seq=1 committed r(11,1,v_,w100) r(13,nothing)");
    }

    @Test
    void layoutDeterminesTimes() throws IOException {
        Path log = Files.write(logs.resolve("T3.log"), Samples.cobra(true));

        assertThat(rows(log))
                .containsExactly(
                        "txn=100 session=3 seq=0 committed ts=_.._ client=7..8 w(11,1) r(12,nothing)",
                        "txn=101 session=3 seq=1 committed ts=_.._ client=9..9 r(11,1,v_,w100) r(13,nothing)");
        assertThat(rows(logs)).hasSize(2);
    }

    @Test
    void transactionWithoutOperationsIsReadInBothLayouts() throws IOException {
        for (boolean hasTimes : new boolean[] {false, true}) {
            byte[] bytes = new Samples.Cobra(hasTimes).start(5, 1).commit(5, 2).bytes();
            Path log = Files.write(logs.resolve("T0.log"), bytes);

            assertThat(rows(log)).hasSize(1);
        }
    }

    @Test
    void marksOfTheGarbageCollectorAreNoOperations() throws IOException {
        byte[] bytes = new Samples.Cobra(false)
                .start(5, 0)
                .read(INITIAL, 0x23332333L, 1, 0)
                .read(9, 0x66666666L, 1, 0)
                .write(0x23332333L, 1, 0)
                .write(0xabcdefabL, 2, 0)
                .commit(5, 0)
                .bytes();

        assertThat(rows(Files.write(logs.resolve("T0.log"), bytes)))
                .containsExactly("txn=5 session=0 seq=0 committed w(2,2882400171)");
    }

    @Test
    void writerThatIsInNoLogIsKept() throws IOException {
        byte[] bytes = new Samples.Cobra(false)
                .start(5, 0)
                .read(77, 8, 1, 0)
                .commit(5, 0)
                .bytes();

        assertThat(rows(Files.write(logs.resolve("T0.log"), bytes)))
                .containsExactly("txn=5 session=0 seq=0 committed r(1,8,v_,w77)");
    }

    @Test
    void commitOfAnotherTransactionIsRejected() throws IOException {
        byte[] bytes =
                new Samples.Cobra(false).start(5, 0).write(1, 1, 1).commit(6, 0).bytes();

        assertRejected(bytes, " row=1] commit of another transaction: started=5 committed=6 byte=36");
    }

    @Test
    void abortedTransactionIsRejected() throws IOException {
        byte[] bytes = new Samples.Cobra(false)
                .start(5, 0)
                .write(1, 1, 1)
                .record('A', 5)
                .bytes();

        assertRejected(bytes, " row=1] aborted transaction: byte=35; logs of Cobra hold committed ones only");
    }

    @Test
    void logThatEndsInsideATransactionIsRejected() throws IOException {
        byte[] bytes = Samples.cobra(false);

        assertRejected(
                Arrays.copyOf(bytes, bytes.length - 9),
                " row=2] file ends early: expected=W, R or C bytes=" + (bytes.length - 9));
    }

    @Test
    void foreignFileNextToLogsIsNamed() throws IOException {
        Files.write(logs.resolve("T0.log"), Samples.cobra(false));
        Files.writeString(logs.resolve("a.jsonl"), "{\"session\":1,\"ops\":[]}\n");

        assertThatThrownBy(() -> rows(logs))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s] foreign file in a directory that is one history: file=a.jsonl expected=T0.log, T1.log and so on;"
                                + " move it away or begin its name with _",
                        logs);
    }

    @Test
    void foreignFileNextToBincodeIsNamed() throws IOException {
        Files.write(logs.resolve("history.bincode"), Samples.bincode());
        assertThat(rows(logs)).hasSize(3);
        Files.write(logs.resolve("T0.log"), Samples.cobra(false));

        assertThatThrownBy(() -> rows(logs))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("file=T0.log expected=history.bincode; move it away");
    }

    @Test
    void directoryWithoutLogsIsNotReadAsCobras() throws IOException {
        Files.writeString(logs.resolve("a.jsonl"), "{\"session\":1,\"ops\":[]}\n");

        assertThatThrownBy(() -> rows(logs, "cobra"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("file=a.jsonl expected=T0.log, T1.log and so on");
    }

    private void assertRejected(byte[] bytes, String message) throws IOException {
        Path log = Files.write(logs.resolve("T0.log"), bytes);

        assertThatThrownBy(() -> rows(log, "cobra"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + log + message);
    }
}
