package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of tables, as {@code check} answers for them: predicate reads, deletions, given orders. */
class PredicateChecksTest {

    private static final String CLEAN =
            """
            s0 T1 [1,2]: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":9}')@1
            s1 T2 [3,4]: p[t]("c1 < ?",[8],2) r(t/1,'{"c1":5}')@1 v(t/2)@1 w(t/1,'{"c1":6}')@2
            s2 T3 [5,6]: d(t/2)@2
            s3 T4 [7,7]: p[t]("c1 < ?",[10],1) r(t/1,'{"c1":6}')@2
            s3 T5 [8,8]: p[t]("count(*) WHERE c1 < 10",[],0)="1"
            """;

    private static final Map<String, String> ELLES = Map.of(
            "serializable", "PL-3",
            "snapshot-isolation", "PL-SI",
            "repeatable-read", "PL-2.99",
            "read-committed", "PL-2",
            "read-uncommitted", "PL-1");

    @TempDir
    private Path folder;

    @Test
    void aCleanHistoryHoldsAtEveryLevelAndInTheOrderOfItsCommits() throws IOException {
        assertThat(verdict(CLEAN, "--level", "all")).isEqualTo("holds {}");
        assertThat(verdict(CLEAN, "--level", "PL-1,PL-2,PL-2.99,PL-SI,PL-3")).isEqualTo("holds {}");
        assertThat(verdict(CLEAN, "--level", "ser", "--order", "commit_ts")).isEqualTo("holds {}");
    }

    /** What is planted into the clean history, where, and what must be found at snapshot isolation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "row left out  | [10],1) r(t/1,'{\"c1\":6}')@2 | [10],0)",
                "row too many  | [10],1) r(t/1,'{\"c1\":6}')@2 | [10],2) r(t/1,'{\"c1\":6}')@2 r(t/2,'{\"c1\":9}')@1",
                "stale row     | [10],1) r(t/1,'{\"c1\":6}')@2 | [10],1) r(t/1,'{\"c1\":5}')@1",
                "wrong answer  | =\"1\"                        | =\"2\"",
            })
    void aPlantedFaultIsFoundAndNothingElse(String fault, String right, String wrong) throws IOException {
        String planted = CLEAN.replace(right, wrong);

        assertThat(planted).as(fault).isNotEqualTo(CLEAN);
        assertThat(verdict(planted, "--level", "si")).as(fault).isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void aWriteSkewThroughAPredicateTellsSerializableFromRepeatableRead() throws IOException {
        String skew =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,5]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1 w(t/2,'{"c1":7}')@1
                s2 T3 [4,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1 w(t/3,'{"c1":8}')@1
                """;

        assertThat(verdict(skew, "--level", "si")).isEqualTo("holds {}");
        assertThat(verdict(skew, "--level", "PL-2.99")).isEqualTo("holds {}");
        assertThat(verdict(skew, "--level", "PL-3")).isEqualTo("violated {G2=1}");
        assertThat(verdict(skew, "--level", "ser")).isEqualTo("violated {G2=1}");
        assertThat(verdict(skew, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("violated {result-set-mismatch=1}");
        Path order = Files.writeString(folder.resolve("order.txt"), "1\n3\n2\n");
        assertThat(verdict(skew, "--level", "ser", "--order", order.toString()))
                .isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void tablesSayWhichConditionsACycleGoesThrough() throws IOException {
        Path file = Files.writeString(
                folder.resolve("skew.txt"),
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,5]: p[t]("c1 >= ?",[0],1) r(t/1,'{"c1":5}')@1 w(t/2,'{"c1":7}')@1
                s1 T3 [4,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1 w(t/3,'{"c1":8}')@1
                """);
        Path lake = folder.resolve("lake");
        assertThat(CommandRun.check(file, lake, "--level", "PL-3").code()).isEqualTo(1);

        assertThat(CommandRun.rows(lake, "SELECT edge_type, predicate FROM anomaly_edges ORDER BY from_txn_id"))
                .extracting(Map::toString)
                .containsExactly("{edge_type=rw, predicate=c1 >= ? [0]}", "{edge_type=rw, predicate=c1 >= 0}");
    }

    @Test
    void whatSnapshotIsolationImpliesHoldsWithDeletionsToo() throws IOException {
        String skew =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":5}')@1
                s1 T2 [3,5]: p[t]("c1 >= 0",[],2) r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/1)@2
                s2 T3 [4,6]: p[t]("c1 >= 0",[],2) r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/2)@2
                """;

        assertThat(verdict(skew, "--level", "ser")).isEqualTo("violated {G2-item=1}");
        assertThat(verdict(skew, "--level", "rc,ra,cc,pc")).isEqualTo("holds {}");
        assertThat(verdict(skew, "--level", "rc,ra,cc,pc,si")).isEqualTo("holds {}");
    }

    @Test
    void weakLevelsHoldByVersionsWithDeletions() throws IOException {
        String skew =
                """
                s0 T1: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":5}')@1
                s1 T2: r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/1)@2
                s2 T3: r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/2)@2
                """;

        assertThat(verdict(skew, "--level", "ser")).isEqualTo("violated {G2-item=1}");
        assertThat(verdict(skew, "--level", "rc,ra,cc")).isEqualTo("holds {}");
        String half = skew + "s3 T4: r(t/2,'{\"c1\":5}')@1 r(t/1,_)@2 r(t/2,'{\"c1\":5}')@1\n"
                + "s2 T5: r(t/1,_)@2 w(t/2,'{\"c1\":9}')@3\ns3 T6: r(t/2,'{\"c1\":9}')@3 r(t/1,'{\"c1\":5}')@1\n";
        assertThat(verdict(half, "--level", "rc")).isEqualTo("holds {}");
        assertThat(verdict(half, "--level", "cc")).isEqualTo("undecided {}");
    }

    @Test
    void versionsThatContradictTimestampsAreSeenByACrossCheck() throws IOException {
        String turned =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@2
                s1 T2 [3,4]: w(t/1,'{"c1":5}')@1
                s2 T3 [5,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1
                """;

        assertThat(verdict(turned, "--level", "si")).isEqualTo("holds {}");
        assertThat(verdict(turned, "--level", "si", "--cross-check")).isEqualTo("undecided {}");
    }

    /** The last one sees the second write of u and so a row that its condition would have found; its items alone know nothing of that. */
    @Test
    void itemsDoNotProveWhatPredicateReadsMayContradict() throws IOException {
        String passedOver =
                """
                s0 T1: w(t/1,'{"c":1}')@1 w(u/1,'{"x":1}')@1
                s1 T2: w(t/1,'{"c":7}')@2 w(u/1,'{"x":2}')@2
                s2 T3: w(t/1,'{"c":2}')@3 w(u/1,'{"x":3}')@3
                s3 T4: p[t]("c > 4",[],0) r(u/1,'{"x":2}')@2
                """;
        for (String level : List.of("si", "PL-SI", "PL-3", "ser")) {
            assertThat(verdict(passedOver, "--level", level)).as(level).isEqualTo("undecided {}");
        }
        assertThat(verdict(passedOver, "--level", "rc,ra,cc,pc,PL-2.99")).isEqualTo("holds {}");
    }

