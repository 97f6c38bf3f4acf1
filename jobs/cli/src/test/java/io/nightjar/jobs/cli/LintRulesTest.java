package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first fourteen rules of lint: for each a history with the finding, and a similar one without it. */
class LintRulesTest {

    private static final String[] NOTHING = {};

    @TempDir
    private Path directory;

    private int files;

    @Test
    void aValueThatIsWrittenTwice() throws IOException {
        assertRule("L01", "txt", rows("s1 T1: w(1,5)", "s2 T2: w(1,5)"), rows("s1 T1: w(1,5)", "s2 T2: w(2,5)"));
    }

    @Test
    void readOfUnwrittenValueIsReported() throws IOException {
        assertRule("L02", "txt", rows("s1 T1: w(1,5)", "s2 T2: r(1,9)"), rows("s1 T1: w(1,5)", "s2 T2: r(1,5)"));
    }

    @Test
    void twoTransactionsOfOneIdAreRefused() throws IOException {
        CommandRun twice = inspected("txt", rows("s1 T1: w(1,5)", "s2 T1: w(2,6)"), NOTHING);
        assertThat(twice.code()).isEqualTo(3);
        assertThat(twice.err()).contains("line=2]").contains("line=1").contains("txn_id=1");
        CommandRun one = inspected("txt", rows("s1 T1: w(1,5)", "s2 T2: w(2,6)"), NOTHING);
        assertThat(one.code()).isZero();
    }

    @Test
    void operationsThatAreNotThoseInvoked() throws IOException {
        String invoked = "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:append 1 1] [:r 1 nil]]}";
        String other = "{:index 1, :type :ok, :process 0, :f :txn, :value [[:append 1 2] [:r 1 [1]]]}";
        String same = "{:index 1, :type :ok, :process 0, :f :txn, :value [[:append 1 1] [:r 1 [1]]]}";
        assertRule("L04", "edn", rows(invoked, other), rows(invoked, same));
    }

    @Test
    void aValueThatSeemsToBeTheInitialOne() throws IOException {
        assertRule(
                "L05",
                "txt",
                rows("s1 T1: r(1,0) r(2,0)", "s2 T2: r(3,0) w(3,1)"),
                rows("s1 T1: r(1,_) r(2,_)", "s2 T2: r(3,_) w(3,1)"));
    }

    @Test
    void aCommitBeforeItsStart() throws IOException {
        assertRule("L06", "txt", rows("s1 T1 [5,3]: w(1,5) r(1,5)"), rows("s1 T1 [3,5]: w(1,5) r(1,5)"));
    }

    @Test
    void twoWritersOfOneKeyAtOneTime() throws IOException {
        assertRule(
                "L07",
                "txt",
                rows("s1 T1 [1,5]: w(1,5)", "s2 T2 [2,5]: w(1,6)"),
                rows("s1 T1 [1,5]: w(1,5)", "s2 T2 [6,7]: w(1,6)"));
    }

    @Test
    void aSessionAgainstItsTimestamps() throws IOException {
        assertRule(
                "L08",
                "txt",
                rows("s1 T1 [1,10]: w(1,5)", "s1 T2 [5,12]: w(2,6)"),
                rows("s1 T1 [1,10]: w(1,5)", "s1 T2 [10,12]: w(2,6)"));
    }

    @Test
    void twoOpenTransactionsInOneSession() throws IOException {
        assertRule(
                "L09",
                "txt",
                rows("s1 T1 <1,10>: w(1,5)", "s1 T2 <5,12>: w(2,6)"),
                rows("s1 T1 <1,10>: w(1,5)", "s1 T2 <11,12>: w(2,6)"));
    }

    /**
     * Set back in a transaction, set back between two of a session, and ahead of another client's, from the beginning
     * or from a step on.
     */
    @Test
    void clocksThatStep() throws IOException {
        String[] right = rows(
                "s1 T1 <10,20>: w(1,5)", "s2 T2 <11,14>: r(1,5)", "s2 T3 <15,16>: w(1,6)", "s1 T4 <21,22>: r(1,6)");
        assertRule("L33", "txt", rows("s1 T1 <20,10>: w(1,5)", "s2 T2 <11,14>: r(1,5)"), right);
        assertRule("L09", "txt", rows("s1 T1 <10,20>: w(1,5)", "s1 T2 <5,7>: r(1,5)"), right);
        assertRule("L41", "txt", rows("s1 T1 <10,20>: w(1,5)", "s2 T2 <5,9>: r(1,5)"), right);
        assertRule("L41", "txt", rows("s2 T2 <5,9>: r(1,[5])", "s1 T1 <10,20>: append(1,5)"), right);
        String[] forward = rows("s1 T1 <10,20>: w(1,5)", "s1 T2 <900,910>: w(1,6)", "s2 T3 <21,30>: r(1,6)");
        assertRule("L41", "txt", forward, right);
        assertThat(inspected("txt", forward).out())
                .contains("txn_id=3 key=1 value=6")
                .contains("by up to 0.001 ms");
    }

