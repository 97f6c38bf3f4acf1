package io.nightjar.formats.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JepsenWriterTest {

    private static final String TIMED =
            """
            {"txn":1,"session":0,"status":"committed","invoke":10,"complete":30,"ops":[["append","x",1],["r","y",["a"]]]}
            {"txn":2,"session":1,"status":"committed","invoke":20,"complete":40,"ops":[["append","y","a"],["r","x",null]],"node":"n1"}
            {"txn":3,"session":0,"status":"unknown","invoke":31,"ops":[["append","x",2]]}
            {"txn":4,"session":0,"status":"aborted","invoke":50,"complete":60,"ops":[["append","x",3]],"type":7}
            """
                    .replace("\"x\",1", "\"x\",\"1\"")
                    .replace("\"x\",2", "\"x\",\"2\"")
                    .replace("\"x\",3", "\"x\",\"3\"");

    @TempDir
    Path folder;

    @Test
    void pairsStandInTheOrderOfTime() throws IOException {
        assertThat(convert(TIMED, "out.edn"))
                .isEqualTo(
                        """
                        {:index 0, :time 10, :type :invoke, :process 0, :f :txn, :value [[:append "x" "1"] [:r "y" nil]]}
                        {:index 1, :time 20, :type :invoke, :process 1, :f :txn, :value [[:append "y" "a"] [:r "x" nil]]}
                        {:index 2, :time 30, :type :ok, :process 0, :f :txn, :value [[:append "x" "1"] [:r "y" ["a"]]]}
                        {:index 3, :time 31, :type :invoke, :process 0, :f :txn, :value [[:append "x" "2"]]}
                        {:index 4, :time 40, :type :ok, :process 1, :f :txn, :value [[:append "y" "a"] [:r "x" nil]], :node "n1"}
                        {:index 5, :time 50, :type :info, :process 0, :f :txn, :value [[:append "x" "2"]]}
                        {:index 6, :time 50, :type :invoke, :process 0, :f :txn, :value [[:append "x" "3"]]}
                        {:index 7, :time 60, :type :fail, :process 0, :f :txn, :value [[:append "x" "3"]], :extra {:type 7}}
                        """);
    }

    @Test
    void jsonIsThatOfElleCli() throws IOException {
        assertThat(convert(TIMED, "out.elle.json").lines().toList())
                .startsWith(
                        "[",
                        "{\"index\":0,\"time\":10,\"type\":\"invoke\",\"process\":0,\"f\":\"txn\",\"value\":[[\"append\",\"x\",\"1\"],[\"r\",\"y\",null]]},")
                .endsWith(
                        "{\"index\":7,\"time\":60,\"type\":\"fail\",\"process\":0,\"f\":\"txn\",\"value\":[[\"append\",\"x\",\"3\"]],\"extra\":{\"type\":7}}",
                        "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.edn", "out.edn.zst", "out.elle.json"})
    void writtenHistoryIsReadBack(String name) throws IOException {
        convert(TIMED, name);

        assertThat(HistoryRows.at(folder.resolve(name)))
                .containsExactly(
                        "txn=2 session=0 seq=0 committed ts=_.._ client=10..30"
                                + " append(STRING<x>,STRING<1>,v_,w_) r(STRING<y>,[<a>],v_,w_) extra=null",
                        "txn=4 session=1 seq=0 committed ts=_.._ client=20..40"
                                + " append(STRING<y>,STRING<a>,v_,w_) r(STRING<x>,nothing,v_,w_) extra={\"node\":\"n1\"}",
                        "txn=5 session=0 seq=1 unknown ts=_.._ client=31.._ append(STRING<x>,STRING<2>,v_,w_) extra=null",
                        "txn=7 session=0 seq=2 aborted ts=_.._ client=50..60 append(STRING<x>,STRING<3>,v_,w_)"
                                + " extra={\"extra\":{\"type\":7}}");
    }

    @Test
    void completionsStandAloneWhereTimesAreMissing() throws IOException {
        String text =
                """
                {"session":1,"seq":1,"ops":[["w",1,2]]}
                {"session":0,"seq":0,"invoke":3,"complete":4,"ops":[["r",1,null]]}
                {"session":1,"seq":0,"status":"unknown","ops":[["w",1,1]]}
                """;

        assertThat(convert(text, "out.edn"))
                .isEqualTo(
                        """
                        {:index 0, :type :ok, :process 0, :f :txn, :value [[:r 1 nil]]}
                        {:index 1, :type :info, :process 1, :f :txn, :value [[:w 1 1]]}
                        {:index 2, :type :ok, :process 1, :f :txn, :value [[:w 1 2]]}
                        """);
    }

    @Test
    void transactionThatBeginsAtEndOfAnotherOverlapsIt() throws IOException {
        String text =
                """
                {"session":0,"invoke":1,"complete":5,"ops":[["w",1,1]]}
                {"session":1,"invoke":5,"complete":5,"ops":[["w",1,2]]}
                {"session":1,"invoke":5,"complete":9,"ops":[["w",1,3]]}
                """;

        assertThat(convert(text, "out.edn").lines().map(line -> line.replaceAll(", :f.*", "")))
                .containsExactly(
                        "{:index 0, :time 1, :type :invoke, :process 0",
                        "{:index 1, :time 5, :type :invoke, :process 1",
                        "{:index 2, :time 5, :type :ok, :process 0",
                        "{:index 3, :time 5, :type :ok, :process 1",
                        "{:index 4, :time 5, :type :invoke, :process 1",
                        "{:index 5, :time 9, :type :ok, :process 1");
    }

    @Test
    void transactionsOfOneSessionThatOverlapDoNotFit() {
        String text =
                """
                {"txn":1,"session":0,"invoke":1,"complete":5,"ops":[]}
                {"txn":2,"session":0,"invoke":4,"complete":6,"ops":[]}
                """;

        assertThatThrownBy(() -> convert(text, "out.edn"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s] does not fit the format edn: txn_id=2 session_id=0 begins before the transaction before it in its session"
                                + " has ended; a process does one thing at a time",
                        folder.resolve("in.jsonl"));
        assertThat(folder).isDirectoryContaining("glob:**/in.jsonl");
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"out.edn,edn", "out.elle.json,elle-json"})
    void mixedWorkloadsDoNotFit(String name, String format) {
        String text =
                """
                {"txn":5,"session":0,"ops":[["w","x",1]]}
                {"txn":6,"session":1,"ops":[["append","y",2]]}
                """;

        assertThatThrownBy(() -> convert(text, name))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s line=2] does not fit the format %s: txn_id=6 workloads are mixed: found='append' but 'w' in row=1;"
                                + " check registers, lists, sets and counters as separate histories",
                        folder.resolve("in.jsonl"), format);
        assertThat(folder.toFile().list()).containsExactly("in.jsonl");
    }

    @Test
    void extrasSurvive() throws IOException {
        String extra =
                "\"error\":{\"code\":1.5e3,\"text\":\"a \\\"b\\\" # c\\/\"},\"retries\":[1,null,true,false],\"a b\":\"\\u0000 \\uD83D\",\"big\":123456789012345678901";
        convert("{\"session\":1,\"ops\":[]," + extra + "}\n", "out.edn");

        assertThat(HistoryRows.at(folder.resolve("out.edn")))
                .containsExactly("txn=0 session=1 seq=0 committed ts=_.._ client=_.._ extra={"
                        + extra.replace("\\/", "/") + "}");
    }

    @Test
    void emptyHistorySurvives() throws IOException {
        HistoryRows.write(Histories.create(folder.resolve("out.edn"), null), List.of());

        assertThat(HistoryRows.at(folder.resolve("out.edn"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.edn", "out.elle.json"})
    void randomHistoriesSurvive(String name) throws IOException {
        for (int i = 0; i < 20; i++) {
            long seed = Seeds.seed(500 + i);
            convert(randomHistory(seed), name);
            List<String> once = HistoryRows.at(folder.resolve(name));
            copy(name, "again-" + name);

            HistoryRows.assertSame("seed=" + seed, HistoryRows.at(folder.resolve("again-" + name)), once);
            assertThat(once.stream().map(JepsenWriterTest::withoutId).sorted())
                    .as("seed=" + seed)
                    .isEqualTo(HistoryRows.at(folder.resolve("in.jsonl")).stream()
                            .map(JepsenWriterTest::withoutId)
                            .sorted()
                            .toList());
        }
    }

    private static String withoutId(String row) {
        return row.substring(row.indexOf("session="));
    }

    /** Returns list appends with distinct times, like a store with crashing clients. */
    private static String randomHistory(long seed) {
        Random random = new Random(seed);
        long[] freeAt = new long[5];
        List<String> rows = new ArrayList<>();
        for (int txn = 1; txn <= 200; txn++) {
            int session = random.nextInt(freeAt.length);
            long invoke = freeAt[session] + 1 + random.nextInt(50);
            long complete = invoke + 1 + random.nextInt(100);
            freeAt[session] = complete;
            int outcome = random.nextInt(6);
            String status = outcome == 0 ? "aborted" : outcome == 1 ? "unknown" : "committed";
            StringBuilder ops = new StringBuilder();
            for (int op = random.nextInt(4); op >= 0; op--) {
                boolean isRead = outcome > 1 && random.nextBoolean();
                ops.append(ops.isEmpty() ? "" : ",")
                        .append(isRead ? "[\"r\"," : "[\"append\",")
                        .append(random.nextInt(5))
                        .append(isRead ? ",[" + txn + ",7]]" : "," + txn + "]");
            }
            rows.add("{\"session\":%d,\"status\":\"%s\",\"invoke\":%d,\"complete\":%s,\"ops\":[%s]}\n"
                    .formatted(
                            session,
                            status,
                            10 * invoke + session,
                            outcome == 1 ? "null" : Long.toString(10 * complete + session),
                            ops));
        }
        return String.join("", rows);
    }

    private String convert(String jsonLines, String name) throws IOException {
        Files.writeString(folder.resolve("in.jsonl"), jsonLines);
        copy("in.jsonl", name);
        return Files.readString(folder.resolve(name), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private void copy(String from, String to) throws IOException {
        try (HistorySource source = Histories.open(folder.resolve(from), null)) {
            List<HistorySlice> slices = HistoryRows.slices(source, BadRowHandler.REJECT);
            HistoryRows.write(Histories.create(folder.resolve(to), null), slices);
        }
    }
}
