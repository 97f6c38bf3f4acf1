package io.nightjar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version is declared once, and the documents name the declared one. */
class VersionTest {

    private static final Path ROOT = Path.of("..", "..");

    @Test
    void everyModuleHasTheRevisionOfTheRoot() throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        List<String> modules = Pattern.compile("<module>([^<]+)</module>")
                .matcher(parent)
                .results()
                .map(module -> module.group(1) + "/pom.xml")
                .toList();

        assertThat(modules).hasSizeGreaterThan(15);
        for (String pom : Stream.concat(Stream.of("pom.xml"), modules.stream()).toList()) {
            Matcher version = Pattern.compile("<artifactId>nightjar[^<]*</artifactId>\\s*<version>([^<]+)</version>")
                    .matcher(Files.readString(ROOT.resolve(pom)));
            assertThat(version.find()).as(pom).isTrue();
            assertThat(version.group(1)).as(pom).isEqualTo("${revision}");
        }
    }

    @Test
    void documentsAndThePythonPackageNameTheRevision() throws IOException {
        String revision = revision();

        assertThat(Files.readString(ROOT.resolve("CITATION.cff"))).contains("\nversion: " + revision + "\n");
        assertThat(Files.readString(ROOT.resolve("CHANGELOG.md"))).contains("\n## [" + revision + "]");
        assertThat(Files.readString(ROOT.resolve("docs/api.md"))).contains("<version>" + revision + "</version>");
        assertThat(Files.readString(ROOT.resolve("docs/install.md"))).contains("nightjar-" + revision);
        assertThat(Files.readString(ROOT.resolve("jobs/python/nightjar/__init__.py")))
                .contains("__version__ = \"" + revision + "\"");
    }

    /** What Maven Central demands; the flattened POM of a module inherits all but its name and description. */
    @Test
    void pomsHaveTheMetadataOfARelease() throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        for (String element : List.of("url", "license", "developer", "email", "scm", "connection")) {
            assertThat(parent).contains("<" + element + ">");
        }
        for (String module : List.of("jobs/api", "jobs/jdbc", "jobs/bom", "formats/avro")) {
            String artifact = "nightjar-" + module.substring(module.indexOf('/') + 1);
            assertThat(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
                    .contains("<artifactId>" + artifact + "</artifactId>", "<name>", "<description>");
        }
    }

    private static String revision() throws IOException {
        Matcher revision =
                Pattern.compile("<revision>([^<]+)</revision>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(revision.find()).isTrue();
        return revision.group(1);
    }
}
