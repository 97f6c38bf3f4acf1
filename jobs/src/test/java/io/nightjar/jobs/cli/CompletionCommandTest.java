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

    @Test
    void unknownShellsAreWrongUsage() {
        assertThat(CommandRun.of("completion", "tcsh"))
                .isEqualTo(new CommandRun(64, "", "nightjar: unknown shell: shell=tcsh expected=bash|zsh|fish\n"));
    }
}
