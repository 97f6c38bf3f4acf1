package io.nightjar.jobs.cli;

import io.nightjar.formats.level.SpellingSuggestions;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options of a command in a file, by their long names: {@code level: si,ser}, a line each, with comments after {@code
 * #}. Options on the command line have precedence.
 */
final class ConfigFile implements IDefaultValueProvider {

    private static final String OPTION = "--config";

    private static final Pattern LINE =
            Pattern.compile("\\s*([A-Za-z][A-Za-z0-9-]*)\\s*[:=]\\s*(\"[^\"]*\"|'[^']*'|[^#]*?)\\s*(?:#.*)?");

    private final Path file;
    private final Map<String, String> values;

    private ConfigFile(Path file, Map<String, String> values) {
        this.file = file;
        this.values = values;
    }

    /** Returns the file that a command line names; null if it names none. */
    static @Nullable Path namedIn(List<String> arguments) {
        Path named = null;
        String previous = "";
        for (String argument : arguments) {
            if (argument.equals("--")) {
                break;
            }
            if (previous.equals(OPTION)) {
                named = Path.of(argument);
            } else if (argument.startsWith(OPTION + "=")) {
                named = Path.of(argument.substring(OPTION.length() + 1));
            }
            previous = argument;
        }
        return named;
    }

    /** @throws UsageException if it is not a file of options */
    static ConfigFile read(Path file) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        int row = 0;
        for (String line : linesOf(file)) {
            row++;
            if (line.isBlank() || line.strip().startsWith("#") || line.strip().equals("---")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new UsageException("[" + file + " line=" + row + "] not an option: text=" + line.strip()
                        + "; a line is a name, a colon and a value, such as level: si,ser");
            }
            String value = matcher.group(2);
            boolean isQuoted = value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"));
            String before = values.put(matcher.group(1), isQuoted ? value.substring(1, value.length() - 1) : value);
            if (before != null) {
                throw new UsageException(
                        "[" + file + " line=" + row + "] option given twice: name=" + matcher.group(1));
            }
        }
        return new ConfigFile(file, values);
    }

    private static List<String> linesOf(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw new UsageException("no such file: config=" + file, missing);
        } catch (CharacterCodingException garbled) {
            throw new UsageException("[" + file + "] not text in UTF-8", garbled);
        }
    }

    /** Returns the value of an option, or null. */
    @Nullable
    String value(String name) {
        return values.get(name);
    }

    /** @throws UsageException if it names an option that the command does not have */
    void check(CommandSpec command) {
        List<String> known = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            known.add(option.longestName().replaceFirst("^-+", ""));
        }
        for (String name : values.keySet()) {
            if (!known.contains(name) || name.equals("config")) {
                throw new UsageException("[" + file + "] unknown option: name=" + name + " command=" + command.name()
                        + SpellingSuggestions.hint(name, known, ""));
            }
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? values.get(option.longestName().replaceFirst("^-+", ""))
                : null;
    }
}
