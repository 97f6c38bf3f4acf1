package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories whose keys or values are of several types, in parts that have one type each. */
class MixedTypesCommandTest {

    @TempDir
    private Path folder;

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void integerAndStringOfTheSameDigitsStayDifferent(String engine) throws IOException {
        Path parts = parts("\"1\"");

        CommandRun run =
                CommandRun.of("check", parts.toString(), "--engine", engine, "--lake", "none", "--level", "si");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("T2 read 5=\"1\"", "shows 5=1, committed by T1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void historyOfSeveralTypesHolds(String engine) throws IOException {
        CommandRun run = CommandRun.of("check", parts("1").toString(), "--engine", engine, "--lake", "none");

        assertThat(run.code()).isZero();
    }

    @Test
    void initialValueIsOneOfTheValues() throws IOException {
        Path file = Files.writeString(
                folder.resolve("h.jsonl"), "{\"ops\":[[\"w\",\"x\",1],[\"r\",\"y\",\"none\"]],\"session\":1}\n");

        assertThat(CommandRun.of("check", file.toString(), "--lake", "none").code())
                .isEqualTo(1);
        assertThat(CommandRun.of("check", file.toString(), "--lake", "none", "--initial-value", "none")
                        .code())
                .isZero();
    }

    private Path parts(String read) throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(
                parts.resolve("a.jsonl"),
                "{\"txn\":1,\"session\":0,\"seq\":0,\"start\":1,\"commit\":2,\"ops\":[[\"w\",5,1]]}\n");
        Files.writeString(
                parts.resolve("b.jsonl"),
                "{\"txn\":2,\"session\":1,\"seq\":0,\"start\":3,\"commit\":4,\"ops\":[[\"r\",5,%s],[\"w\",\"5\",\"a\"]]}\n"
                        .formatted(read));
        return parts;
    }
}
