package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Equality of docs/levels.md and the tables. */
class LevelsDocumentTest {

    private static final Set<String> OTHERWISE_NAMED = Set.of("read-atomic", "prefix", "causal");

    @Test
    void everyLevelOfElleHasItsRow() throws IOException {
        assertThat(document()).contains(String.join("\n", rows()) + "\n");
    }

    @Test
    void everyNameOfEveryLevelIsThere() throws IOException {
        String document = document();
        for (IsolationLevel level : IsolationLevel.values()) {
            for (String name : level.names()) {
                assertThat(document).contains("`" + name + "`");
            }
        }
    }

    private static String document() throws IOException {
        return Files.readString(
                Path.of("").toAbsolutePath().resolveSibling("docs").resolve("levels.md"));
    }

    private static List<String> rows() {
        List<String> rows = new ArrayList<>();
        LatticeRows.ELLE.lines().skip(1).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            String name = cells[0].strip();
            String ask = OTHERWISE_NAMED.contains(name)
                    ? "–"
                    : ticked(IsolationLevel.byName(name).names());
            rows.add("| " + ask + " | " + (cells[1].isBlank() ? name : cells[1].strip()) + " | "
                    + shown(words(cells[3])) + " | " + shown(words(cells[4])) + " | " + cells[2].strip() + " |");
        });
        return rows;
    }

    private static String ticked(List<String> names) {
        StringJoiner text = new StringJoiner(" ");
        names.forEach(name -> text.add("`" + name + "`"));
        return text.toString();
    }

    private static List<String> words(String cell) {
        return Arrays.stream(cell.strip().split(" +"))
                .filter(word -> !word.isEmpty() && !word.endsWith("-cycle-exists"))
                .collect(Collectors.toList());
    }

    private static String shown(List<String> words) {
        return words.isEmpty() ? "–" : String.join(" ", words);
    }
}
