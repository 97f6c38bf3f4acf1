package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of tables with a wrong verdict in the past. */
class PredicatesOnceWrongTest {

    @TempDir
    private Path folder;

    private TableVerdicts tables;

    @BeforeEach
    void tables() {
        tables = new TableVerdicts(folder);
    }

    @Test
    void aRowReadTwiceWithTwoValuesIsNoSnapshot() throws IOException {
        String twice =
                """
                s0 T1 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T2 [3,4]: w(t/1,'{"c1":6}')@2
                s2 T3 [3,8]: r(t/1,'{"c1":5}')@1 r(t/1,'{"c1":6}')@2 d(t/9)@1
                """;

        assertThat(tables.verdict(twice, "--level", "si")).isEqualTo("violated {INT=1}");
    }

    /** In a history of tables too, and where an order is given, unless a transaction wrote it. */
    @Test
    void theInitialValueIsAReadOfNothing() throws IOException {
        String history = "s0 T1 [1,1]: r(x,0)\ns0 T2 [1,2]: w(x,1)\ns1 T3 [3,4]: r(x,1) d(y)@1\n";
        String written = history.replace("w(x,1)", "w(x,0) w(x,1)");
        String[] given = {"--initial-value", "0", "--level", "rc,si,ser"};

        assertThat(tables.verdict(history, given)).isEqualTo("holds {}");
        assertThat(tables.verdict(history, "--initial-value", "0", "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("holds {}");
        assertThat(tables.verdict(history, "--level", "si")).isEqualTo("violated {EXT=1}");
        assertThat(tables.verdict(written, "--initial-value", "0", "--level", "si"))
                .isEqualTo("violated {EXT=1}");
        assertThat(tables.verdict(
                        history.replace("[3,4]: r(x,1)", "[3,4]: r(x,0)"), "--initial-value", "0", "--level", "si"))
                .isEqualTo("violated {EXT=1}");
    }

    @Test
    void unknownStatementDoesNotPreventReplayOfOwnRead() throws IOException {
        Path file = Files.writeString(
                folder.resolve("own.jsonl"),
                """
                {"txn":1,"session":0,"seq":0,"status":"committed","ops":[["w","t/1",{"v":1},{"version":1}]]}
                {"txn":2,"session":1,"seq":0,"status":"committed","ops":[["r","t/1",{"v":1},{"version":1}],\
                ["w","t/1",{"v":2},{"version":2}],["p","INSERT INTO u VALUES (1)",[],null,{}],\
                ["r","t/1",{"v":1},{"version":1}]]}
                """);

        CommandRun run = CommandRun.of("check", "--lake", "none", "--level", "ra", file.toString());

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("violated   by versions  at least internal 1");
    }

    @Test
    void onlyDeletedRowIsKeyOnBothEngines() throws IOException {
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

    /** A write of a transaction of unknown outcome may explain a read, which is then not known to be wrong. */
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
    void readOfUnknownWriteIsNoViolation(String writeAndRead) throws IOException {
        String[] parts = writeAndRead.split("\\s*\\|\\s*");
        boolean namesOther = parts[1].contains("t/2");
        String rows = "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1" + (namesOther ? " w(t/2,'{\"c1\":5}')@1" : "") + "\n"
                + "s1 T2%s [3,4]: " + parts[0] + "\ns2 T3 [5,5]: " + parts[1] + "\n";

        for (String level : List.of("si", "ser", "PL-3", "PL-SI")) {
            assertThat(tables.verdict(rows.formatted("?"), "--level", level))
                    .as(level)
                    .doesNotContain("violated");
        }
        assertThat(tables.verdict(rows.formatted("!"), "--level", "si")).startsWith("violated");
        assertThat(tables.verdict(rows.formatted(""), "--level", "si,ser")).startsWith("holds");
    }

    @Test
    void theFirstOperationOfAllIsReplayed() throws IOException {
        String first =
                """
                s0 T1 [5,6]: r(t/1,'{"c1":5}')@1
                s1 T2 [1,2]: w(t/1,'{"c1":5}')@1
                s1 T3 [3,4]: d(t/1)@2
                """;

        assertThat(tables.verdict(first, "--level", "si")).isEqualTo("violated {EXT=1}");
        assertThat(tables.verdict(first, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("violated {EXT=1}");
    }

    /** Its snapshot does not determine the versions of a read with another answer. */
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
            assertThat(tables.verdict(rows, "--level", "si")).startsWith("violated");
            assertThat(tables.verdict(rows, "--level", "ser,PL-3")).startsWith("holds"); // looked before all others
        }
    }

    /** Another transaction read from it, so it committed, and one of the two updates is lost. */
    @Test
    void overlapWithPromotedWriterViolatesSnapshot() throws IOException {
        String lost =
                """
                s1 T2 [1,4]: r(t/1,_) w(t/1,'{"c":2}')
                s0 T3? [1,2]: w(t/1,'{"c":2}')
                s0 T4 [3,3]: r(t/1,'{"c":2}')<-T3 p[t]("c > 5",[],0)
                """;

        assertThat(tables.verdict(lost, "--level", "si")).isEqualTo("undecided {}");
        assertThat(tables.verdict(lost, "--level", "rc,si")).startsWith("undecided");
        assertThat(tables.verdict(lost.replace("[1,4]", "[2,4]").replace("r(t/1,_) ", ""), "--level", "si"))
                .isEqualTo("holds {}");
    }

    /** Another value of a column that it counts makes no other count, but another sum; so does none at all. */
    @ParameterizedTest
    @CsvSource({"count, 2, holds", "sum, 2, violated", "count, null, violated"})
    void columnCountDoesNotDependOnValues(String computed, String changed, String verdict) throws IOException {
        String history =
                """
                s0 T0 [1,1]: w(t/1,'{"c":1,"d":1}')@1 w(t/2,'{"c":0,"d":1}')@1
                s1 T2 [2,7]: r(t/2,'{"c":0,"d":1}')@1 w(t/1,'{"c":CHANGED,"d":1}')@2
                s2 T3 [2,4]: w(t/2,'{"c":2,"d":1}')@2 p[t]("COMPUTED(c) WHERE d = 1",[],0)="ANSWER"
                """
                        .replace("CHANGED", changed)
                        .replace("COMPUTED", computed)
                        .replace("ANSWER", computed.equals("sum") ? "3" : "2");

        assertThat(tables.verdict(history, "--level", "ser")).startsWith(verdict);
    }

    /**
     * A row that a transaction of unknown outcome wrote as well has no certain writer; that it committed explains all
     * reads.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s0 T1?: w(t/1,'{\"c\":5}')  | s0 T2: P | s0 T3: w(t/1,'{\"c\":5}') w(t/1,'{\"c\":2}')",
                "s0 T1?: w(t/1,'{\"c\":5}')  | s1 T2!: w(t/1,'{\"c\":5}') | s2 T3: P",
                "s0 T1? [1,2]: w(t/1,'{\"c\":5}') | s1 T2! [1,3]: w(t/1,'{\"c\":5}') | s2 T3 [5,5]: P",
                "s0 T1: w(t/1,'{\"c\":5}')@1 | s0 T2: w(t/1,'{\"c\":6}')@2 | s0 T3?: w(t/1,'{\"c\":5}') | s0 T4: P",
            })
    void rowOfUnknownWriterHoldsByValuesOnly(String transactions) throws IOException {
        String read = "r(t/1,'{\"c\":5}')";
        String search = "p[t](\"c > 4\",[],1) " + read;
        boolean isAborted = transactions.contains("T2!");
        for (String predicateRead : isAborted ? List.of(search) : List.of(search, read)) {
            String history = transactions.replaceAll("\\s*\\| ", "\n").replace("P", predicateRead) + "\n";
            for (String level : List.of("rc", "si", "ser", "PL-2", "PL-3")) {
                boolean isOfElle = level.startsWith("PL");
                String expected = history.contains("[1") || isOfElle && isAborted ? "undecided" : "holds";
                String found = tables.verdict(history, "--level", level);
                assertThat(found.startsWith(expected) || isOfElle && found.startsWith("undecided"))
                        .as(level + " " + found + "\n" + history)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "si", "ser", "PL-2", "PL-3"})
    void readOfUnknownAndAbortedWritersHolds(String level) throws IOException {
        String history = "s0 T1?: w(t/1,'{\"c\":5}')\ns1 T2!: w(t/1,'{\"c\":5}')\ns2 T3: r(t/1,'{\"c\":5}')\n";

        assertThat(tables.verdict(history, "--level", level)).startsWith("holds");
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

        CommandRun si = tables.run(history, "--level", "si");
        assertThat(TableVerdicts.of(si.out())).contains(expected[0]);
        assertThat(si.out()).contains(expected.length > 1 ? expected[1] : "");
        boolean isRepeated = found.startsWith("INT=1, after"); // in a serial order both are of the same moment
        String inOrder = isRepeated ? "EXT=1" : expected[0];
        assertThat(tables.verdict(history, "--level", "ser", "--order", "commit_ts"))
                .contains(inOrder);
    }

    /** The answer is right, and an additional row is stale or has no writer. */
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
            assertThat(TableVerdicts.of(tables.run(stale, si).out())).isEqualTo("holds {}");
            assertThat(TableVerdicts.of(tables.run(stale, ser).out())).isEqualTo("violated {G2-item=1}");
            assertThat(TableVerdicts.of(tables.run(late, si).out())).isEqualTo("violated {result-set-mismatch=1}");
            assertThat(TableVerdicts.of(tables.run(nobodys, si).out())).isEqualTo("violated {result-set-mismatch=1}");
            assertThat(TableVerdicts.of(tables.run(nobodys, ser).out())).isEqualTo("violated {garbage-read=1}");
            assertThat(TableVerdicts.of(tables.run(right, si).out())).isEqualTo("holds {}");
        }
        assertThat(tables.verdict(stale, "--level", "ser", "--order", "commit_ts"))
                .isEqualTo("violated {result-set-mismatch=1}");
    }

    @Test
    void examinedAbortedRowIsG1a() throws IOException {
        String looked =
                """
                s0 T1: w(t/1,'{"c1":5}')@1
                s1 T2!: w(t/1,'{"c1":6}')@2
                s2 T3: p[t]("c1 > 7",[],1) v(t/1)@2
                """;

        assertThat(tables.verdict(looked, "--level", "PL-1")).isEqualTo("holds {}");
        assertThat(tables.verdict(looked, "--level", "PL-2")).isEqualTo("violated {G1a=1}");
        assertThat(tables.verdict(looked.replace("v(t/1)@2", "v(t/1)@9"), "--level", "PL-2"))
                .isEqualTo("undecided {}");
    }

    @Test
    void missingRowMayNotExistYet() throws IOException {
        String early =
                """
                s3 T4 [1,2]: w(t/8,'{"c1":1}')@1
                s0 T1 [3,3]: r(t/9,_) r(t/8,'{"c1":1}')@1
                s1 T2 [4,5]: w(t/9,'{"c1":1}')@1 w(t/8,'{"c1":2}')@2
                s2 T3 [6,7]: d(t/9)@2
                """;

        assertThat(tables.verdict(early, "--level", "PL-3")).isEqualTo("holds {}");
        String untimed = early.replaceAll(" \\[\\d,\\d]", "");
        // checked in the order of its rows
        assertThat(tables.verdict(untimed, "--level", "PL-3,ser")).isEqualTo("holds {}");
        assertThat(tables.verdict(untimed.replace("r(t/8,'{\"c1\":1}')@1", "r(t/8,'{\"c1\":2}')@2"), "--level", "PL-3"))
                .isEqualTo("holds {}");
    }

    /** Others wrote the same row, and its snapshot shows one of them; but it wrote that row itself. */
    @Test
    void aRowThatTheTransactionWroteItselfIsItsOwn() throws IOException {
        String own =
                """
                s0 T1 [1,2]: w(t/1,'{"c":1}')
                s1 T2 [3,4]: w(t/1,'{"c":0}')
                s2 T3 [2,6]: w(t/1,'{"c":1}') p[t]("c = 1",[],1)^2 r(t/1,'{"c":1}')
                """;

        assertThat(tables.verdict(own, "--level", "PL-3,ser")).isEqualTo("holds {}");
    }

    /** The expected version has no number, and the number that the read names is that of another version. */
    @ParameterizedTest
    @ValueSource(strings = {"r(t/1,ROW)@0", "p[t](\"c = 1\",[],1) r(t/1,ROW)@0"})
    void numberNamesItsVersionIfExpectedVersionHasNone(String predicateRead) throws IOException {
        String stale = "s0 T1 [1,2]: w(t/1,ROW)@0\ns1 T2 [3,4]: w(t/1,ROW)\ns2 T3 [5,6]: d(t/9) LOOK\n"
                .replace("LOOK", predicateRead)
                .replace("ROW", "'{\"c\":1}'");

        assertThat(tables.verdict(stale, "--level", "si", "--evidence", "timestamps"))
                .startsWith("violated {" + (predicateRead.startsWith("r") ? "EXT=1" : "result-set-mismatch=1"));
        assertThat(tables.verdict(stale, "--level", "ser", "--order", "commit_ts"))
                .startsWith("violated");
    }

    /** Some versions have numbers, and the only order that explains the reads is another one. */
    @ParameterizedTest
    @ValueSource(strings = {"d(t/1)@1 r(t/2,_) r(t/1,_)", "w(t/1,'{\"c\":7}') r(t/2,_)"})
    void anOrderThatBreaksNumbersIsNoProof(String second) throws IOException {
        String broken = "s0 T1: w(t/1,'{\"c\":1}')@0 w(t/2,'{\"c\":1}')@0\ns1 T2: " + second
                + "\ns2 T3: w(t/1,'{\"c\":3}') p[t](\"c > 5\",[],0)\n";

        assertThat(tables.verdict(broken, "--level", "PL-3")).isEqualTo("undecided {}");
        assertThat(tables.verdict(broken.replace(" r(t/2,_)", ""), "--level", "PL-3"))
                .isEqualTo("holds {}");
    }

    /**
     * Not all transactions have timestamps, and an order that explains all reads contradicts the timestamps of the
     * writers of one row.
     */
    @Test
    void anOrderThatBreaksCommitTimestampsIsNoProof() throws IOException {
        String broken =
                """
                s0 T3 [14,30]: w(t/2,'{"c":3}') w(t/1,'{"c":1}')
                s0 T4 [24,40]: w(t/2,'{"c":0}') p[t]("count(*) WHERE c IS NOT NULL",[],0)="2"
                s1 T1 [14,20]: w(t/0,'{"c":2}') w(t/2,'{"c":1}')
                s1 T5: r(t/0,'{"c":2}') r(t/2,'{"c":1}') w(t/0,'{"c":4}')
                """;

        assertThat(tables.verdict(broken, "--level", "PL-3,ser")).isEqualTo("undecided {}");
        assertThat(tables.verdict(broken.replace("[14,20]", ""), "--level", "PL-3,ser"))
                .isEqualTo("holds {}"); // nothing orders T1 and T4
        assertThat(tables.verdict(broken.replace("[14,20]", "[41,42]"), "--level", "PL-3,ser"))
                .isEqualTo("holds {}");
    }

    /**
     * Several versions have the row, and the snapshot of the predicate read determines the version, not that of the
     * transaction.
     */
    @Test
    void rowOfSeveralVersionsIsThatOfItsStatement() throws IOException {
        String later =
                """
                s0 T1 [1,4]: w(t/1,'{"c":3}')@1 w(t/1,'{"c":3}')@2
                s1 T2 [2,6]: r(t/1,_) p[t]("c > 2",[],1)^5 r(t/1,'{"c":3}')
                """;

        assertThat(tables.verdict(later, "--level", "PL-3")).isEqualTo("violated {G-single-item=1}");
    }

    /** Reads name version 1, which no write of its key does, and the writer that made it. */
    @Test
    void readWithUnassignedNumberIsOfNamedWriter() throws IOException {
        String history =
                """
                s2 T1 [1,5]: w(u/1,'{"c":0}')
                s1 T2 [3,10]: r(u/1,_) w(u/1,'{"c":1}')@2
                s2 T3 [12,13]: r(u/1,'{"c":0}')@1<-T1 d(u/9)@1
                """;

        assertThat(tables.verdict(history, "--level", "ser"))
                .isEqualTo("violated {G-single-item=1, G2-item-process=1}");
    }

    /** For all other levels, and without timestamps: the order that explains everything does not keep sessions. */
    @Test
    void serializableWithoutSessionsHoldsWhereOnlySessionsAreBroken() throws IOException {
        String history =
                """
                s0 T1: w(t/1,'{"c":5}')@1
                s1 T2: w(t/1,'{"c":6}')@2
                s2 T3: p[t]("c > 5",[],1) r(t/1,'{"c":6}')@2
                s2 T4: p[t]("c > 5",[],0) v(t/1)@1
                """;

        assertThat(tables.verdict(history, "--level", "PL-2.99,PL-SI,PL-3")).isEqualTo("holds {}");
        assertThat(tables.verdict(history, "--level", "ser,PL-3")).startsWith("violated");
        assertThat(tables.verdict(history, "--level", "strong-session-serializable"))
                .startsWith("violated");
    }

    @Test
    void transactionDoesNotSeeItsLaterWrites() throws IOException {
        String early =
                """
                s0 T1 [1,2]: w(t/1,'{"c":4}')@1
                s1 T2 [3,4]: LOOK w(t/1,'{"c":5}')@2
                """;

        for (String predicateRead : List.of(
                "r(t/1,'{\"c\":5}')",
                "r(t/1,'{\"c\":5}')@2",
                "r(t/1,'{\"c\":5}')<-T2",
                "p[t](\"c > 1\",[],1) r(t/1,'{\"c\":5}')@2")) {
            String history = early.replace("LOOK", predicateRead) + "s2 T3 [5,5]: p[t](\"c > 9\",[],0)\n";
            for (String level : List.of("rc", "PL-2", "PL-SI", "PL-3")) {
                assertThat(tables.verdict(history, "--level", level))
                        .as(level + " " + predicateRead)
                        .contains("violated", "future-read=1");
            }
            assertThat(tables.verdict(history, "--level", "PL-1")).isEqualTo("holds {}");
        }
        String passed = early.replace("LOOK", "p[t](\"c > 9\",[],1) v(t/1)@2");
        assertThat(tables.verdict(passed, "--level", "PL-2")).isEqualTo("undecided {}");
    }

    /** A number that no version has, and a writer that was rolled back and wrote another row. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "r(t/1,'{\"c\":5}')<-T1 r(t/1,'{\"c\":5}')@3<-T1",
                "r(t/1,'{\"c\":5}')<-T2",
                "r(t/2,_) r(t/2,_)<-T2",
                "p[t](\"c > 9\",[],1) v(t/1)@3<-T1",
            })
    void contradictoryReadIsUndecided(String looks) throws IOException {
        String history =
                """
                s0 T1 [1,2]: w(t/1,'{"c":5}')@1
                s1 T2! [1,2]: w(t/1,'{"c":6}') w(t/2,'{"c":6}')
                s2 T3 [3,3]: LOOKS p[t]("c > 9",[],0)
                """
                        .replace("LOOKS", looks);

        for (String level : List.of("rc", "si", "ser", "PL-2", "PL-3")) {
            assertThat(tables.verdict(history, "--level", level)).as(level).isEqualTo("undecided {}");
        }
    }
}
