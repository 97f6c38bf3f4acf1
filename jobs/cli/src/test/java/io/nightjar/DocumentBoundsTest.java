package io.nightjar;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes of the documents, and their index of decisions. */
class DocumentBoundsTest {

    private static final int MAX_LINES = 120;
    private static final int MAX_DECISIONS = 40;
    private static final int MAX_WORDS = 42_000; // 40,000, and more for Python and object stores

    /** Made by a test from recordings of databases. */
    private static final String GENERATED_PAGE = "findings.md";

    private static final Path ROOT = root();

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CHANGELOG.md"})
    void pageFitsItsLines(String page) throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve(page))).hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void documentsFitTheirWords() throws IOException {
        Path folder = ROOT.resolve("docs");
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        names(folder).stream()
                .filter(name -> !name.equals(GENERATED_PAGE))
                .forEach(name -> pages.add(folder.resolve(name)));
        int words = 0;
        for (Path page : pages) {
            words += Files.readString(page).strip().split("\\s+").length;
        }

        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(words).isLessThanOrEqualTo(MAX_WORDS);
    }

    @Test
    void decisionsAreFewAndIndexed() throws IOException {
        Path folder = ROOT.resolve("docs/decisions");
        String index = Files.readString(folder.resolve("README.md"));
        List<String> records =
                names(folder).stream().filter(name -> !name.equals("README.md")).toList();

        assertThat(records).hasSizeBetween(1, MAX_DECISIONS);
        for (String record : records) {
            assertThat(index).contains("](" + record + ")");
            assertThat(Files.readString(folder.resolve(record))).as(record).contains("\n**Status:** ");
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".md"))
                    .toList();
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("nightjar"))) {
            folder = requireNonNull(folder.getParent(), "no repository above the working directory");
        }
        return folder;
    }
}
