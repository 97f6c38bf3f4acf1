package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @Test
    void helpIsAResultAndBeginsWithThreeExamples() {
        CommandRun run = CommandRun.of("--help");

        List<String> lines = run.out().lines().toList();
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(lines.get(0)).isEqualTo("Examples:");
        assertThat(lines.subList(1, 4)).allMatch(line -> line.startsWith("  nightjar "));
    }

    @Test
    void everyCommandsHelpBeginsWithThreeExamples() {
        for (String command : Commands.names()) {
            CommandRun run = CommandRun.of(command, "--help");

            List<String> lines = run.out().lines().toList();
            assertThat(run.code()).as(command).isZero();
            assertThat(lines.get(0)).as(command).isEqualTo("Examples:");
            assertThat(lines.subList(1, 4))
                    .as(command)
                    .allMatch(line -> line.startsWith("  ") && line.contains("nightjar " + command));
        }
    }

    @Test
    void helpForACommandIsItsHelp() {
        for (String command : Commands.names()) {
            assertThat(CommandRun.of("help", command)).isEqualTo(CommandRun.of(command, "--help"));
        }
    }

    @Test
    void everyCommandIsInTheHelp() {
        String help = CommandRun.of("--help").out();

        assertThat(Commands.names()).allMatch(command -> help.contains("\n  " + command + " "));
    }

    @Test
    void versionIsACommandAndAnOption() {
        CommandRun run = CommandRun.of("version");

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("nightjar ");
        assertThat(CommandRun.of("--version")).isEqualTo(run);
    }

    @Test
    void hintsAfterWrongUsageAreCalledAsTheCommandWas() {
        System.setProperty("nightjar.command", "./nightjar");
        try {
            assertThat(CommandRun.of("chek").err()).endsWith("nightjar: see ./nightjar --help\n");
            assertThat(CommandRun.of("check").err()).endsWith("nightjar: see ./nightjar check --help\n");
        } finally {
            System.clearProperty("nightjar.command");
        }
    }

    @Test
    void noCommandIsWrongUsageThatShowsTheHelp() {
        CommandRun run = CommandRun.of();

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("Examples:");
    }

    @Test
    void onlyOptionsAreWrongUsage() {
        assertThat(CommandRun.of("--quiet").code()).isEqualTo(64);
    }

    @Test
    void unknownCommandsAreWrongUsage() {
        assertThat(CommandRun.of("frobnicate"))
                .isEqualTo(new CommandRun(
                        64, "", "nightjar: unknown command: name=frobnicate\nnightjar: see nightjar --help\n"));
    }

    @Test
    void theNearestCommandIsSuggested() {
        assertThat(CommandRun.of("completoin").err()).contains("did you mean completion?");
    }

    @Test
    void optionLikeAnUnknownOneIsNamed() {
        CommandRun run = CommandRun.of("check", "h.jsonl", "--lvl", "si");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("Unknown option: '--lvl'", "did you mean --level?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check h.jsonl --budget 5",
                "check h.jsonl --memory 1k",
                "check h.jsonl --memory 4",
                "inspect h.jsonl --memory 4",
                "convert a.jsonl b.jsonl --memory 63m",
                "watch h.jsonl --idle 5",
                "watch h.jsonl --lateness 5",
                "lake retain --older-than 5",
                "shrink a1 -o b.jsonl --budget 5"
            })
    void sizeOrTimeWithoutUnitIsRejectedWithAdvice(String line) {
        CommandRun run = CommandRun.of(line.split(" "));

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).containsAnyOf("; write ", "expected=5s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report -o r.html",
                "serve --port 0",
                "verdict",
                "explain",
                "explain a1b2",
                "shrink a1b2 -o s.txt",
                "lake"
            })
    void lakeMayBeLeftOut(String line) {
        assumeThat(Path.of("nightjar-lake")).doesNotExist();

        CommandRun run = CommandRun.of(line.split(" "));

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("[nightjar-lake] no such lake");
    }

    @Test
    void unknownOptionsAreRejectedInOneLineWithHint() {
        CommandRun run = CommandRun.of("completion", "bash", "--quite");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("--quite")
                .contains("did you mean --quiet?")
                .endsWith("nightjar: see nightjar completion --help\n");
    }
}
