package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several histories in one call, each a job on the same embedded cluster. */
class FlinkBatchTest {

    private static final String READS_WRONGLY =
            "{\"txn\":2,\"session\":1,\"start\":3,\"commit\":4,\"ops\":[[\"r\",\"x\",7]]}\n";

    @TempDir
    private Path folder;

    @Test
    void eachHistoryIsAnsweredWhateverBecomesOfTheOthers() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("check", "--engine", "flink", "--json", "--lake", "none"));
        arguments.add(write("violated.jsonl", SmallFiles.GOOD_ROW + READS_WRONGLY));
        arguments.add(write("rejected.jsonl", SmallFiles.GOOD_ROW + "not json\n"));
        arguments.add(folder.resolve("missing.jsonl").toString());
        arguments.add(write("good.jsonl", SmallFiles.GOOD_ROW));

        CommandRun run = CommandRun.of(arguments.toArray(new String[0]));

        assertThat(JsonTree.lines(run.out()))
                .as("%s", run)
                .extracting(line -> line.get("verdict"))
                .contains("violated", "holds");
        assertThat(run.err()).contains("rejected.jsonl", "missing.jsonl").doesNotContain("a fault of ours");
        assertThat(run.code()).isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void aHistoryOfTablesIsOneOfMany() throws IOException {
        String tables =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,4]: p[t]("c1 < ?",[8],1) r(t/1,'{"c1":5}')@1
                s2 T3 [5,6]: d(t/1)@2
                """;
        String looks = write("looks.txt", tables);
        String good = write("good.jsonl", SmallFiles.GOOD_ROW);

        CommandRun run = CommandRun.of(
                "check",
                "--engine",
                "flink",
                "--json",
                "--lake",
                folder.resolve("lake").toString(),
                looks,
                good);

        assertThat(JsonTree.lines(run.out()))
                .as("%s", run)
                .extracting(line -> line.get("verdict"))
                .containsExactly("holds", "holds");
        assertThat(run.code()).isEqualTo(ExitCode.HOLDS);
    }

    private String write(String name, String rows) throws IOException {
        return Files.writeString(folder.resolve(name), rows).toString();
    }
}
