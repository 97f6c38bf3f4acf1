package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void scriptsKnowEveryCommand(String shell) {
        CommandRun run = CommandRun.of("completion", shell);

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(Commands.names()).allMatch(run.out()::contains);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void scriptsKnowTheFormats(String shell) {
        assertThat(CommandRun.of("completion", shell).out()).contains("parquet", "dbcop-json", "cobra");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "inspect", "convert", "generate"})
    void helpListsTheFormats(String command) {
        assertThat(CommandRun.of(command, "--help").out()).contains("One of parquet, arrow, jsonl");
    }

    @Test
    void unknownShellsAreWrongUsage() {
        assertThat(CommandRun.of("completion", "tcsh"))
                .isEqualTo(new CommandRun(64, "", "nightjar: unknown shell: shell=tcsh expected=bash|zsh|fish\n"));
    }
}
