package io.nightjar.jobs.bench;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.jobs.JsonMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The measurements of JMH, from the files that its {@code -rf json} writes. */
final class KernelTable {

    private KernelTable() {}

    /** Returns the files of a folder of results, in the order of their names. */
    static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("kernels.*\\.json"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the rows of a table, its head first. */
    static List<List<String>> rows(List<Path> jsons) throws IOException {
        Map<String, List<String>> byName = new TreeMap<>();
        for (Path json : jsons) {
            try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
                parser.nextToken();
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    List<String> row = row(JsonMembers.of(parser).values());
                    byName.put(row.get(0) + " " + row.get(1), row);
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("kernel", "on", "score", "error", "bytes allocated"));
        rows.addAll(byName.values());
        return rows;
    }

    private static List<String> row(Map<String, Object> one) {
        String benchmark = requireNonNull(one.get("benchmark")).toString();
        StringJoiner parameters = new StringJoiner(", ");
        if (one.get("params") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> parameters.add(name + " " + value));
        }
        Map<String, Object> metric = ResultsFile.map(one.get("primaryMetric"));
        String unit = requireNonNull(metric.get("scoreUnit")).toString();
        return List.of(
                "`" + benchmark.substring(benchmark.lastIndexOf('.') + 1) + "`",
                parameters.toString(),
                number(metric.get("score")) + " " + unit,
                error(metric.get("score"), metric.get("scoreError")),
                allocated(ResultsFile.map(one.get("secondaryMetrics"))));
    }

    /** Returns the error in percent of the score, so that unreliable scores are easy to see. */
    private static String error(@Nullable Object score, @Nullable Object error) {
        return score instanceof Number of && error instanceof Number by && of.doubleValue() > 0
                ? String.format(Locale.ROOT, "± %.0f %%", 100 * by.doubleValue() / of.doubleValue())
                : "";
    }

    private static String allocated(Map<String, Object> secondary) {
        for (Map.Entry<String, Object> metric : secondary.entrySet()) {
            if (metric.getKey().endsWith("gc.alloc.rate.norm")) {
                return number(ResultsFile.map(metric.getValue()).get("score"));
            }
        }
        return "";
    }

    private static String number(@Nullable Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue())
                ? String.format(Locale.ROOT, "%,.4g", number.doubleValue())
                : "";
    }
}
