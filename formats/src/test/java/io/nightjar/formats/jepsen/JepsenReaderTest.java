package io.nightjar.formats.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Interpretation of operation maps in EDN, and rejected ones. */
class JepsenReaderTest {

    @TempDir
    Path folder;

    // ---------------------------------------------------------------- transactions

    @Test
    void committedTransactionHasTheOperationsOfItsCompletion() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :time 10, :type :invoke, :process 3, :f :txn, :value [[:append 1 2] [:r 1 nil] [:r 4 nil]]}
                                {:index 1, :time 25, :type :ok, :process 3, :f :txn, :value [[:append 1 2] [:r 1 [7 2]] [:r 4 []]]}
                                """))
                .containsExactly("txn=1 session=3 seq=0 committed ts=_.._ client=10..25"
                        + " append(LONG<1>,LONG<2>,v_,w_) r(LONG<1>,[<7><2>],v_,w_) r(LONG<4>,[],v_,w_) extra=null");
    }

    @Test
    void completionsWithOtherOperationsThanTheirInvocationsAreRemarkedOn() throws IOException {
        Path file = folder.resolve("differing.edn");
        Files.writeString(
                file,
                """
                {:type :invoke, :process 0, :f :txn, :value [[:w 1 1] [:r 2 nil]]}
                {:type :ok, :process 0, :f :txn, :value [[:w 1 1] [:r 2 7]]}
                {:type :invoke, :process 0, :f :txn, :value [[:w 1 2] [:r 2 nil]]}
                {:type :ok, :process 0, :f :txn, :value [[:w 1 3] [:r 2 nil]]}
                {:type :invoke, :process 1, :f :txn, :value [[:w 1 4]]}
                {:type :fail, :process 1, :f :txn, :value [[:w 2 4]]}
                {:type :invoke, :process 1, :f :txn, :value [[:w 1 5]]}
                {:type :info, :process 1, :f :txn, :value :timed-out}
                """);
        try (HistorySource source = Histories.open(file, null)) {
            HistoryRows.of(source);

            assertThat(source.remarks()).singleElement().satisfies(remark -> {
                assertThat(remark.ruleId()).isEqualTo("L04");
                assertThat(remark.count()).isEqualTo(2);
                assertThat(remark.example()).isEqualTo("[" + file + " line=4]");
            });
        }
    }

    @Test
    void abortedTransactionKeepsItsWrites() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :type :invoke, :process 0, :value [[:w :x 1] [:r :y nil]]}
                                {:index 1, :type :fail, :process 0, :value [[:w :x 1] [:r :y nil]], :error [:conflict "a\\nb"]}
                                """))
                .containsExactly("txn=1 session=0 seq=0 aborted ts=_.._ client=0..1"
                        + " w(STRING<x>,LONG<1>,v_,w_) extra={\"error\":[\"conflict\",\"a\\nb\"]}");
    }

    @Test
    void failureWithoutAValueHasTheWritesOfItsInvocation() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :type :invoke, :process 0, :value [[:w :x 1] [:r :y nil]]}
                                {:index 1, :type :fail, :process 0, :value nil}
                                """))
                .containsExactly(
                        "txn=1 session=0 seq=0 aborted ts=_.._ client=0..1 w(STRING<x>,LONG<1>,v_,w_) extra=null");
    }

    @Test
    void unknownTransactionHasNoReadsAndNoEnd() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :type :invoke, :process 0, :value [[:r :x nil] [:append :x 1]]}
                                {:index 1, :type :info, :process 0, :value [[:r :x [5]] [:append :x 1]], :error :timeout}
                                """))
                .containsExactly("txn=1 session=0 seq=0 unknown ts=_.._ client=0.._"
                        + " append(STRING<x>,LONG<1>,v_,w_) extra={\"error\":\"timeout\"}");
    }

    @Test
    void transactionThatNeverCompletesIsUnknownAndComesLast() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :type :invoke, :process 0, :value [[:append 1 1]]}
                                {:index 1, :type :invoke, :process 1, :value [[:append 1 2]]}
                                {:index 2, :type :ok, :process 1, :value [[:append 1 2]]}
                                """))
                .containsExactly(
                        "txn=2 session=1 seq=0 committed ts=_.._ client=1..2 append(LONG<1>,LONG<2>,v_,w_) extra=null",
                        "txn=0 session=0 seq=0 unknown ts=_.._ client=0.._ append(LONG<1>,LONG<1>,v_,w_) extra=null");
    }

    @Test
    void completionsAloneHaveNoRealTime() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 4, :time 9, :type :ok, :process 0, :value [[:append 1 1]]}
                                {:index 5, :time 10, :type :fail, :process 0, :value [[:append 1 2]]}
                                {:index 6, :time 11, :type :info, :process 0, :value [[:append 1 3]]}
                                """))
                .containsExactly(
                        "txn=4 session=0 seq=0 committed ts=_.._ client=_.._ append(LONG<1>,LONG<1>,v_,w_) extra=null",
                        "txn=5 session=0 seq=1 aborted ts=_.._ client=_.._ append(LONG<1>,LONG<2>,v_,w_) extra=null",
                        "txn=6 session=0 seq=2 unknown ts=_.._ client=_.._ append(LONG<1>,LONG<3>,v_,w_) extra=null");
    }

    @Test
    void readsThatReturnNilFoundTheInitialState() throws IOException {
        assertThat(read("{:type :ok, :process 0, :value [[:r 1] [:r 2 nil]]}"))
                .containsExactly("txn=0 session=0 seq=0 committed ts=_.._ client=_.._"
                        + " r(LONG<1>,nothing,v_,w_) r(LONG<2>,nothing,v_,w_) extra=null");
    }

    @Test
    void setsAndCountersAreRead() throws IOException {
        assertThat(read("{:type :ok, :process 0, :value [[:add :s 1] [:r :s #{1 2}]]}"))
                .singleElement()
                .asString()
                .contains(" add(STRING<s>,LONG<1>,v_,w_) r(STRING<s>,[<1><2>],v_,w_) ");
        assertThat(read("{:type :ok, :process 0, :value [[:inc :n -1] [:r :n -1]]}"))
                .singleElement()
                .asString()
                .contains(" inc(STRING<n>,LONG<-1>,v_,w_) r(STRING<n>,LONG<-1>,v_,w_) ");
    }

    // ---------------------------------------------------------------- ids, processes, times

    @Test
    void positionsInTheFileStandInForIndexes() throws IOException {
        assertThat(
                        read(
                                """
                                {:type :info, :process :nemesis, :f :kill, :value nil}
                                {:type :invoke, :process 0, :value [[:w 1 1]]}
                                {:type :ok, :process 0, :value [[:w 1 1]]}
                                """))
                .containsExactly(
                        "txn=2 session=0 seq=0 committed ts=_.._ client=1..2 w(LONG<1>,LONG<1>,v_,w_) extra=null");
    }

    @Test
    void indexesOfMinusOneAreNone() throws IOException {
        assertThat(
                        read(
                                """
                                {:index -1, :time -1, :type :invoke, :process 0, :value [[:w 1 1]]}
                                {:index -1, :time -1, :type :ok, :process 0, :value [[:w 1 1]]}
                                """))
                .containsExactly(
                        "txn=1 session=0 seq=0 committed ts=_.._ client=0..1 w(LONG<1>,LONG<1>,v_,w_) extra=null");
    }

    @Test
    void indexIsRealTimeWhereTimesAreEqual() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 7, :time 5, :type :invoke, :process 0, :value [[:w 1 1]]}
                                {:index 8, :time 5, :type :ok, :process 0, :value [[:w 1 1]]}
                                {:index 9, :time 5, :type :invoke, :process 0, :value [[:w 1 2]]}
                                {:index 10, :time 6, :type :ok, :process 0, :value [[:w 1 2]]}
                                """))
                .extracting(row -> row.substring(row.indexOf("client="), row.indexOf(" w(")))
                .containsExactly("client=7..8", "client=9..10");
    }

    @Test
    void timeIsRealTimeWhereEqualTimesOrderNothing() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :time 5, :type :invoke, :process 0, :value [[:w 1 1]]}
                                {:index 1, :time 5, :type :invoke, :process 1, :value [[:w 1 2]]}
                                {:index 2, :time 9, :type :ok, :process 0, :value [[:w 1 1]]}
                                {:index 3, :time 9, :type :ok, :process 1, :value [[:w 1 2]]}
                                """))
                .extracting(row -> row.substring(row.indexOf("client="), row.indexOf(" w(")))
                .containsExactly("client=5..9", "client=5..9");
    }

    @Test
    void timeIsRealTimeOfUnindexedUnorderedFile() throws IOException {
        assertThat(
                        read(
                                """
                                {:time 50, :type :invoke, :process 0, :value [[:w 1 1]]}
                                {:time 60, :type :ok, :process 0, :value [[:w 1 1]]}
                                {:time 10, :type :invoke, :process 1, :value [[:w 1 2]]}
                                {:time 20, :type :ok, :process 1, :value [[:w 1 2]]}
                                """))
                .extracting(row -> row.substring(row.indexOf("client="), row.indexOf(" w(")))
                .containsExactly("client=50..60", "client=10..20");
    }

    @Test
    void processesThatAreNoIntegersBecomeOrdinals() throws IOException {
        assertThat(
                        read(
                                """
                                {:type :info, :process :nemesis, :f :start, :value [[:w 1 1]]}
                                {:type :invoke, :process "a", :f :txn, :value [[:w 1 1]]}
                                {:type :invoke, :process 7, :f :txn, :value [[:w 1 2]]}
                                {:type :info, :process "a", :f :txn, :value nil}
                                {:type :ok, :process 7, :f :txn, :value [[:w 1 2]]}
                                {:type :info, :process :pump, :f :partition, :value [["n1"] ["n2"]]}
                                {:type :invoke, :process :b, :value [[:r 1 nil]]}
                                {:type :ok, :process :b, :value [[:r 1 2]]}
                                """))
                .containsExactly(
                        "txn=3 session=1 seq=0 unknown ts=_.._ client=1.._ w(LONG<1>,LONG<1>,v_,w_) extra={\"process\":\"a\"}",
                        "txn=4 session=2 seq=0 committed ts=_.._ client=2..4 w(LONG<1>,LONG<2>,v_,w_) extra={\"process\":7}",
                        "txn=7 session=3 seq=0 committed ts=_.._ client=6..7 r(LONG<1>,LONG<2>,v_,w_) extra={\"process\":\"b\"}");
    }

    @Test
    void transactionsWithoutAProcessAreSessionsOfTheirOwn() throws IOException {
        assertThat(
                        read(
                                """
                                {:index 0, :type :invoke, :value [[:append 1 1] [:r 2 nil]]}
                                {:index 1, :type :invoke, :value [[:append 1 2]]}
                                {:index 2, :type :ok, :value [[:append 1 2]]}
                                {:index 3, :type :ok, :value [[:append 1 1] [:r 2 [9]]]}
                                """))
                .containsExactly(
                        "txn=2 session=1 seq=0 committed ts=_.._ client=1..2 append(LONG<1>,LONG<2>,v_,w_) extra=null",
                        "txn=3 session=2 seq=0 committed ts=_.._ client=0..3"
                                + " append(LONG<1>,LONG<1>,v_,w_) r(LONG<2>,[<9>],v_,w_) extra=null");
    }

    // ---------------------------------------------------------------- spelling

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{:type :ok :process 0 :value [[:w :x 1]]}{:type :ok :process 0 :value [[:r :x 1]]}",
                "[{:type :ok, :process 0, :value [[:w :x 1]]}\n {:type :ok, :process 0, :value [[:r :x 1]]}]",
                "({:type :ok, :process 0, :value ((:w :x 1))}, {:type :ok, :process 0, :value ([:r :x 1])})",
                "; a comment\n#jepsen.history.Op{:type :ok, :process 0, :value [[:w :x 1]]} ; {\n"
                        + "#jepsen.history.Op {:type :ok, :process 0, :value [[:r :x 1]]}\n;",
                "{:type #_ :fail :ok, #_#_ :value [[{}]] :process 0, :value [[:w \"x\" #_2 1] #_[:w :y 2]]}\n"
                        + "#_{:type :ok} {:type :ok,,,:process 0N,:value [[r x +1]]}",
                "\uFEFF{:value\n[[:w :x 1]]\n:process 0\n:type :ok}\r\n{\"type\" \"ok\" \"process\" 0 \"value\" [[\"r\" \"x\" 1]]}",
            })
    void ednIsReadHoweverItIsSpelled(String text) throws IOException {
        assertThat(read(text))
                .extracting(row -> row.substring(row.indexOf("committed"), row.indexOf(" extra")))
                .containsExactly(
                        "committed ts=_.._ client=_.._ w(STRING<x>,LONG<1>,v_,w_)",
                        "committed ts=_.._ client=_.._ r(STRING<x>,LONG<1>,v_,w_)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            quoteCharacter = '`',
            value = {
                ":x => x",
                "sym => sym",
                ":a/b => a/b",
                "\"a \\\"b\\\" \\u00e9\" => a \"b\" é",
                "1.5 => 1.5",
                "1/2 => 1/2",
                "2.5M => 2.5M",
                "true => true",
                "\\[ => \\[",
                "\\newline => \\newline",
                "[1 {:a \"]\"}] => [1 {:a \"]\"}]",
                "##Inf => ##Inf",
                "nil => nil"
            })
    void keysThatAreNoIntegersAreTheirText(String key, String name) throws IOException {
        assertThat(read("{:type :ok, :process 0, :value [[:w " + key + " 1]]}"))
                .singleElement()
                .asString()
                .contains(" w(STRING<" + name + ">,LONG<1>,v_,w_) ");
    }

    @Test
    void integersOf64BitsAreRead() throws IOException {
        assertThat(
                        read(
                                "{:type :ok, :process 0, :value [[:w -9223372036854775808 9223372036854775807] [:w 0 -0] [:w 1234567890123456789 12N]]}"))
                .singleElement()
                .asString()
                .contains(" w(LONG<-9223372036854775808>,LONG<9223372036854775807>,v_,w_) w(LONG<0>,LONG<0>,v_,w_)"
                        + " w(LONG<1234567890123456789>,LONG<12>,v_,w_) ");
    }

    @Test
    void otherMembersAreCarriedAlong() throws IOException {
        assertThat(
                        read(
                                """
                                {:type :ok, :process 0, :f :rmw, :value [], :node "n1", :at #inst "2026-11-20T00:00:00Z", :my/retries 3,
                                 :exception {:via [{:type java.lang.Exception :line 12N}] :code 1.5M :ratio 1/2 :char \\a :set #{:a} [1 2] nil}}
                                """))
                .containsExactly(
                        "txn=0 session=0 seq=0 committed ts=_.._ client=_.._ extra={\"f\":\"rmw\",\"node\":\"n1\","
                                + "\"at\":\"2026-11-20T00:00:00Z\",\"my/retries\":3,\"exception\":{\"via\":[{\"type\":\"java.lang.Exception\",\"line\":12}],"
                                + "\"code\":1.5,\"ratio\":\"1/2\",\"char\":\"\\\\a\",\"set\":[\"a\"],\"[1 2]\":null}}");
    }

    @Test
    void clojureOnlyOutputIsSkipped() throws IOException {
        assertThat(
                        read(
                                "{:type :ok, :process 0, :value [], :time 1.5, :a #\"\\d{2\", :b #'user/x, :c #object[Foo 0x1 \"[\"], :d ##NaN}"))
                .containsExactly(
                        "txn=0 session=0 seq=0 committed ts=_.._ client=_.._ extra={\"time\":1.5,"
                                + "\"a\":\"#\\\"\\\\d{2\\\"\",\"b\":\"#'user/x\",\"c\":[\"Foo\",\"0x1\",\"[\"],\"d\":\"##NaN\"}");
    }

    @Test
    void compressedHistoryIsRead() throws IOException {
        Path file = folder.resolve("history.edn.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{:type :ok, :process 0, :value [[:w 1 1]]}".getBytes());
        }

        assertThat(HistoryRows.at(file)).hasSize(1);
    }

    @Test
    void operationLargerThanTheBufferIsRead() throws IOException {
        StringBuilder list = new StringBuilder();
        for (int i = 1; i <= 200_000; i++) {
            list.append(' ').append(i);
        }
        String text = "{:type :invoke, :process 0, :value [[:r 1 nil]]}\n".repeat(1)
                + "{:type :ok, :process 0, :value [[:r 1 [" + list + "]]]}\n";

        assertThat(read(text)).singleElement().asString().contains("<199999><200000>]");
    }

    // ---------------------------------------------------------------- rejected input

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            quoteCharacter = '`',
            value = {
                "{:type :ok, :process 0, :value [[:w 1 1]} => unexpected text: expected=']' found='}' byte=41",
                "{:type :ok, :process 0, :value [[:w 1 1]]]} => unexpected text: expected=a keyword or '}' found=']' byte=42",
                "{:type :ok, :process 0, :value [[:w 1 1]]}} => unexpected text: expected=an operation, which is a map found='}' byte=43",
                "{:type :ok, :process 0, :value => unexpected text: expected=the rest of the operation found=end of file byte=",
                "{:type :ok, :process 0, :value [[:w 1 1 => brackets are not balanced: next-operation-byte=",
                "{:type :ok, :process 0, :value [[:w 1 \"1]]} => unexpected text: expected=",
                "{:type :ok, :process 0, :value [[:w 1 1]] :x} => unexpected text: expected=a value found='}' byte=",
                "{:type :ok, :process 0, :type :ok, :value []} => name twice in one operation: name=:type byte=",
                "{:type :ok, :process 0, :value [[:w 1 1]], :a 1, \"a\" 2} => name twice in one object: name=a",
                "{:type :good, :process 0, :value []} => unknown operation type: type=:good expected=invoke|ok|fail|info byte=8",
                "{:process 0, :value []} => operation has no type: expected=invoke|ok|fail|info byte=1; give its :type",
                "{:index 1.5, :type :ok, :process 0, :value []} => not an integer: index=1.5 byte=9",
                "#foo{:type :ok} => unknown tag: tag=#foo byte=1; an operation is a map, plain or tagged #jepsen.history.Op",
                "{:type :ok, :process 0, :value [[:w #foo 1 1]]} => unknown tag: tag=#foo byte=37; write the value without it",
                "{:type :ok, :process 0, :value [[:cas 1 [1 2]]]} => unknown operation: f=:cas expected=r|w|append|add|inc|rp|insert|delete byte=",
                "{:type :ok, :process 0, :value [[:rp [:> 3] {}]]} => unknown predicate: predicate=[:> 3] expected=:true|[:= v]|[:mod m r]",
                "{:type :ok, :process 0, :value [[:rp :true [1]]]} => unexpected text: expected=a map of keys to values, or nil found='['",
                "{:type :ok, :process 0, :value [[:rp :true 5]]} => unexpected text: expected=a map of keys to values, or nil found='5'",
                "{:type :ok, :process 0, :value [[:w 1]]} => write without a value: key=1 byte=",
                "{:type :ok, :process 0, :value [[:w 1 nil]]} => write without a value: key=1 byte=",
                "{:type :ok, :process 0, :value [[:w 1 [2]]]} => written value is a collection: value=[2] byte=",
                "{:type :ok, :process 0, :value [[:w 1 2 3]]} => unexpected text: expected=']', since an operation has a word, a key and a value found='3' byte=",
                "{:type :ok, :process 0, :value [[:w]]} => unexpected text: expected=a key found=']' byte=",
                "{:type :ok, :process 0, :value [[]]} => unexpected text: expected=a word for an operation found=']' byte=",
                "{:type :ok, :process 0, :value [:w 1 2]} => unexpected text: expected=an operation, which is a vector found=':' byte=",
                "{:type :ok, :process 0, :value {:x 1}} => unexpected text: expected=a transaction, which is a vector of operations found='{' byte=",
                "{:type :ok, :process 0} => operation has no value: byte=1; give the transaction as its :value",
                "{:type :ok, :process 0, :value [[:r 1 [nil]]]} => list with a nil element: byte=",
                "{:type :ok, :process 0, :value [[:w 1 9223372036854775808]]} => number does not fit int64: value=9223372036854775808 byte=",
                "{:type :ok, :process 0, :value [[:w 1 012]]} => number with a leading zero: byte=",
                "{:type :ok, :process 0, :value [[:w 1 1x]]} => unexpected text: expected=the rest of a number found='x' byte=",
                "{:type :ok, :process 0, :value [[:w \"\\q\" 1]]} => unknown escape in a string: expected=",
                "hello => unexpected text: expected=an operation, which is a map found='h' byte=1",
                "{:type :ok, :process 0, :value [[:r 1 [1]] [:r 1 1]]} => workloads are mixed: found='read that is no list' but 'read of a list' in line=1;",
            })
    void malformedOperationIsSkipped(String bad, String reason) throws IOException {
        Path file = write(bad + "\n{:type :ok, :process 9, :value []}\n");
        List<String> reported = new ArrayList<>();
        List<String> rows;
        try (HistorySource source = Histories.open(file, "edn")) {
            rows = HistoryRows.of(
                    HistoryRows.slices(source, (name, row, why, raw) -> reported.add(row + ": " + why + " | " + raw)));
        }

        assertThat(reported).first().asString().startsWith("1: " + reason);
        assertThat(rows).last().asString().contains(" session=9 ");
    }

    @Test
    void mixedWorkloadsNameBothLines() {
        assertRefused(
                """
                {:type :ok, :process 0, :value [[:append 1 1]]}
                {:type :ok, :process 0, :value [[:r 1 nil]]}
                {:type :ok, :process 0, :value [[:w 1 2]]}
                """,
                "line=3] workloads are mixed: found='w' but 'append' in line=1; check registers, lists, sets and counters as separate histories");
        assertRefused(
                """
                {:type :ok, :process 0, :value [[:append 1 1]]}
                {:type :ok, :process 0, :value [[:r 1 1]]}
                """,
                "line=2] workloads are mixed: found='read that is no list' but 'append' in line=1;");
    }

    @Test
    void integersAndKeywordsOfDifferentKeysBecomeJsonText() throws IOException {
        assertThat(read("{:type :ok, :process 0, :value [[:append :x 1] [:append :y :first] [:append :y \"1\"]]}"))
                .singleElement()
                .asString()
                .contains("append(STRING<x>,STRING<1>", "append(STRING<y>,STRING<\"first\">", "STRING<\"1\">");
    }

    @Test
    void completionWithoutAnInvocationIsRefused() {
        assertRefused(
                """
                {:type :invoke, :process 0, :value [[:w 1 1]]}
                {:type :ok, :process 0, :value [[:w 1 1]]}
                {:type :ok, :process 0, :value [[:w 1 1]]}
                """,
                "line=3] operation completes without having been invoked: process=0 byte=91; each :ok, :fail and :info needs an :invoke before it");
    }

    @Test
    void processThatInvokesTwiceIsRefused() {
        assertRefused(
                """
                {:type :invoke, :process 0, :value [[:w 1 1]]}
                {:type :invoke, :process 0, :value [[:w 1 2]]}
                {:type :ok, :process 0, :value [[:w 1 2]]}
                """,
                "line=1] process invokes again before its operation has completed: process=0 again-in-line=2; complete it with :info if its result is not known");
    }

    @Test
    void completionThatFitsNoOpenOperationIsRefused() {
        assertRefused(
                """
                {:type :invoke, :process 0, :value [[:w 1 1]]}
                {:type :invoke, :process 0, :value [[:w 1 2]]}
                {:type :ok, :process 0, :value [[:w 1 3]]}
                """,
                "line=3] operation completes that fits none of those its process has invoked: process=0 byte=");
    }

    @Test
    void completionWithoutIndexIsRejectedAmongIndexedOnes() {
        assertRefused(
                """
                {:index 0, :type :invoke, :process "a", :value [[:w 1 1]]}
                {:type :fail, :process "a", :value nil}
                """,
                "line=2] operation has no index, as all others have: byte=60");
    }

    @Test
    void vectorThatIsCutOffIsRejected() {
        assertRefused(
                "[{:type :ok, :process 0, :value []}\n",
                "line=2] unexpected text: expected=']' found=end of file byte=37;");
    }

    @Test
    void nestingIsBounded() {
        String deep = "[".repeat(100_000);
        assertRefused("{:type :ok, :process 0, :value " + deep, "line=1] nested too deeply: depth>256 byte=");
        assertRefused("{:type :ok, :process 0, :value " + "#a ".repeat(100_000), "line=1] ");
        assertRefused("{:type :ok, :process 0, :value " + "#a #_ ".repeat(100_000), "line=1] nested too deeply");
        assertRefused("#_".repeat(100_000), "line=1] unexpected text");
    }

    private void assertRefused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining(
                        message.replace("%s", folder.resolve("history.edn").toString()))
                .hasMessageStartingWith("[" + folder.resolve("history.edn"));
    }

    private List<String> read(String text) throws IOException {
        return HistoryRows.at(write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("history.edn"), text);
    }
}
