package io.nightjar.jobs.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_PARAMETER_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING;

import java.util.List;
import picocli.CommandLine;

/** The commands by name, and what all their help texts share. */
final class Commands {

    private static final List<String> NAMES = List.of(
            "check",
            "inspect",
            "convert",
            "generate",
            "record",
            "mock",
            "explore",
            "watch",
            "explain",
            "report",
            "serve",
            "shrink",
            "sql",
            "diff",
            "verdict",
            "lake",
            "bench",
            "formats",
            "cluster",
            "demo",
            "completion",
            "package");

    private static final List<String> SECTIONS = List.of(
            SECTION_KEY_FOOTER_HEADING,
            SECTION_KEY_FOOTER,
            SECTION_KEY_SYNOPSIS_HEADING,
            SECTION_KEY_SYNOPSIS,
            SECTION_KEY_DESCRIPTION_HEADING,
            SECTION_KEY_DESCRIPTION,
            SECTION_KEY_PARAMETER_LIST_HEADING,
            SECTION_KEY_PARAMETER_LIST,
            SECTION_KEY_OPTION_LIST_HEADING,
            SECTION_KEY_OPTION_LIST,
            SECTION_KEY_COMMAND_LIST_HEADING,
            SECTION_KEY_COMMAND_LIST,
            SECTION_KEY_EXIT_CODE_LIST_HEADING,
            SECTION_KEY_EXIT_CODE_LIST);

    private Commands() {}

    /** Returns the names of all commands, in the order of the help. */
    static List<String> names() {
        return NAMES;
    }

    /** Whether there is a command of this name. */
    static boolean has(String name) {
        return NAMES.contains(name);
    }

    /** The command line with some of its commands; a call of one command loads no other. */
    static CommandLine commandLine(Root root, List<String> names) {
        CommandLine commandLine = new CommandLine(root);
        for (String name : names) {
            CommandLine command = new CommandLine(instance(name));
            describe(command);
            commandLine.addSubcommand(name, command);
        }
        describe(commandLine);
        return commandLine;
    }

    /** A help text begins with examples; a command carries them as its footer, since its header is for lists. */
    private static void describe(CommandLine command) {
        command.getCommandSpec()
                .usageMessage()
                .sectionKeys(SECTIONS)
                .footerHeading("Examples:%n")
                .synopsisHeading("%nUsage: ")
                .descriptionHeading("%n")
                .parameterListHeading("%nArguments:%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .sortOptions(false)
                .abbreviateSynopsis(true);
    }

    /** A switch, so that a call of one command loads no other's classes. */
    private static Object instance(String name) {
        return switch (name) {
            case "check" -> new CheckCommand();
            case "inspect" -> new InspectCommand();
            case "convert" -> new ConvertCommand();
            case "generate" -> new GenerateCommand();
            case "record" -> new RecordCommand();
            case "mock" -> new MockCommand();
            case "explore" -> new ExploreCommand();
            case "watch" -> new WatchCommand();
            case "explain" -> new ExplainCommand();
            case "report" -> new ReportCommand();
            case "serve" -> new ServeCommand();
            case "shrink" -> new ShrinkCommand();
            case "sql" -> new SqlCommand();
            case "bench" -> new BenchCommand();
            case "diff" -> new DiffCommand();
            case "verdict" -> new VerdictCommand();
            case "lake" -> new LakeCommand();
            case "formats" -> new FormatsCommand();
            case "cluster" -> new ClusterCommand();
            case "demo" -> new DemoCommand();
            case "completion" -> new CompletionCommand();
            case "package" -> new PackageCommand();
            default -> throw new AssertionError("cannot happen: unknown command: name=" + name);
        };
    }
}
