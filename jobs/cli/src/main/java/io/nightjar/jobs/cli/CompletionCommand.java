package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** Prints the script that teaches a shell to complete our commands and options. */
@Command(
        name = "completion",
        description = "Print a script that teaches a shell to complete commands and options.",
        footer = {
            "  nightjar completion bash > ~/.local/share/bash-completion/completions/nightjar",
            "  source <(nightjar completion zsh)",
            "  nightjar completion fish > ~/.config/fish/completions/nightjar.fish"
        })
final class CompletionCommand implements Callable<Integer> {

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private String shell;

    @Override
    public Integer call() {
        CommandLine commandLine = Commands.commandLine(new Root(), Commands.names());
        System.out.print(
                switch (shell) {
                    case "bash", "zsh" -> new ShellCompletion(commandLine).bash();
                    case "fish" -> fish(commandLine);
                    default -> throw new UsageException("unknown shell: shell=" + shell + " expected=bash|zsh|fish");
                });
        return ExitCode.HOLDS;
    }

    static String fish(CommandLine commandLine) {
        StringBuilder script = new StringBuilder("# completion of nightjar for fish\n");
        commandLine.getSubcommands().forEach((name, command) -> {
            CommandSpec spec = command.getCommandSpec();
            script.append("complete -c nightjar -n __fish_use_subcommand -a ").append(name);
            describe(script, spec.usageMessage().description());
            for (OptionSpec option : spec.options()) {
                script.append("complete -c nightjar -n '__fish_seen_subcommand_from " + name + "'");
                for (String spelling : option.names()) {
                    script.append(spelling.startsWith("--") ? " -l " : " -s ").append(spelling.replaceFirst("^-+", ""));
                }
                script.append(option.arity().max() > 0 ? " -r" : "");
                List<String> words = ShellCompletion.words(option);
                if (!words.isEmpty()) {
                    script.append(" -f -a '").append(String.join(" ", words)).append('\'');
                }
                describe(script, option.description());
            }
        });
        return script.toString();
    }

    private static void describe(StringBuilder script, String[] description) {
        if (description.length > 0) {
            script.append(" -d '").append(description[0].replace("'", "\\'")).append('\'');
        }
        script.append('\n');
    }
}