    @Test
    void aSerializableDatabaseIsNotViolatedBecauseCommitOrderFails() throws IOException {
        String laterFirst =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,5]: w(t/2,'{"c1":7}')@1
                s2 T3 [4,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1
                """;

        assertThat(verdict(laterFirst, "--level", "ser", "--evidence", "timestamps"))
                .isEqualTo("violated {result-set-mismatch=1}");
        assertThat(verdict(laterFirst, "--level", "ser")).isEqualTo("holds {}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "p[t](\"c9 > 3\",[],0)                                                   | no row has this column: column=c9",
                "p[t](\"c1 > 'x'\",[],0)                                                 | values of two types compared",
                "p[t](\"c1 > > 3\",[],0)                                                 | condition is not understood",
                "p[t](\"c1 > 3\",[],1) r(u/1,'{\"c1\":5}')@1                             | row of another relation in a result: key=u/1",
                "p[t](\"c1 > 3\",[],2) r(t/1,'{\"c1\":5}')@1 r(t/1,'{\"c1\":5}')@1       | two rows of one key in a result: key=t/1",
                "p[t](\"c1 > 3\",[],2) r(t/1,'{\"c1\":5}')@1 r(t/2,_)                    | row in its initial state in a result: key=t/2",
                "p[t](\"c1 > 3; DELETE FROM t\",[],1) r(t/1,'{\"c1\":5}')@1              | condition is not understood",
                "p[t](\"c1 > 3 OFFSET 1\",[],0)                                          | condition is not understood",
                "p[t](\"c1 > 3 FETCH FIRST 1 ROW ONLY\",[],0)                            | condition is not understood",
                "p[t](\"c1 = ?2 OR c1 = ?1\",[1,2],0)                                    | condition is not understood",
                "p[t](\"t.c1 > 3 AND u.c1 > 3\",[],0)                                    | columns of two relations",
                "p[t](\"c1 > 8\",[],1) v(t/1)@9                                          | version read that nobody wrote: key=t/1",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')@9                             | version read that nobody wrote: key=t/1",
                "p[t](\"c1 > ?\",[],0)                                                   | parameter missing: parameter=1 given=0",
                "p[t](\"c1 > ?\",[3,4],1) r(t/1,'{\"c1\":5}')@1                           | parameters left over: asked=1 given=2",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')<-T7                           | writer that the history does not have: writer=7 key=t/1",
            })
    void whatIsNotUnderstoodIsLocatedAndNeverHolds(String ops, String reason) throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.txt"),
                "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1 w(u/1,'{\"c1\":5}')@1\ns1 T2 [3,4]: " + ops + "\n");
        CommandRun run =
                CommandRun.of("check", "--json", "--lake", "none", "--level", "si,ser,PL-SI,PL-3", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains(reason).contains("row=2 txn_id=2").doesNotContain("holds");
    }

    @Test
    void aConditionNestedAThousandDeepIsLocated() throws IOException {
        String condition = "(".repeat(1000) + "c1 > 1" + ")".repeat(1000);
        Path file = Files.writeString(
                folder.resolve("deep.txt"), "s0 T1: w(t/1,'{\"c1\":5}')@1\ns1 T2: p[t](\"" + condition + "\",[],0)\n");
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "ser", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains("condition is nested too deeply: most=100");
    }

    /** Tried in ever more ways by the parser; what it cannot tell in time is not judged. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "12 | (             | )              | violated",
                "90 | (             | )              | violated",
                "30 | NOT (         | )              | violated",
                "30 | (             |  AND c1 > 2)   | violated",
                "40 | (c1 = 1 OR (  | ))             | violated",
                "20 | ((            | ) IS TRUE)     | nested too deeply to be understood",
                "3  | (             |                | unexpected word",
                "20 | CASE WHEN     |  THEN TRUE END | nested too deeply to be understood",
                "30 | [             | ]              | nested too deeply",
            })
    @Timeout(60)
    void nestedConditionsAreJudgedOrRefusedInTime(int depth, String open, String close, String answer)
            throws IOException {
        String condition = (open + " ").repeat(depth) + "c1 > 2" + (close == null ? "" : " " + close).repeat(depth);
        Path file = Files.writeString(
                folder.resolve("nested.txt"),
                "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1\ns1 T2 [3,4]: p[t](\"" + condition + "\",[],0)\n");
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "si", file.toString());

        assertThat(run.out()).contains(answer).doesNotContain("holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0)", "1) v(t/1)"})
    void aRowMissedThatWasThereFromTheStartRulesOutAllSixLevels(String rows) throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5}')@0
                s1 T2 [3,4]: p[t]("c = ?",[5],
                s2 T3 [5,6]: r(t/1,'{"c":5}')@0
                """
                        .replace("[5],", "[5]," + rows);
        for (String told : List.of(history, history.replaceAll(" \\[\\d,\\d]:", ":"))) {
            for (String level : List.of("rc", "ra", "cc", "pc", "ser", "PL-3")) {
                assertThat(verdict(told, "--level", level)).as(level).isEqualTo("violated {predicate-read-miss=1}");
            }
            assertThat(verdict(told, "--level", "PL-SI")).isEqualTo("undecided {}");
            assertThat(verdict(told, "--level", "PL-2.99")).isEqualTo("holds {}");
            assertThat(verdict(told, "--level", "si")).startsWith("violated");
        }
    }

