package io.nightjar.formats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.registry.Histories;
import io.nightjar.formats.registry.TimeKillerHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeKillerTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("a.json");
    }

    // ---------------------------------------------------------------- accepted input

    @Test
    void transactionsAreReadInTheOrderOfTheArray() throws IOException {
        write(
                """
                [{"tid":1,"sid":4,"sts":{"p":3,"l":0},"cts":{"p":4,"l":0},
                  "ops":[{"t":"w","k":7,"v":2},{"t":"r","k":8,"v":null}]},
                 {"sid":"4","ops":[{"k":-3000000000,"t":"Read"},{"v":5,"t":"WRITE","k":1}],"cts":{"l":0,"p":"9"},"sts":{"p":"5","l":"0"},"tid":"2","rtts":17}]
                """);

        assertThat(HistoryRows.at(file))
                .containsExactly(
                        "txn=1 session=4 seq=0 committed ts=3..4 client=_.._"
                                + " w(LONG<7>,LONG<2>,v_,w_) r(LONG<8>,nothing,v_,w_) extra=null",
                        "txn=2 session=4 seq=1 committed ts=5..9 client=_.._"
                                + " r(LONG<-3000000000>,nothing,v_,w_) w(LONG<1>,LONG<5>,v_,w_) extra={\"rtts\":17}");
    }

    @Test
    void listsAreReadAsLists() throws IOException {
        write(txn("{\"t\":\"a\",\"k\":1,\"v\":9},{\"t\":\"r\",\"k\":1,\"v\":[4,5,9]},{\"t\":\"r\",\"k\":2,\"v\":[]}"));

        assertThat(HistoryRows.at(file).get(0))
                .contains("append(LONG<1>,LONG<9>,v_,w_) r(LONG<1>,[<4><5><9>],v_,w_) r(LONG<2>,[],v_,w_)");
    }

    @Test
    void hybridClocksBecomeOrdinals() throws IOException {
        write("[" + clocks(1, 5, 0, 5, 2) + "," + clocks(2, 5, 1, 9, 0) + "," + clocks(3, 5, 2, 5, 2) + "]");

        assertThat(HistoryRows.at(file))
                .containsExactly(
                        "txn=1 session=1 seq=0 committed ts=1..3 client=_.._"
                                + " extra={\"sts\":{\"p\":5,\"l\":0},\"cts\":{\"p\":5,\"l\":2}}",
                        "txn=2 session=1 seq=1 committed ts=2..4 client=_.._"
                                + " extra={\"sts\":{\"p\":5,\"l\":1},\"cts\":{\"p\":9,\"l\":0}}",
                        "txn=3 session=1 seq=2 committed ts=3..3 client=_.._"
                                + " extra={\"sts\":{\"p\":5,\"l\":2},\"cts\":{\"p\":5,\"l\":2}}");
    }

    @Test
    void namesThatAreNoIntegersBecomeOrdinals() throws IOException {
        write("[{\"tid\":\"b7\",\"sid\":\"x\"," + REST + "},{\"tid\":7,\"sid\":\"y\"," + REST
                + "},{\"tid\":\"007\",\"sid\":\"x\"," + REST + "}]");

        assertThat(HistoryRows.at(file))
                .containsExactly(
                        "txn=1 session=1 seq=0 committed ts=1..2 client=_.._ extra={\"tid\":\"b7\",\"sid\":\"x\"}",
                        "txn=2 session=2 seq=0 committed ts=1..2 client=_.._ extra={\"tid\":7,\"sid\":\"y\"}",
                        "txn=3 session=1 seq=1 committed ts=1..2 client=_.._ extra={\"tid\":\"007\",\"sid\":\"x\"}");
    }

    @Test
    void emptyArrayIsAnEmptyHistory() throws IOException {
        write(" [ ]\n");

        assertThat(HistoryRows.at(file)).isEmpty();
    }

    @Test
    void initialValueIsNotImplied() throws IOException {
        write("[]");

        try (HistorySource source = Histories.open(file, null)) {
            assertThat(source.impliedInitialValue()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"clean-si.json", "serial.json", "stale.json", "lost.json"})
    void publishedHistoriesSurvive(String name) throws IOException {
        Path published = PublishedCases.at("chronos/" + name);

        List<String> rows = HistoryRows.at(published);
        try (HistorySource source = Histories.open(published, "timekiller")) {
            HistoryRows.write(
                    Histories.create(file, null),
                    HistoryRows.slices(source, io.nightjar.formats.history.BadRowHandler.REJECT));
        }

        HistoryRows.assertSame(name, HistoryRows.at(file), rows);
    }

    // ---------------------------------------------------------------- rejected input

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{\"t\":\"d\",\"k\":1,\"v\":1} => unknown operation kind: t=d expected=r|read|w|write|a|append byte=",
                "{\"t\":\"w\",\"k\":1} => write without a value: key=1 byte=",
                "{\"t\":\"w\",\"v\":1} => operation is not complete: expected=t,k,v byte=",
                "{\"t\":\"w\",\"k\":\"x\",\"v\":1} => not an integer: k=x byte=",
                "{\"t\":\"w\",\"k\":1,\"v\":1.5} => number is not an integer: byte=",
                "{\"t\":\"w\",\"k\":1,\"k\":1,\"v\":1} => unknown or repeated member of an operation: name=k expected=t,k,v byte=",
                "{\"t\":\"w\",\"k\":1,\"v\":9223372036854775808} => number does not fit int64: value=9223372036854775808 byte=",
            })
    void badElementIsABadRowAndTheNextIsRead(String op, String reason) throws IOException {
        String bad = "{\"tid\":2,\"sid\":1,\"sts\":{\"p\":1,\"l\":0},\"cts\":{\"p\":2,\"l\":0},\"ops\":[" + op + "]}";
        write("[" + bad + ",{\"tid\":1,\"sid\":1," + REST + "}]");
        BadRowList rows = new BadRowList();

        try (HistorySource source = Histories.open(file, null)) {
            assertThat(HistoryRows.of(HistoryRows.slices(source, rows))).hasSize(1);
        }

        assertThat(rows.rows).hasSize(1);
        assertThat(rows.rows.get(0)).startsWith("1: " + reason).endsWith(" | " + bad);
    }

    @Test
    void brokenArrayIsRejectedWithTheByte() throws IOException {
        String text = "[{\"tid\":1,\"sid\":1," + REST + "},{\"tid\":2";
        write(text);

        assertThatThrownBy(() -> HistoryRows.at(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s row=2] unexpected text: expected=',' or '}' found=end of file byte=%d",
                        file, text.length() + 1);
    }

    @Test
    void textBehindTheArrayIsRejected() throws IOException {
        write("[] x");

        assertThatThrownBy(() -> HistoryRows.at(file))
                .hasMessage("[%s] unexpected text: expected=nothing more after the array found='x' byte=4", file);
    }

    // ---------------------------------------------------------------- output

    @Test
    void historiesThatFitSurvive() throws IOException {
        long seed = Seeds.seed(5);
        List<HistorySlice> history = TimeKillerHistory.slices(seed, 200);

        HistoryRows.write(Histories.create(file, null), history);

        HistoryRows.assertSame("seed=" + seed, HistoryRows.at(file), HistoryRows.of(history));
    }

    @Test
    void abortedTransactionsDoNotFit() {
        SliceBuilder slice = new SliceBuilder("a.jsonl");
        slice.beginTxn(3, 7, 1, 0)
                .timestamps(1, 2)
                .status(io.nightjar.formats.history.TxnStatus.ABORTED)
                .endTxn();

        assertThatThrownBy(() -> HistoryRows.write(Histories.create(file, null), List.of(slice.build())))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[a.jsonl row=3] does not fit the format timekiller: txn_id=7 status=aborted; it has committed ones only,"
                                + " convert --committed-only omits the others");
        assertThat(folder).isEmptyDirectory();
    }

    private static final String REST = "\"sts\":{\"p\":1,\"l\":0},\"cts\":{\"p\":2,\"l\":0},\"ops\":[]";

    private static String txn(String ops) {
        return "[{\"tid\":1,\"sid\":1,\"sts\":{\"p\":1,\"l\":0},\"cts\":{\"p\":2,\"l\":0},\"ops\":[" + ops + "]}]";
    }

    private static String clocks(int tid, int startP, int startL, int commitP, int commitL) {
        return "{\"tid\":%d,\"sid\":1,\"sts\":{\"p\":%d,\"l\":%d},\"cts\":{\"p\":%d,\"l\":%d},\"ops\":[]}"
                .formatted(tid, startP, startL, commitP, commitL);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }
}
