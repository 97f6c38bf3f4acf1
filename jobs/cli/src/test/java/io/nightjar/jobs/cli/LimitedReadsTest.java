package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predicate reads with a limit demand what SQL promises of their rows, by timestamps, versions and values alike. */
class LimitedReadsTest {

    private static final String ROWS = "w(t/1,'{\"c\":1,\"d\":\"a\"}')@1 w(t/2,'{\"c\":2,\"d\":\"B\"}')@1"
            + " w(t/3,'{\"c\":2,\"d\":\"\\\"c\"}')@1 w(t/4,'{\"c\":null,\"d\":null}')@1";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TRUE   | 1 | c                 | 1   | holds",
                "TRUE   | 1 | c                 | 2   | violated",
                "TRUE   | 2 | c                 | 1,3 | holds",
                "TRUE   | 2 | c                 | 3,1 | holds",
                "TRUE   | 2 | t.c ASC           | 2,3 | violated",
                "TRUE   | 3 | c                 | 1,2 | violated",
                "TRUE   | 4 | c                 | 1,2,3,4 | holds",
                "TRUE   | 1 | c DESC            | 4   | holds",
                "TRUE   | 1 | c DESC            | 2   | violated",
                "TRUE   | 1 | c DESC NULLS LAST | 2   | holds",
                "TRUE   | 1 | c DESC NULLS LAST | 4   | violated",
                "TRUE   | 1 | c NULLS FIRST     | 4   | holds",
                "TRUE   | 1 | c NULLS FIRST     | 1   | violated",
                "c = 2  | 1 | \"c\"             | 3   | holds",
                "c = 2  | 1 | c                 | 1   | violated",
                "c = 2  | 1 |                   | 2   | holds",
                "c = 2  | 1 |                   | 4   | violated",
                "c = 2  | 1 |                   |     | violated",
                "c = 2  | 0 | c                 |     | holds",
                "TRUE   | 1 | d                 | 3   | holds",
                "TRUE   | 1 | d                 | 1   | violated",
                "TRUE   | 2 | `d`               | 2,3 | holds",
                "c = 2  | 1 | c                 | 2,3 | undecided",
                "c = 2  | 1 | c, d              | 2   | undecided",
                "c = 2  | 1 | lower(d)          | 2   | undecided",
            })
    void rowsAreTheFirstOfTheOrder(String condition, int limit, String order, String rows, String verdict)
            throws IOException {
        StringBuilder read = new StringBuilder();
        String[] returned = rows == null ? new String[0] : rows.split(",");
        read.append("p[t](\"%s\",[],%d)~%d".formatted(condition, returned.length, limit));
        read.append(order == null ? "" : '"' + order.replace("\"", "\\\"") + '"');
        for (String row : returned) {
            String start = " w(t/" + row + ",";
            int from = (" " + ROWS).indexOf(start) + 1;
            read.append(" r").append(ROWS, from, ROWS.indexOf(')', from) + 1);
        }
        for (String history : new String[] {
            "s0 T1 [1,2]: " + ROWS.replace("@1", "") + "\ns1 T2 [3,4]: " + read + "\n",
            "s0 T1: " + ROWS + "\ns0 T2: " + read + "\n",
            "s0 T1: " + ROWS.replace("@1", "") + "\ns0 T2: " + read + "\n",
        }) {
            Path file = Files.writeString(folder.resolve("limited.txt"), history);
            CommandRun run = CommandRun.of("check", "--json", "--lake", "none", "--level", "si,ser", file.toString());
            assertThat(run.out()).as(history).contains("\"verdict\":\"" + verdict + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\\"my col\\\" DESC", "t.`My Col` desc nulls last"})
    void nameOfTheColumnMayContainABlank(String order) throws IOException {
        for (String times : new String[] {"", "\"start\":1,\"commit\":2,"}) {
            Path file = Files.writeString(
                    folder.resolve("limited.jsonl"),
                    """
                    {"txn":1,"session":0,%s"ops":[["w","t/1",{"my col":1}],["w","t/2",{"my col":2}]]}
                    {"txn":2,"session":1,%s"ops":[["p","TRUE",[],[["r","t/1",{"my col":1}]],{"limit":1,"order":"%s"}]]}
                    """
                            .formatted(times, times.replace("1", "3").replace("2", "4"), order));

            CommandRun run = CommandRun.of("check", "--lake", "none", "--level", "si", file.toString());
            assertThat(run.code()).as(run.out() + run.err()).isOne();
        }
    }
}
