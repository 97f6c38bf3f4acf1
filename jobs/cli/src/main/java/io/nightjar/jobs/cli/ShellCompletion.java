package io.nightjar.jobs.cli;

import io.nightjar.datasets.generate.DataModel;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.formats.level.IsolationLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the scripts with which shells complete a command line. */
final class ShellCompletion {

    /*
     * The script for bash finds the command on the line, then evaluates the word before the cursor: an option that
     * needs a value, or the position of an argument. Its completions are words that are fixed when the script is
     * written, files, and names that it reads from a lake itself, since a JVM at each Tab would be too slow: runs are
     * folders of _runs, and run.json lists the anomalies of a run. zsh runs the same script through its emulation of
     * bash's completion.
     */

    private static final String BASH =
            """
            # Completion of nightjar for bash and zsh.
            if [[ -n ${ZSH_VERSION:-} ]]; then
                autoload -U +X compinit && compinit -u
                autoload -U +X bashcompinit && bashcompinit
            fi

            _nightjar_words() { COMPREPLY=($(compgen -W "$1" -- "$2")); }

            # The last of several words with commas between them; the words before it stay.
            _nightjar_list() {
                local before= word=$2
                [[ $word == *,* ]] && before=${word%,*}, word=${word##*,}
                COMPREPLY=($(compgen -W "$1" -- "$word"))
                COMPREPLY=("${COMPREPLY[@]/#/$before}")
                type compopt >/dev/null 2>&1 && compopt -o nospace 2>/dev/null
                return 0
            }

            _nightjar_files() {
                type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
                local IFS=$'\\n'
                COMPREPLY=($(compgen "$1" -- "$2"))
            }

            # The lake on the command line: after --lake, or the first argument if the command has it there.
            _nightjar_lake() {
                local i lake=nightjar-lake
                for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do
                    [[ ${COMP_WORDS[i]} == --lake && -n ${COMP_WORDS[i + 1]:-} ]] && lake=${COMP_WORDS[i + 1]}
                done
                [[ " @LAKES@ " == *" $cmd "* && ${#arguments[@]} -gt 0 ]] && lake=$first
                printf %s "$lake"
            }

            _nightjar_runs() {
                local lake
                lake=$(_nightjar_lake)
                _nightjar_words "$(command ls "$lake/_runs" 2>/dev/null)" "$1"
            }

            _nightjar_anomalies() {
                local lake
                lake=$(_nightjar_lake)
                _nightjar_words "$(cat "$lake"/_runs/*/run.json 2>/dev/null | grep -o '"id" *: *"a[0-9a-f]*"' | sed 's/.*"\\(a[0-9a-f]*\\)"/\\1/' | sort -u)" "$1"
            }

            _nightjar() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cmd= first= word i
                local arguments=() wanting=
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    if [[ -n $wanting ]]; then
                        [[ $word == '=' ]] || wanting=
                    elif [[ $word == -* ]]; then
                        case " @VALUED@ " in *" $word "*) wanting=$word ;; esac
                    elif [[ -z $cmd ]]; then
                        cmd=$word
                    else
                        [[ -n $first ]] || first=$word
                        arguments+=("$word")
                    fi
                done
                [[ $cur == '=' ]] && cur=
                if [[ -z $cmd ]]; then
                    if [[ $cur == -* ]]; then _nightjar_words "@GLOBAL@" "$cur"; else _nightjar_words "@COMMANDS@" "$cur"; fi
                    return 0
                fi
                if [[ -n $wanting ]]; then
                    case "$cmd $wanting" in
            @VALUES@
                    esac
                    return 0
                fi
                if [[ $cur == -* ]]; then
                    case $cmd in
            @OPTIONS@
                    esac
                    return 0
                fi
                case "$cmd ${#arguments[@]}" in
            @ARGUMENTS@
                esac
                return 0
            }

            complete -F _nightjar nightjar ./nightjar
            """;

    private final CommandLine root;

    ShellCompletion(CommandLine root) {
        this.root = root;
    }

