package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.registry.FormatFacts;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the formats that can be read and written, and the levels that each can prove. */
@Command(
        name = "formats",
        description = {
            "List the formats that are read and written, with the facts that a history in each can state, and so prove.",
            "For the facts that a single history states, run inspect."
        },
        footer = {"  nightjar formats", "  nightjar formats --json", "  nightjar formats --json --quiet"})
final class FormatsCommand implements Callable<Integer> {

    @Option(names = "--json", description = "One JSON object a format.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        List<FormatFacts> formats = Histories.formats();
        int width = formats.stream()
                .mapToInt(format -> String.join(", ", says(format)).length())
                .max()
                .orElse(0);
        if (!json) {
            System.out.println(line(width, "format", "extension", "may state", "so proves"));
        }
        for (FormatFacts format : formats) {
            System.out.println(
                    json
                            ? json(format)
                            : line(
                                    width,
                                    format.name(),
                                    format.extensions().isEmpty()
                                            ? ""
                                            : format.extensions().get(0),
                                    String.join(", ", says(format)),
                                    String.join("; ", proves(format))));
        }
        return ExitCode.HOLDS;
    }

    private static String line(int width, String name, String extension, String says, String proves) {
        return ("%-13s  %-11s  %-" + width + "s  %s").formatted(name, extension, says, proves);
    }

    private static List<String> says(FormatFacts format) {
        List<String> words = new ArrayList<>();
        for (ColumnGroup column : ColumnGroup.values()) {
            if (format.columns().contains(column) && column != ColumnGroup.OPERATIONS && column != ColumnGroup.EXTRA) {
                words.add(column.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            }
        }
        words.add(format.columns().contains(ColumnGroup.OPERATIONS) ? "values" : "writes in the order of commits");
        return words;
    }

    /** Returns the levels that may be decided, and the deciding evidence. */
    private static List<String> proves(FormatFacts format) {
        List<String> levels = new ArrayList<>();
        if (!format.columns().contains(ColumnGroup.OPERATIONS)) {
            return List.of("nothing about reads, which it does not have");
        }
        levels.add("rc ra cc pc si ser by values");
        if (format.columns().contains(ColumnGroup.TIMESTAMPS)) {
            levels.add("si ser cser by timestamps");
        }
        if (format.columns().contains(ColumnGroup.CLIENT_TIMES)) {
            levels.add("sser");
        }
        if (format.columns().contains(ColumnGroup.VERSIONS) && format.columns().contains(ColumnGroup.WRITERS)) {
            levels.add("ser by versions");
        }
        if (format.columns().contains(ColumnGroup.PREDICATES)) {
            levels.add("phantoms");
        }
        return levels;
    }

    private static String json(FormatFacts format) throws IOException {
        return JsonObjectText.of(out -> {
            out.writeNumberField("schema", 1);
            out.writeStringField("format", format.name());
            write(out, "extensions", format.extensions());
            out.writeBooleanField("directory", format.isFolder());
            out.writeBooleanField("reads", true);
            out.writeBooleanField("writes", format.isWritable());
            write(out, "says", says(format));
            write(out, "proves", proves(format));
        });
    }

    private static void write(JsonGenerator out, String name, List<String> words) throws IOException {
        JsonObjectText.writeTexts(out, name, words);
    }
}
