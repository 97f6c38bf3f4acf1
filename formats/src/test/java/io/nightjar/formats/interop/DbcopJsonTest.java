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

class DbcopJsonTest extends PeerTestFolder {

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("a.json"), text);
    }

    @Test
    void bothSpellingsOfEventsAreRead() throws IOException {
        Path file = write(Samples.JSON);

        assertThat(formatOf(file)).isEqualTo("dbcop-json");
        assertThat(impliedInitialValue(file)).isEqualTo("0");
        assertThat(rows(file))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed w(1,5) r(2,nothing)",
                        "txn=2 session=0 seq=1 aborted w(1,6)",
                        "txn=3 session=1 seq=0 committed r(1,5) r(3,nothing)");
    }

    @Test
    void bareSessionsAreRead() throws IOException {
        Path file = write(" [ [ ],\n [ {\"committed\" : true, \"events\" : [[\"w\",\"x\",1] ] } ] ]\n");

        assertThat(formatOf(file)).isEqualTo("dbcop-json");
        assertThat(rows(file)).containsExactly("txn=1 session=1 seq=0 committed w(x,1)");
    }

    @Test
    void sessionsMayBeMissingAltogether() throws IOException {
        assertThat(rows(write("{\"params\":{},\"data\":[]}"))).isEmpty();
        assertThat(rows(write("[[]]"))).isEmpty();
    }

    @Test
    void lineOfJsonLinesWithAMemberNamedDataIsNotMistaken() throws IOException {
        Path file = write("{\"data\":[1],\"params\":{},\"session\":1,\"ops\":[]}\n");

        assertThat(formatOf(file)).isEqualTo("jsonl");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{\"events\":[]} => transaction is not complete: expected=events,committed byte=",
                "{\"events\":[[\"x\",1,2]],\"committed\":true} => unknown event: found=x expected=r|w byte=",
                "{\"events\":[{\"Cas\":{}}],\"committed\":true} => unknown or repeated member of an event: name=Cas expected=Read,Write byte=",
                "{\"events\":[{\"Write\":{\"variable\":1,\"version\":null}}],\"committed\":true} => event is not complete: expected=variable,version byte=",
                "{\"events\":[[\"w\",1,18446744073709551615]],\"committed\":true} => number does not fit int64: value=18446744073709551615 byte=",
                "{\"events\":[],\"committed\":1} => unexpected text: expected=true or false found='1' byte=",
            })
    void badTransactionIsABadRowAndTheNextIsRead(String bad, String reason) throws IOException {
        Path file = write("[[" + bad + ",{\"events\":[],\"committed\":true}]]");

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file + " row=1] " + reason);
        assertThat(rows(file, null, (name, row, why, raw) -> assertThat(raw).isEqualTo(bad)))
                .containsExactly("txn=2 session=0 seq=0 committed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{\"params\":{}} => ] member missing: name=data byte=14",
                "[[{\"events\":[],\"committed\":true} => row=1] unexpected text: expected=',' or ']' found=end of file byte=33",
                "[[]] x => ] unexpected text: expected=nothing more after the history found='x' byte=6",
                "[[],7] => ] unexpected text: expected=a session, which is an array of transactions found='7' byte=5",
            })
    void brokenFileIsRejectedWithTheByte(String text, String message) throws IOException {
        Path file = write(text);

        assertThatThrownBy(() -> rows(file, "dbcop-json"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file)
                .hasMessageEndingWith(message);
    }
}
