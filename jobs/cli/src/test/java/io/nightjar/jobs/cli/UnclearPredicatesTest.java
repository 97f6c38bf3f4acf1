package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Predicate reads that cannot be parsed or contradict themselves: located, bounded in time, and never {@code holds}.
 */
class UnclearPredicatesTest {

    @TempDir
    private Path folder;

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
                "p[t](\"c1 > 8\",[],1) v(t/1)@9                                          | version read without a writer: key=t/1",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')@9                             | version read without a writer: key=t/1",
                "p[t](\"c1 > ?\",[],0)                                                   | parameter missing: parameter=1 given=0",
                "p[t](\"c1 > ?\",[3,4],1) r(t/1,'{\"c1\":5}')@1                           | parameters left over: asked=1 given=2",
                "p[t](\"c1 > 3\",[],1) r(t/1,'{\"c1\":5}')<-T7                           | writer that the history does not have: writer=7 key=t/1",
            })
    void unknownConditionIsLocatedAndNeverHolds(String ops, String reason) throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.txt"),
                "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1 w(u/1,'{\"c1\":5}')@1\ns1 T2 [3,4]: " + ops + "\n");
        CommandRun run =
                CommandRun.of("check", "--json", "--lake", "none", "--level", "si,ser,PL-SI,PL-3", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains(reason).contains("row=2 txn_id=2").doesNotContain("holds");
    }

    /** Guards of keys state neither rows that the reader wrote itself nor unknown rows. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "s1 T1: w(t/1,'{\"v\":1}') p[t](\"v >= ?\",[0],0)",
                "s1 T1: p[t](\"v >= ?\",[0]) w(t/1,'{\"v\":1}')",
            })
    void resultThatNoGuardStatesIsUndecidedFromValues(String txn) throws IOException {
        Path file = Files.writeString(folder.resolve("own.txt"), txn + "\n");
        CommandRun run = CommandRun.of(
                "check", "--json", "--lake", "none", "--level", "ser", "--evidence", "values", file.toString());

        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(2);
        assertThat(run.out()).contains("1 predicate read not checked");
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

    /** The parser tries more and more alternatives; a condition that it cannot decide in time is not evaluated. */
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

    /** The data of a read in addition to its row, and the verdict at every level from read committed on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "r(t/1,'{\"c\":9}')                                 | violated {garbage-read=1}",
                "r(t/1,'{\"c\":9}')@2                               | violated {garbage-read=1}",
                "p[t](\"c > 1\",[],1) r(t/1,'{\"c\":9}')            | violated {garbage-read=1}",
                "r(t/1,'{\"c\":5}')@2                               | version whose row is another one: key=t/1 version=2",
                "r(t/1,'{\"c\":6}')@7                               | version read without a writer: key=t/1 version=7",
                "r(t/1,'{\"c\":6}')<-T1                             | named writer that did not write the version read: key=t/1 ",
                "p[t](\"c > 1\",[],1) r(t/1,'{\"c\":6}')@2<-T1      | wrote than its writer: key=t/1 version=2 writer=1",
                "p[t](\"c > 1\",[],1) v(t/1)@1                      | skipped row whose version matches: key=t/1",
                "p[t](\"c > 9\",[],1) v(t/1)@9                      | version read without a writer: key=t/1 version=9",
            })
    void contradictoryReadIsFoundOrReported(String read, String answer) throws IOException {
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

            assertThat(TableVerdicts.of(run) + " " + run.out()).as(level).contains(answer);
            assertThat(run.code()).as(level).isEqualTo(answer.startsWith("violated") ? 1 : 2);
        }
    }

    /**
     * Excessive nesting is detected once for all conditions that differ in their constants only, and the other
     * conditions are evaluated as well.
     */
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

        assertThat(TableVerdicts.of(run)).isEqualTo("violated {result-set-mismatch=1}");
        assertThat(run.out()).contains("T600 asked for rows where NOT (c1 > 5 OR c1 < 3)");
    }
}
