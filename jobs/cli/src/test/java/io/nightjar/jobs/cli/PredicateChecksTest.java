package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of tables in {@code check}: predicate reads, deletions, given orders. */
class PredicateChecksTest {

    private static final String CLEAN =
            """
            s0 T1 [1,2]: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":9}')@1
            s1 T2 [3,4]: p[t]("c1 < ?",[8],2) r(t/1,'{"c1":5}')@1 v(t/2)@1 w(t/1,'{"c1":6}')@2
            s2 T3 [5,6]: d(t/2)@2
            s3 T4 [7,7]: p[t]("c1 < ?",[10],1) r(t/1,'{"c1":6}')@2
            s3 T5 [8,8]: p[t]("count(*) WHERE c1 < 10",[],0)="1"
            """;

    @TempDir
    private Path folder;

    private TableVerdicts tables;

    @BeforeEach
    void tables() {
        tables = new TableVerdicts(folder);
    }

    @Test
    void cleanHistoryHoldsAtEveryLevelAndInCommitOrder() throws IOException {
        assertThat(tables.verdict(CLEAN, "--level", "all")).isEqualTo("holds {}");
        assertThat(tables.verdict(CLEAN, "--level", "PL-1,PL-2,PL-2.99,PL-SI,PL-3"))
                .isEqualTo("holds {}");
        assertThat(tables.verdict(CLEAN, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("holds {}");
    }

    /** The injected fault, its site, and the expected anomalies at snapshot isolation. */
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
        assertThat(tables.verdict(planted, "--level", "si")).as(fault).isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void predicateWriteSkewDistinguishesSerializableFromRepeatableRead() throws IOException {
        String skew =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,5]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1 w(t/2,'{"c1":7}')@1
                s2 T3 [4,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1 w(t/3,'{"c1":8}')@1
                """;

        assertThat(tables.verdict(skew, "--level", "si")).isEqualTo("holds {}");
        assertThat(tables.verdict(skew, "--level", "PL-2.99")).isEqualTo("holds {}");
        assertThat(tables.verdict(skew, "--level", "PL-3")).isEqualTo("violated {G2=1}");
        assertThat(tables.verdict(skew, "--level", "ser")).isEqualTo("violated {G2=1}");
        assertThat(tables.verdict(skew, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("violated {result-set-mismatch=1}");
        Path order = Files.writeString(folder.resolve("order.txt"), "1\n3\n2\n");
        assertThat(tables.verdict(skew, "--level", "ser", "--order", order.toString()))
                .isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void givenOrderMustKeepSessionOrder() throws IOException {
        String stale = "s1 T1 [1,5]: w(x,1)\ns2 T2 [6,7]: r(x,1)\ns1 T3 [0,2]: r(x,_)\n";
        Path order = Files.writeString(folder.resolve("order.txt"), "3\n1\n2\n");

        assertThat(tables.verdict(stale, "--level", "ser")).startsWith("violated");
        assertThat(tables.verdict(stale, "--level", "ser", "--order", order.toString()))
                .startsWith("violated {G-single-item-process=1");
        assertThat(tables.verdict(stale, "--level", "ser", "--order", "commit_ts"))
                .startsWith("violated {G-single-item-process=1");
    }

    @Test
    void tablesNameConditionsOfCycle() throws IOException {
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
    void levelsImpliedBySnapshotIsolationHoldWithDeletions() throws IOException {
        String skew =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":5}')@1
                s1 T2 [3,5]: p[t]("c1 >= 0",[],2) r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/1)@2
                s2 T3 [4,6]: p[t]("c1 >= 0",[],2) r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/2)@2
                """;

        assertThat(tables.verdict(skew, "--level", "ser")).isEqualTo("violated {G2-item=1}");
        assertThat(tables.verdict(skew, "--level", "rc,ra,cc,pc")).isEqualTo("holds {}");
        assertThat(tables.verdict(skew, "--level", "rc,ra,cc,pc,si")).isEqualTo("holds {}");
    }

    @Test
    void weakLevelsHoldByVersionsWithDeletions() throws IOException {
        String skew =
                """
                s0 T1: w(t/1,'{"c1":5}')@1 w(t/2,'{"c1":5}')@1
                s1 T2: r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/1)@2
                s2 T3: r(t/1,'{"c1":5}')@1 r(t/2,'{"c1":5}')@1 d(t/2)@2
                """;

        assertThat(tables.verdict(skew, "--level", "ser")).isEqualTo("violated {G2-item=1}");
        assertThat(tables.verdict(skew, "--level", "rc,ra,cc")).isEqualTo("holds {}");
        String half = skew + "s3 T4: r(t/2,'{\"c1\":5}')@1 r(t/1,_)@2 r(t/2,'{\"c1\":5}')@1\n"
                + "s2 T5: r(t/1,_)@2 w(t/2,'{\"c1\":9}')@3\ns3 T6: r(t/2,'{\"c1\":9}')@3 r(t/1,'{\"c1\":5}')@1\n";
        assertThat(tables.verdict(half, "--level", "rc")).isEqualTo("holds {}");
        assertThat(tables.verdict(half, "--level", "cc")).isEqualTo("undecided {}");
    }

    @Test
    void versionsThatContradictTimestampsAreSeenByACrossCheck() throws IOException {
        String turned =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@2
                s1 T2 [3,4]: w(t/1,'{"c1":5}')@1
                s2 T3 [5,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1
                """;

        assertThat(tables.verdict(turned, "--level", "si")).isEqualTo("holds {}");
        assertThat(tables.verdict(turned, "--level", "si", "--cross-check")).isEqualTo("undecided {}");
    }

    /**
     * The last one sees the second write of u and so a row that its condition would have found; its items alone do not
     * show that.
     */
    @Test
    void itemsDoNotProveLevelsThatPredicateReadsMayContradict() throws IOException {
        String passedOver =
                """
                s0 T1: w(t/1,'{"c":1}')@1 w(u/1,'{"x":1}')@1
                s1 T2: w(t/1,'{"c":7}')@2 w(u/1,'{"x":2}')@2
                s2 T3: w(t/1,'{"c":2}')@3 w(u/1,'{"x":3}')@3
                s3 T4: p[t]("c > 4",[],0) r(u/1,'{"x":2}')@2
                """;
        for (String level : List.of("PL-SI", "PL-3")) {
            assertThat(tables.verdict(passedOver, "--level", level)).as(level).isEqualTo("undecided {}");
        }
        for (String level : List.of("pc", "si", "ser")) {
            assertThat(tables.verdict(passedOver, "--level", level)).as(level).startsWith("violated {no-");
        }
        assertThat(tables.verdict(passedOver, "--level", "rc,ra,cc")).isEqualTo("undecided {}");
        assertThat(tables.verdict(passedOver, "--level", "PL-2.99")).isEqualTo("holds {}");
        assertThat(tables.run(passedOver, "--level", "ser,PL-2.99").out())
                .contains("\"PL-2.99\":{\"verdict\":\"holds\"");
    }

    @Test
    void aSerializableDatabaseIsNotViolatedBecauseCommitOrderFails() throws IOException {
        String laterFirst =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,5]: w(t/2,'{"c1":7}')@1
                s2 T3 [4,6]: p[t]("c1 >= 0",[],1) r(t/1,'{"c1":5}')@1
                """;

        assertThat(tables.verdict(laterFirst, "--level", "cser", "--evidence", "timestamps"))
                .isEqualTo("violated {result-set-mismatch=1}");
        assertThat(tables.verdict(laterFirst, "--level", "ser", "--evidence", "timestamps"))
                .isEqualTo("holds {}");
        assertThat(tables.verdict(laterFirst, "--level", "ser")).isEqualTo("holds {}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0)", "1) v(t/1)"})
    void missedInitialRowRulesOutAllSixLevels(String rows) throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5}')@0
                s1 T2 [3,4]: p[t]("c = ?",[5],
                s2 T3 [5,6]: r(t/1,'{"c":5}')@0
                """
                        .replace("[5],", "[5]," + rows);
        for (String reported : List.of(history, history.replaceAll(" \\[\\d,\\d]:", ":"))) {
            for (String level : List.of("rc", "ra", "cc", "pc", "ser", "PL-3")) {
                assertThat(tables.verdict(reported, "--level", level))
                        .as(level)
                        .isEqualTo("violated {predicate-read-miss=1}");
            }
            assertThat(tables.verdict(reported, "--level", "PL-SI")).isEqualTo("undecided {}");
            assertThat(tables.verdict(reported, "--level", "PL-2.99")).isEqualTo("holds {}");
            assertThat(tables.verdict(reported, "--level", "si")).startsWith("violated");
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
    void statementWithoutReplayIsComparedWithItsSnapshot(String predicateRead, String verdict) throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5}')@1 w(u/1,'{"c":5}')@1 w(u/2,'{"c":5}')@1
                s1 T2 [3,4]: w(t/1,'{"c":6}')@2 w(u/1,'{"c":6}')@2 w(u/2,'{"c":6}')@2
                s2 T3 [1,6]: r(u/1,'{"c":5}')@1 LOOK r(u/2,'{"c":6}')@2
                """
                        .replace("LOOK", predicateRead);

        assertThat(tables.verdict(history, "--level", "rc")).isEqualTo(verdict);
        assertThat(tables.verdict(history, "--level", "si")).startsWith("violated");
    }

    @Test
    void nullAnswerIsCheckedAndPreservedByEveryFormat() throws IOException {
        String right =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5,"d":null}')@1
                s1 T2 [3,4]: p[t]("sum(c) WHERE c > ?",[9],0)=_ p[t]("min(d)",[],0)=_ p[t]("max(c)",[],0)="5"
                """;
        assertThat(tables.verdict(right, "--level", "si,ser")).isEqualTo("holds {}");
        assertThat(tables.verdict(right.replace("[9]", "[4]"), "--level", "si"))
                .isEqualTo("violated {result-set-mismatch=1}");
        assertThat(tables.verdict(right.replace("\"5\"", "_"), "--level", "si"))
                .isEqualTo("violated {result-set-mismatch=1}");
        assertThat(tables.verdict(right.replace("[9],0", "[9],_"), "--level", "si"))
                .isEqualTo("undecided {}");

        Path from = Files.writeString(folder.resolve("h.txt"), right);
        List<String> texts = new ArrayList<>();
        for (String name : List.of("h.jsonl", "h.parquet", "h.arrow", "again.txt", "again.jsonl")) {
            Path to = folder.resolve(name);
            assertThat(CommandRun.of("convert", "" + from, "" + to).code())
                    .as(name)
                    .isZero();
            assertThat(TableVerdicts.of(CommandRun.of("check", "--json", "--lake", "none", "--level", "si", "" + to)))
                    .isEqualTo("holds {}");
            from = to;
            texts.add(name.endsWith("jsonl") ? Files.readString(to) : "");
        }
        assertThat(texts.get(4)).isEqualTo(texts.get(0));
        Path history =
                Files.writeString(folder.resolve("said.jsonl"), texts.get(0).replace("\"t\"", "\"t\",\"value\":null"));
        assertThat(TableVerdicts.of(CommandRun.of("check", "--json", "--lake", "none", "--level", "si", "" + history)))
                .isEqualTo("holds {}");
    }

    @Test
    void fileWithPredicateColumnsIsReadOnceAsTables() throws IOException {
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

    /** One task of Flink holds the data that relates rows; its part of the memory bounds it. */
    @Tag("slow")
    @Test
    @Timeout(300)
    void graphThatExceedsFlinkTaskIsUndecidedWithReason() throws IOException {
        Path file = folder.resolve("ranges.parquet");
        CommandRun made = CommandRun.of(("generate " + file + " --workload ranges --store ser --transactions 40000"
                        + " --ops 5 --reads 0.2 --keys 300")
                .split(" "));
        assertThat(made.code()).isZero();
        CommandRun run = CommandRun.of(
                ("check " + file + " --json --lake none --level PL-3 --engine flink" + " --parallelism 2 --memory 200m")
                        .split(" "));

        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).contains("\"verdict\":\"undecided\"").contains("do not fit into memory: ");
    }

    /** By its rows it did not observe the content of its snapshot, so that no anomaly may be derived from that. */
    @Test
    void rowsReturnedCountForMoreThanTheSnapshot() throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/0,'{"c":2}')@1 w(t/1,'{"c":8}')@1
                s1 T2 [3,4]: w(t/0,'{"c":6}')@2 w(t/1,'{"c":2}')@2
                s2 T4 [3,8]: p[t]("c BETWEEN 1 AND 4",[],1) r(t/1,'{"c":2}')@2
                """;

        assertThat(tables.verdict(history, "--level", "ser,PL-3")).isEqualTo("holds {}");
        assertThat(tables.verdict(history, "--level", "si")).isEqualTo("violated {result-set-mismatch=2}");
    }
}
