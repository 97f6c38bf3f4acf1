package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual pages of all commands, from the same definitions as their help. */
final class ManPages {

    private ManPages() {}

    /**
     * Texts in the language of {@code man}, by the names of their files: {@code nightjar.1}, {@code nightjar-check.1}.
     */
    static Map<String, String> all() {
        CommandLine root = Commands.commandLine(new Root(), Commands.names());
        Map<String, String> pages = new LinkedHashMap<>();
        add("nightjar", root, pages);
        return pages;
    }

    private static void add(String name, CommandLine command, Map<String, String> pages) {
        pages.put(name.replace(' ', '-') + ".1", page(name, command));
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            add(name + " " + sub.getKey(), sub.getValue(), pages);
        }
    }

    private static String page(String name, CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        StringBuilder page = new StringBuilder();
        String title = name.replace(' ', '-');
        String[] description = spec.usageMessage().description();
        page.append(".TH \"" + title.toUpperCase(java.util.Locale.ROOT) + "\" 1 \"\" \"nightjar "
                + escaped(Version.number()) + "\"\n.SH NAME\n" + escaped(title) + " \\- "
                + escaped(firstSentence(description)) + "\n.SH SYNOPSIS\n"
                + escaped(command.getHelp().synopsis(0).strip().replaceAll("\\s+", " ")) + "\n.SH DESCRIPTION\n");
        for (String paragraph : description) {
            page.append(paragraph.isBlank() ? ".PP\n" : escaped(plain(paragraph)) + "\n.PP\n");
        }
        if (!spec.positionalParameters().isEmpty()) {
            page.append(".SH ARGUMENTS\n");
            for (PositionalParamSpec parameter : spec.positionalParameters()) {
                item(page, parameter.paramLabel(), parameter);
            }
        }
        page.append(".SH OPTIONS\n");
        for (OptionSpec option : spec.options()) {
            String label =
                    String.join(", ", option.names()) + (option.arity().max() > 0 ? "=" + option.paramLabel() : "");
            item(page, label, option);
        }
        if (!command.getSubcommands().isEmpty()) {
            page.append(".SH COMMANDS\n");
            command.getSubcommands().forEach((sub, line) -> page.append(".TP\n\\fB")
                    .append(escaped(title + "-" + sub))
                    .append("\\fR(1)\n")
                    .append(escaped(
                            firstSentence(line.getCommandSpec().usageMessage().description())))
                    .append('\n'));
        }
        Map<String, String> codes = spec.root().usageMessage().exitCodeList();
        page.append(".SH EXIT STATUS\n");
        codes.forEach((code, meaning) -> page.append(".TP\n")
                .append(escaped(code.strip()))
                .append('\n')
                .append(escaped(meaning))
                .append('\n'));
        page.append(".SH EXAMPLES\n.nf\n");
        for (String example : spec.usageMessage().footer()) {
            page.append(escaped(example.strip())).append('\n');
        }
        return page.append(".fi\n").toString();
    }

    private static void item(StringBuilder page, String label, ArgSpec argument) {
        page.append(".TP\n\\fB").append(escaped(label)).append("\\fR\n");
        StringBuilder text = new StringBuilder();
        for (String line : argument.description()) {
            text.append(text.isEmpty() ? "" : " ").append(line);
        }
        String candidates =
                argument.completionCandidates() == null ? "" : String.join(", ", argument.completionCandidates());
        page.append(escaped(plain(text.toString()
                        .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
                        .replace("${COMPLETION-CANDIDATES}", candidates))))
                .append('\n');
    }

    private static String plain(String markup) {
        return Ansi.OFF.string(markup).replace("%n", " ").replace("%%", "%");
    }

    private static String firstSentence(String... description) {
        String first = description.length == 0 ? "" : plain(description[0]);
        int end = first.indexOf(". ");
        String sentence = end < 0 ? first : first.substring(0, end);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** Escapes text: in the language, commands begin with a dot or an apostrophe, and escapes with a backslash. */
    private static String escaped(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-");
        StringBuilder ascii = new StringBuilder();
        safe.codePoints().forEach(c -> {
            if (c < 128) {
                ascii.appendCodePoint(c);
            } else {
                ascii.append(String.format("\\[u%04X]", c));
            }
        });
        String line = ascii.toString();
        return line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line;
    }
}
