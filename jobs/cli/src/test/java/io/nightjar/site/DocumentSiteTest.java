package io.nightjar.site;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Builds the documents as a site in {@code target/site}, and follows its links. */
class DocumentSiteTest {

    private static final Path ROOT = root();
    private static final Path FOLDER = Path.of("target/site").toAbsolutePath();
    private static final Pattern LINK = Pattern.compile("<[^>]*\\s(?:href|src)=\"([^\"]*)\"");
    private static final Pattern LOADED = Pattern.compile("<(?!a\\s)\\w+[^>]*\\s(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile("<[^>]*\\sid=\"([^\"]*)\"");

    private static DocumentSite site;
    private static final Map<Path, String> pages = new HashMap<>();

    @BeforeAll
    static void buildSite() throws IOException {
        site = DocumentSite.read(ROOT);
        site.write(FOLDER);
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".html")).toList()) {
                pages.put(file, Files.readString(file));
            }
        }
    }

    @Test
    void everyLinkHasTarget() {
        List<String> broken = new ArrayList<>();
        int[] links = new int[1];
        pages.forEach((page, html) -> LINK.matcher(html)
                .results()
                .map(link -> link.group(1))
                .forEach(target -> {
                    links[0]++;
                    if (!isExternal(target) && !exists(page, target)) {
                        broken.add(FOLDER.relativize(page) + " -> " + target);
                    }
                }));

        assertThat(broken).isEmpty();
        assertThat(links[0]).isGreaterThan(1_000);
    }

    @Test
    void anchorsAreUnique() {
        pages.forEach((page, html) -> assertThat(
                        ID.matcher(html).results().map(id -> id.group(1)).toList())
                .as("%s", page)
                .doesNotHaveDuplicates());
    }

    @Test
    void everyDocumentIsInNavigation() throws IOException {
        Set<Path> documents = new HashSet<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(file -> documents.add(ROOT.relativize(file)));
        }
        documents.remove(Path.of("docs/README.md"));
        documents.add(Path.of("docs/decisions/README.md"));

        assertThat(site.kinds()).containsExactly("Tutorials", "How-to pages", "Reference", "Explanation");
        assertThat(site.navigated()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(documents);
    }

    @Test
    void pagesLoadNothingFromTheNetwork() throws IOException {
        assertThat(pages).hasSizeGreaterThan(70);
        pages.forEach((page, html) -> {
            assertThat(html)
                    .as("%s", page)
                    .doesNotContainIgnoringCase("<script")
                    .contains("<title>", "<h1");
            assertThat(LOADED.matcher(html).results().map(MatchResult::group))
                    .as("%s", page)
                    .noneMatch(DocumentSiteTest::isExternal);
        });
        assertThat(Files.readString(FOLDER.resolve("style.css"))).doesNotContain("url(", "@import", "@font-face");
    }

    private static boolean isExternal(String target) {
        return target.contains("://") || target.startsWith("mailto:");
    }

    private static boolean exists(Path page, String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path found = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.isRegularFile(found)) {
            return false;
        }
        String anchor = target.substring(hash + 1);
        return hash < 0
                || ID.matcher(pages.getOrDefault(found, "")).results().anyMatch(id -> id.group(1)
                        .equals(anchor));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("nightjar"))) {
            folder = requireNonNull(folder.getParent(), "no repository above the working directory");
        }
        return folder;
    }
}
