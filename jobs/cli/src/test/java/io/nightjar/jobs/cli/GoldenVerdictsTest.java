package io.nightjar.jobs.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Verdicts, anomaly ids and fingerprints of 2,000 generated histories and of all published ones equal the recorded
 * golden values, so that a change of structure shows when it changes a verdict.
 */
class GoldenVerdictsTest {

    /*
     * Layout of a golden file: one line per history and evidence, with tab-separated columns
     *
     *   name        generator and seed, or path among the published cases
     *   evidence    the value of --evidence
     *   verdicts    one letter per level of LEVELS: h(olds), v(iolated), u(ndecided); or "rejected", "failed"
     *   anomalies   count per type and weakest level violated
     *   digest      hash of the sorted ids and fingerprints
     *
     * An intended change is recorded by running the test with -Dnightjar.golden=write; the commit lists it.
     */

    private static final String LEVELS =
            "rc,ra,cc,pc,si,ser,sser,PL-1,PL-2,PL-2.99,PL-SI,PL-3,strong-session-serializable";
    private static final int HISTORIES_PER_CALL = 400;

    @TempDir
    private Path folder;

    private record Input(String name, Path file, List<String> options) {}

    @Tag(Seeds.TAG)
    @Test
    void generatedHistoriesKeepTheirAnswers() throws IOException {
        List<Input> byTimestamps = new ArrayList<>(written("history", 1_200, RandomHistory::of));
        List<Input> byValues = new ArrayList<>(byTimestamps);
        byValues.addAll(written("reads", 800, RandomReads::of));
        List<String> lines = answers(byTimestamps, "timestamps");
        lines.addAll(answers(byValues, "values"));
        compare("generated.tsv", lines, Seeds.areAll());
    }

    @Test
    void publishedHistoriesKeepTheirAnswers() throws IOException {
        List<Input> inputs = new ArrayList<>();
        for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
            String path = JsonTree.at(known, "path");
            List<String> options = new ArrayList<>();
            if (path.startsWith("chronos/")) {
                options.addAll(List.of("--initial-value", "0"));
            }
            if (JsonTree.at(known, "format").equals("awdit-test")) {
                options.addAll(List.of("--from", "awdit"));
            }
            inputs.add(new Input(path, PublishedCases.at(path), options));
        }
        Path elle = PublishedCases.at("elle");
        try (Stream<Path> files = Files.walk(elle)) {
            files.filter(file -> file.toString().endsWith(".edn"))
                    .sorted()
                    .forEach(file -> inputs.add(new Input("elle/" + elle.relativize(file), file, List.of())));
        }
        compare("published.tsv", answers(inputs, "auto"), true);
    }

    private List<Input> written(String generator, int count, LongFunction<SmallHistory> generate) throws IOException {
        List<Input> inputs = new ArrayList<>();
        for (long seed = 1; seed <= Math.min(count, Seeds.rounds(count)); seed++) {
            SmallHistory history = generate.apply(seed);
            String name = generator + "-" + seed;
            Path file = folder.resolve(name + ".txt");
            Files.writeString(file, history.toText());
            List<String> options =
                    history.initialValue() == null ? List.of() : List.of("--initial-value", history.initialValue());
            inputs.add(new Input(name, file, options));
        }
        return inputs;
    }

    /** Returns the golden lines of some histories, which are checked in as few calls as their options allow. */
    private List<String> answers(List<Input> inputs, String evidence) throws IOException {
        Map<String, String> lineOf = new TreeMap<>();
        for (Map.Entry<List<String>, List<Input>> sameOptions :
                inputs.stream().collect(groupingBy(Input::options)).entrySet()) {
            List<Input> all = sameOptions.getValue();
            for (int first = 0; first < all.size(); first += HISTORIES_PER_CALL) {
                List<Input> some = all.subList(first, Math.min(all.size(), first + HISTORIES_PER_CALL));
                lineOf.putAll(answers(some, sameOptions.getKey(), evidence));
            }
        }
        List<String> lines = new ArrayList<>();
        for (Input input : inputs) {
            lines.add(input.name() + '\t' + evidence + '\t' + lineOf.get(input.name()));
        }
        return lines;
    }

    private Map<String, String> answers(List<Input> inputs, List<String> options, String evidence) throws IOException {
        Path lake = Files.createTempDirectory(folder, "lake");
        List<String> args = new ArrayList<>(List.of("check", "--json", "--level", LEVELS, "--evidence", evidence));
        args.addAll(List.of("--lake", lake.toString(), "--max-anomalies", "0"));
        args.addAll(options);
        inputs.forEach(input -> args.add(input.file().toString()));
        List<Map<String, Object>> results =
                JsonTree.lines(CommandRun.of(args.toArray(new String[0])).out());
        assertThat(results).hasSameSizeAs(inputs);

        Map<String, List<Map<String, Object>>> anomaliesOf = CommandRun.rows(
                        lake,
                        "SELECT run_id, anomaly_type, coalesce(level_violated, '-') AS level, anomaly_id, fingerprint"
                                + " FROM anomalies ORDER BY ALL")
                .stream()
                .collect(groupingBy(row -> JsonTree.at(row, "run_id")));
        Map<String, String> answers = new TreeMap<>();
        for (int i = 0; i < inputs.size(); i++) {
            Map<String, Object> result = results.get(i);
            String verdicts = verdicts(result);
            List<Map<String, Object>> anomalies = anomaliesOf.getOrDefault(result.get("run_id"), List.of());
            answers.put(inputs.get(i).name(), verdicts + '\t' + counts(anomalies) + '\t' + digest(anomalies));
        }
        return answers;
    }

    private static String verdicts(Map<String, Object> result) {
        if (!result.containsKey("levels")) {
            return result.get("verdict").toString();
        }
        Map<String, Map<String, Object>> levels = JsonTree.at(result, "levels");
        return levels.values().stream()
                .map(level -> level.get("verdict").toString().substring(0, 1))
                .collect(Collectors.joining());
    }

    private static String counts(List<Map<String, Object>> anomalies) {
        Map<String, Long> counts = anomalies.stream()
                .collect(groupingBy(
                        row -> row.get("anomaly_type") + "@" + row.get("level"), TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(count -> count.getKey() + ":" + count.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String digest(List<Map<String, Object>> anomalies) {
        if (anomalies.isEmpty()) {
            return "-";
        }
        String all = anomalies.stream()
                .map(row -> row.get("anomaly_id") + " " + row.get("fingerprint"))
                .sorted()
                .collect(Collectors.joining("\n"));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void compare(String golden, List<String> lines, boolean areAll) throws IOException {
        if ("write".equals(System.getProperty("nightjar.golden"))) {
            Files.write(Path.of("src/test/resources/golden", golden), lines);
            return;
        }
        List<String> recorded;
        try (InputStream in = GoldenVerdictsTest.class.getResourceAsStream("/golden/" + golden)) {
            recorded = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        Map<String, String> wanted = recorded.stream().collect(toMap(GoldenVerdictsTest::question, line -> line));
        if (areAll) {
            assertThat(lines).hasSameSizeAs(recorded);
        }
        List<String> changes = lines.stream()
                .filter(line -> !line.equals(wanted.get(question(line))))
                .map(line -> "\nwas " + wanted.get(question(line)) + "\nis  " + line)
                .toList();
        assertThat(changes).as("changed answers of %s", golden).isEmpty();
    }

    /** Returns the name and the evidence of a golden line. */
    private static String question(String line) {
        return line.substring(0, line.indexOf('\t', line.indexOf('\t') + 1));
    }
}
