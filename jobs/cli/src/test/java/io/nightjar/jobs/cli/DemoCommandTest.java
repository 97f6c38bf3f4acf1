package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoCommandTest {

    @Test
    void theTourShowsEveryCommandThatItRuns() {
        CommandRun run = CommandRun.of("demo");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("$ nightjar generate ")
                .contains("$ nightjar check ")
                .contains("$ nightjar explain ")
                .contains("$ nightjar sql ");
    }
}
