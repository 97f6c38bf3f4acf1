package io.nightjar.jobs.bench;

import io.nightjar.formats.level.SpellingSuggestions;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Finds plans and adapters by name and reads them. */
public final class PlanReader {

    private static final String EXTENSION = ".yaml";
    private static final List<String> QUANTITIES = List.of("wall", "cpu", "rss", "flips");

    private final Path plans;
    private final Path rivals;

    /** @param bench the folder that has {@code plans} and {@code rivals} */
    public PlanReader(Path bench) {
        this.plans = bench.resolve("plans");
        this.rivals = bench.resolve("rivals");
    }

    /** Returns the names of the bundled plans, in order. */
    public List<String> names() throws IOException {
        return namesIn(plans);
    }

    private static List<String> namesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(EXTENSION))
                    .map(name -> name.substring(0, name.length() - EXTENSION.length()))
                    .sorted()
                    .toList();
        }
    }

    /** Returns a bundled plan, or a plan in a file. */
    public BenchPlan plan(String named) throws IOException {
        return parse(find(named, plans, "plan"));
    }

    /** Returns a bundled adapter, or an adapter in a file. */
    public CheckerAdapter rival(String named) throws IOException {
        return CheckerAdapter.parse(find(named, rivals, "rival"));
    }

    private static Path find(String named, Path folder, String what) throws IOException {
        Path along = folder.resolve(named + EXTENSION);
        if (!named.contains("/") && Files.isRegularFile(along)) {
            return along;
        }
        Path file = Path.of(named);
        if (Files.isRegularFile(file)) {
            return file;
        }
        List<String> names = namesIn(folder);
        throw new UsageException("no such " + what + ": name=" + named
                + SpellingSuggestions.hint(named, names, " known=" + String.join(",", names)));
    }

    private static BenchPlan parse(Path file) throws IOException {
        PlanYaml yaml = PlanYaml.parse(file.toString(), Files.readString(file));
        yaml.allow("title source summary runs timeout memory-cap x panels settings series draw position".split(" "));
        String name = file.getFileName().toString();
        List<BenchPlan.Series> series = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (PlanYaml one : yaml.children("series")) {
            series.add(series(one));
            if (!names.add(series.get(series.size() - 1).name())) {
                throw one.wrong("two series of one name: name=" + one.text("name"));
            }
        }
        if (series.isEmpty()) {
            throw yaml.wrong("nothing to measure: name=series");
        }
        for (BenchPlan.Series one : series) {
            if (one.goal() != null
                    && !one.goal().to().isEmpty()
                    && !names.contains(one.goal().to())) {
                throw yaml.wrong("no series has that name: to=" + one.goal().to());
            }
        }
        String draw = yaml.text("draw", "wall");
        if (!QUANTITIES.contains(draw)) {
            throw yaml.wrong("unknown quantity: draw=" + draw + " known=" + String.join(",", QUANTITIES));
        }
        return new BenchPlan(
                new BenchPlan.Heading(
                        name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name,
                        yaml.text("title"),
                        yaml.text("source", ""),
                        yaml.text("summary", "").strip(),
                        yaml.number("position", 100)),
                new BenchPlan.Limits(
                        yaml.number("runs", 3), seconds(yaml, "timeout", "10m"), bytes(yaml, "memory-cap", "16g")),
                yaml.has("x") ? axis(yaml.child("x")) : BenchPlan.Axis.NONE,
                yaml.has("panels") ? axis(yaml.child("panels")) : null,
                yaml.has("settings") ? settings(yaml.child("settings")) : Map.of(),
                series,
                draw);
    }

    private static BenchPlan.Axis axis(PlanYaml yaml) {
        yaml.allow("vary", "values", "label", "scale", "with");
        String setting = yaml.text("vary");
        known(yaml, setting);
        List<String> values = yaml.texts("values");
        if (values.isEmpty()) {
            throw yaml.wrong("no values: vary=" + setting);
        }
        values.forEach(value -> checkValue(yaml, setting, value));
        return new BenchPlan.Axis(
                setting,
                yaml.text("label", setting),
                spacing(yaml),
                values,
                yaml.has("with") ? along(yaml.child("with"), values.size()) : Map.of());
    }

    private static BenchPlan.Spacing spacing(PlanYaml yaml) {
        String word = yaml.text("scale", "linear");
        for (BenchPlan.Spacing spacing : BenchPlan.Spacing.values()) {
            if (spacing.name().toLowerCase(Locale.ROOT).equals(word)) {
                return spacing;
            }
        }
        throw yaml.wrong("unknown scale: scale=" + word + " known=linear,log,even");
    }

    private static Map<String, List<String>> along(PlanYaml yaml, int count) {
        Map<String, List<String>> along = new LinkedHashMap<>();
        for (String name : yaml.names()) {
            known(yaml, name);
            along.put(name, yaml.texts(name));
            along.get(name).forEach(value -> checkValue(yaml, name, value));
            if (along.get(name).size() != count) {
                throw yaml.wrong("as many values as the axis has are wanted: name=" + name + " values=" + count);
            }
        }
        return along;
    }

    private static BenchPlan.Series series(PlanYaml yaml) {
        yaml.allow("name", "rival", "goal", "limit", "settings");
        return new BenchPlan.Series(
                yaml.text("name"),
                yaml.has("rival") ? yaml.text("rival") : null,
                yaml.has("goal") ? goal(yaml.child("goal")) : null,
                yaml.text("limit", ""),
                yaml.has("settings") ? settings(yaml.child("settings")) : Map.of());
    }

    private static Goal goal(PlanYaml yaml) {
        yaml.allow("wall", "cpu", "rss", "to");
        String to = yaml.text("to", "");
        Map<String, Double> max = new LinkedHashMap<>();
        for (String quantity : Goal.QUANTITIES) {
            if (yaml.has(quantity)) {
                String text = yaml.text(quantity);
                if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                    throw yaml.wrong("a ratio or a number of megabytes is wanted: " + quantity + "=" + text);
                }
                if (Goal.isRatio(quantity) && to.isEmpty()) {
                    throw yaml.wrong("a ratio to which series? name=to " + quantity + "=" + text);
                }
                max.put(quantity, Double.parseDouble(text));
            }
        }
        if (max.isEmpty()) {
            throw yaml.wrong("a goal of an unknown quantity: known=" + String.join(",", Goal.QUANTITIES));
        }
        return new Goal(max, to);
    }

    private static Map<String, String> settings(PlanYaml yaml) {
        Map<String, String> settings = yaml.texts();
        settings.forEach((name, value) -> {
            known(yaml, name);
            checkValue(yaml, name, value);
        });
        return settings;
    }

    private static void checkValue(PlanYaml yaml, String name, String value) {
        String wanted = PointSettings.wanted(name, value);
        if (wanted != null) {
            throw yaml.wrong(wanted + " is wanted: " + name + "=" + value);
        }
    }

    private static void known(PlanYaml yaml, String setting) {
        if (!PointSettings.isKnown(setting)) {
            throw yaml.wrong("unknown setting: name=" + setting
                    + SpellingSuggestions.hint(
                            setting, PointSettings.known(), " known=" + String.join(",", PointSettings.known())));
        }
    }

    private static long seconds(PlanYaml yaml, String name, String otherwise) {
        String text = yaml.text(name, otherwise);
        long unit = text.endsWith("h") ? 3600 : text.endsWith("m") ? 60 : text.endsWith("s") ? 1 : 0;
        return number(yaml, name, text, unit);
    }

    private static long bytes(PlanYaml yaml, String name, String otherwise) {
        String text = yaml.text(name, otherwise);
        long unit = text.endsWith("g") ? 1L << 30 : text.endsWith("m") ? 1L << 20 : 0;
        return number(yaml, name, text, unit);
    }

    private static long number(PlanYaml yaml, String name, String text, long unit) {
        if (unit == 0 || !text.matches("[1-9][0-9]{0,6}[a-z]")) {
            throw yaml.wrong("a number with its unit is wanted, like " + (name.equals("timeout") ? "10m" : "8g") + ": "
                    + name + "=" + text);
        }
        return Long.parseLong(text.substring(0, text.length() - 1)) * unit;
    }
}
