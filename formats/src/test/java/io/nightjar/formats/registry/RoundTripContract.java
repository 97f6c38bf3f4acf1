package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract of the reader and writer of every lossless format. */
@Tag(Seeds.TAG)
public abstract class RoundTripContract {

    private static final int SEEDS = Seeds.rounds(8);

    @TempDir
    protected Path folder;

    /** Returns a file name with the format's extension. */
    protected abstract String fileName();

    /** Returns the format's name. */
    protected abstract String format();

    protected final Path file() {
        return folder.resolve(fileName());
    }

    protected final HistoryWriter create(Path file) throws IOException {
        return Histories.create(file, format());
    }

    protected final HistorySource open(Path file) throws IOException {
        return Histories.open(file, format());
    }

    @ParameterizedTest
    @CsvSource({"LONG,LONG", "LONG,STRING", "STRING,LONG", "STRING,STRING"})
    void everyColumnSurvives(ValueType keyType, ValueType valueType) throws IOException {
        for (long i = 0; i < SEEDS; i++) {
            long seed = Seeds.seed(100 + i);
            List<HistorySlice> history = new RandomSlices(seed, keyType, valueType).slices(60);

            HistoryRows.write(create(file()), history);

            HistoryRows.assertSame("seed=" + seed, HistoryRows.at(file()), HistoryRows.of(history));
        }
    }

    @ParameterizedTest
    @CsvSource({"LONG,LONG", "LONG,STRING", "STRING,LONG", "STRING,STRING"})
    void predicateReadsRowsAndDeletionsSurvive(ValueType keyType, ValueType valueType) throws IOException {
        for (long i = 0; i < SEEDS; i++) {
            long seed = Seeds.seed(200 + i);
            List<HistorySlice> history =
                    new RandomSlices(seed, keyType, valueType).withPredicates().slices(60);

            HistoryRows.write(create(file()), history);

            HistoryRows.assertSame("seed=" + seed, HistoryRows.at(file()), HistoryRows.of(history));
        }
    }

    @Tag("slow")
    @Test
    void aPredicateReadBehindManyOtherRowsSurvives() throws IOException {
        long seed = Seeds.seed(250);
        List<HistorySlice> history =
                new ArrayList<>(new RandomSlices(seed, ValueType.STRING, ValueType.STRING).slices(30_000));
        history.addAll(new RandomSlices(seed + 1, ValueType.STRING, ValueType.STRING)
                .withPredicates()
                .slices(20));

        HistoryRows.write(create(file()), history);

        HistoryRows.assertSame("seed=" + seed, HistoryRows.at(file()), HistoryRows.of(history));
        assertThat(folder.toFile().list()).containsExactly(fileName());
    }

    @ParameterizedTest
    @CsvSource({"LONG,STRING", "STRING,LONG"})
    void readingsOfOtherColumnsAgree(ValueType keyType, ValueType valueType) throws IOException {
        long seed = Seeds.seed(300);
        HistoryRows.write(
                create(file()),
                new RandomSlices(seed, keyType, valueType).withPredicates().slices(300));
        Random random = new Random(seed);
        try (HistorySource source = open(file())) {
            for (int reading = 0; reading < 12; reading++) {
                EnumSet<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
                ColumnGroup.all().stream()
                        .filter(column -> random.nextBoolean())
                        .forEach(columns::add);
                for (int split = 0; split < source.splits().size(); split++) {
                    try (SliceReader reader = source.open(split, columns, BadRowHandler.REJECT)) {
                        HistorySlice slice = reader.next();
                        while (slice != null) {
                            slice = reader.next(); // fails at the end if the reading differs
                        }
                    }
                    assertThat(source.reading(split)).as("seed=%d", seed).isNotNull();
                }
            }
        }
    }

    @Test
    void historyWithoutOptionalColumnsSurvives() throws IOException {
        long seed = Seeds.seed(7);
        List<HistorySlice> history =
                new RandomSlices(seed, ValueType.STRING, ValueType.LONG).bare().slices(40);

        HistoryRows.write(create(file()), history);

        HistoryRows.assertSame("seed=" + seed, HistoryRows.at(file()), HistoryRows.of(history));
    }

    @Test
    void emptyHistorySurvives() throws IOException {
        HistoryRows.write(create(file()), List.of());

        assertThat(HistoryRows.at(file())).isEmpty();
    }

    @Test
    void oneTransactionWithoutOperationsSurvives() throws IOException {
        SliceBuilder slice = new SliceBuilder("one");
        slice.beginTxn(1, 7, 3, 0).endTxn();
        List<HistorySlice> history = List.of(slice.build());

        HistoryRows.write(create(file()), history);

        HistoryRows.assertSame(fileName(), HistoryRows.at(file()), HistoryRows.of(history));
    }

    @Tag("slow")
    @Test
    void largeHistoryComesInBoundedSlices() throws IOException {
        long seed = Seeds.seed(8);
        List<HistorySlice> history = new RandomSlices(seed, ValueType.LONG, ValueType.LONG)
                .meanOps(20)
                .slices(20_000);
        HistoryRows.write(create(file()), history);

        List<HistorySlice> read;
        try (HistorySource source = open(file())) {
            read = HistoryRows.slices(source, BadRowHandler.REJECT);
        }

        assertThat(read).allSatisfy(slice -> assertThat(slice.opCount).isLessThan(2 * SliceReader.SLICE_WEIGHT));
        HistoryRows.assertSame("seed=" + seed, HistoryRows.of(read), HistoryRows.of(history));
    }

