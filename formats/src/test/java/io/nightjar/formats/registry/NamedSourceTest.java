package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history under another name than its path, and its files, are named as the user named them. */
class NamedSourceTest {

    private static final String GOOD = "{\"txn\":1,\"session\":0,\"ops\":[[\"w\",\"x\",1]]}\n";

    @TempDir
    Path folder;

    @Test
    void rowsStandInTheFileThatTheUserNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), GOOD);

        assertThat(filesOf(file, "a.jsonl")).containsExactly("a.jsonl", "a.jsonl");
    }

    @Test
    void partsStandInTheDirectoryThatTheUserNamed() throws IOException {
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.jsonl"), GOOD);

        assertThat(filesOf(parts, "nights/parts")).containsExactly("nights/parts/a.jsonl", "nights/parts/a.jsonl");
    }

    @Test
    void badRowsAreToldOfThere() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), GOOD + "boo\n");
        List<String> reported = new ArrayList<>();
        try (NamedSource source = NamedSource.open(file, null, "a.jsonl")) {
            read(source, (name, row, fault, rawText) -> reported.add(name + " row " + row));
        }

        assertThat(reported).containsExactly("a.jsonl row 2");
    }

    @Test
    void rejectionsNameIt() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), GOOD + GOOD.replace("\"x\"", "5"));
        Path empty = Files.createFile(folder.resolve("empty.jsonl"));
        try (NamedSource source = NamedSource.open(file, null, "a.jsonl")) {
            assertThatThrownBy(() -> read(source, BadRowHandler.REJECT))
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageStartingWith("[a.jsonl line=2] keys of several types")
                    .hasMessageContaining("[a.jsonl line=1]");
        }

        assertThatThrownBy(() -> NamedSource.open(empty, null, "empty.jsonl"))
                .hasMessageStartingWith("[empty.jsonl] file is empty");
    }

    private static List<String> filesOf(Path path, String uri) throws IOException {
        try (NamedSource source = NamedSource.open(path, null, uri)) {
            List<String> files = read(source, BadRowHandler.REJECT);
            files.add(source.splits().get(0).file());
            return files;
        }
    }

    private static List<String> read(NamedSource source, BadRowHandler badRows) throws IOException {
        List<String> files = new ArrayList<>();
        try (SliceReader reader = source.open(0, ColumnGroup.all(), badRows)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                files.add(slice.file);
            }
        }
        return files;
    }
}
