package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DbcopTest extends PeerTestFolder {

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("a.data"), bytes);
    }

    @Test
    void failedTransactionsAreAbortedAndFailedEventsDidNotHappen() throws IOException {
        Path file = write(Samples.bincode());

        assertThat(formatOf(file)).isEqualTo("dbcop");
        assertThat(impliedInitialValue(file)).isEqualTo("0");
        assertThat(rows(file))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed w(1,5) r(2,0)",
                        "txn=2 session=0 seq=1 aborted w(1,6)",
                        "txn=3 session=1 seq=0 committed r(1,5)");
    }

    @Test
    void emptySessionsCount() throws IOException {
        byte[] bytes = new Samples.Bincode()
                .header("")
                .count(2)
                .count(0)
                .count(1)
                .count(0)
                .bool(true)
                .bytes();

        assertThat(rows(write(bytes))).containsExactly("txn=1 session=1 seq=0 committed");
    }

    @Test
    void longTextsInTheHeaderArePassedOver() throws IOException {
        byte[] bytes =
                new Samples.Bincode().header("x".repeat(200_000)).count(0).bytes();

        assertThat(rows(write(bytes), "dbcop")).isEmpty();
    }

    @Test
    void numberThatDoesNotFitIsNamedWithItsByte() throws IOException {
        byte[] bytes = new Samples.Bincode()
                .header("")
                .count(1)
                .count(1)
                .count(1)
                .event(true, 1, -1, true)
                .bool(true)
                .bytes();

        assertRejected(
                bytes, " row=1] number does not fit int64: value=18446744073709551615 byte=%d", bytes.length - 9);
    }

    @Test
    void flagThatIsNoneIsNamedWithItsByte() throws IOException {
        byte[] bytes = Samples.bincode();
        bytes[bytes.length - 1] = 2;

        assertRejected(
                bytes,
                " row=3] neither 0 nor 1: expected=whether the transaction succeeded found=2 byte=%d",
                bytes.length);
    }

    @Test
    void impossibleCountIsNamedWithItsByte() throws IOException {
        byte[] bytes = new Samples.Bincode().header("").count(-2).bytes();

        assertRejected(
                bytes,
                "] impossible count: expected=the number of sessions found=18446744073709551614 byte=%d",
                bytes.length - 7);
    }

    @Test
    void moreSessionsThanThereAreIsATruncatedFile() throws IOException {
        byte[] bytes = new Samples.Bincode().header("").count(1L << 62).bytes();

        assertRejected(bytes, "] file ends early: expected=the number of transactions bytes=%d; was it", bytes.length);
    }

    @Test
    void bytesBehindTheHistoryAreRejected() throws IOException {
        byte[] bytes = Arrays.copyOf(Samples.bincode(), Samples.bincode().length + 1);

        assertRejected(bytes, " row=3] bytes after the last session: byte=%d", bytes.length);
    }

    private void assertRejected(byte[] bytes, String message, int number) throws IOException {
        Path file = write(bytes);

        assertThatThrownBy(() -> rows(file, "dbcop"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file + message.formatted(number));
    }
}
