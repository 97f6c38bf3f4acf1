package io.nightjar.formats.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.text.SwarBytes;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells scanned eight bytes at a time are compared with their source. */
class CsvRowsTest {

    private static final String[] TEXTS = {
        "",
        "w",
        "COMMITTED",
        "null",
        "NaN",
        "nil",
        "\\N",
        "<NA>",
        "007",
        "-0",
        "-",
        "1.0",
        "1e3",
        "3.5",
        "naïve",
        "ключ",
        "12x",
        "x12"
    };

    @TempDir
    private Path folder;

    @Tag(Seeds.TAG)
    @Test
    void writtenCellsAreReadBack() throws IOException {
        for (long seed : Seeds.upTo(200)) {
            Random random = new Random(seed);
            List<List<String>> rows = new ArrayList<>();
            StringBuilder csv = new StringBuilder("a,b,c,d");
            for (int row = 0; row < 1 + random.nextInt(40); row++) {
                csv.append(random.nextBoolean() ? "\n" : "\r\n");
                List<String> cells = new ArrayList<>();
                for (int column = 0; column < 4; column++) {
                    String cell = column == 0 ? "1" : cell(random); // so that no row is blank
                    cells.add(cell);
                    boolean isQuoted = cell.indexOf(',') >= 0 || cell.indexOf('\n') >= 0 || cell.indexOf('"') >= 0;
                    csv.append(column == 0 ? "" : ",").append(isQuoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
                }
                rows.add(cells);
            }
            Path file = Files.writeString(folder.resolve("t.csv"), csv.append(random.nextBoolean() ? "\n" : ""));

            try (CsvRows read = new CsvRows(file)) {
                for (List<String> cells : rows) {
                    assertThat(read.advance()).as("seed=%d", seed).isTrue();
                    for (int column = 0; column < 4; column++) {
                        assertCell(read.cell(column), cells.get(column), "seed=" + seed + " of " + cells);
                    }
                }
                assertThat(read.advance()).as("seed=%d", seed).isFalse();
            }
        }
    }

    private static void assertCell(Cell cell, String written, String where) {
        boolean isNull = List.of("", "NULL", "null", "None", "NaN", "nan", "\\N", "<NA>", "NaT")
                .contains(written);
        assertThat(cell.isNull()).as(where).isEqualTo(isNull);
        if (isNull) {
            return;
        }
        boolean isWhole = written.equals("1.0");
        boolean isInteger = isWhole || written.matches("-?(0|[1-9][0-9]*)") && new BigInteger(written).bitLength() < 64;
        assertThat(cell.isInteger()).as("%s: %s", where, written).isEqualTo(isInteger);
        if (isInteger) {
            assertThat(cell.longValue())
                    .as("%s: %s", where, written)
                    .isEqualTo(isWhole ? 1 : new BigInteger(written).longValueExact());
        }
        assertThat(cell.text()).as(where).isEqualTo(written);
    }

    private static String cell(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> TEXTS[random.nextInt(TEXTS.length)];
            case 1 -> Long.toString(random.nextLong() >> random.nextInt(64));
            case 2 -> digits(random);
            case 3 -> "é,\"\n ".repeat(random.nextInt(4)) + "x";
            default -> Integer.toString(random.nextInt(1000));
        };
    }

    /** Returns up to twenty digits, occasionally with another character. */
    private static String digits(Random random) {
        StringBuilder digits = new StringBuilder(random.nextInt(4) == 0 ? "-" : "");
        for (int i = 0; i < 1 + random.nextInt(20); i++) {
            digits.append((char) (random.nextInt(60) == 0 ? '/' + 11 * random.nextInt(2) : '0' + random.nextInt(10)));
        }
        return digits.toString();
    }

    @Test
    void everyByteBesideTheDigitsIsNoDigit() {
        for (int length = 1; length <= 16; length++) {
            for (int at = 0; at < length; at++) {
                for (int b = 0; b < 256; b++) {
                    byte[] text = ("0000000000000000" + "1234567891234567".substring(0, length))
                            .getBytes(StandardCharsets.US_ASCII);
                    text[16 + at] = (byte) b;
                    boolean isNumber = b >= '0' && b <= '9';

                    long number = SwarBytes.number(text, text.length, length);

                    long expected =
                            isNumber ? Long.parseLong(new String(text, StandardCharsets.US_ASCII).substring(16)) : -1;
                    assertThat(number).as("length=%d at=%d b=%d", length, at, b).isEqualTo(expected);
                }
            }
        }
    }
}
