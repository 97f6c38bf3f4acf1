package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Binary files with one changed byte at each position: either their stated size is true, or they are rejected. */
@Tag(Seeds.TAG)
class FlippedBytesTest {

    private static final int TXNS = 25;

    @TempDir
    Path folder;

    @Test
    void corruptArrowFilesStateRowCountOrAreRejected() throws IOException {
        checkEachByte(written("h.arrow"));
    }

    @Test
    void corruptParquetFilesStateRowCountOrAreRejected() throws IOException {
        checkEachByte(written("h.parquet"));
    }

    private Path written(String name) throws IOException {
        Path file = folder.resolve(name);
        List<HistorySlice> slices = new RandomSlices(7, ValueType.STRING, ValueType.LONG).slices(TXNS);
        HistoryRows.write(Histories.create(file, null), slices);
        return file;
    }

    private static void checkEachByte(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        long seed = Seeds.seed(3);
        Random random = new Random(seed);
        for (int at = 0; at < whole.length; at += Seeds.stride()) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (random.nextBoolean() ? 1 << random.nextInt(8) : 1 + random.nextInt(255));
            Files.write(file, damaged);
            check(
                    file,
                    "%s seed=%d byte=%d was=%d is=%d".formatted(file.getFileName(), seed, at, whole[at], damaged[at]));
        }
    }

    private static void check(Path file, String what) {
        try (HistorySource source = Histories.open(file, null)) {
            long statedTxns = 0;
            long statedOps = 0;
            for (HistorySource.Split split : source.splits()) {
                statedTxns += split.txnCount();
                statedOps += split.opCount();
            }
            long[] rows = {0};
            long ops = 0;
            for (HistorySlice slice : HistoryRows.slices(source, (name, row, fault, raw) -> rows[0]++)) {
                rows[0] += slice.txnCount;
                ops += slice.opCount;
            }
            assertThat(statedTxns).as(what).isEqualTo(rows[0]).isEqualTo(TXNS);
            assertThat(statedOps).as(what).isGreaterThanOrEqualTo(ops).isLessThan(10_000);
        } catch (MalformedHistoryException rejected) {
            assertThat(rejected).as(what).hasMessageStartingWith("[" + file);
        } catch (IOException | RuntimeException | Error other) {
            fail(what, other);
        }
    }
}
