package io.nightjar.formats.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Corrupt operation maps produce only slices, bad rows or a located rejection. */
class JepsenFuzzTest {

    private static final int ROUNDS = Seeds.rounds(1500);

    private static final String EDN =
            """
            {:index 0, :time 1, :type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r "y" nil]]}
            #jepsen.history.Op{:index 1 :time 2 :type :invoke :process "b" :value ([:append :x 2]) :error {:a [1.5M \\a nil]}}
            {:index 2, :time 3, :type :ok, :process 0, :value [[:append :x 1] [:r "y" [3 4 -5]]]} ; {
            {:index 3, :time 4, :type :info, :process :nemesis, :f :kill, :value {"n1" #{:a #_b}}}
            {:index 4, :time 5, :type :info, :process "b", :value nil, :error "\\u00e9\\n"}
            {:index 5, :time 6, :type :invoke, :value [[:r :x nil]]}
            {:index 6, :time 7, :type :ok, :value [[:r :x [1 2]]], :at #inst "2026"}
            """;

    private static final String JSON =
            """
            [{"index":0,"type":"invoke","process":0,"value":[["w","x",1],["r","y",null]],"e":{"a":[1.5,true]}},
            {"index":1,"type":"ok","process":0,"f":"txn","value":[["w","x",1],["r","y",3]]},
            {"index":2,"type":"invoke","process":"c\\n","value":[["r","x",null]]},
            {"index":3,"type":"fail","process":"c\\n","value":[["r","x",null]],"error":["a\\u00e9"]}]
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"edn", "elle-json"})
    void fileThatEndsAnywhereIsRejectedOrRead(String format) throws IOException {
        byte[] whole = text(format);
        for (int length = 1; length <= whole.length; length++) {
            read(Arrays.copyOf(whole, length), format, "length=" + length);
        }
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @ValueSource(strings = {"edn", "elle-json"})
    void damagedFileIsRejectedOrRead(String format) throws IOException {
        long seed = Seeds.seed(format.hashCode());
        Random random = new Random(seed);
        byte[] whole = text(format);
        for (int round = 0; round < ROUNDS; round++) {
            read(damage(whole, random), format, "seed=%d round=%d".formatted(seed, round));
        }
    }

    @Test
    void wholeFilesAreRead() throws IOException {
        assertThat(HistoryRows.at(Files.write(folder.resolve("a.edn"), text("edn"))))
                .hasSize(3);
        assertThat(HistoryRows.at(Files.write(folder.resolve("a.json"), text("elle-json"))))
                .hasSize(2);
    }

    private static byte[] text(String format) {
        return (format.equals("edn") ? EDN : JSON).getBytes(StandardCharsets.UTF_8);
    }

    private void read(byte[] bytes, String format, String what) throws IOException {
        Path file = Files.write(folder.resolve("damaged"), bytes);
        String description = what + " text=" + new String(bytes, StandardCharsets.UTF_8);
        BadRowHandler badRows = (name, row, fault, raw) -> {
            assertThat(fault.kind()).as(description).isNotBlank();
            assertThat(row).as(description).isPositive();
        };
        try (HistorySource source = Histories.open(file, format)) {
            List<String> rows = HistoryRows.of(HistoryRows.slices(source, badRows));
            assertThat(rows).as(description).hasSizeLessThan(12);
        } catch (MalformedHistoryException rejected) {
            assertThat(rejected).as(description).hasMessageStartingWith("[" + file);
        } catch (IOException | RuntimeException | Error other) {
            fail(description, other);
        }
    }

    private static byte[] damage(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        int times = 1 + random.nextInt(3);
        byte[] marks = "{}[]()\"\\;#_: \n,0-".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < times && bytes.length > 4; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes[at] = marks[random.nextInt(marks.length)];
                case 3 -> bytes = Arrays.copyOf(bytes, at);
                default -> {
                    int length = Math.min(bytes.length - at, 1 + random.nextInt(30));
                    byte[] shorter = Arrays.copyOf(bytes, bytes.length - length);
                    System.arraycopy(bytes, at + length, shorter, at, bytes.length - at - length);
                    bytes = shorter;
                }
            }
        }
        return bytes;
    }
}
