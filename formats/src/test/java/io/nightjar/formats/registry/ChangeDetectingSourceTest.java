package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A history is equal at every reading, or reading fails. */
class ChangeDetectingSourceTest {

    private static final String ROWS =
            """
            {"txn":1,"session":0,"seq":0,"start":10,"commit":12,"ops":[["w","x",1],["w","y",7]]}
            {"txn":2,"session":1,"seq":0,"start":13,"commit":15,"ops":[["r","x",1],["append","l",5]]}
            {"txn":3,"session":2,"seq":0,"start":16,"commit":17,"ops":[["r","l",[5]],["r","z",null]]}
            """;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeTheHistory() throws IOException {
        file = Files.writeString(folder.resolve("h.jsonl"), ROWS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"txn\":3          | \"txn\":4          | rows=3 changed=ids",
                "\"session\":2      | \"session\":3      | rows=3 changed=ids",
                "\"commit\":15      | \"commit\":16      | rows=3 changed=timestamps",
                "[\"w\",\"y\",7]    | [\"w\",\"y\",8]    | rows=3 changed=operations",
                "[\"w\",\"y\",7]    | [\"w\",\"q\",7]    | rows=3 changed=operations",
                "[\"w\",\"y\",7]    | [\"r\",\"y\",7]    | rows=3 changed=operations",
                "[\"r\",\"l\",[5]]  | [\"r\",\"l\",[6]]  | rows=3 changed=operations",
                "[\"r\",\"l\",[5]]  | [\"r\",\"l\",[ ]]  | rows=3 changed=operations"
            })
    void aValueThatBecameAnotherIsFoundThoughTheFileLooksTheSame(String before, String now, String difference)
            throws IOException {
        FileTime written = Files.getLastModifiedTime(file);
        try (HistorySource source = Histories.open(file, null)) {
            read(source, ColumnGroup.all());
            Files.writeString(file, ROWS.replace(before, now), StandardOpenOption.WRITE);
            Files.setLastModifiedTime(file, written);

            assertThatCode(source::checkUnchanged).doesNotThrowAnyException();
            assertThatThrownBy(() -> read(source, ColumnGroup.all()))
                    .isInstanceOf(ChangedInputException.class)
                    .hasMessage("[" + file + "] the file changed while it was read: " + difference
                            + "; check it again when no process writes to it");
        }
    }

    @Test
    void valuesThatChangedPlacesAreFound() throws IOException {
        FileTime written = Files.getLastModifiedTime(file);
        try (HistorySource source = Histories.open(file, null)) {
            read(source, ColumnGroup.all());
            String swapped = ROWS.replace("\"x\",1],[\"w\",\"y\",7", "\"x\",7],[\"w\",\"y\",1");
            Files.writeString(file, swapped, StandardOpenOption.WRITE);
            Files.setLastModifiedTime(file, written);

            assertThatThrownBy(() -> read(source, ColumnGroup.all())).hasMessageContaining("changed=operations");
        }
    }

    @Test
    void whatWasNotReadTheFirstTimeIsNotCompared() throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            read(source, EnumSet.noneOf(ColumnGroup.class));

            assertThatCode(() -> read(source, ColumnGroup.all())).doesNotThrowAnyException();
        }
    }

    @Test
    void aRowMoreIsFound() throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            read(source, ColumnGroup.all());
            Files.writeString(file, ROWS.lines().findFirst().orElseThrow(), StandardOpenOption.APPEND);

            assertThatThrownBy(() -> read(source, ColumnGroup.all()))
                    .hasMessageContaining("the file changed while it was read: rowsBefore=3 rowsNow=4");
            assertThatThrownBy(source::checkUnchanged).hasMessageContaining("bytesBefore=");
        }
    }

    @Test
    void aFileThatIsReplacedByAnotherOfTheSameContentIsAnotherFile() throws IOException {
        FileTime written = Files.getLastModifiedTime(file);
        Path other = Files.writeString(folder.resolve("other"), ROWS);
        Files.setLastModifiedTime(other, written);
        try (HistorySource source = Histories.open(file, null)) {
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

            assertThatThrownBy(source::checkUnchanged).hasMessageContaining("now=another file of that name");
        }
    }

    @Test
    void aRowThatIsCutBecauseItIsBeingWrittenIsNoRejection() throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            read(source, ColumnGroup.all());
            Files.writeString(file, ROWS + "{\"txn\":4,\"sess");

            assertThatThrownBy(() -> read(source, ColumnGroup.all(), BadRowHandler.REJECT))
                    .isInstanceOf(ChangedInputException.class)
                    .satisfies(changed ->
                            assertThat(changed.getSuppressed()[0]).isInstanceOf(MalformedHistoryException.class));
        }
    }

    @Test
    void aFileThatGoesAwayIsMissed() throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            Files.delete(file);

            assertThatThrownBy(() -> read(source, ColumnGroup.all()))
                    .isInstanceOf(ChangedInputException.class)
                    .hasMessageContaining("now=missing");
        }
    }

    @Test
    void aPartThatIsAddedToADirectoryIsFound() throws IOException {
        try (HistorySource source = Histories.open(folder, null)) {
            Files.writeString(folder.resolve("_left-out"), ROWS);
            source.checkUnchanged();
            Path more = Files.writeString(folder.resolve("more.jsonl"), ROWS);

            assertThatThrownBy(source::checkUnchanged).hasMessageStartingWith("[" + more + "] the file changed");
        }
    }

    @Test
    void aReadingThatStopsInTheMiddleIsNotCompared() throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            try (SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
                assertThat(reader.next().txnCount).isEqualTo(3);
            }

            assertThat(source.reading(0)).isNull();
        }
    }

    @Test
    void badRowsThatOnlySomeReadingsSeeDoNotCountAsChanges() throws IOException {
        Files.writeString(file, ROWS + "no row\n");
        try (HistorySource source = Histories.open(file, null)) {
            read(source, ColumnGroup.all());

            assertThat(source.reading(0).txnCount()).isEqualTo(3);
            assertThat(source.reading(0).badRowCount()).isEqualTo(1);
        }
    }

    private static void read(HistorySource source, Set<ColumnGroup> columns) throws IOException {
        read(source, columns, BadRowHandler.PASS_OVER);
    }

    private static void read(HistorySource source, Set<ColumnGroup> columns, BadRowHandler badRows) throws IOException {
        try (SliceReader reader = source.open(0, columns, badRows)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                assertThat(slice.txnCount).isPositive();
            }
        }
    }
}
