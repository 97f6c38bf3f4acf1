package io.nightjar.formats.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Corrupt files of every foreign format produce only slices, bad rows or a located rejection. */
class PeerFuzzTest {

    private static final int ROUNDS = Seeds.rounds(1_500);

    @TempDir
    Path folder;

    @Tag(Seeds.TAG)
    @Test
    void filesCutAnywhereAreRejectedOrRead() throws IOException {
        for (Map.Entry<String, byte[]> sample : Samples.all().entrySet()) {
            Path file = folder.resolve(sample.getKey());
            for (int length = 0; length < sample.getValue().length; length += Seeds.stride()) {
                Files.write(file, Arrays.copyOf(sample.getValue(), length));
                for (String format : new String[] {null, formatOf(sample.getKey())}) {
                    read(file, format, "file=%s length=%d".formatted(sample.getKey(), length));
                }
            }
        }
    }

    @Test
    void binaryFilesCutAnywhereButBetweenTransactionsAreRejected() throws IOException {
        for (String name : new String[] {"a.bincode", "T3.log", "T4.log"}) {
            byte[] whole = Samples.all().get(name);
            Path file = folder.resolve(name);
            int readable = 0;
            for (int length = 1; length < whole.length; length++) {
                Files.write(file, Arrays.copyOf(whole, length));
                readable += read(file, formatOf(name), "file=%s length=%d".formatted(name, length)) ? 1 : 0;
            }

            // a log may end after each of its transactions; the two here have one end between them
            assertThat(readable).as(name).isEqualTo(name.equals("a.bincode") ? 0 : 1);
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void damagedFilesAreRejectedOrRead() throws IOException {
        for (Map.Entry<String, byte[]> sample : Samples.all().entrySet()) {
            long seed = Seeds.seed(sample.getKey().hashCode());
            Random random = new Random(seed);
            Path file = folder.resolve(sample.getKey());
            for (int round = 0; round < ROUNDS; round++) {
                byte[] bytes = sample.getValue().clone();
                for (int i = 0; i <= random.nextInt(4); i++) {
                    int at = random.nextInt(bytes.length);
                    bytes[at] =
                            (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 1 << random.nextInt(8));
                }
                Files.write(file, bytes);
                String format = random.nextInt(4) == 0 ? null : formatOf(sample.getKey());
                read(file, format, "file=%s seed=%d round=%d".formatted(sample.getKey(), seed, round));
            }
        }
    }

    /** Returns whether the file was read to its end. */
    private static boolean read(Path file, String format, String what) {
        long[] bad = {0};
        BadRowHandler count = (name, row, fault, raw) -> {
            assertThat(fault.kind()).as(what).isNotBlank();
            assertThat(row).as(what).isPositive();
            bad[0]++;
        };
        try (HistorySource source = Histories.open(file, format)) {
            HistoryRows.of(HistoryRows.slices(source, count));
            return bad[0] == 0;
        } catch (MalformedHistoryException rejected) {
            assertThat(rejected).as(what).hasMessageStartingWith("[" + file);
            return false;
        } catch (IOException | RuntimeException | Error other) {
            return fail(what, other);
        }
    }

    private static String formatOf(String name) {
        if (name.endsWith(".json")) {
            return "dbcop-json";
        }
        String extension = name.substring(name.lastIndexOf('.') + 1);
        return switch (extension) {
            case "bincode" -> "dbcop";
            case "log" -> "cobra";
            default -> extension;
        };
    }
}
