package io.nightjar.formats.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operation maps in the JSON of elle-cli. */
class ElleJsonTest {

    private static final List<String> ROWS = List.of(
            "txn=1 session=0 seq=0 committed ts=_.._ client=0..1"
                    + " append(STRING<x>,LONG<1>,v_,w_) r(STRING<y>,nothing,v_,w_) extra=null",
            "txn=3 session=1 seq=0 committed ts=_.._ client=2..3 r(STRING<x>,[<1>],v_,w_) extra={\"node\":\"n1\"}");

    private static final String OPERATIONS =
            """
            {"index":0,"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r","y",null]]},
            {"index":1,"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r","y",null]]},
            {"index":2,"type":"invoke","process":1,"f":"txn","value":[["r","x",null]]},
            {"value" : [["r","\\u0078",[1]]], "f" : "txn", "process" : 1, "type" : "ok", "index" : 3, "node" : "n1"}
            """;

    @TempDir
    Path folder;

    @Test
    void arrayOfOperationsIsRead() throws IOException {
        assertThat(read("[" + OPERATIONS + "]")).isEqualTo(ROWS);
        assertThat(read("[" + OPERATIONS.replace("\n", "") + "]")).isEqualTo(ROWS);
    }

    @Test
    void linesOfOperationsAreRead() throws IOException {
        assertThat(read(OPERATIONS.replace("},\n", "}\n"))).isEqualTo(ROWS);
    }

    @Test
    void badOperationIsNamedByItsPositionInTheArray() {
        assertRefused(
                "[" + OPERATIONS.replace("\n", "").replace("\"r\",\"\\u0078\"", "\"q\",\"x\"") + "]",
                "row=4] unknown operation: f=\"q\" expected=r|w|append|add|inc|rp|insert|delete byte=");
        assertRefused(
                "[{\"type\":\"ok\",\"process\":0,\"value\":[]} {\"type\" \"ok\"}]",
                "row=2] unexpected text: expected=':' found='\"' byte=");
        assertRefused(
                "[{\"type\":\"ok\",\"process\":0,\"value\":[[\"w\",1,1]",
                "row=1] unexpected text: expected=the rest of");
    }

    private void assertRefused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + folder.resolve("history.json") + " " + message);
    }

    private List<String> read(String text) throws IOException {
        return HistoryRows.at(Files.writeString(folder.resolve("history.json"), text));
    }
}
