package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The call of another checker and the interpretation of its output.
 *
 * @param format its input format, as {@code convert --to} names it
 * @param file the name that its history must have, or empty
 * @param command with {@code {history}}, {@code {level}}, {@code {scratch}} and variables of the environment as {@code
 * {env.NAME}}
 * @param needs variables of the environment without which it counts as not installed
 * @param levels its words for our levels; it cannot check a level without a word
 */
public record CheckerAdapter(
        String name,
        String format,
        String file,
        List<String> command,
        List<String> needs,
        Map<String, String> levels,
        Pattern holds,
        Pattern violated) {

    private static final Pattern PLACE = Pattern.compile("\\{([a-z]+|env\\.[A-Za-z_0-9]+)}");

    static CheckerAdapter parse(Path path) throws IOException {
        PlanYaml yaml = PlanYaml.parse(path.toString(), Files.readString(path));
        yaml.allow("name", "about", "format", "file", "command", "needs", "levels", "holds", "violated");
        if (!yaml.has("levels") || yaml.texts("command").isEmpty()) {
            throw yaml.wrong("command and levels are wanted");
        }
        return new CheckerAdapter(
                yaml.text("name"),
                yaml.text("format"),
                yaml.text("file", ""),
                yaml.texts("command"),
                yaml.texts("needs"),
                yaml.child("levels").texts(),
                pattern(yaml, "holds"),
                pattern(yaml, "violated"));
    }

    private static Pattern pattern(PlanYaml yaml, String name) {
        try {
            return Pattern.compile(yaml.text(name), Pattern.MULTILINE);
        } catch (PatternSyntaxException wrong) {
            throw yaml.wrong("not a regular expression: " + name + "=" + yaml.text(name));
        }
    }

    /** Returns the first missing requirement, or null. */
    @Nullable
    String missing(Map<String, String> environment) {
        for (String variable : needs) {
            if (environment.getOrDefault(variable, "").isEmpty()) {
                return "environment=" + variable;
            }
        }
        return null;
    }

    /** Returns the command's words for one history. */
    List<String> command(Path history, String level, Path scratch, Map<String, String> environment) {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            words.add(PLACE.matcher(word)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            switch (found.group(1)) {
                                case "history" -> history.toString();
                                case "level" -> levels.get(level);
                                case "scratch" -> scratch.toString();
                                default ->
                                    found.group(1).startsWith("env.")
                                            ? environment.getOrDefault(
                                                    found.group(1).substring("env.".length()), "")
                                            : found.group();
                            })));
        }
        return words;
    }

    /**
     * Returns its verdict: {@code violated} if its output contains that verdict, else {@code holds}, or {@code
     * unclear}.
     */
    String verdict(String output) {
        if (violated.matcher(output).find()) {
            return "violated";
        }
        return holds.matcher(output).find() ? "holds" : "unclear";
    }
}
