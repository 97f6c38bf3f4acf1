package io.nightjar.jobs.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/** The commands by name. A command that is not on the class path does not exist for the user. */
final class Commands {

    private static final List<String> NAMES =
            List.of("check", "inspect", "convert", "generate", "explain", "sql", "demo", "completion");

    private Commands() {}

    /** The commands that exist, in the order of the help. */
    static List<String> names() {
        List<String> names = new ArrayList<>(NAMES);
        names.removeIf(name -> load(name) == null);
        return names;
    }

    /** Whether there is a command of this name. */
    static boolean has(String name) {
        return NAMES.contains(name) && load(name) != null;
    }

    /** The command line with some of its commands; a call of one command loads no other. */
    static CommandLine commandLine(Root root, List<String> names) {
        CommandLine commandLine = new CommandLine(root);
        for (String name : names) {
            CommandLine command = new CommandLine(instance(load(name)));
            command.getCommandSpec().usageMessage().headerHeading("Examples:%n");
            commandLine.addSubcommand(name, command);
        }
        commandLine.getCommandSpec().usageMessage().headerHeading("Examples:%n");
        return commandLine;
    }

    private static Class<?> load(String name) {
        String simpleName = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + "Command";
        try {
            return Class.forName(Commands.class.getPackageName() + "." + simpleName);
        } catch (ClassNotFoundException notBuilt) {
            return null;
        }
    }

    private static Object instance(Class<?> command) {
        try {
            return command.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("cannot happen: command has no plain constructor: " + command, impossible);
        }
    }
}
