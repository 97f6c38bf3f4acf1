package io.nightjar;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes of the documents, their index of decisions, and the targets of their links. */
class DocumentBoundsTest {

    private static final int MAX_LINES = 120;
    private static final int MAX_DECISIONS = 40;
    private static final int MAX_WORDS = 42_000; // 40,000, and more for Python and object stores

    /** Made by a test from recordings of databases. */
    private static final String GENERATED_PAGE = "findings.md";

    private static final Path ROOT = root();
    private static final Pattern FENCED = Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]*)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

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

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            String text = FENCED.matcher(Files.readString(page)).replaceAll("");
            LINK.matcher(text).results().map(link -> link.group(1)).forEach(target -> {
                if (!isExternal(target) && !exists(page, target)) {
                    broken.add(ROOT.relativize(page) + " -> " + target);
                }
            });
        }
        assertThat(broken).isEmpty();
    }

    private static boolean isExternal(String target) {
        return target.contains("://") || target.startsWith("mailto:");
    }

    private static boolean exists(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        try {
            return parts.length == 1 || anchors(file).contains(parts[1]);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the anchors of a page as hosts of repositories derive them from headings. */
    private static Set<String> anchors(Path page) throws IOException {
        String text = FENCED.matcher(Files.readString(page)).replaceAll("");
        Set<String> anchors = new HashSet<>();
        ANCHOR.matcher(text).results().forEach(anchor -> anchors.add(anchor.group(1)));
        HEADING.matcher(text)
                .results()
                .forEach(heading -> anchors.add(heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-')));
        return anchors;
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !ROOT.relativize(file).toString().matches(".*(?:^|/)(?:target|src|\\.[^/]+)/.*"))
                    .forEach(pages::add);
        }
        return pages;
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
