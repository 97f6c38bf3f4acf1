package io.nightjar.formats.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assumptions;

/** The histories with known verdicts that lie beside the repository. */
final class PublishedCases {

    static final Path FOLDER = Path.of("../../shared/cases"); // from the module's folder

    private static final Pattern CASE = Pattern.compile("\"path\": \"([^\"]+)\",\\s*\"format\": \"([^\"]+)\"");

    private PublishedCases() {}

    /**
     * One history.
     *
     * @param path a file or a directory
     * @param format as the list of verdicts calls it
     */
    record Case(Path path, String format) {}

    static List<Case> all() throws IOException {
        Path verdicts = FOLDER.resolve("verdicts.json");
        Assumptions.assumeThat(verdicts).as("shared cases are missing").exists();
        List<Case> cases = new ArrayList<>();
        Matcher matcher = CASE.matcher(Files.readString(verdicts));
        while (matcher.find()) {
            cases.add(new Case(FOLDER.resolve(matcher.group(1)), matcher.group(2)));
        }
        return cases;
    }
}