    /** Returns the script for bash, and for zsh with bash's completion switched on. */
    String bash() {
        StringJoiner valued = new StringJoiner(" ");
        StringBuilder values = new StringBuilder();
        StringBuilder options = new StringBuilder();
        StringBuilder arguments = new StringBuilder();
        StringJoiner lakes = new StringJoiner(" ");
        root.getSubcommands().forEach((name, command) -> {
            CommandSpec spec = command.getCommandSpec();
            StringJoiner names = new StringJoiner(" ");
            for (OptionSpec option : spec.options()) {
                for (String spelling : option.names()) {
                    names.add(spelling);
                    if (option.arity().max() > 0) {
                        valued.add(spelling);
                        values.append("            \"%s %s\") %s ;;\n".formatted(name, spelling, offerFor(option)));
                    }
                }
            }
            options.append("            %s) _nightjar_words \"%s\" \"$cur\" ;;\n".formatted(name, names));
            for (PositionalParamSpec argument : spec.positionalParameters()) {
                if (nameOf(argument).equals("LAKE")) {
                    lakes.add(name);
                }
                String location = argument.index().isVariable()
                        ? "*"
                        : "" + argument.index().min();
                arguments.append("        \"%s \"%s) %s ;;\n".formatted(name, location, offerFor(argument)));
            }
        });
        StringJoiner global = new StringJoiner(" ");
        root.getCommandSpec().options().forEach(option -> global.add(option.longestName()));
        return BASH.replace("@VALUED@", valued.toString())
                .replace("@GLOBAL@", global.toString())
                .replace("@COMMANDS@", String.join(" ", root.getSubcommands().keySet()))
                .replace("@LAKES@", lakes.toString())
                .replace("@VALUES@", values.toString().stripTrailing())
                .replace("@OPTIONS@", options.toString().stripTrailing())
                .replace("@ARGUMENTS@", arguments.toString().stripTrailing());
    }

    /** Returns the call that offers the possible words; {@code :} for values that only the user can choose. */
    private static String offerFor(ArgSpec spec) {
        String name = nameOf(spec);
        List<String> words = words(spec);
        if (!words.isEmpty()) {
            String offer = isList(name) ? "_nightjar_list" : "_nightjar_words";
            return "%s \"%s\" \"$cur\"".formatted(offer, String.join(" ", words));
        }
        return switch (name) {
            case "--lake", "--artifacts", "--dir", "LAKE" -> "_nightjar_files -d \"$cur\"";
            case "--run-id", "--run", "--baseline", "RUN1", "RUN2" -> "_nightjar_runs \"$cur\"";
            case "ANOMALY" -> "_nightjar_anomalies \"$cur\"";
            default -> isPath(spec) ? "_nightjar_files -f \"$cur\"" : ":";
        };
    }

    private static boolean isPath(ArgSpec spec) {
        return spec.type() == Path.class
                || spec.auxiliaryTypes().length > 0 && spec.auxiliaryTypes()[0] == Path.class
                || spec.paramLabel().equals("FILE");
    }

    private static boolean isList(String option) {
        return List.of("--level", "--fault", "--version-order").contains(option);
    }

    /** Returns the possible words, if they are a fixed set. */
    static List<String> words(ArgSpec spec) {
        List<String> words = new ArrayList<>();
        if (spec.completionCandidates() != null) {
            spec.completionCandidates().forEach(words::add);
            return words;
        }
        switch (nameOf(spec)) {
            case "--level" -> {
                words.add("all");
                for (IsolationLevel level : IsolationLevel.values()) {
                    words.add(level.shortName());
                    if (!level.longName().equals(level.shortName())) {
                        words.add(level.longName());
                    }
                }
            }
            case "--fault" -> {
                for (Fault fault : Fault.values()) {
                    words.add(fault.word() + "=1");
                }
            }
            case "--version-order" -> words.addAll(List.of("wfr", "session", "realtime"));
            case "--workload" -> words.addAll(GeneratorOptions.workloadNames());
            case "--model" -> {
                for (DataModel model : DataModel.values()) {
                    words.add(model.word());
                }
            }
            case "--store" -> {
                for (StoreKind store : StoreKind.values()) {
                    words.add(store.word());
                }
            }
            case "--distribution" -> {
                for (KeyDistribution distribution : KeyDistribution.values()) {
                    words.add(distribution.word());
                }
            }
            case "--color" -> words.addAll(List.of("auto", "always", "never"));
            case "SHELL" -> words.addAll(List.of("bash", "zsh", "fish"));
            default -> {} // any value
        }
        return words;
    }

    private static String nameOf(ArgSpec spec) {
        return spec.isOption()
                ? ((OptionSpec) spec).longestName()
                : spec.paramLabel().replaceAll("[\\[\\]]", "");
    }
}
