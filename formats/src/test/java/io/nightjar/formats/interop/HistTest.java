package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistTest extends PeerTestFolder {

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("a.txt"), text);
    }

    @Test
    void bracketsAreTransactionsAndRulersEndSessions() throws IOException {
        Path file = write("// first\n[x:=1 y==?]  [x==1]!\n\n[z_2:=3]\n---\n// second\n[x==1 17:=4]");

        assertThat(formatOf(file)).isEqualTo("hist");
        assertThat(impliedInitialValue(file)).isEqualTo("0");
        assertThat(rows(file))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed w(x,1) r(y,nothing)",
                        "txn=2 session=0 seq=1 aborted r(x,1)",
                        "txn=3 session=0 seq=2 committed w(z_2,3)",
                        "txn=4 session=1 seq=0 committed r(x,1) w(17,4)");
    }

    @Test
    void transactionsMayTouchAndEmptySessionsCount() throws IOException {
        assertThat(rows(write("[x:=1][x==1]\n-\n------\n[ y:=2 ]\n[]\n")))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed w(x,1)",
                        "txn=2 session=0 seq=1 committed r(x,1)",
                        "txn=3 session=2 seq=0 committed w(y,2)",
                        "txn=4 session=2 seq=1 committed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "[x:=1 => unexpected text: expected=a blank or ']' found=end of line column=6",
                "x:=1 => unexpected text: expected='[' found='x' column=1",
                "[x=1] => unexpected text: expected=:= or == found='1' column=4",
                "[x:=?] => unexpected text: expected=a number as version found='?' column=5",
                "[x:=1y:=2] => unexpected text: expected=a blank or ']' found='y' column=6",
                "[x:=18446744073709551615] => number does not fit int64: version=18446744073709551615 column=5",
            })
    void badTransactionIsRejectedWithItsPlaceOrSetAside(String line, String reason) throws IOException {
        Path file = write("[x:=7]\n" + line + "\n[x:=8]\n");

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] %s", file, reason);
        assertThat(rows(file, null, (name, row, why, raw) -> assertThat(row).isEqualTo(2)))
                .containsExactly("txn=1 session=0 seq=0 committed w(x,7)", "txn=3 session=0 seq=1 committed w(x,8)");
    }
}
