package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.level.SpellingSuggestions;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.command.LocalPathConverter;
import io.nightjar.jobs.command.LogSilencer;
import io.nightjar.jobs.command.ProgressBoard;
import io.nightjar.jobs.command.ResultStream;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.UnmatchedHint;
import io.nightjar.jobs.command.Version;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The process: arguments in, exit code out. */
public final class Main {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int HELP_WIDTH = 100;

    private Main() {}

    public static void main(String[] args) {
        LogSilencer.install();
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.setOut(ResultStream.overStdout(BUFFER_BYTES));
        System.exit(run(args));
    }

    /** Runs one command in this process; its output is flushed when it returns. */
    static int run(String... args) {
        ProgressBoard.ofProcess().beginCommand();
        int code = execute(args);
        try {
            System.out.flush();
        } catch (ResultStream.BrokenException broken) {
            return Failures.report(broken);
        }
        return code;
    }

    private static int execute(String... args) {
        if (args.length == 0) {
            return execute(System.err, ExitCode.USAGE, "--help");
        }
        return switch (args[0]) {
            case "help" -> args.length == 1 ? execute("--help") : execute(args[1], "--help");
            case "version" -> execute("--version");
            default ->
                args[0].startsWith("-") || Commands.has(args[0])
                        ? execute(System.out, ExitCode.HOLDS, args)
                        : unknownCommand(args[0]);
        };
    }

    private static int execute(PrintStream out, int codeOfHelp, String... args) {
        try {
            Terminal.colours(coloursIn(args));
            Root root = new Root();
            List<String> needed = Commands.has(args[0]) ? List.of(args[0]) : Commands.names();
            CommandLine commandLine = Commands.commandLine(root, needed);
            commandLine
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .registerConverter(Path.class, new LocalPathConverter())
                    .setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.colours() ? Ansi.ON : Ansi.OFF))
                    .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                    .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                    .setUsageHelpWidth(HELP_WIDTH)
                    .setParameterExceptionHandler((wrong, given) -> usage(wrong))
                    .setExecutionExceptionHandler((failure, command, parsed) -> Failures.report(failure))
                    .setExecutionStrategy(parsed -> start(root, parsed, codeOfHelp));
            if (args[0].equals("check")) {
                useConfig(requireNonNull(commandLine.getSubcommands().get("check")), args);
            }
            return commandLine.execute(args);
        } catch (Throwable failure) {
            return Failures.report(failure);
        }
    }

    private static void useConfig(CommandLine command, String... args) throws IOException {
        Path named = ConfigFile.namedIn(List.of(args));
        if (named != null) {
            ConfigFile config = ConfigFile.read(named);
            config.check(command.getCommandSpec());
            command.setDefaultValueProvider(config);
        }
    }

    /** Determines the colors before the options are parsed, since help is colored. */
    private static Terminal.Colours coloursIn(String... args) {
        String line = String.join(" ", args).toLowerCase(Locale.ROOT).replace("--color=", "--color ") + " ";
        for (Terminal.Colours colours : Terminal.Colours.values()) {
            if (line.contains("--color " + colours.name().toLowerCase(Locale.ROOT) + " ")) {
                return colours;
            }
        }
        return Terminal.Colours.AUTO;
    }

    private static int start(Root root, ParseResult parsed, int codeOfHelp) {
        Terminal.quiet(root.quiet);
        Terminal.colours(root.colours);
        Terminal.verbose(root.verbose);
        try {
            if (CommandLine.printHelpIfRequested(parsed)) {
                return codeOfHelp;
            }
            if (!parsed.hasSubcommand()) {
                throw new ParameterException(parsed.commandSpec().commandLine(), "no command given");
            }
            return new CommandLine.RunLast().execute(parsed);
        } catch (ParameterException | CommandLine.ExecutionException knownToPicocli) {
            throw knownToPicocli;
        } catch (RuntimeException failure) {
            return Failures.report(failure); // picocli would print a stack
        }
    }

    private static int unknownCommand(String name) {
        String addOn = Commands.addOnOf(name);
        if (addOn != null) {
            Terminal.complain("the command is in an add-on: name=" + name + "; unpack nightjar-" + Version.number()
                    + "-addon-" + addOn + ".tar.gz over this distribution");
            return ExitCode.USAGE;
        }
        Terminal.complain("unknown command: name=" + name + SpellingSuggestions.hint(name, Commands.names(), ""));
        Terminal.complain("see " + CommandHint.of("--help"));
        return ExitCode.USAGE;
    }

    private static int usage(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        String address = wrong instanceof UnmatchedArgumentException unmatched ? addressProblem(unmatched) : null;
        err.println("nightjar: " + (address == null ? firstLineOf(wrong.getMessage()) : address));
        String meant = wrong instanceof UnmatchedArgumentException unmatched ? meant(unmatched) : null;
        if (meant != null) {
            err.println("nightjar: did you mean " + meant + "?");
        }
        if (wrong instanceof UnmatchedArgumentException && command.getCommand() instanceof UnmatchedHint hint) {
            err.println("nightjar: " + hint.unmatchedHint());
        }
        boolean isOfCommand = command.getParent() != null;
        err.println("nightjar: see "
                + (isOfCommand ? CommandHint.of(command.getCommandName(), "--help") : CommandHint.of("--help")));
        return ExitCode.USAGE;
    }

    /** Returns the reason why an argument is no address, for which the parser finds no parameter; null if none is. */
    private static @Nullable String addressProblem(UnmatchedArgumentException wrong) {
        for (String argument : wrong.getUnmatched()) {
            try {
                Addresses.path(argument);
            } catch (AddressException problem) {
                return problem.getMessage();
            } catch (InvalidPathException noPath) {
                return null;
            }
        }
        return null;
    }

    /** Returns the option that was probably meant by the first one that is unknown; null if none is like it. */
    private static @Nullable String meant(UnmatchedArgumentException wrong) {
        List<String> options = new ArrayList<>();
        wrong.getCommandLine().getCommandSpec().options().forEach(option -> options.add(option.longestName()));
        for (String argument : wrong.getUnmatched()) {
            String name = argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : argument;
            if (name.startsWith("--")) {
                return SpellingSuggestions.meant(name, options);
            }
        }
        return null;
    }

    private static String firstLineOf(@Nullable String message) {
        return message == null ? "wrong usage" : message.lines().findFirst().orElse("wrong usage");
    }
}
