package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Anomalies that values show in a history, as {@code check} reports them: verdict, code, types, transactions. */
class ValueChecksTest {

    private static final List<String> SIX =
            List.of("read-committed", "read-atomic", "causal", "prefix", "snapshot-isolation", "serializable");

    @TempDir
    private Path folder;

    /** By values every read counts, by timestamps the first of a key; each is replayed by its own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s1 T1? [5,10]: w(x,3); s3 T2 [1,8]: r(x,_) r(x,3)               | rc,si     | holds violated",
                "s1 T1? [1,2]: w(x,2) w(x,1); s2 T2 [10,14]: r(x,2)              | rc,si     | violated violated",
            })
    void unknownTransactionsMayCountForOneEvidenceOnly(String rows, String levels, String verdicts) throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), rows.replace("; ", "\n") + "\n");
        CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", levels, file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(verdicts(run)).isEqualTo(verdicts);
    }

    private static String verdicts(CommandRun run) {
        Map<String, Map<String, Object>> levels = JsonTree.at(JsonTree.object(run.out()), "levels");
        return levels.values().stream()
                .map(level -> String.valueOf(level.get("verdict")))
                .collect(Collectors.joining(" "));
    }

    /** Rows, levels, and the result for each of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // nothing and the empty list are one version
                "s1 T1: r(l,_) append(l,1); s2 T2: r(l,[]) append(l,2)           | PL-2,PL-3 | holds violated",
                // as often as it was appended, and not
                "s1 T1: append(l,1) append(l,1); s2 T2: r(l,[1,1])               | rc,ser    | holds holds",
                "s1 T1: append(l,1) append(l,1); s2 T2: r(l,[1])                 | rc,ser    | undecided undecided",
                "s1 T1: append(l,1) append(l,1); s2 T2: append(l,2); s3 T3: r(l,[1,2]) | rc,ser | undecided undecided",
                // own appends follow the elements that were read
                "s1 T1: append(l,1) r(l,[1]); s2 T2: append(l,1)                 | ser       | holds",
                // a set that loses an element that was read before the last read
                "s1 T1: add(s,1) add(s,3); s2 T2: r(s,[1]) r(s,[1,3]) r(s,[3])   | PL-3      | violated",
                // an own element, again later
                "s1 T1: append(l,1) r(l,[1,1,1]) append(l,1)                     | ser       | undecided",
                // a list that ends in an element which it contains twice
                "s1 T1: append(l,1); s2 T2: r(l,[1]) append(l,2); s3 T3: r(l,[1,2,1]) append(l,2) | PL-3 | violated",
                // the source names the reader, which writes only later, and another wrote the same
                "s1 T1: w(x,1); s2 T2: r(x,1)<-T2 w(x,1)                         | ser       | undecided",
                // the source names an aborted writer, and another transaction wrote the same
                "s1 T1!: w(x,1); s2 T2: w(x,1); s3 T3: r(x,1)<-T1                | ser       | undecided",
                // the source names the writer of the value that was read, and the missed transaction wrote the same;
                // the two must not overlap
                "s0 T1: w(k,5); s0 T2: r(q,_) w(k,5) w(z,1); s1 T3: r(k,5)<-T1 w(z,2) w(q,1) | si | violated",
                // a list out of order, of elements that several appended
                "s1 T1: append(l,2); s2 T2: append(l,2) append(l,3) r(l,[3,2])   | rc        | violated",
                // versions of a key that is used in two ways
                "s1 T1: w(x,1)@1 add(x,2); s2 T2: w(x,3)@2; s3 T3: w(y,1) r(x,3) | ser       | undecided",
            })
    void irregularReadsCauseNoInternalError(String rows, String levels, String verdicts) throws IOException {
        CommandRun run = check(rows, levels);

        assertThat(run.err()).isEmpty();
        assertThat(verdicts(run)).isEqualTo(verdicts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s1 T1!: w(x,1); s2 T2: r(x,1)                                  | G1a                | 1 2",
                "s1 T1: w(x,1) w(x,2); s2 T2: r(x,1)                            | G1b                | 1 2",
                "s1 T1: w(x,1); s2 T2: r(x,7)                                   | garbage-read       | 2",
                "s1 T1: w(x,1) r(x,_)                                           | internal           | 1",
                "s1 T1: r(x,1) w(x,1)                                           | future-read        | 1",
                "s1 T1!: append(x,1); s2 T2: append(x,2); s3 T3: r(x,[1,2])     | dirty-update       | 1 2 3",
                "s1 T1: append(x,1); s2 T2: append(x,2); s3 T3: r(x,[1,2,1])    | duplicate-elements | 1 3",
                "s1 T1: append(x,1) append(x,2); s3 T3: r(x,[1,2]); s4 T4: r(x,[2,1]) | incompatible-order | 3 4",
                "s1 T1: add(x,1); s2 T2: r(x,[1,9])                             | garbage-read       | 2",
                "s1 T1: r(x,1) w(y,1); s2 T2: r(y,1) w(x,1)                     | commit-order-cycle | 1 2",
                "s1 T1: append(x,1) r(y,[1]); s2 T2: append(y,1) r(x,[1])       | G1c                | 1 2",
                "s1 T1: r(x,1); s1 T2: w(x,1)                                   | commit-order-cycle | 1 2",
            })
    void anomalyIsReportedAtEveryLevelWithNameAndTransactions(String rows, String type, String txns)
            throws IOException {
        CommandRun run = check(rows, "all");
        Map<String, Object> result = JsonTree.object(run.out());

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(run.err()).doesNotContain("Exception", "Error", "\tat ");
        for (String level : SIX) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict")).isEqualTo("violated");
            assertThat(JsonTree.<Map<String, Object>>at(result, "levels", level, "types"))
                    .containsKey(type);
        }
        List<Map<String, Object>> anomalies = JsonTree.at(result, "anomalies");
        assertThat(anomalies)
                .filteredOn(anomaly -> anomaly.get("type").equals(type))
                .isNotEmpty();
        Set<Long> concerned = new TreeSet<>();
        anomalies.forEach(anomaly -> concerned.addAll(JsonTree.<List<Long>>at(anomaly, "transactions")));
        Set<Long> named = new TreeSet<>();
        for (String txn : txns.split(" ")) {
            named.add(Long.valueOf(txn));
        }
        assertThat(concerned).containsAll(named);
        assertThat(anomalies).allSatisfy(anomaly -> assertThat((String) anomaly.get("explanation"))
                .isNotBlank());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s1 T1: append(x,1); s2 T2: append(x,1); s3 T3: r(x,[1])    | several transactions wrote",
                "s1 T1: append(x,1); s2 T2: append(x,1); s3 T3: r(x,[1,1])  | several transactions wrote",
                "s1 T1: append(x,1) append(x,1); s2 T2: r(x,[1])            | only some of a transaction",
                "s1 T1: append(x,2) append(x,1); s2 T2: r(x,[1])            | only some of a transaction",
                "s1 T1: append(x,2) append(x,3) append(x,1); s2 T2: r(x,[3,2,1]) | in another order",
                "s1 T1: w(x,1); s1 T2: r(x,[])                              | keys used in two ways",
                "s1 T1: append(x,1); s2 T2: w(x,2); s3 T3: r(x,[1])         | keys used in two ways",
                "s1 T1: w(x,2); s2 T2: r(x,[2])                             | keys used in two ways",
            })
    void ambiguousReadsAreUndecidedWithReason(String rows, String reason) throws IOException {
        CommandRun run = check(rows, "all");
        Map<String, Object> result = JsonTree.object(run.out());

        assertThat(run.code()).as("%s", run).isEqualTo(2);
        for (String level : SIX) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict")).isEqualTo("undecided");
            assertThat(JsonTree.<String>at(result, "levels", level, "reason")).contains(reason);
        }
    }

    @Test
    void listWithoutAppendProvesNoSessionlessLevel() throws IOException {
        CommandRun run =
                check("s1 T1: append(x,2) append(x,1); s2 T2: r(x,[1])", "PL-1,PL-3,strong-session-serializable");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains("lists show only some of a transaction's appends");
    }

    @Test
    void versionsNumberTheWritesOfOneValueToo() throws IOException {
        CommandRun run = check("s1 T1: w(x,1)@2; s1 T2: w(x,1)@1", "rc", "--evidence", "versions");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(run.out()).contains("\"transactions\":[2,1]");
    }

    @Test
    void versionNumberIsThatOfItsWriter() throws IOException {
        CommandRun run = check(
                "s1 T1: w(x,1)@3 w(x,2) w(x,1)@1; s1 T2: w(x,3)@2; s2 T3!: w(x,1)@4",
                "PL-1,PL-3",
                "--evidence",
                "versions");

        assertThat(run.code()).as("%s", run).isZero();
    }

    @Test
    void addedOrAppendedElementsAreNotInitialState() throws IOException {
        for (String write : List.of("add(x,1)", "append(x,1)")) {
            CommandRun run =
                    check("s1 T1: " + write + " w(y,2); s2 T2: r(y,2) r(x,1)", "all,PL-3", "--initial-value", "1");

            assertThat(run.code()).as("%s", run).isEqualTo(2);
            assertThat(run.out()).contains("keys used in two ways");
        }
    }

    @Test
    void readOfLastValueProvesOrder() throws IOException {
        CommandRun run =
                check("s1 T1: w(x,1) w(x,2) w(x,1); s2 T2: r(x,_) r(x,2) r(x,1) w(x,2); s3 T3?: w(x,2)", "all");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(run.out()).contains("T2 read x=1, which T1 wrote");
    }

    @Test
    void namedWriterThatAbortedOrOverwroteIsIgnored() throws IOException {
        CommandRun run = check("s1 T1!: w(x,3); s2 T2: w(x,3) w(x,2); s2 T3: r(x,3)<-T2", "all");

        assertThat(run.code()).as("%s", run).isEqualTo(2);
        assertThat(run.out()).contains("several transactions wrote");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s1 T1: w(x,1); s2 T2?: w(x,1); s3 T3: r(x,1)                    | 0",
                "s1 T1: w(x,1); s2 T2?: w(x,1); s1 T3: r(x,1)<-T2                | 0",
                "s1 T1: w(x,1); s2 T2?: w(x,1) w(y,1); s3 T3: r(x,1)<-T2 r(y,_)  | 2",
                "s1 T1: w(x,1); s2 T2?: w(x,1) w(y,1); s3 T3: r(x,1) r(y,_)      | 0",
            })
    void namedWriterOfUnknownOutcomeMustCount(String rows, int code) throws IOException {
        assertThat(check(rows, "all").code()).isEqualTo(code);
    }

    @Test
    void emptyListAfterNullMakesKeyAList() throws IOException {
        CommandRun run =
                check("s1 T1 [1,2]: r(y,_) r(y,[]); s2 T2 [3,4]: r(y,5) r(y,1)", "si,ser", "--evidence", "timestamps");

        assertThat(run.code()).as("%s", run).isEqualTo(2);
    }

    @Test
    void elementThatIdentifiesWriterIsUnique() throws IOException {
        CommandRun run = check(
                "s2 T1: add(y,2); s2 T2: append(x,2) add(y,2) append(x,3); s1 T3: r(y,[2]) r(x,[2,3,1]) r(x,_); s1 T4: append(x,1)",
                "all,consistent-view");

        assertThat(run.code()).as("%s", run).isEqualTo(1);
    }

    @Test
    void elementsOfSetsAreAddedAndThoseOfListsAppended() throws IOException {
        assertThat(check("s3 T1: r(x,[1]); s3 T2: add(x,1)", "strong-session-PL-2")
                        .out())
                .contains("T1 observed T2's add of 1 to x");
        assertThat(check("s3 T1: r(x,[1]); s3 T2: append(x,1)", "strong-session-PL-2")
                        .out())
                .contains("T1 observed T2's append of 1 to x");
    }

    @Test
    void unreadDuplicateValueIsHarmless() throws IOException {
        CommandRun run = check("s1 T1: w(x,1); s2 T2: w(x,1); s3 T3: w(x,2); s4 T4: r(x,2)", "all");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("\"type\":\"duplicate-write\"").contains("\"level\":null");
    }

    @Test
    void anomaliesNextToAmbiguousReadsAreViolations() throws IOException {
        CommandRun run = check("s1 T1: w(x,1); s2 T2: w(x,1); s3 T3: r(x,1); s4 T4: r(y,9)", "all");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("duplicate-write", "garbage-read");
    }

    @Test
    void unreadUnknownTransactionIsOmitted() throws IOException {
        CommandRun run = check("s1 T1?: w(x,1); s2 T2?: r(x,1) w(y,1); s3 T3: r(y,1); s4 T4?: r(z,9) w(x,5)", "all");

        assertThat(run.code()).isZero();
    }

    @Test
    void partlyReadPromotedTransactionViolatesReadAtomic() throws IOException {
        CommandRun run = check("s1 T1?: w(x,1) w(y,1); s2 T2: r(y,_) r(x,1)", "all");

        assertThat(run.code()).isEqualTo(1);
        assertThat(JsonTree.<String>at(JsonTree.object(run.out()), "levels", "read-committed", "verdict"))
                .isEqualTo("holds");
        assertThat(JsonTree.<String>at(JsonTree.object(run.out()), "levels", "read-atomic", "verdict"))
                .isEqualTo("violated");
    }

    @Test
    void sessionWithOverlappingTransactionsIsChecked() throws IOException {
        CommandRun run = check("s1 T1 <10,30>: w(x,1); s1 T2 <20,40>: r(x,1); s2 T3 <20,40>: r(x,1)", "all");

        assertThat(run.code()).isZero();
    }

    @Test
    void findingsBelowALevelCountAtIt() throws IOException {
        CommandRun run =
                check("s0 T1: w(x,1); s1 T2: r(x,1) w(x,2); s2 T3: r(x,1) w(x,3)", "ser,strict-serializable,PL-3");
        Map<String, Object> result = JsonTree.object(run.out());

        assertThat(run.code()).isEqualTo(1);
        assertThat(JsonTree.<Map<String, Object>>at(result, "levels", "strict-serializable", "types"))
                .containsAllEntriesOf(JsonTree.at(result, "levels", "serializable", "types"));
    }

    @Test
    void partOfAppendsIsUndecidedWithSentence() throws IOException {
        Path file =
                Files.writeString(folder.resolve("history.txt"), "s1 T1: append(x,1) append(x,1)\ns2 T2: r(x,[1])\n");

        CommandRun run = CommandRun.of("check", "--lake", "none", "--level", "ser", file.toString());

        assertThat(run.code()).as("%s", run).isEqualTo(2);
        assertThat(run.out())
                .contains("by values  1 read returned a list with only some of a transaction's appends, or with them"
                        + " in another order, so the version read is undetermined");
    }

    @Test
    void initialValueOfUnknownWriterIsAmbiguous() throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), "s0 T1?: w(x,a) w(y,v0)\ns1 T2: r(x,a) r(y,v0)\n");

        CommandRun run = CommandRun.of(
                "check", "--json", "--lake", "none", "--initial-value", "v0", "--level", "all,PL-3", file.toString());

        assertThat(run.code()).as("%s", run).isEqualTo(2);
        assertThat(run.out()).contains("so its writer is ambiguous");
    }

    @Test
    void anomalyBelongsToWeakestRequestedLevelThatItViolates() throws IOException {
        CommandRun run =
                check("s0 T1: r(x,[]) append(y,1); s1 T2: r(y,[]) append(x,1)", "PL-3,ser,strict-serializable");

        List<Map<String, Object>> anomalies = JsonTree.at(JsonTree.object(run.out()), "anomalies");
        assertThat(anomalies)
                .filteredOn(anomaly -> anomaly.get("type").equals("G2-item"))
                .singleElement()
                .extracting(anomaly -> anomaly.get("level"))
                .isEqualTo("PL-3");
    }

    @Test
    void assumedVersionOrderViolatesNoneOfSix() throws IOException {
        // T3 is stale only if the versions of the key follow real time, which no level of commit order requires
        String rows = "s0 T1 <1,2>: w(x,1); s1 T2 <3,4>: w(x,2) w(y,1); s2 T3 <5,6>: r(y,1) r(x,1)";

        CommandRun run = checkAssuming("session,realtime", rows, "all,PL-3,PL-SI");
        Map<String, Object> result = JsonTree.object(run.out());

        for (String level : SIX) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict"))
                    .as(level)
                    .isEqualTo("holds");
        }
        assertThat(JsonTree.<String>at(result, "levels", "PL-3", "verdict")).isEqualTo("violated");
        assertThat(JsonTree.<List<Map<String, Object>>>at(result, "anomalies"))
                .allSatisfy(anomaly -> assertThat(SIX).doesNotContain((String) anomaly.get("level")));
    }

    @Test
    void assumedVersionOrderIsNamedAtItsLevels() throws IOException {
        Path file = Files.writeString(
                folder.resolve("assumed.jsonl"),
                """
                {"txn":1,"session":1,"invoke":0,"complete":1,"ops":[["w","x",1]]}
                {"txn":2,"session":2,"invoke":2,"complete":3,"ops":[["w","x",2],["w","y",1]]}
                {"txn":3,"session":3,"invoke":4,"complete":5,"ops":[["r","x",1],["r","y",1]]}
                """);
        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--lake",
                "none",
                "--level",
                "ser,PL-3",
                "--version-order",
                "wfr,session,realtime",
                file.toString());
        Map<String, Object> result = JsonTree.object(run.out());

        assertThat(JsonTree.<String>at(result, "levels", "serializable", "verdict"))
                .isEqualTo("holds");
        assertThat(JsonTree.<String>at(result, "levels", "PL-3", "verdict")).isEqualTo("violated");
        assertThat(JsonTree.<String>at(result, "levels", "PL-3", "reason"))
                .isEqualTo("--version-order session,realtime is assumed for this level,"
                        + " and not for read-committed to serializable");
        assertThat(JsonTree.<Map<String, Object>>at(result, "levels", "serializable"))
                .doesNotContainKey("reason");
    }

    @Test
    void unknownReaderOfAmbiguousValueLeavesPromotionsOpen() throws IOException {
        String mayHaveCommitted = "s1 T1?: w(x,1); s1 T2: r(x,_); s2 T3?: r(x,1) w(x,1) w(y,1); s3 T4: r(y,1)";
        Map<String, Object> result =
                JsonTree.object(check(mayHaveCommitted, "ra,ser").out());

        assertThat(JsonTree.<String>at(result, "levels", "read-atomic", "verdict"))
                .as("%s", result)
                .isEqualTo("undecided");
    }

    @Test
    void initialValueOfUnknownWriterIsDoubtful() throws IOException {
        String mayHaveCommitted = "s0 T1: w(y,1); s1 T2?: w(y,1) w(x,0); s2 T3: r(y,1); s3 T4: w(x,2); s3 T5: r(x,0)";
        Map<String, Object> result =
                JsonTree.object(check(mayHaveCommitted, "ra,PL-3,ser", "--evidence", "values", "--initial-value", "0")
                        .out());

        for (String level : List.of("read-atomic", "serializable")) {
            assertThat(JsonTree.<String>at(result, "levels", level, "verdict"))
                    .as("%s", result)
                    .isEqualTo("undecided");
        }
        assertThat(JsonTree.<String>at(result, "levels", "PL-3", "verdict"))
                .as("without T2 and the order of sessions")
                .isEqualTo("holds");
    }

    @Test
    void keysWithoutVersionOrderAreCountedAtUndecidedLevels() throws IOException {
        String longFork = "s0 T1: w(x,1); s1 T2: w(y,1); s2 T3: r(x,1) r(y,_); s3 T4: r(y,1) r(x,_)";

        // s3 touches z too: in a separate group the three would be put into an order, which proves the level there
        CommandRun run = check(longFork + "; s3 T5: w(z,1); s5 T6: w(z,2); s6 T7: r(z,1)", "consistent-view,PL-SI");
        Map<String, Object> result = JsonTree.object(run.out());

        assertThat(JsonTree.<String>at(result, "levels", "PL-SI", "verdict")).isEqualTo("violated");
        assertThat(JsonTree.<String>at(result, "levels", "consistent-view", "verdict"))
                .isEqualTo("undecided");
        assertThat(JsonTree.<String>at(result, "levels", "consistent-view", "reason"))
                .isEqualTo("the order of versions is not known for 1 of 3 keys");
    }

    @Test
    void exceededBudgetLeavesLevelsUndecidedWithProgress() throws IOException {
        Path file = folder.resolve("history.parquet");
        CommandRun.of("generate", file.toString(), "--transactions", "5000", "--store", "si", "--keys", "300");
        Path shuffled = folder.resolve("history.bincode"); // session after session, so that no order suggests itself
        CommandRun.of("convert", file.toString(), shuffled.toString());

        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--lake",
                "none",
                "--evidence",
                "values",
                "--level",
                "si",
                "--budget",
                "1ms",
                shuffled.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(JsonTree.<String>at(JsonTree.object(run.out()), "levels", "snapshot-isolation", "reason"))
                .contains("budget")
                .containsPattern("\\d");
    }

    @Test
    void twoSearchesAgreeWhereCrossCheckIsAsked() throws IOException {
        Path file = folder.resolve("history.parquet");
        CommandRun.of("generate", file.toString(), "--transactions", "300", "--store", "si", "--sessions", "5");

        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--lake",
                "none",
                "--evidence",
                "values",
                "--level",
                "all",
                "--cross-check",
                file.toString());

        assertThat(run.code()).as("%s", run).isIn(0, 1);
        assertThat(run.err()).isEmpty();
    }

    private CommandRun checkAssuming(String sources, String rows, String levels) throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), rows.replace("; ", "\n") + "\n");
        return CommandRun.of(
                "check",
                "--json",
                "--lake",
                "none",
                "--evidence",
                "values",
                "--version-order",
                sources,
                "--level",
                levels,
                file.toString());
    }

    private CommandRun check(String rows, String levels, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), rows.replace("; ", "\n") + "\n");
        List<String> line = new ArrayList<>(List.of("check", "--json", "--lake", "none", "--level", levels));
        line.addAll(more.length == 0 ? List.of("--evidence", "values") : List.of(more));
        line.add(file.toString());
        return CommandRun.of(line.toArray(String[]::new));
    }
}
