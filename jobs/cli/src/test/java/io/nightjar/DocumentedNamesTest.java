package io.nightjar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes and packages that the pages for developers name exist at the named location. */
class DocumentedNamesTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern CLASS = Pattern.compile("\\b(?:[A-Z][a-z0-9]+){2,}\\b");
    private static final Pattern PACKAGE =
            Pattern.compile("\\b(?:formats|datasets|pipeline|jobs|bench)(?:\\.[a-z]+)+(?:\\.[A-Z]\\w+)?");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface) (\\w+)");

    /** Permitted names: a class, a package below ours, or a class in one. */
    private static final Set<String> NAMES = new HashSet<>();

    @BeforeAll
    static void readSources() throws IOException {
        for (String module : List.of(
                "formats",
                "datasets",
                "pipeline",
                "jobs/command",
                "jobs/lake",
                "jobs/engine",
                "jobs/report",
                "jobs/record",
                "jobs/mock",
                "jobs/bench",
                "jobs/watch",
                "jobs/flink",
                "jobs/cli",
                "jobs/jdbc",
                "bench",
                "k8s")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    add(file);
                }
            }
        }
    }

    private static void add(Path file) throws IOException {
        TYPE.matcher(Files.readString(file)).results().forEach(type -> NAMES.add(type.group(1)));
        String path = file.toString().replaceAll(".*/java/io/nightjar/", "").replace(".java", "");
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            NAMES.add(path.substring(0, end).replace('/', '.'));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONTRIBUTING.md",
                "docs/architecture.md",
                "docs/algorithms.md",
                "formats/README.md",
                "datasets/README.md",
                "pipeline/README.md",
                "jobs/README.md"
            })
    void whatAPageNamesIsThere(String page) throws IOException {
        List<String> named = new ArrayList<>();
        Matcher code = CODE.matcher(Files.readString(ROOT.resolve(page)));
        while (code.find()) {
            CLASS.matcher(code.group(1)).results().forEach(name -> named.add(name.group()));
            PACKAGE.matcher(code.group(1)).results().forEach(name -> named.add(name.group()));
        }
        named.removeIf(DocumentedNamesTest::isOfTheJdk);

        assertThat(named).isNotEmpty();
        named.removeAll(NAMES);
        assertThat(named).as("named, and not there").isEmpty();
    }

    private static boolean isOfTheJdk(String name) {
        try {
            return Class.forName("java.lang." + name) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
