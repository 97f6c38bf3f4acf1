package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The formats of other checkers, from the command line. */
class PeerFormatsCommandTest {

    private static final List<String> PEERS = List.of("dbcop", "dbcop-json", "hist", "plume", "awdit", "cobra");

    private static final String HISTORY =
            """
            {"txn":1,"session":0,"seq":0,"ops":[["w",1,11],["w",2,12]]}
            {"txn":2,"session":0,"seq":1,"ops":[["r",2,12]]}
            {"txn":3,"session":1,"seq":0,"ops":[["r",1,11],["w",1,13]]}
            """;

    @TempDir
    private Path directory;

    private Path in;

    @BeforeEach
    void writeHistory() throws IOException {
        in = Files.writeString(directory.resolve("in.jsonl"), HISTORY);
    }

    @Test
    void everyFormatIsWrittenAndRecognised() throws IOException {
        assertThat(Histories.formatNames()).containsAll(PEERS);
        for (String format : PEERS) {
            Path peer = directory.resolve("as-" + format);
            Path back = directory.resolve(format + ".jsonl");

            assertThat(CommandRun.of("convert", in.toString(), peer.toString(), "--to", format))
                    .returns(0, CommandRun::code);
            assertThat(CommandRun.of("convert", peer.toString(), back.toString()))
                    .returns(0, CommandRun::code);

            String text =
                    Files.readString(back).replaceAll(",\\{\"writer\":1\\}", "").replaceAll("\"([12])\"", "$1");
            String direct = directory.resolve("direct.jsonl").toString();
            CommandRun.of("convert", in.toString(), direct);
            assertThat(text).as(format).isEqualTo(Files.readString(Path.of(direct)));
        }
    }

    @Test
    void everyFormatIsInspectedDirectly() {
        for (String format : PEERS) {
            Path peer = directory.resolve("as-" + format);
            CommandRun.of("convert", in.toString(), peer.toString(), "--to", format);

            CommandRun run = CommandRun.of("inspect", peer.toString(), "--json");

            assertThat(run.code()).as("%s", run).isZero();
            assertThat(JsonTree.object(run.out())).as(format).containsEntry("transactions", 3L);
        }
    }

    @Test
    void everyFormatIsCheckedDirectly() {
        for (String format : PEERS) {
            Path peer = directory.resolve("as-" + format);
            CommandRun.of("convert", in.toString(), peer.toString(), "--to", format);

            CommandRun run = CommandRun.of("check", peer.toString(), "--from", format, "--json", "--lake", "none");

            assertThat(run.code()).as("%s", run).isIn(0, 2);
            assertThat(JsonTree.object(run.out())).as(format).containsEntry("transactions", 3L);
        }
    }

    @Test
    void unrepresentableHistoryIsRejectedWithoutOutput() throws IOException {
        Files.writeString(
                in, HISTORY + "{\"txn\":4,\"session\":1,\"seq\":1,\"status\":\"unknown\",\"ops\":[[\"w\",1,14]]}\n");
        for (String format : PEERS) {
            Path peer = directory.resolve("as-" + format);

            CommandRun run = CommandRun.of("convert", in.toString(), peer.toString(), "--to", format);

            assertThat(run.code()).as("%s", run).isEqualTo(3);
            assertThat(run.err()).startsWith("nightjar: [" + in + " line=4] does not fit the format " + format);
            assertThat(peer).doesNotExist();
        }
    }

    @Test
    void logsOfCobraGoToANewDirectory() throws IOException {
        Path old = Files.writeString(directory.resolve("old"), "a file");

        CommandRun run = CommandRun.of("convert", in.toString(), old.toString(), "--to", "cobra");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("output exists: path=" + old);
        assertThat(old).hasContent("a file");
    }

    @Test
    void implicitInitialValueIsSaidWhenItIsLost() {
        Path peer = directory.resolve("as.plume");
        CommandRun.of("convert", in.toString(), peer.toString());

        CommandRun run = CommandRun.of(
                "convert", peer.toString(), directory.resolve("b.jsonl").toString());

        assertThat(run.err()).contains("check the copy with --initial-value 0");
    }

    @Test
    void truncatedFilesAreRejected() throws IOException {
        Path peer = directory.resolve("as.bincode");
        CommandRun.of("convert", in.toString(), peer.toString());
        byte[] bytes = Files.readAllBytes(peer);
        Files.write(peer, Arrays.copyOf(bytes, bytes.length - 5));

        CommandRun run = CommandRun.of("check", peer.toString(), "--json", "--lake", "none");

        assertThat(run.code()).isEqualTo(3);
        assertThat(JsonTree.object(run.out())).containsEntry("verdict", "rejected");
        assertThat(run.err()).contains("file ends early");
    }

    @Test
    void everyFormatListsProvableLevels() {
        CommandRun text = CommandRun.of("formats");
        CommandRun json = CommandRun.of("formats", "--json");

        assertThat(text.code()).isZero();
        assertThat(text.out().lines().filter(line -> line.startsWith("cobra ")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("client times, writers, values", "; sser");
        assertThat(json.out().lines()).hasSameSizeAs(Histories.formatNames());
        assertThat(json.out().lines().filter(line -> line.contains("\"format\":\"debezium\"")))
                .allMatch(line -> line.contains("\"writes\":false"))
                .hasSize(1);
    }
}
