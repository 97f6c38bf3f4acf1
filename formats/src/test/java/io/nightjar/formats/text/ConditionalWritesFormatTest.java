package io.nightjar.formats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compare-and-set operations and insertions if absent in files of every format that can hold them. */
class ConditionalWritesFormatTest {

    private static final String NAMES =
            """
            s1 T1: w(x,a) ins(y,"b c")=true
            s2 T2: cas(x,"a",b)=true r(x,b)
            s2 T3: cas(x,_,b)=false
            s3 T4!: cas(x,"zz",c)
            s4 T5?: cas(y,"q\\"u\\n","{\\"a\\":1}")
            s5 T6: ins(y,d)=false@4<-T1
            s6 T7: w(x,c)=true@5 d(x)=true d(y)=false@6 w(z,e)=false w(z,f)
            """;

    private static final String NUMBERS =
            """
            s1 T1: cas(1,-5,7)=true
            s1 T2: cas(1,7,9223372036854775807)=false ins(2,3)=true
            s1 T3: d(1)=true w(2,4)=true d(2)=false w(1,4)=false
            s1 T4: add(5,1)=true rem(5,1) rem(5,2)=false has(5,1)=false add(5,3)@7 r(5,[3])
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"txt", "jsonl", "parquet", "arrow"})
    void conditionalWritesSurviveConversion(String extension) throws IOException {
        for (String text : new String[] {NAMES, NUMBERS}) {
            Path first = Files.writeString(folder.resolve("first.txt"), text);
            Path between = folder.resolve("between." + extension);
            Path last = folder.resolve("last.txt");
            Files.deleteIfExists(between);
            Files.deleteIfExists(last);

            convert(first, between);
            convert(between, last);

            assertThat(last).hasContent(text);
        }
    }

    @Test
    void columnsWithoutOperationsAreNotWritten() throws IOException {
        Path insertions = folder.resolve("insertions.parquet");
        convert(Files.writeString(folder.resolve("i.txt"), "s1 T1: ins(x,1)=true\n"), insertions);
        Path plain = folder.resolve("plain.parquet");
        convert(Files.writeString(folder.resolve("p.txt"), "s1 T1: w(x,1)\n"), plain);

        assertThat(Files.readString(insertions, StandardCharsets.ISO_8859_1))
                .contains("done")
                .doesNotContain("params", "predicate", "read_ts");
        assertThat(Files.readString(plain, StandardCharsets.ISO_8859_1)).doesNotContain("done", "params");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"session\":0,\"ops\":[[\"cas\",\"x\",2,{\"done\":true}]]}|cas without its old value",
                "{\"session\":0,\"ops\":[[\"cas\",\"x\",2,{\"params\":[1,2],\"done\":true}]]}|cas without its old value",
                "{\"session\":0,\"ops\":[[\"cas\",\"x\",2,{\"params\":[\"a\"],\"done\":true}]]}|old value of a cas is not of the type",
                "{\"session\":0,\"ops\":[[\"cas\",\"x\",2,{\"params\":[1.5],\"done\":true}]]}|cas without its old value",
                "{\"session\":0,\"ops\":[[\"ins\",\"x\",2,{\"params\":[1],\"done\":true}]]}|conditional write with parameters",
                "{\"session\":0,\"ops\":[[\"has\",\"x\",2]]}|conditional write without its outcome",
                "{\"session\":0,\"ops\":[[\"ins\",\"x\",2]]}|conditional write without its outcome",
                "{\"session\":0,\"status\":\"unknown\",\"ops\":[[\"ins\",\"x\",2],[\"w\",\"y\",1]]}|conditional write without",
                "{\"session\":0,\"ops\":[[\"ins\",\"x\",2,{\"done\":1}]]}|expected=true, false or null as done",
                "{\"session\":0,\"ops\":[[\"ins\",\"x\",2,{\"done\":true,\"done\":true}]]}|repeated attribute",
                "{\"session\":0,\"ops\":[[\"append\",\"x\",2,{\"done\":true}]]}|unknown or repeated attribute",
                "{\"session\":0,\"ops\":[[\"ins\",\"x\"]]}|expected=kind, key and value of an operation"
            })
    void malformedConditionalWriteIsRejectedWithItsLine(String line, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.jsonl"), "{\"session\":0,\"ops\":[]}\n" + line + "\n");

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file + " line=2]")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "arrow"})
    void outcomeOfAReadIsRejected(String extension) throws IOException {
        Path file = folder.resolve("bad." + extension);
        HistorySlice good = read(Files.writeString(folder.resolve("a.txt"), "s1 T1: ins(x,1)=true r(x,1)\n"));
        try (HistoryWriter writer = Histories.create(file, null)) {
            writer.write(good.withNumbers(HistoryColumn.DONE, new long[] {1, 0}));
            writer.finish();
        }

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("row=1")
                .hasMessageContaining("done of an operation that cannot have one");
    }

    @Test
    void conditionalWritesBecomeReadsGuardsAndWrites() throws IOException {
        HistorySlice items =
                read(Files.writeString(folder.resolve("a.txt"), NAMES)).items();

        assertThat(Arrays.copyOf(items.kind, items.opCount))
                .containsExactly(
                        OpKind.WRITE,
                        OpKind.READ_NOTHING,
                        OpKind.WRITE,
                        OpKind.READ,
                        OpKind.WRITE,
                        OpKind.READ,
                        OpKind.PRESENT,
                        OpKind.WRITE,
                        OpKind.WRITE,
                        OpKind.PRESENT,
                        OpKind.PRESENT,
                        OpKind.WRITE,
                        OpKind.ERASE,
                        OpKind.READ_NOTHING,
                        OpKind.READ_NOTHING,
                        OpKind.WRITE);
        assertThat(items.valueText(items.value[3])).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "w(x,1) cas(x,2,3)=false ins(x,4)=false cas(x,1,5)=false|w r",
                "w(x,1) w(x,2)=true d(x)=true r(x,_) d(x)=false cas(x,1,5)=false ins(x,3)=true d(x)=true|w w d w d",
                "d(x)=true d(x)=true|present d never d",
                "d(x)=true r(x,1)|present d r",
                "add(s,1)=true add(s,1)=false rem(s,1)=true has(s,1)=false|lacks add rem",
                "has(s,1)=true rem(s,1) has(s,1)=true rem(s,2)=false|contains rem never lacks"
            })
    void guardOnAnOwnWriteIsDecidedInTheTransaction(String ops, String kinds) throws IOException {
        HistorySlice items = read(Files.writeString(folder.resolve("a.txt"), "s1 T1: " + ops + "\n"))
                .items();

        List<String> words = new ArrayList<>();
        for (int op = 0; op < items.opCount; op++) {
            words.add(OpKind.name(items.kind[op]));
        }
        assertThat(String.join(" ", words)).isEqualTo(kinds);
    }

    private static void convert(Path from, Path to) throws IOException {
        try (HistorySource source = Histories.open(from, null);
                HistoryWriter writer = Histories.create(to, null)) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, ColumnGroup.all(), BadRowHandler.REJECT)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        writer.write(slice);
                    }
                }
            }
            writer.finish();
        }
    }

    private static HistorySlice read(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null);
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            return reader.next();
        }
    }
}