    @Test
    void transactionLargerThanASliceSurvives() throws IOException {
        SliceBuilder slice = new SliceBuilder("large");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (int txn = 1; txn <= 2; txn++) {
            slice.beginTxn(txn, txn, 0, txn);
            for (int op = 0; op < 3 * SliceReader.SLICE_WEIGHT; op++) {
                slice.op(OpKind.WRITE, op, txn);
            }
            slice.endTxn();
        }
        List<HistorySlice> history = List.of(slice.build());

        HistoryRows.write(create(file()), history);

        HistoryRows.assertSame(fileName(), HistoryRows.at(file()), HistoryRows.of(history));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"NONE,NONE", "STRING,NONE", "STRING,STRING", "LONG,STRING", "LONG,LONG"})
    void typesThatShowOnlyLateSurvive(ValueType keyType, ValueType valueType) throws IOException {
        SliceBuilder empty = new SliceBuilder("late");
        for (int txn = 1; txn <= 20_000; txn++) {
            empty.beginTxn(txn, txn, 0, txn).endTxn();
        }
        List<HistorySlice> history = new ArrayList<>(List.of(empty.build()));
        if (keyType != ValueType.NONE) {
            history.add(readsOfNothing(keyType));
        }
        if (valueType != ValueType.NONE) {
            SliceBuilder values = new SliceBuilder("late");
            long key = key(values, keyType);
            long value = valueType == ValueType.STRING && values.valuesAreStrings()
                    ? values.valueNames().intern("v")
                    : values.valuesAreLongs() ? 7 : 0;
            values.op(OpKind.WRITE, key, value);
            values.beginTxn(20_002, 20_002, 0, 20_002).endTxn();
            history.add(values.build());
        }

        HistoryRows.write(create(file()), history);

        HistoryRows.assertSame(fileName(), HistoryRows.at(file()), HistoryRows.of(history));
    }

    private static HistorySlice readsOfNothing(ValueType keyType) {
        SliceBuilder reads = new SliceBuilder("late");
        long key = key(reads, keyType);
        for (int op = 0; op < SliceReader.SLICE_WEIGHT; op++) {
            reads.op(OpKind.READ_NOTHING, key, 0);
        }
        reads.beginTxn(20_001, 20_001, 0, 20_001).endTxn();
        return reads.build();
    }

    private static long key(SliceBuilder slice, ValueType keyType) {
        if (keyType == ValueType.LONG) {
            slice.keysAreLongs();
            return 3;
        }
        slice.keysAreStrings();
        return slice.keyNames().intern("x");
    }

    @Test
    void rowsAreCountedFromOne() throws IOException {
        HistoryRows.write(create(file()), new RandomSlices(1, ValueType.LONG, ValueType.LONG).slices(300));

        try (HistorySource source = open(file())) {
            long row = 1;
            for (HistorySlice slice : HistoryRows.slices(source, BadRowHandler.REJECT)) {
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    assertThat(slice.rowOf(txn)).isEqualTo(row++);
                }
            }
        }
    }

    @Test
    void columnsThatWereNotAskedForAreLeftOut() throws IOException {
        HistoryRows.write(create(file()), new RandomSlices(2, ValueType.LONG, ValueType.LONG).slices(50));

        try (HistorySource source = open(file());
                SliceReader reader = source.open(0, EnumSet.of(ColumnGroup.OPERATIONS), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();

            assertThat(slice.startTs).isNull();
            assertThat(slice.invokeNs).isNull();
            assertThat(slice.extra).isNull();
            assertThat(slice.version).isNull();
            assertThat(slice.writerTxn).isNull();
            assertThat(slice.opCount).isPositive();
        }
    }

    @Test
    void sourceIsReadAgainAndAgain() throws IOException {
        HistoryRows.write(create(file()), new RandomSlices(3, ValueType.STRING, ValueType.LONG).slices(50));

        try (HistorySource source = open(file())) {
            assertThat(HistoryRows.of(source)).isEqualTo(HistoryRows.of(source));
        }
    }

    @Test
    void unfinishedFileIsNeverSeen() throws IOException {
        try (HistoryWriter writer = create(file())) {
            for (HistorySlice slice : new RandomSlices(4, ValueType.LONG, ValueType.LONG).slices(50)) {
                writer.write(slice);
            }
        }

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void finishedFileReplacesTheOneBefore() throws IOException {
        Files.writeString(file(), "something else");

        HistoryRows.write(create(file()), List.of());

        assertThat(HistoryRows.at(file())).isEmpty();
        assertThat(folder).isDirectoryContaining(path -> path.equals(file()));
    }

    @Test
    void emptyFileIsRejected() throws IOException {
        Files.createFile(file());

        assertThatThrownBy(() -> HistoryRows.of(open(file())))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file() + "] ");
    }

    @Test
    void truncatedFileIsRejectedWithItsPlace() throws IOException {
        HistoryRows.write(create(file()), new RandomSlices(5, ValueType.LONG, ValueType.LONG).slices(200));
        byte[] whole = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(whole, whole.length - 3));

        assertThatThrownBy(() -> HistoryRows.of(open(file())))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file());
    }
}
