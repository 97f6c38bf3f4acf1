package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExploreCommandTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void psqlIsThere() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/psql")), "psql is not there");
    }

    /** Two writes by one session, and a reader that must not see the second without the first. */
    private static final String TEST =
            """
            set -e
            psql -qAt <<'SQL'
            set nightjar.phase = 'load';
            create table t(id int primary key, v int);
            insert into t values (1, 0), (2, 0);
            set nightjar.phase = 'run';
            update t set v = 1 where id = 1;
            update t set v = 1 where id = 2;
            SQL
            seen=$(psql -qAt -c 'begin' -c 'select v from t where id = 2' -c 'select v from t where id = 1' -c 'commit')
            echo $seen
            [ "$seen" != "1
            0" ]
            """;

    private CommandRun explore(String level, String... more) throws IOException {
        Path script = directory.resolve("test.sh");
        Files.writeString(script, TEST);
        List<String> args = new ArrayList<>(List.of(
                "explore",
                "--isolation",
                level,
                "--history",
                directory.resolve("h.jsonl").toString()));
        args.addAll(List.of(more));
        args.addAll(List.of("--", "bash", script.toString()));
        return CommandRun.of(args.toArray(new String[0]));
    }

    @Test
    void aTestThatBreaksIsToldWithTheFewestStaleReads() throws IOException {
        CommandRun run = explore("rc", "--exhaustive", "--json");

        assertThat(run.code()).as("%s", run).isOne();
        Map<String, Object> found = JsonTree.lines(run.out()).get(0);
        assertThat(found).containsEntry("verdict", "broken").containsEntry("repeats", true);
        assertThat(((Number) found.get("stale_reads")).longValue()).isOne();
        assertThat(CommandRun.check(directory.resolve("h.jsonl"), directory.resolve("lake"), "--level", "rc")
                        .code())
                .isZero();
        assertThat(directory.resolve("h.jsonl.replay")).content().contains("\"isolation\":\"read-committed\"");
    }

    @Test
    void aTestThatCannotBreakIsTriedWithAllAnswers() throws IOException {
        CommandRun run = explore("cc", "--exhaustive");

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).matches("cannot break at causal: all \\d+ histories tried\n");
    }

    @Test
    void wrongUsageIsSaid() throws IOException {
        assertThat(explore("snapshots").code()).isEqualTo(64);
        assertThat(explore("rc", "--runs", "0").code()).isEqualTo(64);
        assertThat(explore("rc", "--runs", "3", "--exhaustive").code()).isEqualTo(64);
        assertThat(explore("rc", "--granularity", "cell").err()).contains("cells are not supported");
        assertThat(CommandRun.of(
                                "explore",
                                "--history",
                                directory.resolve("h.jsonl").toString(),
                                "--",
                                "/no/such/command")
                        .code())
                .isEqualTo(64);
    }
}
