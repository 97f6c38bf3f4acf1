package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputModeTest {

    @Test
    void aTableIsAlignedWithNumbersToTheRight() {
        String text = written(
                OutputMode.TABLE,
                List.of("level", "n"),
                List.of("si", 3L),
                Arrays.asList(null, 12L),
                List.of("ser", 4L));

        assertThat(text)
                .isEqualTo(
                        """
                        level   n
                        -----  --
                        si      3
                               12
                        ser     4
                        """);
    }

    @Test
    void wideTableCellsAreCutToOneLine() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ResultSink sink = OutputMode.TABLE.sink(new PrintStream(bytes, false, StandardCharsets.UTF_8), 8);
        sink.begin(List.of("a"));
        sink.row(List.of("one\ntwo three"));
        sink.end();

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("a\n--------\none\\ntw…\n");
    }

    @Test
    void wideTextIsWrappedInItsColumn() {
        assertThat(fitted(44, "a1b2c3", "a long explanation of it all,\nand more", 123_456_789_012L))
                .isEqualTo(
                        """
                        text    other                              n
                        ------  ----------------------  ------------
                        a1b2c3  a long explanation of   123456789012
                                it all,
                                and more
                        """);
    }

    @Test
    void rowsAreRecordsWhereColumnsDoNotFit() {
        for (OutputMode mode : List.of(OutputMode.TABLE, OutputMode.BOX)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ResultSink sink = mode.sink(new PrintStream(bytes, false, StandardCharsets.UTF_8), Integer.MAX_VALUE, 30);
            sink.begin(List.of("text", "other", "n"));
            sink.row(List.of("a1b2c3", "a long explanation of it all", 123_456_789_012L));
            sink.row(Arrays.asList(null, "an id of more characters: 0123456789abcdef0123456789abcdef", 1L));
            sink.end();

            assertThat(bytes.toString(StandardCharsets.UTF_8))
                    .isEqualTo(
                            """
                            text   a1b2c3
                            other  a long explanation of
                                   it all
                            n      123456789012

                            text
                            other  an id of more
                                   characters:
                                   0123456789abcdef0123456
                                   789abcdef
                            n      1
                            """);
        }
    }

    @Test
    void longCellEndsAfterFortyLines() {
        assertThat(fitted(30, "word ".repeat(400), "x", 1L).lines()).hasSize(42).endsWith("word word word word…");
    }

    @Test
    void boxIsNoWiderThanTerminal() {
        for (int width = 28; width < 90; width++) {
            int maxWidth = width;

            assertThat(fitted(OutputMode.BOX, width, "a1b2c3", "a long explanation of it all", 123_456_789_012L)
                            .lines())
                    .as("width=%d", width)
                    .allMatch(line -> line.length() <= maxWidth);
        }
        assertThat(fitted(OutputMode.BOX, 48, "a1b2c3", "a long explanation of it all", 123_456_789_012L))
                .isEqualTo(
                        """
                        ┌────────┬──────────────────────┬──────────────┐
                        │ text   │ other                │            n │
                        ├────────┼──────────────────────┼──────────────┤
                        │ a1b2c3 │ a long explanation   │ 123456789012 │
                        │        │ of it all            │              │
                        └────────┴──────────────────────┴──────────────┘
                        """);
    }

    private static String fitted(int width, Object... cells) {
        return fitted(OutputMode.TABLE, width, cells);
    }

    private static String fitted(OutputMode mode, int width, Object... cells) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        ResultSink sink = mode.sink(out, Integer.MAX_VALUE, width);
        sink.begin(List.of("text", "other", "n"));
        sink.row(Arrays.asList(cells));
        sink.end();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aTableOfManyRowsKeepsThemAll() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ResultSink sink = OutputMode.TABLE.sink(new PrintStream(bytes, false, StandardCharsets.UTF_8), 80);
        sink.begin(List.of("a"));
        for (long i = 0; i < 2_500; i++) {
            sink.row(List.of(i));
        }
        sink.end();

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().count()).isEqualTo(2_502);
    }

    @Test
    void jsonIsAnObjectALine() {
        String text = written(
                OutputMode.JSON,
                List.of("s", "n", "f", "list", "map", "none", "yes"),
                Arrays.asList("a\"b", 1L, 0.5, List.of(1L, "x"), Map.of("k", 2L), null, true));

        assertThat(text)
                .isEqualTo("{\"s\":\"a\\\"b\",\"n\":1,\"f\":0.5,\"list\":[1,\"x\"],\"map\":{\"k\":2},\"none\":null,"
                        + "\"yes\":true}\n");
    }

    @Test
    void jsonHasBigNumbersAsStrings() {
        long big = (1L << 53) + 1;
        String text = written(
                OutputMode.JSON,
                List.of("a", "b", "c", "d"),
                List.of(big, BigInteger.valueOf(big), new BigDecimal("1e3"), BigInteger.TEN));

        assertThat(text).isEqualTo("{\"a\":\"9007199254740993\",\"b\":\"9007199254740993\",\"c\":1000,\"d\":10}\n");
    }

    @Test
    void jsonKeysAreDistinct() {
        assertThat(written(OutputMode.JSON, List.of("x", "x", "x"), List.of(1L, 2L, 3L)))
                .isEqualTo("{\"x\":1,\"x_1\":2,\"x_2\":3}\n");
    }

    @Test
    void csvQuotesOnlyIfNeeded() {
        String text =
                written(OutputMode.CSV, List.of("a", "b,c"), List.of("x \"y\"", "line\nline"), Arrays.asList(null, ""));

        assertThat(text).isEqualTo("a,\"b,c\"\n\"x \"\"y\"\"\",\"line\nline\"\n,\"\"\n");
    }

    @Test
    void markdownEscapesItsOwnCharacters() {
        assertThat(written(OutputMode.MARKDOWN, List.of("a", "b"), List.of("x|y", "one\ntwo")))
                .isEqualTo("| a | b |\n| --- | --- |\n| x\\|y | one<br>two |\n");
    }

    @Test
    void severalResultsAreApart() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ResultSink sink = OutputMode.CSV.sink(new PrintStream(bytes, false, StandardCharsets.UTF_8), 80);
        for (int i = 0; i < 2; i++) {
            sink.begin(List.of("a"));
            sink.row(List.of(1L));
            sink.end();
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("a\n1\n\na\n1\n");
    }

    @SafeVarargs
    private static String written(OutputMode mode, List<String> columns, List<Object>... rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ResultSink sink = mode.sink(new PrintStream(bytes, false, StandardCharsets.UTF_8), 80);
        sink.begin(columns);
        for (List<Object> row : rows) {
            sink.row(row);
        }
        sink.end();
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
