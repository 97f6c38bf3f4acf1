package io.nightjar.formats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonLinesTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("a.jsonl");
    }

    // ---------------------------------------------------------------- accepted input

    @Test
    void linesOfTheContractAreRead() throws IOException {
        write(
                """
                {"txn":1,"session":0,"seq":0,"status":"committed","start":10,"commit":12,"ops":[["w","x",1],["r","y",null]]}
                {"txn":2,"session":1,"seq":0,"status":"committed","start":11,"commit":15,"ops":[["append","l",7],["r","l",[3,7]]]}
                """);

        assertThat(HistoryRows.at(file))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed ts=10..12 client=_.._"
                                + " w(STRING<x>,LONG<1>,v_,w_) r(STRING<y>,nothing,v_,w_) extra=null",
                        "txn=2 session=1 seq=0 committed ts=11..15 client=_.._"
                                + " append(STRING<l>,LONG<7>,v_,w_) r(STRING<l>,[<3><7>],v_,w_) extra=null");
    }

    @Test
    void positionAndCommittedAreDefaults() throws IOException {
        write(
                """
                {"session":5,"ops":[]}

                {"session":6,"ops":[],"status":null,"txn":null}
                {"session":5,"ops":[],"seq":null}
                """);

        assertThat(HistoryRows.at(file))
                .containsExactly(
                        "txn=1 session=5 seq=0 committed ts=_.._ client=_.._ extra=null",
                        "txn=2 session=6 seq=0 committed ts=_.._ client=_.._ extra=null",
                        "txn=3 session=5 seq=1 committed ts=_.._ client=_.._ extra=null");
    }

    @Test
    void rowsAreLineNumbers() throws IOException {
        write("\n\n{\"session\":5,\"ops\":[]}\n \t\n{\"session\":5,\"ops\":[]}\n");

        try (HistorySource source = Histories.open(file, null)) {
            HistorySlice slice =
                    HistoryRows.slices(source, BadRowHandler.REJECT).get(0);

            assertThat(slice.rowOf(0)).isEqualTo(3);
            assertThat(slice.rowOf(1)).isEqualTo(5);
        }
    }

    @Test
    void positionsContinueOverTheFilesOfADirectory() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("part-0.jsonl"), "{\"session\":5,\"ops\":[]}\n{\"session\":5,\"ops\":[]}");
        Files.writeString(directory.resolve("part-1.jsonl"), "{\"session\":5,\"ops\":[]}\n");

        try (HistorySource source = Histories.open(directory, null)) {
            List<HistorySlice> slices = HistoryRows.slices(source, BadRowHandler.REJECT);

            assertThat(slices).hasSize(2);
            assertThat(slices.get(1).txnId[0]).isEqualTo(3);
            assertThat(slices.get(1).sessionSeq[0]).isEqualTo(2);
            assertThat(slices.get(1).rowOf(0)).isEqualTo(1);
            assertThat(slices.get(1).file).endsWith("part-1.jsonl");
        }
    }

    @Test
    void fourthMemberOfAnOperationIsVersionAndWriter() throws IOException {
        write(
                "{\"session\":1,\"ops\":[[\"r\",\"x\",1,{\"version\":7,\"writer\":3}],[\"w\",\"x\",2,{\"version\":null}]]}");

        assertThat(HistoryRows.at(file).get(0)).contains("r(STRING<x>,LONG<1>,v7,w3) w(STRING<x>,LONG<2>,v_,w_)");
    }

    @Test
    void unknownNamesGoToExtra() throws IOException {
        write("{\"session\":1,\"node\":\"n1\",\"ops\":[],\"error\":{ \"code\" : [1.50, 1e400] }}");

        assertThat(HistoryRows.at(file).get(0)).endsWith("extra={\"node\":\"n1\",\"error\":{\"code\":[1.50,1e400]}}");
    }

    @Test
    void integersOfSixtyFourBitsAreRead() throws IOException {
        write("{\"session\":-9223372036854775808,\"ops\":[[\"w\",9223372036854775807,-9223372036854775808]]}");

        assertThat(HistoryRows.at(file).get(0))
                .contains("session=-9223372036854775808")
                .contains("w(LONG<9223372036854775807>,LONG<-9223372036854775808>");
    }

    @Test
    void escapesAreDecoded() throws IOException {
        write("{\"session\":1,\"ops\":[[\"w\",\"\\u0041\\n\\ud83d\\ude00\\/\",1]]}");

        assertThat(HistoryRows.at(file).get(0)).contains("w(STRING<A\n\uD83D\uDE00/>");
    }

    @Test
    void byteOrderMarkAndCarriageReturnsArePassedOver() throws IOException {
        write("\uFEFF{\"session\":1,\"ops\":[]}\r\n\r\n{\"session\":1,\"ops\":[]}\r\n");

        assertThat(HistoryRows.at(file)).hasSize(2);
    }

    @Test
    void lineOfManyMegabytesIsRead() throws IOException {
        StringBuilder line = new StringBuilder("{\"session\":1,\"ops\":[[\"r\",\"l\",[0");
        for (int i = 1; i < 1_000_000; i++) {
            line.append(',').append(i);
        }
        write(line.append("]]]}\n{\"session\":1,\"ops\":[]}\n").toString());

        assertThat(HistoryRows.at(file)).hasSize(2);
    }

    // ---------------------------------------------------------------- rejected input

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{\"ops\":[]} => session missing: every transaction needs one",
                "{\"session\":1} => ops missing: every transaction needs them; write [] for a transaction without operations",
                "{\"session\":1,\"ops\":[] => unexpected text: expected=',' or '}' found=end of line column=22",
                "{\"session\":1,\"ops\":[]} x => unexpected text: expected=nothing more after the transaction found='x' column=24",
                "{\"session\":1,\"session\":2,\"ops\":[]} => name twice in one object: name=session",
                "{\"session\":1,\"start_ts\":1,\"ops\":[]} => unknown member: name=start_ts; JSON Lines names it start",
                "{\"session\":1,\"ops\":[],\"a\":1,\"a\":2} => name twice in one object: name=a",
                "{\"session\":1.5,\"ops\":[]} => number is not an integer: column=12; only int64 and strings are read",
                "{\"session\":\"1\",\"ops\":[]} => unexpected text: expected=an integer as session found='\"' column=12",
                "{\"session\":1,\"start\":9223372036854775808,\"ops\":[]} => number does not fit int64: value=9223372036854775808 column=22; give it as a string",
                "{\"session\":1,\"start\":-9223372036854775808,\"ops\":[]} => number is reserved: start=-9223372036854775808; it means a missing value",
                "{\"session\":1,\"status\":\"done\",\"ops\":[]} => unknown status: status=done expected=committed|aborted|unknown",
                "{\"session\":1,\"ops\":[[\"q\",\"x\",1]]} => unknown operation kind: kind=q expected=r|w|append|add|inc|p|v|d|cas|ins|has|rem column=25",
                "{\"session\":1,\"ops\":[[\"w\",\"x\",null]]} => unexpected text: expected=a string or an integer to write found='n' column=30",
                "{\"session\":1,\"ops\":[[\"w\",\"x\"]]} => unexpected text: expected=kind, key and value of an operation found=']' column=29",
                "{\"session\":1,\"ops\":[[\"w\",null,1]]} => unexpected text: expected=a string or an integer as key found='n' column=26",
                "{\"session\":1,\"ops\":[[\"w\",\"x\",1,{\"v\":1}]]} => unknown or repeated attribute of an operation: name=v expected=version|writer column=37",
                "{\"session\":1,\"ops\":[[\"w\",\"\\x\",1]]} => unknown escape in a string: expected=\\n or \\u0041 or the like column=27",
                "{\"session\":1,\"ops\":[[\"w\",\"\\ud83d\",1]]} => half a surrogate pair in a string: column=27",
                "[1] => unexpected text: expected='{' found='[' column=1",
                "{\"session\":01,\"ops\":[]} => number with a leading zero: column=12",
            })
    void malformedLineIsRejectedWithExpectation(String line, String reason) throws IOException {
        write("{\"session\":7,\"ops\":[]}\n" + line + "\n{\"session\":7,\"ops\":[]}\n");
        BadRowList bad = new BadRowList();

        List<HistorySlice> slices;
        try (HistorySource source = Histories.open(file, null)) {
            slices = HistoryRows.slices(source, bad);
        }

        assertThat(bad.rows).containsExactly("2: " + reason + " | " + line);
        assertThat(HistoryRows.of(slices)).hasSize(2);
    }

    @Test
    void badLineRejectsWithItsLine() throws IOException {
        write("{\"session\":7,\"ops\":[]}\n{\n");

        assertThatThrownBy(() -> HistoryRows.at(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] unexpected text: expected=a string found=end of line column=2", file);
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() throws IOException {
        byte[] line = "{\"session\":1,\"ops\":[[\"w\",\"?\",1]]}".getBytes(StandardCharsets.UTF_8);
        line[26] = (byte) 0xc0;
        Files.write(file, line);

        assertThatThrownBy(() -> HistoryRows.at(file)).hasMessage("[%s line=1] not UTF-8: value=0xc0 column=27", file);
    }

    @Test
    void keysOfTwoTypesAreHeldAsJsonText() throws IOException {
        write("{\"session\":1,\"ops\":[[\"w\",1,1]]}\n\n{\"session\":1,\"ops\":[[\"w\",\"1\",1]]}\n");

        assertThat(HistoryRows.at(file))
                .satisfiesExactly(row -> assertThat(row).contains("w(STRING<1>,LONG<1>"), row -> assertThat(row)
                        .contains("w(STRING<\"1\">,LONG<1>"));
    }

    @Test
    void valuesOfSeveralTypesAreHeldAsJsonText() throws IOException {
        write("{\"session\":1,\"ops\":[[\"r\",1,[\"a\",true,1.50,-7]]]}\n{\"session\":1,\"ops\":[[\"w\",1,1]]}\n");

        assertThat(HistoryRows.at(file))
                .satisfiesExactly(row -> assertThat(row).contains("[<\"a\"><true><1.50><-7>]"), row -> assertThat(row)
                        .contains("w(LONG<1>,STRING<1>"));
    }

    @Test
    void readerThatKnowsNoSeveralTypesIsToldBothRows() throws IOException {
        write("{\"session\":1,\"ops\":[[\"w\",1,1]]}\n\n{\"session\":1,\"ops\":[[\"w\",\"1\",1]]}\n");

        try (HistorySource source = Histories.open(file, null)) {
            assertThatThrownBy(() -> HistoryRows.of(source))
                    .hasMessage(
                            "[%s line=3] keys of several types: key=\"1\" other-key=1 other-row=[%s line=1];"
                                    + " write all of them as strings or all as integers",
                            file, file);
        }
    }

    @Test
    void blankLinesWithoutEndAreRejectedWithTheirPlace() throws IOException {
        Path blank = file.resolveSibling("blank.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(blank))) {
            out.write("{\"session\":1,\"ops\":[]}\n".getBytes(StandardCharsets.UTF_8));
            byte[] lines = " \t\r\n".repeat(1 << 18).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 20; i++) {
                out.write(lines);
            }
        }

        assertThatThrownBy(() -> HistoryRows.at(blank))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageMatching("\\[.* line=\\d+] too many blank bytes in sequence: limitBytes=16777216; .*");
    }

    @Test
    void badRowDoesNotDecideTheTypeOfKeys() throws IOException {
        write(
                "{\"session\":1,\"ops\":[]}\n{\"session\":1,\"ops\":[[\"w\",\"x\",null]]}\n{\"session\":1,\"ops\":[[\"w\",1,\"v\"]]}\n");
        BadRowList bad = new BadRowList();

        try (HistorySource source = Histories.open(file, null)) {
            List<String> rows = HistoryRows.of(HistoryRows.slices(source, bad));

            assertThat(bad.rows).hasSize(1);
            assertThat(rows).hasSize(2);
            assertThat(rows.get(1)).contains("w(LONG<1>,STRING<v>");
        }
    }

    // ---------------------------------------------------------------- compressed

    @Test
    void gzipOfSeveralMembersIsReadToItsEnd() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.write(gzip("{\"session\":1,\"ops\":[]}\n"));
        members.write(gzip("{\"session\":2,\"ops\":[]}\n"));
        Path compressed = folder.resolve("a.jsonl.gz");
        Files.write(compressed, members.toByteArray());

        assertThat(HistoryRows.at(compressed)).hasSize(2);
    }

    @Test
    void foreignBytesAfterGzipAreRejected() throws IOException {
        Path compressed = folder.resolve("a.jsonl.gz");
        byte[] member = gzip("{\"session\":1,\"ops\":[]}\n");
        Files.write(compressed, Arrays.copyOf(member, member.length + 4));
        assertThat(HistoryRows.at(compressed)).hasSize(1); // zeros are padding

        byte[] garbage = Arrays.copyOf(member, member.length + 4);
        garbage[member.length] = 'x';
        Files.write(compressed, garbage);

        assertThatThrownBy(() -> HistoryRows.at(compressed))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] gzip data is damaged: reason=foreign bytes after it", compressed);
    }

    @Test
    void lastLineOfKilledRecordingIsSkipped() throws IOException {
        String half = "{\"session\":0,\"ops\":[[\"w\",\"x\",1]]}\n{\"session\":0,\"ops\":[[\"w\",\"x\"";
        Files.writeString(folder.resolve("part-00000.jsonl"), half);
        assertThatThrownBy(() -> HistoryRows.at(folder)).isInstanceOf(MalformedHistoryException.class);

        Files.writeString(folder.resolve("_manifest.json"), "{\"complete\" : false}");

        assertThat(HistoryRows.at(folder)).hasSize(1);
    }

    @Test
    void truncatedGzipIsRejectedWithTheLine() throws IOException {
        Path compressed = folder.resolve("a.jsonl.gz");
        byte[] member = gzip("{\"session\":1,\"ops\":[]}\n".repeat(3));
        Files.write(compressed, Arrays.copyOf(member, member.length - 1));

        assertThatThrownBy(() -> HistoryRows.at(compressed))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("gzip data ends early");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
