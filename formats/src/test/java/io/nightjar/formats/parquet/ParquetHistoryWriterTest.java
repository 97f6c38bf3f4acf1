package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.avro.AvroWriteSupport;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetHistoryWriterTest {

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("h.parquet");
    }

    @Test
    void writtenHistoryIsReadBack() throws IOException {
        long seed = Seeds.seed(20261120L);
        for (int round = 0; round < 30; round++) {
            List<HistorySlice> slices = RandomSlices.any(seed + round).slices(1 + round * 14);
            write(file(), slices);

            assertThat(SliceText.read(file())).as("seed %d", seed + round).isEqualTo(lines(slices));
        }
    }

    /** Otherwise a page would be buffered up to its maximum number of values, independent of their size. */
    @Test
    void longTextsEndPageAfterFewRows() throws IOException {
        SliceBuilder builder = new SliceBuilder("x");
        for (int txn = 0; txn < 20_000; txn++) {
            builder.beginTxn(txn + 1, txn, 0, 0).extra("{\"n\":\"" + "x".repeat(1_000) + txn + "\"}");
            builder.endTxn();
        }
        write(file(), List.of(builder.build()));

        try (ParquetFileReader reader = ParquetFileReader.open(
                new LocalInputFile(file()),
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new TestCodecs())
                        .build())) {
            PageReader pages = reader.readNextRowGroup()
                    .getPageReader(reader.getFileMetaData().getSchema().getColumnDescription(new String[] {"extra"}));
            int count = 0;
            for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
                assertThat(page.getUncompressedSize()).isLessThan(5 << 20);
                count++;
            }
            assertThat(count).isGreaterThan(3);
        }
    }

    @Test
    void aLongHistoryIsReadBackInBoundedSlices() throws IOException {
        List<HistorySlice> slices = RandomSlices.any(7).slices(40_000);
        write(file(), slices);

        assertThat(SliceText.read(file())).isEqualTo(lines(slices));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8_191, 8_192, 20_001, 29_998})
    void versionsThatBeginLateAreReadBack(int firstWithVersion) throws IOException {
        SliceBuilder late = new SliceBuilder("h");
        for (int txn = 0; txn < 30_000; txn++) {
            late.beginTxn(1 + txn, txn, 1, txn);
            for (int op = 0; op < txn % 3; op++) { // every third transaction has no operation
                late.op(OpKind.WRITE, op, txn);
                if (txn >= firstWithVersion) {
                    late.version(txn);
                }
            }
            if (txn == 29_998) {
                late.writerTxn(7);
            }
            late.endTxn();
        }
        List<HistorySlice> slices = List.of(late.build());
        write(file(), slices);

        assertThat(SliceText.read(file())).isEqualTo(lines(slices));
    }

    @Test
    void sameSlicesGiveTheSameBytes() throws IOException {
        List<HistorySlice> slices = RandomSlices.any(3).slices(200);
        write(file(), slices);
        write(folder.resolve("again.parquet"), slices);

        assertThat(Files.readAllBytes(file())).isEqualTo(Files.readAllBytes(folder.resolve("again.parquet")));
    }

    @Test
    void slicingDoesNotChangeTheBytes() throws IOException {
        write(file(), List.of(register(1, 2), register(3, 4)));
        write(folder.resolve("again.parquet"), List.of(register(1, 2, 3, 4)));

        assertThat(Files.readAllBytes(file())).isEqualTo(Files.readAllBytes(folder.resolve("again.parquet")));
    }

    @Test
    void duckDbSeesTheColumnsOfTheContract() throws IOException, SQLException {
        write(file(), List.of(everything()));

        assertThat(OtherParquet.rows("select column_name, column_type from (describe select * from '" + file() + "')"))
                .containsExactly(
                        "txn_id|BIGINT",
                        "session_id|BIGINT",
                        "session_seq|BIGINT",
                        "status|VARCHAR",
                        "start_ts|BIGINT",
                        "commit_ts|BIGINT",
                        "invoke_ns|BIGINT",
                        "complete_ns|BIGINT",
                        "ops|STRUCT(kind VARCHAR, \"key\" VARCHAR, \"value\" BIGINT, elements BIGINT[],"
                                + " \"version\" BIGINT, writer_txn BIGINT)[]",
                        "extra|VARCHAR");
    }

    @Test
    void duckDbReadsEveryValue() throws IOException, SQLException {
        write(file(), List.of(everything()));

        assertThat(OtherParquet.rows("select * replace (to_json(ops)::varchar as ops) from '" + file() + "'"))
                .containsExactly(
                        "7|1|0|aborted|10|null|-5|6|["
                                + "{\"kind\":\"w\",\"key\":\"x\",\"value\":-9223372036854775808,\"elements\":null,"
                                + "\"version\":3,\"writer_txn\":null},"
                                + "{\"kind\":\"r\",\"key\":\"y\",\"value\":null,\"elements\":[1,2],\"version\":null,"
                                + "\"writer_txn\":null},"
                                + "{\"kind\":\"r\",\"key\":\"y\",\"value\":null,\"elements\":[],\"version\":null,"
                                + "\"writer_txn\":8},"
                                + "{\"kind\":\"r\",\"key\":\"x\",\"value\":null,\"elements\":null,\"version\":null,"
                                + "\"writer_txn\":null}]|{\"node\":\"n1\"}",
                        "8|1|1|committed|null|null|null|null|[]|null");
    }

    @Test
    void parquetAvroReadsEveryValue() throws IOException {
        write(file(), List.of(everything()));

        assertThat(avro(file()))
                .containsExactly(
                        "{\"txn_id\": 7, \"session_id\": 1, \"session_seq\": 0, \"status\": \"aborted\", \"start_ts\":"
                                + " 10, \"commit_ts\": null, \"invoke_ns\": -5, \"complete_ns\": 6, \"ops\": [{\"kind\":"
                                + " \"w\", \"key\": \"x\", \"value\": -9223372036854775808, \"elements\": null,"
                                + " \"version\": 3, \"writer_txn\": null}, {\"kind\": \"r\", \"key\": \"y\", \"value\":"
                                + " null, \"elements\": [1, 2], \"version\": null, \"writer_txn\": null}, {\"kind\":"
                                + " \"r\", \"key\": \"y\", \"value\": null, \"elements\": [], \"version\": null,"
                                + " \"writer_txn\": 8}, {\"kind\": \"r\", \"key\": \"x\", \"value\": null, \"elements\":"
                                + " null, \"version\": null, \"writer_txn\": null}], \"extra\":"
                                + " \"{\\\"node\\\":\\\"n1\\\"}\"}",
                        "{\"txn_id\": 8, \"session_id\": 1, \"session_seq\": 1, \"status\": \"committed\","
                                + " \"start_ts\": null, \"commit_ts\": null, \"invoke_ns\": null, \"complete_ns\": null,"
                                + " \"ops\": [], \"extra\": null}");
    }

    /** Programs that archive with the published schema write these columns into every file. */
    @Test
    void predicateColumnsCountIfOneHasValues() throws IOException {
        for (boolean isOfTables : new boolean[] {true, false}) {
            RandomSlices slices = new RandomSlices(7, ValueType.LONG, ValueType.STRING);
            HistoryRows.write(
                    new ParquetHistoryWriter(file(), OpColumns.ALL),
                    (isOfTables ? slices.withPredicates() : slices).slices(200));

            try (HistorySource source = ParquetHistorySource.open(file().toString(), List.of(file()))) {
                assertThat(source.hasPredicateColumns()).isEqualTo(isOfTables);
            }
        }
    }

    @Test
    void duckDbCountsLongHistoryCorrectly() throws IOException, SQLException {
        List<HistorySlice> slices = RandomSlices.any(11).slices(30_000);
        long ops = 0;
        for (HistorySlice slice : slices) {
            ops += slice.opCount;
        }
        write(file(), slices);

        assertThat(OtherParquet.rows("select count(*), sum(len(ops)) from '" + file() + "'"))
                .containsExactly("30000|" + ops);
    }

    @ParameterizedTest
    @CsvSource({"LONG,LONG", "LONG,STRING", "STRING,LONG", "STRING,STRING", "NONE,NONE"})
    void schemaIsTheTranslationOfTheAvroSchema(ValueType keys, ValueType values) throws IOException {
        SliceBuilder builder = new SliceBuilder("test");
        builder.beginTxn(1, 1, 1, 1);
        if (keys != ValueType.NONE) {
            boolean namedKeys = keys == ValueType.STRING && builder.keysAreStrings() || !builder.keysAreLongs();
            boolean namedValues = values == ValueType.STRING && builder.valuesAreStrings() || !builder.valuesAreLongs();
            builder.op(
                    OpKind.WRITE,
                    namedKeys ? builder.keyNames().intern("k") : 1,
                    namedValues ? builder.valueNames().intern("v") : 1);
        }
        builder.endTxn();
        write(file(), List.of(builder.build()));

        FileMetaData footer;
        try (ParquetFileReader reader = ParquetFileReader.open(
                new LocalInputFile(file()),
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new TestCodecs())
                        .build())) {
            footer = reader.getFileMetaData();
        }
        PlainParquetConfiguration newLists = new PlainParquetConfiguration();
        newLists.setBoolean(AvroWriteSupport.WRITE_OLD_LIST_STRUCTURE, false);
        Schema avro = new Schema.Parser().parse(footer.getKeyValueMetaData().get("parquet.avro.schema"));
        assertThat(footer.getSchema()).isEqualTo(new AvroSchemaConverter(newLists).convert(avro));
        assertThat(footer.getKeyValueMetaData()).containsEntry("schema_version", "1");
        assertThat(avro.toString()).isEqualTo(new HistorySchema(keys, values, OpColumns.OF_ITEMS).avroSchema());
    }

    @Test
    void slicesWithoutValuesWaitForTheirType() throws IOException {
        SliceBuilder reads = new SliceBuilder("test");
        reads.keysAreStrings();
        reads.beginTxn(1, 1, 0, 0);
        reads.op(OpKind.READ_NOTHING, reads.keyNames().intern("x"), 0);
        reads.endTxn();
        SliceBuilder writes = new SliceBuilder("test");
        writes.keysAreStrings();
        writes.valuesAreStrings();
        writes.beginTxn(2, 2, 0, 1);
        writes.op(
                OpKind.WRITE, writes.keyNames().intern("x"), writes.valueNames().intern("one"));
        writes.endTxn();

        write(file(), List.of(reads.build(), writes.build()));

        assertThat(SliceText.read(file()))
                .containsExactly(
                        "row 1: 1 0/0 committed [-,-] (-,-) r('x',_)",
                        "row 2: 2 0/1 committed [-,-] (-,-) w('x','one')");
    }

    @Test
    void valuesOfAnotherTypeAreABugOfTheCaller() throws IOException {
        SliceBuilder named = new SliceBuilder("b.jsonl");
        named.keysAreLongs();
        named.valuesAreStrings();
        named.beginTxn(5, 9, 0, 9).endTxn();
        named.beginTxn(6, 10, 0, 10);
        named.op(OpKind.WRITE, 1, named.valueNames().intern("v"));
        named.endTxn();

        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file())) {
            writer.write(register(1));
            assertThatThrownBy(() -> writer.write(named.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("slices of two types: file=b.jsonl");
        }
    }

    @Test
    void aHistoryWithoutTransactionsIsAFile() throws IOException {
        write(file(), List.of());

        assertThat(SliceText.read(file())).isEmpty();
    }

    @Test
    void aWriterClosedWithoutFinishLeavesNothingBehind() throws IOException {
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file())) {
            writer.write(register(1, 2));
        }

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aFailedWriteLeavesTheOldFileAsItWas() throws IOException {
        Files.writeString(file(), "old");
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file())) {
            writer.write(register(1, 2));
        }

        assertThat(file()).hasContent("old");
    }

    private static HistorySlice register(long... rows) {
        SliceBuilder builder = new SliceBuilder("test");
        builder.keysAreLongs();
        builder.valuesAreLongs();
        for (long row : rows) {
            builder.beginTxn(row, row, 0, row);
            builder.op(OpKind.WRITE, 5, row);
            builder.endTxn();
        }
        return builder.build();
    }

    private static HistorySlice everything() {
        SliceBuilder builder = new SliceBuilder("test");
        builder.keysAreStrings();
        builder.valuesAreLongs();
        long x = builder.keyNames().intern("x");
        long y = builder.keyNames().intern("y");
        builder.beginTxn(1, 7, 1, 0).status(TxnStatus.ABORTED).timestamps(10, HistorySlice.NONE);
        builder.clientTimes(-5, 6).extra("{\"node\":\"n1\"}");
        builder.op(OpKind.WRITE, x, Long.MIN_VALUE);
        builder.version(3);
        builder.beginList();
        builder.element(1);
        builder.element(2);
        builder.listRead(y);
        builder.beginList();
        builder.listRead(y);
        builder.writerTxn(8);
        builder.op(OpKind.READ_NOTHING, x, 0);
        builder.endTxn();
        builder.beginTxn(2, 8, 1, 1);
        builder.endTxn();
        return builder.build();
    }

    private static void write(Path file, List<HistorySlice> slices) throws IOException {
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file)) {
            for (HistorySlice slice : slices) {
                writer.write(slice);
            }
            writer.finish();
        }
    }

    private static List<String> lines(List<HistorySlice> slices) {
        List<String> lines = new ArrayList<>();
        for (HistorySlice slice : slices) {
            lines.addAll(SliceText.lines(slice));
        }
        return lines;
    }

    private static List<String> avro(Path file) throws IOException {
        List<String> records = new ArrayList<>();
        try (ParquetReader<GenericRecord> reader = AvroParquetReader.<GenericRecord>builder(
                        new LocalInputFile(file), new PlainParquetConfiguration())
                .withDataModel(GenericData.get())
                .withCodecFactory(new TestCodecs())
                .build()) {
            for (GenericRecord record = reader.read(); record != null; record = reader.read()) {
                records.add(record.toString());
            }
        }
        return records;
    }
}
