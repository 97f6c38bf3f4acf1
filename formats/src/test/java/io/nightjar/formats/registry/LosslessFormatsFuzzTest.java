package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Corrupt files of every lossless format produce only slices, bad rows or a located rejection. */
@Tag(Seeds.TAG)
class LosslessFormatsFuzzTest {

    private static final List<String> FILES =
            List.of("a.jsonl", "b.txt", "c.jsonl.gz", "d.jsonl.zst", "e.arrow", "f.json", "g.parquet");
    private static final int ROUNDS = Seeds.rounds(400);

    @TempDir
    Path folder;

    @Test
    void damagedFilesAreRejectedOrRead() throws IOException {
        for (String name : FILES) {
            long seed = Seeds.seed(name.hashCode());
            Random random = new Random(seed);
            Path file = folder.resolve(name);
            HistoryRows.write(Histories.create(file, null), history(name, random.nextLong()));
            byte[] whole = Files.readAllBytes(file);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] damaged = damage(whole, random);
                Files.write(file, damaged);
                read(file, "file=%s seed=%d round=%d".formatted(name, seed, round));
            }
        }
    }

    private static List<HistorySlice> history(String name, long seed) {
        RandomSlices history = new RandomSlices(seed, ValueType.LONG, ValueType.LONG);
        if ((seed & 1) == 0) {
            history.withPredicates();
        }
        if (!name.endsWith(".json")) {
            return history.slices(12);
        }
        return TimeKillerHistory.slices(seed, 12);
    }

    private static void read(Path file, String what) {
        try (HistorySource source = Histories.open(file, null)) {
            long[] bad = {0};
            BadRowHandler count = (name, row, fault, raw) -> {
                assertThat(fault.kind()).as(what).isNotBlank();
                bad[0]++;
            };
            HistoryRows.of(HistoryRows.slices(source, count));
        } catch (MalformedHistoryException rejected) {
            assertThat(rejected).as(what).hasMessageStartingWith("[" + file);
        } catch (IOException | RuntimeException | Error other) {
            fail(what, other);
        }
    }

    private static byte[] damage(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times && bytes.length > 4; i++) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(bytes.length - at, 1 + random.nextInt(30));
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = splice(bytes, at, Arrays.copyOfRange(bytes, at, at + length), at);
                case 4 -> bytes = splice(bytes, at, new byte[0], at + length);
                default -> {
                    byte[] noise = new byte[length];
                    random.nextBytes(noise);
                    bytes = splice(bytes, at, noise, at);
                }
            }
        }
        return bytes;
    }

    /** Returns the bytes before {@code until}, other bytes, and the bytes from {@code from} on. */
    private static byte[] splice(byte[] bytes, int until, byte[] others, int from) {
        byte[] spliced = new byte[until + others.length + bytes.length - from];
        System.arraycopy(bytes, 0, spliced, 0, until);
        System.arraycopy(others, 0, spliced, until, others.length);
        System.arraycopy(bytes, from, spliced, until + others.length, bytes.length - from);
        return spliced;
    }
}
