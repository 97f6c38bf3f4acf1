package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AwditTest extends PeerTestFolder {

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("a.txt"), text);
    }

    @Test
    void rulersEndTransactionsAndSessions() throws IOException {
        Path file = write("w 0 1\nr 0 1\n-----\nr 0 1\n=====\nw 1 2");

        assertThat(formatOf(file)).isEqualTo("awdit");
        assertThat(rows(file))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed w(0,1) r(0,1)",
                        "txn=2 session=0 seq=1 committed r(0,1)",
                        "txn=3 session=1 seq=0 committed w(1,2)");
    }

    @Test
    void initialStateIsNotImplied() throws IOException {
        assertThat(impliedInitialValue(write("r 0 0\n"))).isNull();
    }

    @Test
    void nothingBetweenRulersIsNoTransactionButASession() throws IOException {
        assertThat(rows(write("=====\n-----\n\nw 0 1\n-----\n-----\n=====\n=====\nw 0 2\n")))
                .containsExactly("txn=1 session=1 seq=0 committed w(0,1)", "txn=2 session=3 seq=0 committed w(0,2)");
    }

    @Test
    void badLineIsNamed() throws IOException {
        Path file = write("w 0 1\nw 0 x\n");

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] unexpected text: expected=a number as value found='x' column=5", file);
    }
}