    /** What a read says of itself beside its row, and what is concluded at every level from read committed on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "r(t/1,'{\"c\":9}')                                 | violated {garbage-read=1}",
                "r(t/1,'{\"c\":9}')@2                               | violated {garbage-read=1}",
                "p[t](\"c > 1\",[],1) r(t/1,'{\"c\":9}')            | violated {garbage-read=1}",
                "r(t/1,'{\"c\":5}')@2                               | version whose row is another one: key=t/1 version=2",
                "r(t/1,'{\"c\":6}')@7                               | version read that nobody wrote: key=t/1 version=7",
                "r(t/1,'{\"c\":6}')<-T1                             | writer that did not write what was read: key=t/1 ",
                "p[t](\"c > 1\",[],1) r(t/1,'{\"c\":6}')@2<-T1      | wrote than its writer: key=t/1 version=2 writer=1",
                "p[t](\"c > 1\",[],1) v(t/1)@1                      | row passed over whose version matches: key=t/1",
                "p[t](\"c > 9\",[],1) v(t/1)@9                      | version read that nobody wrote: key=t/1 version=9",
            })
    void whatAReadSaysOfItselfAndContradictsItIsFoundOrNamed(String read, String answer) throws IOException {
        Path file = Files.writeString(
                folder.resolve("said.txt"),
                """
                s0 T1: w(t/1,'{"c":5}')@1
                s1 T2: w(t/1,'{"c":6}')@2
                s2 T3: p[t]("c > 90",[],0) READ
                """
                        .replace("READ", read));
        for (String level : List.of("rc", "si", "ser", "PL-2", "PL-3")) {
            CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", level, "" + file);

            assertThat(verdictOf(run) + " " + run.out()).as(level).contains(answer);
            assertThat(run.code()).as(level).isEqualTo(answer.startsWith("violated") ? 1 : 2);
        }
    }

    /** Rows that the transaction writes afterwards may have been read again, when they were locked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "p[t](\"c > 1\",[],1)^4 r(t/1,'{\"c\":6}')@2                           | holds {}",
                "p[t](\"c > 1\",[],1)^2 r(t/1,'{\"c\":5}')@1                           | holds {}",
                "p[t](\"c > 1\",[],1)^2 r(t/1,'{\"c\":6}')@2                           | undecided {}",
                "p[t](\"c > 1\",[],0)^2                                                | undecided {}",
                "p[t](\"count(*) WHERE c > 5\",[],0)=\"1\"^2                          | undecided {}",
                "p[t](\"c > 1\",[],1)^2 r(t/1,'{\"c\":6}')@2 w(t/1,'{\"c\":7}')@3      | holds {}",
            })
    void aStatementIsComparedWithItsOwnSnapshotWhereNoReplayProvesALevel(String look, String verdict)
            throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5}')@1 w(u/1,'{"c":5}')@1 w(u/2,'{"c":5}')@1
                s1 T2 [3,4]: w(t/1,'{"c":6}')@2 w(u/1,'{"c":6}')@2 w(u/2,'{"c":6}')@2
                s2 T3 [1,6]: r(u/1,'{"c":5}')@1 LOOK r(u/2,'{"c":6}')@2
                """
                        .replace("LOOK", look);

        assertThat(verdict(history, "--level", "rc")).isEqualTo(verdict);
        assertThat(verdict(history, "--level", "si")).startsWith("violated");
    }

    @Test
    void anAnswerOfNullIsJudgedAndKeptByEveryFormat() throws IOException {
        String right =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5,"d":null}')@1
                s1 T2 [3,4]: p[t]("sum(c) WHERE c > ?",[9],0)=_ p[t]("min(d)",[],0)=_ p[t]("max(c)",[],0)="5"
                """;
        assertThat(verdict(right, "--level", "si,ser")).isEqualTo("holds {}");
        assertThat(verdict(right.replace("[9]", "[4]"), "--level", "si")).isEqualTo("violated {result-set-mismatch=1}");
        assertThat(verdict(right.replace("\"5\"", "_"), "--level", "si")).isEqualTo("violated {result-set-mismatch=1}");
        assertThat(verdict(right.replace("[9],0", "[9],_"), "--level", "si")).isEqualTo("undecided {}");

        Path from = Files.writeString(folder.resolve("h.txt"), right);
        List<String> texts = new ArrayList<>();
        for (String name : List.of("h.jsonl", "h.parquet", "h.arrow", "again.txt", "again.jsonl")) {
            Path to = folder.resolve(name);
            assertThat(CommandRun.of("convert", "" + from, "" + to).code())
                    .as(name)
                    .isZero();
            assertThat(verdictOf(CommandRun.of("check", "--json", "--lake", "none", "--level", "si", "" + to)))
                    .isEqualTo("holds {}");
            from = to;
            texts.add(name.endsWith("jsonl") ? Files.readString(to) : "");
        }
        assertThat(texts.get(4)).isEqualTo(texts.get(0));
        Path said =
                Files.writeString(folder.resolve("said.jsonl"), texts.get(0).replace("\"t\"", "\"t\",\"value\":null"));
        assertThat(verdictOf(CommandRun.of("check", "--json", "--lake", "none", "--level", "si", "" + said)))
                .isEqualTo("holds {}");
    }

    @Test
    void aFileWithColumnsOfPredicatesIsReadOnceAsTables() throws IOException {
        Path text = Files.writeString(folder.resolve("clean.txt"), CLEAN);
        Path file = folder.resolve("clean.parquet");
        CommandRun.of("convert", "" + text, "" + file);
        Path lake = folder.resolve("lake");
        assertThat(CommandRun.check(file, lake, "--level", "si,ser").code()).isZero();

        assertThat(CommandRun.rows(
                        lake, "SELECT stage, sum(records_in) AS n FROM stages GROUP BY stage ORDER BY stage"))
                .extracting(Map::toString)
                .contains("{stage=read, n=5}")
                .doesNotContain("{stage=split, n=5}");
    }

    /** One task of Flink holds what relates rows; its part of the memory bounds it. */
    @Test
    @Timeout(300)
    void theGraphThatDoesNotFitIntoATaskOfFlinkIsUndecidedWithAWord() throws IOException {
        Path file = folder.resolve("ranges.parquet");
        CommandRun made = CommandRun.of(("generate " + file + " --workload ranges --store ser --transactions 40000"
                        + " --ops 5 --reads 0.2 --keys 300")
                .split(" "));
        assertThat(made.code()).isZero();
        CommandRun run = CommandRun.of(
                ("check " + file + " --json --lake none --level PL-3 --engine flink" + " --parallelism 2 --memory 200m")
                        .split(" "));

        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).contains("\"verdict\":\"undecided\"").contains("do not fit into memory: operations=");
    }

    /** What is too deep is found out once for all that differ in their constants only, and what is not is judged beside it. */
    @Test
    @Timeout(300)
    void manyNestedConditionsTakeNoLongerThanOne() throws IOException {
        StringBuilder history = new StringBuilder("s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1\n");
        for (int i = 0; i < 500; i++) {
            String condition = "((".repeat(20) + "c1 > " + i + ") IS TRUE)".repeat(20);
            history.append("s1 T%d [%d,%d]: p[t](\"%s\",[],0)\n".formatted(i + 2, 2 * i + 3, 2 * i + 4, condition));
        }
        history.append("s2 T600 [2000,2001]: p[t](\"NOT (c1 > 5 OR c1 < 3)\",[],0)\n");
        Path file = Files.writeString(folder.resolve("many.txt"), history);
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "si", "" + file);

        assertThat(verdictOf(run)).isEqualTo("violated {result-set-mismatch=1}");
        assertThat(run.out()).contains("T600 asked for rows where NOT (c1 > 5 OR c1 < 3)");
    }

    /** By its rows it did not see what its snapshot shows, so that no anomaly may be made of that. */
    @Test
    void rowsReturnedCountForMoreThanTheSnapshot() throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/0,'{"c":2}')@1 w(t/1,'{"c":8}')@1
                s1 T2 [3,4]: w(t/0,'{"c":6}')@2 w(t/1,'{"c":2}')@2
                s2 T4 [3,8]: p[t]("c BETWEEN 1 AND 4",[],1) r(t/1,'{"c":2}')@2
                """;

        assertThat(verdict(history, "--level", "ser,PL-3")).isEqualTo("holds {}");
        assertThat(verdict(history, "--level", "si")).isEqualTo("violated {result-set-mismatch=2}");
    }

    /** Elle's own files; where it expects less or more, the page on predicates says why. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failure-to-observe                        | PL-3    | violated {predicate-read-miss=2}",
                "failure-to-observe                        | PL-2.99 | holds {}",
                "g1c-predicate-read-unseen-universe-delete | PL-2    | violated {G1c=1}",
                "g2-predicate-read-unseen                  | PL-2.99 | holds {}",
                "g2-predicate-read-unseen                  | PL-3    | violated {internal=2, G2=1}",
                "init-g-single-pred                        | PL-2    | holds {}",
                "init-g-single-pred                        | PL-SI   | violated {G-single-item=1}",
                "wr-g1c-item                               | PL-2    | violated {G1c=1}",
                "ww-wr-rw-item                             | PL-2.99 | violated {G-single-item=1}",
            })
    void closedPredicatesOfElleAreJudged(String file, String level, String verdict) throws IOException {
        Path path = PublishedCases.at("elle/closed-predicate/" + file + "-test.edn");
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", level, path.toString());

        assertThat(verdictOf(run)).isEqualTo(verdict);
    }

    @Test
    void aClosedPredicateWithoutAResultIsNotLeftOutInSilence() throws IOException {
        Path file = Files.writeString(
                folder.resolve("nil.edn"),
                """
                {:type :ok, :process 4, :f :init, :value {7 1}}
                {:type :ok, :process 7, :f :txn, :value [[:rp :true nil] [:r 7 1]]}
                """);
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "PL-3", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out())
                .contains("predicate read with neither rows nor a snapshot: [")
                .contains("row=2");
    }

    /** The levels that Elle tells apart for its own files, one by one. */
    @Test
    void everyLevelOfElleIsAnsweredAsElleDoesButWhereThePageSaysWhy() throws IOException {
        List<String> others = new ArrayList<>();
        for (Map<String, Object> file : PublishedCases.of("elle-verdicts.json")) {
            Map<String, Object> options = JsonTree.at(file, "options");
            if (!file.get("suite").equals("closed-predicate") || options.isEmpty()) {
                continue;
            }
            String level =
                    JsonTree.<List<String>>at(options, "consistency-models").get(0);
            String asked = ELLES.getOrDefault(level, level);
            Path path = PublishedCases.at((String) file.get("file"));
            CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", asked, path.toString());
            String answer = verdictOf(run).replaceAll(" .*", "");
            Object isValid = JsonTree.<Map<String, Object>>at(file, "expected").get("valid");
            String expected = isValid instanceof Boolean valid ? valid ? "holds" : "violated" : "unknown";
            if (!answer.equals(expected)) {
                others.add(path.getFileName() + " " + level + " " + expected + " " + answer);
            }
        }
        String empty = "failure-to-observe-test.edn %s unknown holds"; // no transaction depends on another
        String open =
                "failure-to-observe-test.edn %s unknown undecided"; // for what a predicate read may have passed over
        String own = "g2-predicate-read-unseen-test.edn %s holds violated"; // by internal
        String missed =
                "failure-to-observe-test.edn %s %s violated"; // a row that was there from the start, in no snapshot
        assertThat(others)
                .containsExactlyInAnyOrder(
                        missed.formatted("strong-snapshot-isolation", "holds"),
                        missed.formatted("strong-session-snapshot-isolation", "unknown"),
                        open.formatted("snapshot-isolation"),
                        empty.formatted("repeatable-read"),
                        empty.formatted("read-committed"),
                        empty.formatted("read-uncommitted"),
                        own.formatted("strong-session-snapshot-isolation"),
                        own.formatted("snapshot-isolation"));
    }

    // ---------------------------------------------------------------- what was once wrong

    @Test
    void aRowReadTwiceWithTwoValuesIsNoSnapshot() throws IOException {
        String twice =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,4]: w(t/1,'{"c1":6}')@2
                s2 T3 [3,8]: r(t/1,'{"c1":5}')@1 r(t/1,'{"c1":6}')@2 d(t/9)@1
                """;

        assertThat(verdict(twice, "--level", "si")).isEqualTo("violated {INT=1}");
    }

    /** In a history of tables too, and where an order is given, unless somebody wrote it. */
    @Test
    void theInitialValueIsAReadOfNothing() throws IOException {
        String history = "s0 T1 [1,1]: r(x,0)\ns0 T2 [1,2]: w(x,1)\ns1 T3 [3,4]: r(x,1) d(y)@1\n";
        String written = history.replace("w(x,1)", "w(x,0) w(x,1)");
        String[] given = {"--initial-value", "0", "--level", "rc,si,ser"};

        assertThat(verdict(history, given)).isEqualTo("holds {}");
        assertThat(verdict(history, "--initial-value", "0", "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("holds {}");
        assertThat(verdict(history, "--level", "si")).isEqualTo("violated {EXT=1}");
        assertThat(verdict(written, "--initial-value", "0", "--level", "si")).isEqualTo("violated {EXT=1}");
        assertThat(verdict(history.replace("[3,4]: r(x,1)", "[3,4]: r(x,0)"), "--initial-value", "0", "--level", "si"))
                .isEqualTo("violated {EXT=1}");
    }

    @Test
    void aRowThatWasOnlyDeletedIsAKeyOnBothEngines() throws IOException {
        Path file = Files.writeString(folder.resolve("keys.txt"), "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1 d(t/9)@1\n");
        for (String engine : List.of("local", "flink")) {
            String[] command = {
                "check", "--json", "--lake", "none", "--level", "si", "--engine", engine, file.toString()
            };
            assertThat(JsonTree.object(CommandRun.of(command).out()).get("keys"))
                    .as(engine)
                    .isEqualTo(2L);
        }
    }

    /** What a transaction of unknown outcome wrote may explain a read, and then nobody can say that it is wrong. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "d(t/1)@2                | p[t](\"c1 > 0\",[],0)",
                "d(t/1)@2                | p[t](\"count(*) WHERE c1 > 0\",[],0)=\"0\"",
                "d(t/1)@2                | r(t/1,_)",
                "d(t/1)@2                | r(t/1,_) r(t/2,'{\"c1\":5}')@1",
                "w(t/1,'{\"c1\":6}')@2   | p[t](\"c1 > 0\",[],2) r(t/1,'{\"c1\":6}')@2 r(t/2,'{\"c1\":5}')@1",
                "w(t/1,'{\"c1\":6}')@2   | r(t/1,'{\"c1\":6}')",
                "w(t/1,'{\"c1\":-1}')@2  | p[t](\"c1 > 0\",[],0)",
            })
    void whatMayHaveCommittedIsNoFault(String writeAndRead) throws IOException {
        String[] parts = writeAndRead.split("\\s*\\|\\s*");
        boolean namesOther = parts[1].contains("t/2");
        String rows = "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1" + (namesOther ? " w(t/2,'{\"c1\":5}')@1" : "") + "\n"
                + "s1 T2%s [3,4]: " + parts[0] + "\ns2 T3 [5,5]: " + parts[1] + "\n";

        for (String level : List.of("si", "ser", "PL-3", "PL-SI")) {
            assertThat(verdict(rows.formatted("?"), "--level", level)).as(level).doesNotContain("violated");
        }
        assertThat(verdict(rows.formatted("!"), "--level", "si")).startsWith("violated");
        assertThat(verdict(rows.formatted(""), "--level", "si,ser")).startsWith("holds");
    }

    @Test
    void theFirstOperationOfAllIsReplayed() throws IOException {
        String first =
                """
                s0 T1 [5,6]: r(t/1,'{"c1":5}')@1
                s1 T2 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T3 [3,4]: d(t/1)@2
                """;

        assertThat(verdict(first, "--level", "si")).isEqualTo("violated {EXT=1}");
        assertThat(verdict(first, "--level", "ser", "--order", "commit_ts")).isEqualTo("violated {EXT=1}");
    }

    /** Its snapshot does not say what a read saw whose answer is another one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "p[t](\"max(c) WHERE c > ?\",[0],0)=_ r(t/1,_)",
                "p[t](\"count(*) WHERE c > ?\",[0],0)=\"0\" r(t/1,_)",
                "p[t](\"count(*) WHERE c > ?\",[0],0)=\"0\"^3 r(t/1,_)",
                "p[t](\"max(c) WHERE c = ?\",[3],1)=\"3\" r(t/0,'{\"c\":3}')@1 r(t/1,_)",
            })
    void anAnswerThatContradictsItsSnapshotMakesNoCycle(String looks) throws IOException {
        String history =
                """
                s2 T0 [0,1]: w(t/0,'{"c":LEAST}')@1
                s0 T1 [1,2]: w(t/0,'{"c":3,"u":1}')@2 w(t/1,'{"c":3}')@1
                s3 T3?: w(u/1,'{"c":3}')
                s1 T2 [3,3]: LOOKS
                """
                        .replace("LOOKS", looks)
                        .replace("LEAST", looks.contains("t/0") ? "3" : "0");

        for (String rows : List.of(history, history.replaceAll("(?m)^s3.*\n", ""))) {
            assertThat(verdict(rows, "--level", "si")).startsWith("violated");
            assertThat(verdict(rows, "--level", "ser,PL-3")).startsWith("holds"); // looked before all others
        }
    }

    /** Somebody read from it, so it committed, and one of the two updates is lost. */
    @Test
    void anOverlapWithAnUnknownWriterThatWasReadIsNoSnapshot() throws IOException {
        String lost =
                """
                s1 T2 [1,4]: r(t/1,_) w(t/1,'{"c":2}')
                s0 T3? [1,2]: w(t/1,'{"c":2}')
                s0 T4 [3,3]: r(t/1,'{"c":2}')<-T3 p[t]("c > 5",[],0)
                """;

        assertThat(verdict(lost, "--level", "si")).isEqualTo("undecided {}");
        assertThat(verdict(lost, "--level", "rc,si")).startsWith("undecided");
        assertThat(verdict(lost.replace("[1,4]", "[2,4]").replace("r(t/1,_) ", ""), "--level", "si"))
                .isEqualTo("holds {}");
    }

    /** Another value of a column that it counts makes no other count, but another sum; so does none at all. */
    @ParameterizedTest
    @CsvSource({"count, 2, holds", "sum, 2, violated", "count, null, violated"})
    void aCountOfAColumnDoesNotDependOnItsValues(String computed, String changed, String verdict) throws IOException {
        String history =
                """
                s0 T0 [1,1]: w(t/1,'{"c":1,"d":1}')@1 w(t/2,'{"c":0,"d":1}')@1
                s1 T2 [2,7]: r(t/2,'{"c":0,"d":1}')@1 w(t/1,'{"c":CHANGED,"d":1}')@2
                s2 T3 [2,4]: w(t/2,'{"c":2,"d":1}')@2 p[t]("COMPUTED(c) WHERE d = 1",[],0)="ANSWER"
                """
                        .replace("CHANGED", changed)
                        .replace("COMPUTED", computed)
                        .replace("ANSWER", computed.equals("sum") ? "3" : "2");

        assertThat(verdict(history, "--level", "ser")).startsWith(verdict);
    }

    /** A row that somebody of unknown outcome wrote as well is nobody's for sure. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s0 T1?: w(t/1,'{\"c\":5}')  | s0 T2: P | s0 T3: w(t/1,'{\"c\":5}') w(t/1,'{\"c\":2}')",
                "s0 T1?: w(t/1,'{\"c\":5}')  | s1 T2!: w(t/1,'{\"c\":5}') | s2 T3: P",
                "s0 T1? [1,2]: w(t/1,'{\"c\":5}') | s1 T2! [1,3]: w(t/1,'{\"c\":5}') | s2 T3 [5,5]: P",
                "s0 T1: w(t/1,'{\"c\":5}')@1 | s0 T2: w(t/1,'{\"c\":6}')@2 | s0 T3?: w(t/1,'{\"c\":5}') | s0 T4: P",
            })
    void aRowOfTwoWritersOneOfThemUnknownIsUndecided(String transactions) throws IOException {
        String read = "r(t/1,'{\"c\":5}')";
        String search = "p[t](\"c > 4\",[],1) " + read;
        for (String look : transactions.contains("[1,2]") ? List.of(search) : List.of(search, read)) {
            String history = transactions.replaceAll("\\s*\\| ", "\n").replace("P", look) + "\n";
            for (String level : List.of("rc", "si", "ser", "PL-2", "PL-3")) {
                assertThat(verdict(history, "--level", level))
                        .as(level + history)
                        .startsWith("undecided");
            }
        }
    }

    /** The row is as it should be, and by its version or writer it is another one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "r(t/1,ROW)@1                         | EXT=1, as T1 wrote it",
                "r(t/1,ROW)<-T1                       | EXT=1, as T1 wrote it",
                "r(t/1,ROW)<-T4                       | EXT=1, as T4 wrote it",
                "p[t](\"c > 1\",[],1) r(t/1,ROW)@1    | result-set-mismatch=1, for t/1 as T1 wrote it",
                "p[t](\"c > 1\",[],1) r(t/1,ROW)<-T1  | result-set-mismatch=1, for t/1 as T1 wrote it",
                "r(t/1,ROW)@3 r(t/1,ROW)@1            | INT=1, after it had read",
                "r(t/1,ROW) r(t/1,ROW)@1              | EXT=1, as T1 wrote it",
                "r(t/1,ROW) r(t/1,ROW)<-T1            | EXT=1, as T1 wrote it",
                "r(t/1,ROW) r(t/1,ROW)@3              | holds",
                "w(t/1,ROW)@9 r(t/1,ROW)@3            | INT=1, as T3 wrote it",
                "r(t/1,ROW)@3                         | holds",
                "r(t/1,ROW)<-T3                       | holds",
                "r(t/1,ROW)                           | holds",
                "p[t](\"c > 1\",[],1) r(t/1,ROW)@3<-T3 | holds",
                "w(t/1,ROW)@8 r(t/1,ROW)<-T5 w(t/1,ROW)@9 | holds",
            })
    void theVersionThatARowNamesCountsInReplays(String read, String found) throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,ROW)@1 d(t/9)@1
                s1 T2 [3,4]: w(t/1,'{"c":7}')@2
                s2 T4! [5,6]: w(t/1,ROW)
                s2 T3 [5,6]: w(t/1,ROW)@3
                s3 T5 [7,8]: READ
                """
                        .replace("READ", read)
                        .replace("ROW", "'{\"c\":5}'");
        String[] expected = found.split(", ", 2);

        CommandRun si = run(history, "--level", "si");
        assertThat(verdictOf(si.out())).contains(expected[0]);
        assertThat(si.out()).contains(expected.length > 1 ? expected[1] : "");
        boolean isRepeated = found.startsWith("INT=1, after"); // in a serial order both are of the same moment
        String inOrder = isRepeated ? "EXT=1" : expected[0];
        assertThat(verdict(history, "--level", "ser", "--order", "commit_ts")).contains(inOrder);
    }

    /** The answer is right, and a row beside it is stale or nobody's. */
    @Test
    void rowsBesideAnAnswerAreReadsToo() throws IOException {
        String stale =
                """
                s0 T1 [1,1]: w(t/1,'{"c":4,"u":1}')@1 w(t/2,'{"c":2}')@1
                s1 T2 [2,4]: r(t/2,'{"c":2}')@1 w(t/1,'{"c":4,"u":2}')@2
                s2 T3 [3,5]: p[t]("max(c) WHERE c >= ?",[3],1)="4" r(t/1,'{"c":4,"u":1}') w(t/2,'{"c":1}')@2
                """;
        String late = stale.replace("[3,5]", "[5,5]");
        String nobodys = late.replace("r(t/1,'{\"c\":4,\"u\":1}')", "r(t/1,'{\"c\":4,\"u\":9}')");
        String right = late.replace("r(t/1,'{\"c\":4,\"u\":1}')", "r(t/1,'{\"c\":4,\"u\":2}')");

        for (String engine : List.of("local", "flink")) {
            String[] si = {"--level", "si", "--engine", engine};
            String[] ser = {"--level", "ser", "--engine", engine};
            assertThat(verdictOf(run(stale, si).out())).isEqualTo("holds {}");
            assertThat(verdictOf(run(stale, ser).out())).isEqualTo("violated {G2-item=1}");
            assertThat(verdictOf(run(late, si).out())).isEqualTo("violated {result-set-mismatch=1}");
            assertThat(verdictOf(run(nobodys, si).out())).isEqualTo("violated {result-set-mismatch=1}");
            assertThat(verdictOf(run(nobodys, ser).out())).isEqualTo("violated {garbage-read=1}");
            assertThat(verdictOf(run(right, si).out())).isEqualTo("holds {}");
        }
        assertThat(verdict(stale, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void whatWasTakenBackMayNotBeLookedAt() throws IOException {
        String looked =
                """
                s0 T1: w(t/1,'{"c1":5}')@1
                s1 T2!: w(t/1,'{"c1":6}')@2
                s2 T3: p[t]("c1 > 7",[],1) v(t/1)@2
                """;

        assertThat(verdict(looked, "--level", "PL-1")).isEqualTo("holds {}");
        assertThat(verdict(looked, "--level", "PL-2")).isEqualTo("violated {G1a=1}");
        assertThat(verdict(looked.replace("v(t/1)@2", "v(t/1)@9"), "--level", "PL-2"))
                .isEqualTo("undecided {}");
    }

    @Test
    void aRowThatIsNotThereMayNotBeThereYet() throws IOException {
        String early =
                """
                s3 T4 [1,2]: w(t/8,'{"c1":1}')@1
                s0 T1 [3,3]: r(t/9,_) r(t/8,'{"c1":1}')@1
                s1 T2 [4,5]: w(t/9,'{"c1":1}')@1 w(t/8,'{"c1":2}')@2
                s2 T3 [6,7]: d(t/9)@2
                """;

        assertThat(verdict(early, "--level", "PL-3")).isEqualTo("holds {}");
        String untimed = early.replaceAll(" \\[\\d,\\d]", "");
        assertThat(verdict(untimed, "--level", "PL-3,ser")).isEqualTo("holds {}"); // in the order of its rows
        assertThat(verdict(untimed.replace("r(t/8,'{\"c1\":1}')@1", "r(t/8,'{\"c1\":2}')@2"), "--level", "PL-3"))
                .isEqualTo("undecided {}");
    }

    private String verdict(String rows, String... options) throws IOException {
        return verdictOf(run(rows, options));
    }

    private CommandRun run(String rows, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), rows);
        String[] arguments = new String[options.length + 5];
        System.arraycopy(new String[] {"check", "--json", "--lake", "none"}, 0, arguments, 0, 4);
        System.arraycopy(options, 0, arguments, 4, options.length);
        arguments[arguments.length - 1] = file.toString();
        return CommandRun.of(arguments);
    }

    private static String verdictOf(CommandRun run) {
        assertThat(run.err()).isEmpty();
        return verdictOf(run.out());
    }

    /** The verdict of all levels asked for, and the types of the strongest. */
    private static String verdictOf(String out) {
        Map<String, Object> answer = JsonTree.object(out);
        Map<String, Map<String, Object>> levels = JsonTree.at(answer, "levels");
        Object types = null;
        for (Map<String, Object> level : levels.values()) {
            types = level.get("types");
        }
        return answer.get("verdict") + " " + types;
    }
}
