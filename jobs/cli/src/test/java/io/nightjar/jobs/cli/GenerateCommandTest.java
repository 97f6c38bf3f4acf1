package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerateCommandTest {

    @TempDir
    private Path directory;

    @Test
    void sameArgumentsGiveTheSameBytes() {
        assertThat(generate("a.jsonl", "--seed", "7").code()).isZero();
        assertThat(generate("b.jsonl", "--seed", "7").code()).isZero();

        assertThat(path("a.jsonl")).hasSameBinaryContentAs(path("b.jsonl"));
    }

    @Test
    void anotherSeedGivesAnotherHistory() throws IOException {
        generate("a.jsonl", "--seed", "7");
        generate("b.jsonl", "--seed", "8");

        assertThat(Files.mismatch(path("a.jsonl"), path("b.jsonl"))).isNotNegative();
    }

    @Test
    void everyTransactionIsARow() {
        generate("a.jsonl");

        assertThat(path("a.jsonl")).content().hasLineCount(500);
    }

    @Test
    void theSummaryAsJsonIsTheOnlyResult() {
        CommandRun run = generate("a.jsonl", "--json");

        assertThat(run.out())
                .startsWith("{\"schema\":1,\"history\":\"" + path("a.jsonl") + "\",\"transactions\":500,")
                .contains("\"operations\":7500,\"faults\":0,")
                .hasLineCount(1);
    }

    @Test
    void withoutFaultsThereIsNoListOfThem() throws IOException {
        Files.writeString(path("a.jsonl.faults.jsonl"), "of an older history");

        generate("a.jsonl");

        assertThat(path("a.jsonl.faults.jsonl")).doesNotExist();
    }

    @Test
    void plantedFaultsAreListedBesideTheHistory() {
        CommandRun run = generate("a.jsonl", "--fault", "stale-read=2,garbage-value=1");

        assertThat(run.code()).isZero();
        assertThat(path("a.jsonl.faults.jsonl"))
                .content()
                .hasLineCount(3)
                .startsWith("{\"fault\":\"stale-read\",\"transactions\":[");
    }

    @Test
    void valueOutOfRangeIsWrongUsage() {
        assertThat(generate("a.jsonl", "--reads", "50"))
                .isEqualTo(usage("out of range: reads=50.0 min=0 max=1; it is a share, not percent"));
        assertThat(generate("a.jsonl", "--concurrency", "0")).isEqualTo(usage("out of range: concurrency=0 min=1"));
        assertThat(generate("a.jsonl", "--fault", "gremlin=1").code()).isEqualTo(64);
        assertThat(generate("a.jsonl", "--store", "mongo").code()).isEqualTo(64);
        assertThat(generate("a.jsonl", "--model", "graph").code()).isEqualTo(64);
        assertThat(generate("a.jsonl", "--distribution", "normal").code()).isEqualTo(64);
        assertThat(generate("a.jsonl", "--workload", "banks").code()).isEqualTo(64);
        assertThat(path("a.jsonl")).doesNotExist();
    }

    @Test
    void moreFaultsThanPlacesIsWrongUsage() {
        CommandRun run = generate("a.jsonl", "--fault", "stale-read=1000000");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .startsWith("nightjar: too few sites for a fault: fault=stale-read asked=1000000 possible=");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void historiesOfRepeatedValuesAreDecided() {
        generate("a.jsonl", "--values", "10", "--store", "ser", "--ops", "6", "--sessions", "10");

        CommandRun run = CommandRun.of(
                "check", path("a.jsonl").toString(), "--level", "si,ser", "--evidence", "values", "--lake", "none");

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(generate("b.jsonl", "--values", "0").code()).isEqualTo(64);
        assertThat(generate("b.jsonl", "--values", "9", "--model", "list").code())
                .isEqualTo(64);
    }

    private static CommandRun usage(String message) {
        return new CommandRun(64, "", "nightjar: " + message + "\n");
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private CommandRun generate(String name, String... options) {
        String[] arguments = new String[4 + options.length];
        arguments[0] = "generate";
        arguments[1] = path(name).toString();
        arguments[2] = "--transactions";
        arguments[3] = "500";
        System.arraycopy(options, 0, arguments, 4, options.length);
        return CommandRun.of(arguments);
    }
}
