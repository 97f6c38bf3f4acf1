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

    /** Two writes by one session, and a reader that must not observe the second without the first. */
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

    /** Two concurrent clients that remove from a stock the quantity that they have read. */
    private static final String TWO_CLIENTS =
            """
            set -e
            psql -qAt <<'SQL'
            set nightjar.phase = 'load';
            create table t(id int primary key, v int);
            insert into t values (1, 1), (2, 0), (3, 0);
            set nightjar.phase = 'run';
            SQL
            take() {
                PGAPPNAME=client$1 psql -qAt >/dev/null <<SQL || true
            begin;
            select v as stock from t where id = 1 \\gset
            select :stock > 0 as has_some \\gset
            \\if :has_some
            update t set v = 0 where id = 1;
            update t set v = 1 where id = $1;
            \\endif
            commit;
            SQL
            }
            take 2 &
            take 3 &
            wait
            [ "$(psql -qAt -c "set nightjar.reads = 'newest'" -c 'select sum(v) from t where id > 1')" -lt 2 ]
            """;

    private CommandRun explore(String level, String... more) throws IOException {
        return exploreTest(TEST, level, more);
    }

    private CommandRun exploreTest(String test, String level, String... more) throws IOException {
        Path script = directory.resolve("test.sh");
        Files.writeString(script, test);
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
    void failingTestIsReportedWithMinimumStaleReads() throws IOException {
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
    void allOrdersOfTransactionsAreTriedToo() throws IOException {
        CommandRun weak = exploreOrders("cc");
        assertThat(weak.code()).as("%s", weak).isOne();

        CommandRun strong = exploreOrders("ser");
        assertThat(strong.code()).as("%s", strong).isZero();
        Map<String, Object> found = JsonTree.lines(strong.out()).get(0);
        assertThat(found).containsEntry("verdict", "cannot-break");
        assertThat(((Number) found.get("runs")).longValue())
                .isGreaterThan(1)
                .isGreaterThanOrEqualTo(((Number) found.get("histories")).longValue());
    }

    @Test
    void aCommandThatNeverAsksTheStoreHasShownNothing() {
        for (String command : List.of("true", "false")) {
            CommandRun run = CommandRun.of(
                    "explore", "--exhaustive", "--history", "" + directory.resolve("h.jsonl"), "--", command);

            assertThat(run.code()).isEqualTo(64);
            assertThat(run.err()).contains("the command sent no statement to the store: exitCode=");
        }
    }

    @Test
    void bytesThatAreNoTextAreNoReplay() throws IOException {
        byte[] bytes = {'{', '"', (byte) 0xff, (byte) 0xfe, '"', '}'};
        String file = "" + Files.write(directory.resolve("replay"), bytes);

        CommandRun run = CommandRun.of("explore", "--replay", file, "--", "true");

        assertThat(run.code()).as(run.err()).isEqualTo(64);
    }

    @Test
    void aReplayAtAnotherLevelIsRefused() throws IOException {
        String run =
                "{\"schema\":1,\"recorded\":\"statements\",\"isolation\":\"causal\",\"seed\":7,\"choice\":\"mixed\","
                        + "\"updates\":\"newest\",\"constraints\":\"newest\",\"granularity\":\"row\",\"staleness\":2147483647,"
                        + "\"schedule\":\"interleaved\",\"faults\":\"abort=0.0,unknown-commit=0.0,disconnect=0.0\"}\n";
        String file = "" + Files.writeString(directory.resolve("replay"), run);
        for (String other : List.of("--isolation=rc", "--seed=8", "--updates=any")) {
            CommandRun refused = CommandRun.of("mock", "--replay", file, other, "--port=70000");

            assertThat(refused.code()).as("%s", refused).isEqualTo(64);
            assertThat(refused.err()).contains("recorded with another setting: " + other);
        }
        CommandRun same = CommandRun.of("mock", "--replay", file, "--isolation=CC", "--seed=7", "--port=70000");
        assertThat(same.err()).doesNotContain("recorded with another setting").contains("out of range: --port=70000");
    }

    /** Waits longer where clients are so slow that a run is another one than the run before. */
    private CommandRun exploreOrders(String level) throws IOException {
        CommandRun run = null;
        for (String settle : List.of("200ms", "1s", "5s")) {
            run = exploreTest(TWO_CLIENTS, level, "--exhaustive", "--schedule", "serial", "--settle", settle, "--json");
            if (run.code() != 2) {
                return run;
            }
        }
        return run;
    }

    @Test
    void whatIsNotTriedInTimeIsUndecided() {
        for (String how : List.of("--exhaustive", "--runs=1000000000")) {
            CommandRun run = CommandRun.of(
                    "explore",
                    "--isolation",
                    "ser",
                    "--workload",
                    "courseware",
                    how,
                    "--transactions",
                    "9",
                    "--budget=50ms",
                    "--history",
                    "" + directory.resolve("h.jsonl"));

            assertThat(run.code()).as("%s", run).isEqualTo(2);
            assertThat(run.out()).matches("undecided: no time left after \\d+ runs at serializable; raise --budget\n");
        }
    }

    @Test
    void applicationsComeAlong() throws IOException {
        String archive = directory.resolve("h.jsonl").toString();
        CommandRun weak = CommandRun.of(
                "explore", "--isolation", "cc", "--workload", "stack", "--seed", "1", "--history", archive);
        assertThat(weak.code()).as("%s", weak).isOne();
        assertThat(weak.out()).contains("broken: popped-twice, no element is popped twice");
        assertThat(CommandRun.check(Path.of(archive), directory.resolve("lake"), "--level", "cc")
                        .code())
                .isZero();

        CommandRun strong = CommandRun.of(
                "explore",
                "--isolation",
                "ser",
                "--workload",
                "stack",
                "--transactions",
                "1",
                "--exhaustive",
                "--history",
                archive);
        assertThat(strong.code()).as("%s", strong).isZero();
        assertThat(strong.out()).startsWith("cannot break at serializable: all ");
        assertThat(CommandRun.of("explore", "--workload", "register").code()).isEqualTo(64);
        assertThat(CommandRun.of("explore").code()).isEqualTo(64);
    }

    @Test
    void usageErrorIsReported() throws IOException {
        assertThat(explore("snapshots").code()).isEqualTo(64);
        assertThat(explore("rc", "--runs", "0").code()).isEqualTo(64);
        assertThat(explore("rc", "--runs", "3", "--exhaustive").code()).isEqualTo(64);
        assertThat(explore("rc", "--granularity", "column").code()).isEqualTo(64);
        for (List<String> withoutDashes :
                List.of(List.of("true"), List.of("ls", "-l"), List.of("true", "--seed", "3"))) {
            List<String> line = new ArrayList<>(List.of("explore", "--isolation", "rc"));
            line.addAll(withoutDashes);
            CommandRun run = CommandRun.of(line.toArray(new String[0]));
            assertThat(run.code()).as("%s", run).isEqualTo(64);
            assertThat(run.err()).contains("the command follows --");
        }
        for (String name : List.of("h.hist", "h.json", "h.csv", "h.foo", "h")) {
            CommandRun run = CommandRun.of(
                    "explore", "--history", directory.resolve(name).toString(), "--", "true");
            assertThat(run.code()).as("%s", run).isEqualTo(64);
            assertThat(run.err()).contains("no format that can hold an archive: --history=");
        }
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
