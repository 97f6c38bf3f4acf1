package io.nightjar.jobs.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.jobs.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The histories with known verdicts that lie beside the repository. */
final class PublishedCases {

    static final Path FOLDER = repositoryRoot().resolve("../shared/cases").normalize();

    private PublishedCases() {}

    /** The list in a file of verdicts; skips the test where the folder is missing. */
    static List<Map<String, Object>> of(String file) throws IOException {
        Path verdicts = FOLDER.resolve(file);
        assumeTrue(Files.exists(verdicts), "cases are not there: file=" + verdicts);
        String text = Files.readString(verdicts).strip();
        return JsonTree.at(JsonTree.object(text.startsWith("[") ? "{\"cases\":" + text + "}" : text), "cases");
    }

    private static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("nightjar"))) {
            folder = folder.getParent();
        }
        return folder == null ? Path.of("").toAbsolutePath() : folder;
    }
}
