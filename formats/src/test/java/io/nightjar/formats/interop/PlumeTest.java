package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlumeTest extends PeerTestFolder {

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("a.txt"), text);
    }

    @Test
    void operationsOfATransactionStandTogether() throws IOException {
        Path file = write("w(1,5,7,10)\nr(2,0,7,10)\nr(1,5,8,11)\nw(1,6,7,12)\n");

        assertThat(formatOf(file)).isEqualTo("plume");
        assertThat(impliedInitialValue(file)).isEqualTo("0");
        assertThat(rows(file))
                .containsExactly(
                        "txn=10 session=7 seq=0 committed w(1,5) r(2,0)",
                        "txn=11 session=8 seq=0 committed r(1,5)",
                        "txn=12 session=7 seq=1 committed w(1,6)");
    }

    @Test
    void adjacentAbortedLinesOfSessionAreOneTransaction() throws IOException {
        Path file = write("w(1,5,7,-1)\nw(2,6,7,-1)\nw(1,7,8,-1)\nw(1,8,8,3)\nw(1,9,8,-1)\n");

        assertThat(rows(file))
                .containsExactly(
                        "txn=-1 session=7 seq=0 aborted w(1,5) w(2,6)",
                        "txn=-2 session=8 seq=0 aborted w(1,7)",
                        "txn=3 session=8 seq=1 committed w(1,8)",
                        "txn=-3 session=8 seq=2 aborted w(1,9)");
    }

    @Test
    void scatteredTransactionsAreOrderedByFirstOperation() throws IOException {
        Path file = write("w(1,5,7,10)\nr(1,5,8,11)\nw(1,1,7,-1)\nw(2,6,7,10)\n\nr(2,6,8,11)\nw(3,1,7,12)\n");

        assertThat(rows(file))
                .containsExactly(
                        "txn=10 session=7 seq=0 committed w(1,5) w(2,6)",
                        "txn=11 session=8 seq=0 committed r(1,5) r(2,6)",
                        "txn=-1 session=7 seq=1 aborted w(1,1)",
                        "txn=12 session=7 seq=2 committed w(3,1)");
    }

    @Test
    void oneNumberInTwoSessionsIsTwoTransactions() throws IOException {
        assertThat(rows(write("w(1,5,7,10)\nw(1,6,8,10)\nw(2,7,7,10)\n")))
                .containsExactly(
                        "txn=10 session=7 seq=0 committed w(1,5) w(2,7)", "txn=10 session=8 seq=0 committed w(1,6)");
    }

    @Test
    void blanksAndForeignLineEndsAreNoOperations() throws IOException {
        assertThat(rows(write("\n w(1, 5,7,10) \r\n\t\r\nr(1,5,7,10)")))
                .containsExactly("txn=10 session=7 seq=0 committed w(1,5) r(1,5)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "x(1,2,3,4) => unexpected text: expected=r or w found='x' column=1",
                "w(1,2,3) => unexpected text: expected=',' found=')' column=8",
                "w(1,2,3,4) 5 => unexpected text: expected=the end of the line found='5' column=12",
                "w(1,18446744073709551615,3,4) => number does not fit int64: value=18446744073709551615 column=5",
                "w(9223372036854775808,1,3,4) => number does not fit int64: key=9223372036854775808 column=3",
                "w(1,2,3,-2) => negative transaction: txn=-2 expected=-1 or more",
                "w(1,,3,4) => unexpected text: expected=a number as value found=',' column=5",
            })
    void badLineIsRejectedWithItsPlaceOrSetAside(String line, String reason) throws IOException {
        Path file = write("w(7,7,7,7)\n" + line + "\nw(8,8,7,7)\n");
        List<String> bad = new ArrayList<>();

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] %s", file, reason);
        assertThat(rows(file, null, (name, row, why, raw) -> bad.add(row + " " + why + " | " + raw)))
                .containsExactly("txn=7 session=7 seq=0 committed w(7,7) w(8,8)");
        assertThat(bad).containsExactly("2 " + reason + " | " + line);
    }

    @Test
    void largestNumberThatFitsIsRead() throws IOException {
        assertThat(rows(write("w(9223372036854775807,9223372036854775807,0,0)\n")))
                .containsExactly("txn=0 session=0 seq=0 committed w(9223372036854775807,9223372036854775807)");
    }
}
