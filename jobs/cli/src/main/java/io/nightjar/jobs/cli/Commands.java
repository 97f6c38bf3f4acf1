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

import io.nightjar.jobs.command.CommandProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The commands by name, and the common part of their help texts. */
final class Commands {

    /** Names of commands in the order of the help; commands of other modules may be absent, or follow these. */
    private static final List<String> ORDER =
            List.of(("check inspect convert generate record mock explore watch explain report serve shrink sql "
                            + "diff verdict lake bench formats cluster demo completion package")
                    .split(" "));

    /**
     * Commands that other modules provide, with the add-on of each; {@link ServiceLoader} opens every jar, so it is
     * used for these only.
     */
    private static final Map<String, String> ADD_ON_OF = Map.of(
            "bench", "bench",
            "cluster", "flink",
            "explore", "mock",
            "mock", "mock",
            "record", "record",
            "watch", "watch");

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
        Set<String> provided = new TreeSet<>();
        providers().forEach(provider -> provided.addAll(provider.names()));
        List<String> names = new ArrayList<>();
        for (String name : ORDER) {
            if (!ADD_ON_OF.containsKey(name) || provided.contains(name)) {
                names.add(name);
            }
        }
        provided.removeAll(names);
        names.addAll(provided);
        return names;
    }

    /** Returns whether this distribution has the command; for a command of this module no provider is loaded. */
    static boolean has(String name) {
        return ORDER.contains(name) && !ADD_ON_OF.containsKey(name)
                || providerOf(name).isPresent();
    }

    /** Returns the add-on with a command, or null for a command of the core. */
    static @Nullable String addOnOf(String name) {
        return ADD_ON_OF.get(name);
    }

    private static ServiceLoader<CommandProvider> providers() {
        return ServiceLoader.load(CommandProvider.class, CommandProvider.class.getClassLoader());
    }

    private static Optional<CommandProvider> providerOf(String name) {
        for (CommandProvider provider : providers()) {
            if (provider.names().contains(name)) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }

    /** Returns the command line with some of its commands; a call of one command loads no other. */
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

    /**
     * Adds the examples that a help text begins with; a command carries them as its footer, since its header is for
     * lists.
     */
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

    /** Creates a command; a switch, so that a call of one command loads no class of another. */
    private static Object instance(String name) {
        return switch (name) {
            case "check" -> new CheckCommand();
            case "inspect" -> new InspectCommand();
            case "convert" -> new ConvertCommand();
            case "generate" -> new GenerateCommand();
            case "explain" -> new ExplainCommand();
            case "report" -> new ReportCommand();
            case "serve" -> new ServeCommand();
            case "shrink" -> new ShrinkCommand();
            case "sql" -> new SqlCommand();
            case "diff" -> new DiffCommand();
            case "verdict" -> new VerdictCommand();
            case "lake" -> new LakeCommand();
            case "formats" -> new FormatsCommand();
            case "demo" -> new DemoCommand();
            case "completion" -> new CompletionCommand();
            case "package" -> new PackageCommand();
            default -> providerOf(name).orElseThrow().create(name);
        };
    }
}
