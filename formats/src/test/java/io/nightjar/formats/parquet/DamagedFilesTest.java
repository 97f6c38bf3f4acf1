package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DamagedFilesTest {

    private static final String RESTORE = "; write the file again or restore it from its source";

    private static final int ROUNDS = Seeds.rounds(1000);

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("h.parquet");
    }

    private String at(String more) {
        return "[" + file() + more + "] ";
    }

    @Test
    void anEmptyFileIsRejected() throws IOException {
        rejects(new byte[0], "file is empty: bytes=0; write the history again");
    }

    @ParameterizedTest
    @CsvSource({"P,50", "PA,5041", "hello,68656c6c", "{\"txn\":1},7b227478"})
    void aFileThatIsNotParquetIsRejected(String content, String hex) throws IOException {
        rejects(
                content.getBytes(StandardCharsets.UTF_8),
                "not a parquet file: first-bytes=" + hex
                        + " expected=50415231; give the right --from or a parquet file");
    }

    @Test
    void aFileCutAnywhereIsRejected() throws IOException {
        byte[] whole = ownFile();
        for (int length = 4; length < whole.length; length += 97) {
            rejects(
                    Arrays.copyOf(whole, length),
                    "file is truncated, it has no parquet footer: bytes=" + length + RESTORE);
        }
    }

    @Test
    void anEncryptedFileIsRejected() throws IOException {
        byte[] bytes = ownFile();
        bytes[bytes.length - 1] = 'E';
        rejects(bytes, "file is encrypted: encryption=parquet-modular; decrypt it first");
    }

    @Test
    void aFooterThatIsLongerThanTheFileIsRejected() throws IOException {
        byte[] bytes = ownFile();
        bytes[bytes.length - 5] = 0x7F;
        assertThatThrownBy(() -> read(bytes))
                .hasMessageStartingWith(at("") + "parquet footer has an impossible length");
    }

    @Test
    void aDirectoryIsRejected() {
        assertThatThrownBy(() -> ParquetHistorySource.open("h", List.of(folder)))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[" + folder + "] not a parquet file: found=directory expected=file; give the files in it");
    }

    @Test
    void aMissingFileIsRejected() {
        assertThatThrownBy(() -> ParquetHistorySource.open("h", List.of(file())))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at("") + "file is missing: path=" + file() + "; check it");
    }

    @Test
    void flippedBitIsReportedWithColumnAndRowGroup() throws IOException {
        byte[] bytes = ownFile();
        bytes[60] ^= 1;

        assertThatThrownBy(() -> read(bytes))
                .hasMessage(at("") + "column is corrupt: column=txn_id row-group=0 cause=\"page has a wrong checksum\""
                        + RESTORE);
    }

    @Test
    void aFileThatShrinksWhileItIsReadIsRejected() throws IOException {
        byte[] bytes = ownFile();
        Files.write(file(), bytes);
        try (ParquetHistorySource source = ParquetHistorySource.open("h", List.of(file()))) {
            Files.write(file(), Arrays.copyOf(bytes, 50));

            assertThatThrownBy(() -> source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)
                            .next())
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageStartingWith(at("") + "column is corrupt: column=");
        }
    }

    /** Footer, page headers and pages have checksums, so every change is detected. */
    @Tag(Seeds.TAG)
    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void damagedFilesAreReadAsWrittenOrRejected() throws IOException {
        byte[] whole = ownFile();
        List<String> expected = read(whole);
        long seed = Long.getLong("nightjar.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = damage(whole, random);
            try {
                assertThat(read(damaged).equals(expected))
                        .as("seed %d round %d", seed, round)
                        .isTrue();
            } catch (MalformedHistoryException e) {
                assertThat(e).as("seed %d round %d", seed, round).hasMessageStartingWith("[" + file());
            } catch (RuntimeException e) {
                fail("seed " + seed + " round " + round, e);
            }
        }
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @CsvSource({"zstd,V1", "uncompressed,V1", "snappy,V2", "gzip,V1", "lz4_raw,V2", "uncompressed,V2"})
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void foreignFilesGiveSlicesOrARejection(String codec, String version) throws IOException, SQLException {
        OtherParquet.run(
                "copy (select i as txn_id, i % 3 as session_id, i as session_seq, i as start_ts, 'n' || i as host,"
                        + " list_transform(range(0, i % 7), lambda j: {'kind': 'r', 'key': 'k' || j, 'value': case when"
                        + " j > 3 then null else 'v' || (i // 9) end, 'elements': case when j > 3 then ['a', 'b' || i]"
                        + " else null end, 'version': i * i}) as ops from range(0, 300) t(i)) to '" + file()
                        + "' (format parquet, row_group_size 100, codec '" + codec + "', parquet_version " + version
                        + ")");
        byte[] whole = Files.readAllBytes(file());
        long seed = Long.getLong("nightjar.seed", 2);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS / 5; round++) {
            byte[] damaged = damage(whole, random);
            try {
                SliceText.read(write(damaged), ColumnGroup.all(), BadRowHandler.PASS_OVER);
            } catch (MalformedHistoryException e) {
                assertThat(e).as("seed %d round %d", seed, round).hasMessageStartingWith("[" + file());
            } catch (RuntimeException | OutOfMemoryError e) {
                fail("seed " + seed + " round " + round, e);
            }
        }
    }

    /** Stated sizes affect memory and disk before a page is read, and footers of other writers have no checksum. */
    @Test
    void aColumnOfMoreValuesThanItsNeighboursIsRejected() throws IOException, SQLException {
        OtherParquet.run(
                "copy (select i as txn_id, 1 as session_id, i as session_seq, [{'kind': 'w', 'key': i, 'value': i}]"
                        + " as ops from range(0, 300) t(i)) to '" + file() + "' (format parquet)");
        byte[] whole = Files.readAllBytes(file());
        int rejected = 0;
        for (int position = whole.length - 1; position > whole.length - 1500; position--) {
            byte[] damaged = whole.clone();
            damaged[position] ^= 0x40;
            try (ParquetHistorySource source = ParquetHistorySource.open("h", List.of(write(damaged)))) {
                for (HistorySource.Split split : source.splits()) {
                    assertThat(split.opCount()).as("position %d", position).isEqualTo(300);
                }
            } catch (MalformedHistoryException e) {
                rejected++;
            }
        }
        assertThat(rejected).isPositive();
    }

    /** Returns a copy with some changed bytes, usually one; sometimes with a missing or doubled part. */
    private static byte[] damage(byte[] whole, SplittableRandom random) {
        byte[] bytes = whole.clone();
        int footer = Math.min(bytes.length - 1, 3000);
        for (int changes = random.nextInt(4) == 0 ? random.nextInt(1, 20) : 1; changes > 0; changes--) {
            boolean inFooter = random.nextBoolean();
            int position = inFooter ? bytes.length - 1 - random.nextInt(footer) : random.nextInt(bytes.length);
            bytes[position] ^= (byte) (random.nextBoolean() ? 1 << random.nextInt(8) : random.nextInt(1, 256));
        }
        if (random.nextInt(10) == 0) {
            int from = random.nextInt(bytes.length);
            int to = random.nextInt(bytes.length);
            int length = Math.min(random.nextInt(200), bytes.length - Math.max(from, to));
            System.arraycopy(bytes, from, bytes, to, length);
        }
        if (random.nextInt(20) == 0) {
            int from = random.nextInt(bytes.length - 1);
            int length = random.nextInt(1, bytes.length - from);
            byte[] rest = Arrays.copyOf(bytes, bytes.length - length);
            System.arraycopy(bytes, from + length, rest, from, bytes.length - from - length);
            return rest;
        }
        return bytes;
    }

    private void rejects(byte[] content, String reason) {
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at("") + reason);
    }

    private byte[] ownFile() throws IOException {
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file())) {
            for (HistorySlice slice : RandomSlices.any(5).slices(60)) {
                writer.write(slice);
            }
            writer.finish();
        }
        return Files.readAllBytes(file());
    }

    private List<String> read(byte[] content) throws IOException {
        return SliceText.read(write(content));
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(file(), content);
    }
}
