package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.Anomaly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each type of anomaly, by a small history that shows it: it is marked where its sentence blames, and it is shrunk. */
class EveryAnomalyTest {

    private static final Pattern MARK_IN_TEXT = Pattern.compile("»(.*?)«");
    private static final Pattern FAULT_IN_SVG =
            Pattern.compile("font-weight=\"bold\" fill=\"#b3261e\">([a-z]+\\(.*?)</text>");
    private static final Pattern FAULT_IN_PAGE = Pattern.compile("<mark><bdi>(.*?)</bdi></mark>");

    @TempDir
    private Path folder;

    static List<AnomalyExamples> examples() {
        return AnomalyExamples.all();
    }

    @Test
    void everyTypeHasAnExample() {
        Set<Anomaly> types = EnumSet.allOf(Anomaly.class);
        types.removeAll(AnomalyExamples.WITHOUT_EXAMPLE);

        assertThat(examples()).extracting(AnomalyExamples::anomaly).containsExactlyInAnyOrderElementsOf(types);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void renderingsMarkReadsBlamedBySentence(AnomalyExamples example) throws IOException {
        String lake = folder.resolve("lake").toString();
        String id = found(example, write(example), lake);
        List<String> ops = new ArrayList<>();
        Set<String> txns = new TreeSet<>();
        for (String fault : example.faults()) {
            String[] words = fault.split(" ", 2);
            txns.add(words[0]);
            if (words.length > 1) {
                ops.add(words[1]);
            }
        }
        boolean hasPredicate = example.history().contains("p[t]");

        Map<String, Object> json =
                JsonTree.object(CommandRun.of("explain", lake, id, "--json").out());
        Set<String> marked = new TreeSet<>();
        for (Object txn : (List<?>) json.get("transactions")) {
            if (Boolean.TRUE.equals(((Map<?, ?>) txn).get("at_fault"))) {
                marked.add("T" + ((Map<?, ?>) txn).get("txn_id"));
            }
        }
        assertThat(marked).as("JSON").isEqualTo(txns);
        if (!hasPredicate) {
            assertThat(marks(MARK_IN_TEXT, "explain", lake, id)).as("text").isEqualTo(new TreeSet<>(ops));
            assertThat(marks(FAULT_IN_SVG, "explain", lake, id, "--svg", "-"))
                    .as("SVG")
                    .isEqualTo(new TreeSet<>(ops));
            Path page = folder.resolve("page.html");
            CommandRun.of("report", lake, "-o", page.toString());
            String html = Files.readString(page);
            if (onlyOne(html)) {
                assertThat(matches(FAULT_IN_PAGE, html)).as("page").isEqualTo(new TreeSet<>(ops));
            }
        }
        String timeline = CommandRun.of("explain", lake, id, "--timeline").out();
        for (String fault : ops.isEmpty() ? txns : ops) {
            assertThat(timeline).as("timeline").contains("× " + fault);
        }
        if (txns.isEmpty()) {
            assertThat(timeline).as("timeline").doesNotContain("×");
        }
    }

    private static boolean onlyOne(String html) {
        return matches(Pattern.compile("<code class=\"id\">(.*?)</code>"), html).size() == 1;
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("examples")
    void shrunkHistoriesShowTheSameType(AnomalyExamples example) throws IOException {
        String lake = folder.resolve("lake").toString();
        String id = found(example, write(example), lake);
        Path small = folder.resolve("small.txt");

        CommandRun run = CommandRun.of("shrink", lake, id, "-o", small.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(found(example, small, "none")).isNotNull();
    }

    private Path write(AnomalyExamples example) throws IOException {
        return Files.writeString(folder.resolve("example.txt"), example.history());
    }

    /** Returns the id of an anomaly of the type that a check finds. */
    private static String found(AnomalyExamples example, Path history, String lake) {
        CommandRun run = CommandRun.of(example.check(history.toString(), lake));
        for (Object anomaly : (List<?>) JsonTree.object(run.out()).get("anomalies")) {
            if (example.anomaly().spelling().equals(((Map<?, ?>) anomaly).get("type"))) {
                return String.valueOf(((Map<?, ?>) anomaly).get("id"));
            }
        }
        throw new AssertionError("not found: type=" + example + " " + run);
    }

    private static Set<String> marks(Pattern pattern, String... command) {
        return matches(pattern, CommandRun.of(command).out());
    }

    private static Set<String> matches(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