    /** One transaction may give a number twice, and a write that was rolled back gave none. */
    @Test
    void aVersionOfAKeyThatTwoTransactionsGave() throws IOException {
        String[] twice = rows("s1 T1: w(1,5)@1", "s2 T2: w(1,6)@1", "s3 T3: w(2,7)@1 w(2,8)@1", "s4 T4!: w(2,9)@1");
        String[] right = rows("s1 T1: w(1,5)@1", "s2 T2: w(1,6)@2", "s3 T3: w(2,7)@1 w(2,8)@1", "s4 T4!: w(2,9)@1");
        assertRule("L42", "txt", twice, right);
        assertThat(inspected("txt", twice).out()).contains("line=2] txn_id=2 other-txn_id=1 key=1 version=1");
        String[] again = rows("s1 T1: w(a,1)@1", "s1 T2: d(a)@2", "s1 T3: w(a,2)@1", "s2 T4: p(\"value > 1\",[],0)");
        assertRule("L42", "txt", again, rows(again[0], again[1], again[2].replace("@1", "@3"), again[3]));

        CommandRun check = checkedFor(again, "ser");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.out()).contains("\"L42\"").contains("key=a version=1 txn_ids=1,3");
        assertThat(checkedFor(again, "rc").out()).contains("\"L42\"");
    }

    @Test
    void eventsThatAreLost() throws IOException {
        String event =
                "{\"op\":\"c\",\"after\":{\"id\":1,\"v\":1},\"source\":{\"txId\":7,\"schema\":\"s\",\"table\":\"t\",\"lsn\":5},"
                        + "\"transaction\":{\"id\":\"7:5\",\"total_order\":1}}";
        String end = "{\"status\":\"END\",\"id\":\"7:9\",\"event_count\":%d}";
        assertRule("L10", "json", rows(event, end.formatted(2)), rows(event, end.formatted(1)));
    }

    @Test
    void transactionsThatDidNotCommit() throws IOException {
        assertRule("L11", "txt", rows("s1 T1: w(1,5)", "s2 T2!: w(1,6)"), rows("s1 T1: w(1,5)", "s2 T2: w(1,6)"));
    }

    @Test
    void aHistoryWithoutReads() throws IOException {
        assertRule(
                "L12",
                "txt",
                rows("s1 T1: w(1,5)", "s2 T2: w(1,6)"),
                rows("s1 T1: w(1,5) r(1,5)", "s2 T2: w(1,6) r(1,6)"));
    }

    @Test
    void startsThatAreNotTheReadSnapshots() throws IOException {
        List<String> early = new ArrayList<>();
        List<String> right = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            String writer = "s1 T%d [%d,%d]: w(1,%d)".formatted(i, 10 * i, 10 * i + 5, i);
            early.add(writer);
            right.add(writer);
            early.add("s2 T%d [%d,%d]: r(1,%d)".formatted(100 + i, 10 * i + 3, 10 * i + 8, i));
            right.add("s2 T%d [%d,%d]: r(1,%d)".formatted(100 + i, 10 * i + 6, 10 * i + 8, i));
        }
        assertThat(checked(early)).contains("L13");
        assertThat(checked(right)).doesNotContain("L13");
    }

    @Test
    void keyOfMajorityOfOperationsIsReported() throws IOException {
        List<String> skewed = new ArrayList<>();
        List<String> even = new ArrayList<>();
        for (int i = 1; i <= 1_200; i++) {
            skewed.add("s%d T%d: w(%d,%d)".formatted(i % 9, i, i % 3 == 0 ? 7 : i % 50, i));
            even.add("s%d T%d: w(%d,%d)".formatted(i % 9, i, i % 50, i));
        }
        assertRule("L14", "txt", skewed.toArray(NOTHING), even.toArray(NOTHING));
    }

    // ---------------------------------------------------------------- tools

    private void assertRule(String rule, String extension, String[] raising, String[] silent) throws IOException {
        CommandRun inspection = inspected(extension, raising, "--json");
        assertThat(inspection.code()).as("%s", inspection).isZero();
        assertThat(inspection.out()).contains("\"" + rule + "\"");
        CommandRun nothing = inspected(extension, silent, "--json");
        assertThat(nothing.code()).as("%s", nothing).isZero();
        assertThat(nothing.out()).doesNotContain("\"" + rule + "\"");
    }

    private static String[] rows(String... rows) {
        return rows;
    }

    private CommandRun inspected(String extension, String[] rows, String... more) throws IOException {
        Path file = Files.write(directory.resolve("h" + files++ + "." + extension), List.of(rows));
        List<String> args = new ArrayList<>(List.of("inspect", file.toString()));
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray(NOTHING));
    }

    private CommandRun checkedFor(String[] rows, String level) throws IOException {
        Path file = Files.write(directory.resolve("h" + files++ + ".txt"), List.of(rows));
        return CommandRun.of("check", file.toString(), "--level", level, "--lake", "none", "--json");
    }

    private String checked(List<String> rows) throws IOException {
        Path file = Files.write(directory.resolve("h" + files++ + ".txt"), rows);
        return CommandRun.of("check", file.toString(), "--level", "si", "--lake", "none", "--json", "--exit-zero")
                .out();
    }
}
