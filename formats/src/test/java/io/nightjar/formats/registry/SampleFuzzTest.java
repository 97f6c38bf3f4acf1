package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Corrupt samples of tables, change logs and recorded operations produce slices, bad rows or a located rejection. */
class SampleFuzzTest {

    private static final Path SAMPLES = Path.of("../datasets/samples");
    private static final int ROUNDS = Seeds.rounds(300);

    @TempDir
    Path folder;

    @Tag(Seeds.TAG)
    @Test
    void filesCutAnywhereAreRejectedOrRead() throws IOException {
        for (Map.Entry<Path, String> sample : samples().entrySet()) {
            byte[] whole = Files.readAllBytes(sample.getKey());
            Path file = folder.resolve(sample.getKey().getFileName());
            int step = Math.max(7, whole.length / 400);
            for (int length = 0; length < whole.length; length += (length < 200 ? 1 : step) * Seeds.stride()) {
                Files.write(file, Arrays.copyOf(whole, length));
                for (String format : new String[] {null, sample.getValue()}) {
                    read(file, format, "file=%s length=%d".formatted(sample.getKey(), length));
                }
            }
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void damagedFilesAreRejectedOrRead() throws IOException {
        for (Map.Entry<Path, String> sample : samples().entrySet()) {
            byte[] whole = Files.readAllBytes(sample.getKey());
            long seed = Seeds.seed(sample.getKey().toString().hashCode());
            Random random = new Random(seed);
            Path file = folder.resolve(sample.getKey().getFileName());
            for (int round = 0; round < ROUNDS; round++) {
                byte[] bytes = whole.clone();
                for (int i = 0; i <= random.nextInt(4); i++) {
                    int at = random.nextInt(bytes.length);
                    bytes[at] =
                            (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 1 << random.nextInt(8));
                }
                Files.write(file, bytes);
                String format = random.nextInt(4) == 0 ? null : sample.getValue();
                read(file, format, "file=%s seed=%d round=%d".formatted(sample.getKey(), seed, round));
            }
        }
    }

    @Test
    void bytesOfAnotherEncodingAreRejectedWithLocation() throws IOException {
        byte[] wide = {'{', 0, '"', 0, 'y', '"', '9', '"', '"', '9', '"', '"', '}', '\n'};
        for (String format : new String[] {"tidb", "debezium", "wal2json", "etcd", "cockroach"}) {
            assertThat(read(Files.write(folder.resolve("wide.json"), wide), format, format))
                    .isFalse();
        }
        byte[] zero = {0, '[', 0, '1', ']'};
        assertThat(read(Files.write(folder.resolve("wide.json"), zero), "viper", "viper"))
                .isFalse();
        byte[] utf32 = {'{', 0, 0, 0, '"', '9', '"', '"', '}', '\n'};
        assertThat(read(Files.write(folder.resolve("wide.json"), utf32), "tidb", "tidb"))
                .isFalse();
    }

    @Test
    void emptyFilesAreRejected() throws IOException {
        for (Map.Entry<Path, String> sample : samples().entrySet()) {
            Path file = Files.write(folder.resolve(sample.getKey().getFileName()), new byte[0]);

            assertThat(read(file, sample.getValue(), sample.getValue())).isFalse();
        }
    }

    /** Returns files, and the format of each. */
    private static Map<Path, String> samples() throws IOException {
        Map<Path, String> samples = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
            for (Path file : all) {
                String name = SAMPLES.relativize(file).toString();
                for (Format format : Format.values()) {
                    boolean isIts = name.startsWith(format.spelling) && format != Format.EDN
                            || name.matches("format[.]" + format.spelling + "([.].*)?");
                    if (isIts) {
                        samples.put(file, format.spelling);
                    }
                }
                if (name.startsWith("mariadb")) {
                    samples.put(file, "mysqlbinlog");
                } else if (name.startsWith("porcupine")) {
                    samples.put(file, "porcupine");
                }
            }
        }
        assertThat(samples).hasSizeGreaterThan(15);
        return samples;
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
}
