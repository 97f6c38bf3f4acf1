package io.nightjar.datasets.golden;

import io.nightjar.datasets.golden.GoldenCase.Answer;
import io.nightjar.datasets.random.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the catalogue of small cases. */
public final class GoldenCatalogue {

    /*
     *   # A read that misses a committed write is stale.            the title
     *   # initial-value: 0                                          if there is one
     *   # si: violated EXT(T2,x)                                    an answer for each level, violations in short
     *   #   EXT(T2,x) expected 1 of T1 observed _ stale slack -1    the violations of that level in full
     *   # ser: holds
     *   s1 T1 [1,2]: w(x,1)                                         the history
     */

    private static final Pattern ANSWER = Pattern.compile("# ([a-z-]+): (holds|violated|undecided)((?: \\S+)*)");
    private static final Pattern DETAIL = Pattern.compile("#   (\\S.*)");

    private GoldenCatalogue() {}

    /** The catalogue of this repository, found from the working directory upwards. */
    public static List<GoldenCase> read() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null) {
            Path catalogue = directory.resolve("datasets").resolve("catalogue");
            if (Files.isDirectory(catalogue)) {
                return read(catalogue);
            }
            directory = directory.getParent();
        }
        throw new IllegalStateException("no catalogue above the working directory: folder=datasets/catalogue");
    }

    /** All cases below a folder, by name. */
    public static List<GoldenCase> read(Path catalogue) {
        try (Stream<Path> files = Files.walk(catalogue)) {
            List<GoldenCase> cases = new ArrayList<>();
            for (Path file : files.filter(each -> each.toString().endsWith(".txt"))
                    .sorted()
                    .toList()) {
                String name = catalogue.relativize(file).toString().replace('\\', '/');
                cases.add(parse(name.substring(0, name.length() - ".txt".length()), file, Files.readString(file)));
            }
            return cases;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static GoldenCase parse(String name, Path file, String text) {
        String title = null;
        Map<IsolationLevel, Answer> expected = new EnumMap<>(IsolationLevel.class);
        IsolationLevel level = null;
        for (String line : text.split("\n")) {
            Matcher answer = ANSWER.matcher(line);
            Matcher detail = DETAIL.matcher(line);
            if (answer.matches()) {
                level = level(name, answer.group(1));
                expected.put(level, answer(answer.group(2), answer.group(3)));
            } else if (detail.matches() && level != null) {
                expected.put(level, withDetail(expected.get(level), detail.group(1)));
            } else if (title == null && line.startsWith("# ")) {
                title = line.substring(2);
            }
        }
        if (title == null || expected.isEmpty()) {
            throw new IllegalArgumentException("a case needs a title and an answer: case=" + name);
        }
        return new GoldenCase(name, title, file, SmallHistory.parse(text), expected);
    }

    private static IsolationLevel level(String name, String word) {
        IsolationLevel level = IsolationLevel.byName(word);
        if (level == null) {
            throw new IllegalArgumentException("unknown level: case=" + name + " level=" + word);
        }
        return level;
    }

    private static Answer answer(String verdict, String violations) {
        List<String> names = violations.isBlank()
                ? List.of()
                : Stream.of(violations.strip().split(" ")).sorted().toList();
        return new Answer(Verdict.valueOf(verdict.toUpperCase(Locale.ROOT)), names, List.of());
    }

    private static Answer withDetail(Answer answer, String detail) {
        List<String> details = new ArrayList<>(answer.details());
        details.add(detail);
        return new Answer(answer.verdict(), answer.violations(), details);
    }
}
