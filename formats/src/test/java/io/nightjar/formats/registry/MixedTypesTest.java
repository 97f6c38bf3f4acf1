package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and values of several types, in every format that supports them. */
class MixedTypesTest {

    private static final String ROWS =
            """
            {"txn":0,"session":0,"seq":0,"status":"committed","ops":[["append","x",1],["append","y","first"]]}
            {"txn":1,"session":1,"seq":0,"status":"committed","ops":[["r","x",[1]],["r","y",["first"]],["append",5,"1"],["append",5,1]]}
            {"txn":2,"session":0,"seq":1,"status":"committed","ops":[["r",5,["1",1,true,-0.5,1e3,"true"]],["r","5",null],["append","é\\"q\\n",9223372036854775807]]}
            """;

    private static final int LATE = 150_000; // transactions in the slices before the first one of another type

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"h.parquet", "h.arrow", "h.jsonl", "h.jsonl.gz", "h.txt", "h.edn", "h.elle.json"})
    void comeBackFromAnyDress(String name) throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.jsonl"), ROWS);

        Path dressed = convert(plain, name);

        assertThat(convert(dressed, "back.jsonl")).hasContent(ROWS);
        assertThat(HistoryRows.at(dressed).get(1))
                .contains("append(STRING<5>,STRING<\"1\">", "append(STRING<5>,STRING<1>");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"late.parquet", "late.arrow"})
    void firstOfAnotherTypeMayComeLate(String name) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < LATE; i++) {
            rows.append("{\"txn\":%d,\"session\":0,\"seq\":%d,\"status\":\"committed\",\"ops\":[[\"w\",%d,%d]]}\n"
                    .formatted(i, i, i % 7, i));
        }
        rows.append(
                "{\"txn\":%d,\"session\":0,\"seq\":%d,\"status\":\"committed\",\"ops\":[[\"w\",\"5\",\"a\"],[\"r\",5,null]]}\n"
                        .formatted(LATE, LATE));
        Path plain = Files.writeString(folder.resolve("plain.jsonl"), rows);

        Path dressed = convert(plain, name);

        assertThat(convert(dressed, "back.jsonl")).hasSameTextualContentAs(plain);
        assertThat(HistoryRows.at(plain)).element(LATE).asString().contains("w(STRING<\"5\">,STRING<\"a\">");
        assertThat(HistoryRows.at(plain)).first().asString().contains("w(STRING<0>,STRING<0>");
    }

    @Test
    void partsMayHaveTypesOfTheirOwn() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.jsonl"), "{\"txn\":1,\"session\":0,\"seq\":0,\"ops\":[[\"w\",1,1]]}\n");
        Files.writeString(
                parts.resolve("b.jsonl"),
                "{\"txn\":2,\"session\":0,\"seq\":1,\"ops\":[[\"r\",1,1],[\"r\",\"1\",null]]}\n");

        assertThat(HistoryRows.at(parts))
                .satisfiesExactly(row -> assertThat(row).contains("w(STRING<1>,LONG<1>"), row -> assertThat(row)
                        .contains("r(STRING<1>,LONG<1>"));
    }

    @Test
    void initialValueIsSpelledAsValuesAre() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.jsonl"), ROWS);

        try (HistorySource source = Histories.open(plain, null)) {
            source.read(() -> HistoryRows.of(source));

            assertThat(source.initialValue("0")).isEqualTo("0");
            assertThat(source.initialValue("\"0\"")).isEqualTo("\"0\"");
            assertThat(source.initialValue("nil")).isEqualTo("\"nil\"");
            assertThat(source.initialValue(null)).isNull();
        }
    }

    @Test
    void predicatesAndValuesOfMixedTypesAreRejectedWithLocation() throws IOException {
        Path file = Files.writeString(
                folder.resolve("p.jsonl"),
                "{\"session\":0,\"ops\":[[\"w\",\"x\",1],[\"w\",\"y\",\"a\"]]}\n"
                        + "{\"session\":0,\"ops\":[[\"p\",\"value = ?\",[1],[[\"r\",\"x\",1]]]]}\n");

        assertThatThrownBy(() -> HistoryRows.at(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file + " line=2] values of several types in a history of tables");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h.plume", "h.hist", "h.awdit", "h.json", "h.csv"})
    void formatsOfOneTypeRefuseThem(String name) throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.jsonl"), ROWS);

        assertThatThrownBy(() -> convert(plain, name)).isInstanceOf(MalformedHistoryException.class);
        assertThat(folder.resolve(name)).doesNotExist();
    }

    @Test
    void emptyFileIsNoHistoryInAnyFormat() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty"));

        for (String format : Histories.formatNames()) {
            assertThatThrownBy(() -> {
                        try (HistorySource source = Histories.open(empty, format)) {
                            HistoryRows.of(source);
                        }
                    })
                    .as(format)
                    .isInstanceOf(MalformedHistoryException.class);
        }
    }

    private Path convert(Path from, String name) throws IOException {
        Path to = folder.resolve(name);
        try (HistorySource source = Histories.open(from, null);
                HistoryWriter writer = Histories.create(to, null)) {
            if (writer.takesMixedTypes()) {
                source.allowMixedTypes();
            }
            List<HistorySlice> slices = HistoryRows.slices(source, BadRowHandler.REJECT);
            for (HistorySlice slice : slices) {
                writer.write(slice);
            }
            writer.finish();
        }
        return to;
    }
}
