package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {

    private static final String CLEAN =
            """
            {"txn":1,"session":0,"seq":0,"start":10,"commit":12,"ops":[["w","x",1],["r","y",null]]}
            {"txn":2,"session":1,"seq":0,"start":12,"commit":15,"ops":[["r","x",1],["w","y",2],["r","x",1]]}
            """;

    private static final String UNEXPECTED_ROWS =
            """
            {"txn":1,"session":0,"seq":0,"start":10,"commit":12,"ops":[["w","x",1],["r","y",0]]}
            {"txn":2,"session":0,"seq":3,"start":11,"commit":12,"ops":[["w","x",1],["r","z",0]]}
            {"txn":3,"session":0,"seq":2,"status":"aborted","ops":[["append","l",4]]}
            {"txn":4,"session":2,"seq":0,"start":90,"commit":40,"ops":[["r","l",[4,9223372036854775807]]]}
            """;

    @TempDir
    private Path folder;

    @Test
    void aCleanHistoryIsDescribedInWords() throws IOException {
        Path history = write("clean.jsonl", CLEAN);

        CommandRun run = CommandRun.of("inspect", history.toString());

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceFirst("about .* of CPU", "so much"))
                .isEqualTo(
                        """
                        %s (jsonl, 185 B)
                          transactions                2   all committed
                          operations                  5   3 r (60.0 %%), 2 w (40.0 %%)
                          sessions                    2
                          keys                        2   all register
                          components                  1   the largest 2 sessions, 2 transactions, 2 keys
                          a transaction  median 2 operations, min 2, max 3
                          types          keys string, values int64
                          largest key    x with 60.0 %% of the operations
                          initial state  read once
                          timestamps     all committed transactions, 10 to 15, no ties
                          client times   none

                        can decide            from                             why
                          si ser cser         timestamps  yes     checked      every committed transaction has a start and a commit timestamp
                          rc ra cc pc si ser  versions    no      not checked  neither versions nor list reads determine the order of writes
                          rc ra cc pc si ser  values      yes     checked      every value is written once to its key, so each read identifies its writer; the stronger levels require a search
                          sser                realtime    no      not checked  no committed transaction has the client's times; invoke_ns and complete_ns would do

                        a check takes so much

                        lint: nothing found
                        """
                                .formatted(history));
    }

    @Test
    void valuesAloneDoNotDecideWhatPredicateReadsSaw() throws IOException {
        Path history = Files.writeString(
                folder.resolve("ranges.txt"),
                "s0 T1: w(t/1,'{\"c\":5}')\ns1 T2: p[t](\"c > 3\",[],1) r(t/1,'{\"c\":5}')\n");

        assertThat(CommandRun.of("inspect", history.toString()).out())
                .contains("values      partly  checked      1 predicate read decided by versions and timestamps only");
    }

    @Test
    void lintDoesNotChangeTheExitCode() throws IOException {
        CommandRun run =
                CommandRun.of("inspect", write("odd.jsonl", UNEXPECTED_ROWS).toString());

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("  L01  error    1 value written to a key more than once;")
                .contains("e.g. [")
                .contains("  L16  info     1 row after a later row of the session");
        assertThat(run.out().lines().count()).isLessThanOrEqualTo(40);
    }

    @Test
    void jsonIsOneObjectALineForEachHistory() throws IOException {
        Path first = write("a.jsonl", CLEAN);
        Path second = write("b.jsonl", UNEXPECTED_ROWS);

        CommandRun run = CommandRun.of("inspect", "--json", first.toString(), second.toString());

        assertThat(run.code()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("{\"schema\":1,\"history\":\"" + first + "\",\"format\":\"jsonl\",\"bytes\":185,"
                        + "\"transactions\":2,\"operations\":5,\"sessions\":2,\"keys\":2,"
                        + "\"status\":{\"committed\":2,\"aborted\":0,\"unknown\":0},"
                        + "\"kinds\":{\"r\":3,\"w\":2,\"append\":0,\"add\":0,\"inc\":0},\"initial_reads\":1,"
                        + "\"operations_per_transaction\":{\"min\":2,\"median\":2,\"max\":3},\"longest_list\":0,"
                        + "\"key_type\":\"string\",\"value_type\":\"int64\",")
                .contains("\"components\":{\"count\":1,\"largest_sessions\":2,\"largest_transactions\":2,"
                        + "\"largest_keys\":2,\"cut_sessions\":0}")
                .contains("\"timestamps\":{\"complete\":true,\"transactions\":2,\"min\":10,\"max\":15,"
                        + "\"tied_writers\":0}")
                .contains(
                        "{\"evidence\":\"timestamps\",\"levels\":[\"snapshot-isolation\",\"serializable\",\"commit-order-serializable\"],"
                                + "\"decides\":\"yes\",\"checked\":true,\"why\":\"every committed transaction has a start and"
                                + " a commit timestamp\"}")
                .contains("\"lint\":[],\"dead_letters\":0,\"problems\":[],\"forecast\":{\"memory_bytes\":");
        assertThat(ruleIds(lines.get(1))).containsExactly("L01", "L02", "L06", "L07", "L08", "L11", "L15", "L16");
    }

    @Test
    void jsonOfAHistoryWithoutOperationsHasNullTypes() throws IOException {
        CommandRun run = CommandRun.of(
                "inspect",
                "--json",
                write("a.jsonl", "{\"txn\":1,\"session\":0,\"ops\":[]}\n").toString());

        assertThat(run.out())
                .contains("\"key_type\":null,\"value_type\":null,")
                .contains("\"largest_key\":{\"key\":null,\"operations\":0}");
    }

    @Test
    void rejectedHistoryIsReportedAndOthersAreInspected() throws IOException {
        Path twice = write("twice.jsonl", CLEAN + CLEAN);
        Path clean = write("clean.jsonl", CLEAN);

        CommandRun run = CommandRun.of("inspect", "--json", twice.toString(), clean.toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out().lines().toList().get(0))
                .startsWith("{\"schema\":1,\"history\":\"" + twice + "\",\"verdict\":\"rejected\",\"error\":\"[" + twice
                        + " line=3] duplicate transaction id: txn_id=1 first-row=[" + twice
                        + " line=1]; give every transaction a unique id\",\"problems\":[{\"problem\":\"duplicate"
                        + " transaction id\",\"rows\":1,")
                .endsWith("\"ends_inspection\":true}]}");
        assertThat(run.out().lines().toList().get(1)).contains("\"transactions\":2");
    }

    @Test
    void rejectedHistoryIsReportedOnStderrWithoutJson() throws IOException {
        CommandRun run = CommandRun.of("inspect", write("empty.jsonl", "").toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("file is empty");
    }

    @Test
    void theInitialValueCanBeGiven() throws IOException {
        Path history = write("odd.jsonl", UNEXPECTED_ROWS);

        assertThat(ruleIds(
                        CommandRun.of("inspect", "--json", history.toString()).out()))
                .contains("L02");
        CommandRun run = CommandRun.of("inspect", "--json", "--initial-value", "0", history.toString());

        assertThat(run.out()).contains("\"initial_value\":\"0\"").contains("\"initial_reads\":2");
    }

    @Test
    void badRowsCanBeSetAside() throws IOException {
        Path history = write("bad.jsonl", CLEAN + "{\"txn\":3,\"session\":0,\"seq\":9,\"ops\":[[\"x\",\"x\",1]]}\n");

        assertThat(CommandRun.of("inspect", history.toString()).code()).isEqualTo(3);
        CommandRun run = CommandRun.of("inspect", "--json", "--max-dead-letters", "1", history.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("\"dead_letters\":1");
        assertThat(ruleIds(run.out())).containsExactly("L21");
    }

    @Test
    void inspectionContinuesAfterBadRowsAndReportsEachKind() throws IOException {
        String unknownKind = "{\"txn\":9,\"session\":0,\"seq\":9,\"ops\":[[\"x\",\"x\",1]]}\n";
        String noSession = "{\"txn\":10,\"ops\":[]}\n";
        Path history = write(
                "bad.jsonl",
                CLEAN + unknownKind + noSession + CLEAN.replace("\"txn\":", "\"txn\":1")
                        + unknownKind.replace("9", "11") + "no row\n");
        int first = (int) CLEAN.lines().count() + 1;

        CommandRun run = CommandRun.of("inspect", history.toString());
        CommandRun asJson = CommandRun.of("inspect", "--json", history.toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("nightjar: [" + history + " line=" + first + "] unknown operation kind");
        assertThat(run.out())
                .contains("rows that are no transactions\n           2  unknown operation kind\n")
                .contains("first [" + history + " line=" + first + "] unknown operation kind")
                .contains("           1  session missing\n")
                .contains("[" + history + " line=" + (first + 1) + "] session missing");
        assertThat(asJson.code()).isEqualTo(3);
        assertThat(asJson.out())
                .contains("\"problems\":[{\"problem\":\"unknown operation kind\",\"rows\":2,\"first\":\"[" + history
                        + " line=" + first + "] ")
                .contains("{\"problem\":\"session missing\",\"rows\":1,");
    }

    @Test
    void badRowsOfOneKindAreOneProblemWhateverIsInThem() throws IOException {
        String row = "{\"txn\":9,\"session\":0,\"seq\":9,\"status\":\"%s\",\"ops\":[]}\n";
        Path history = write("bad.jsonl", CLEAN + row.formatted("done: well") + row.formatted("over; and out row=1"));

        CommandRun run = CommandRun.of("inspect", "--json", history.toString());

        assertThat(run.out())
                .contains("{\"problem\":\"unknown status\",\"rows\":2,\"first\":\"[" + history + " line=")
                .contains("unknown status: status=done: well expected=committed|aborted|unknown\"");
    }

    @Test
    void aContradictionDoesNotHideBadRowsBehindIt() throws IOException {
        Path history = write("bad.jsonl", CLEAN + CLEAN + "no row\n");

        CommandRun run = CommandRun.of("inspect", "--json", history.toString());

        assertThat(run.out())
                .contains("{\"problem\":\"duplicate transaction id\",\"rows\":1,")
                .contains("\"first\":\"[" + history + " line=5] ");
    }

    @Test
    void moreBadRowsThanAllowedAreRejected() throws IOException {
        String bad = "{\"txn\":9,\"session\":0,\"seq\":9,\"ops\":[[\"x\",\"x\",1]]}\n";

        CommandRun run = CommandRun.of(
                "inspect",
                "--max-dead-letters",
                "1",
                write("bad.jsonl", CLEAN + bad + bad).toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("more bad rows than allowed: max-dead-letters=1");
    }

    @Test
    void littleMemoryAndOneThreadChangeNothing() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            rows.append("{\"txn\":%d,\"session\":%d,\"ops\":[[\"w\",\"k%d\",%d],[\"r\",\"k%d\",%d]]}\n"
                    .formatted((long) i * 7_919_000_017L % 3_000_017_000L, i % 900, i % 1700, i, i % 13, i / 2));
        }
        Path history = write("many.jsonl", rows.toString());

        String roomy = CommandRun.of("inspect", "--json", history.toString()).out();
        String tight = CommandRun.of("inspect", "--json", "--memory", "64m", "--threads", "1", history.toString())
                .out();

        assertThat(withoutCost(tight)).isEqualTo(withoutCost(roomy));
    }

    @Test
    void sessionsWithKeysOfTheirOwnAreSeveralComponents() throws IOException {
        String rows =
                """
                {"session":1,"ops":[["w","a",1],["w","b",2]]}
                {"session":2,"ops":[["r","a",1],["w","c",3]]}
                {"session":3,"ops":[["r","c",3]]}
                {"session":4,"ops":[["w","d",4]]}
                """;

        CommandRun text = CommandRun.of("inspect", write("parts.jsonl", rows).toString());
        CommandRun json =
                CommandRun.of("inspect", "--json", write("parts.jsonl", rows).toString());

        assertThat(text.out())
                .contains(
                        "  components                  3   the largest 2 sessions, 2 transactions, 2 keys; 1 session in"
                                + " several of them\n");
        assertThat(json.out())
                .contains("\"components\":{\"count\":3,\"largest_sessions\":2,\"largest_transactions\":2,"
                        + "\"largest_keys\":2,\"cut_sessions\":1}");
    }

    @Test
    void unknownFormatsAndNumbersOutOfRangeAreWrongUsage() throws IOException {
        String history = write("clean.jsonl", CLEAN).toString();

        assertThat(CommandRun.of("inspect", "--from", "nothing", history).code())
                .isEqualTo(64);
        assertThat(CommandRun.of("inspect", "--threads", "0", history).code()).isEqualTo(64);
        assertThat(CommandRun.of("inspect", "--max-dead-letters", "-1", history).code())
                .isEqualTo(64);
        assertThat(CommandRun.of("inspect").code()).isEqualTo(64);
    }

    @Test
    void keysAndPathsAreEscapedInJson() throws IOException {
        String row = "{\"txn\":1,\"session\":0,\"ops\":[[\"w\",\"a\\\"b\\u0001\",1]]}\n";

        CommandRun run =
                CommandRun.of("inspect", "--json", write("q.jsonl", row).toString());

        assertThat(run.out()).contains("\"largest_key\":{\"key\":\"a\\\"b\\u0001\"");
        assertThat(ruleIds(run.out())).containsExactly("L12");
    }

    private static String withoutCost(String json) {
        return json.replaceFirst("\"passes\":.*", "");
    }

    /** Returns the rule ids of a JSON object, which is parsed whole on the way. */
    private static List<String> ruleIds(String json) throws IOException {
        List<String> ids = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING && "rule_id".equals(parser.currentName())) {
                    ids.add(parser.getText());
                }
            }
        }
        return ids;
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }
}
