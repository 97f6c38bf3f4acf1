package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetTableWriterTest {

    private static final List<TableColumn> ALL_TYPES = List.of(
            new TableColumn("name", TableColumn.Type.STRING, true),
            new TableColumn("big", TableColumn.Type.INT64, true),
            new TableColumn("small", TableColumn.Type.INT32, false),
            new TableColumn("flag", TableColumn.Type.BOOLEAN, true),
            new TableColumn("seconds", TableColumn.Type.DOUBLE, true),
            new TableColumn("at", TableColumn.Type.TIMESTAMP_MICROS_UTC, true));

    @TempDir
    Path folder;

    @Test
    void everyTypeAndNullArrivesInDuckDb() throws IOException, SQLException {
        Path file = folder.resolve("t.parquet");
        writeThreeRows(file);

        assertThat(OtherParquet.rows("select * from '" + file + "'"))
                .containsExactly(
                        "été|9223372036854775807|-7|true|0.5|1970-01-01T00:00:00.000001Z",
                        "null|null|0|null|null|null",
                        "|-9223372036854775808|2147483647|false|-0.0|2026-11-20T09:15:28Z");
    }

    @Test
    void columnsHaveTheirSqlTypes() throws IOException, SQLException {
        Path file = folder.resolve("t.parquet");
        writeThreeRows(file);

        assertThat(OtherParquet.rows("select column_name, column_type from (describe select * from '" + file + "')"))
                .containsExactly(
                        "name|VARCHAR",
                        "big|BIGINT",
                        "small|INTEGER",
                        "flag|BOOLEAN",
                        "seconds|DOUBLE",
                        "at|TIMESTAMP WITH TIME ZONE");
    }

    @Test
    void everyTypeAndNullArrivesInParquetAvro() throws IOException {
        Path file = folder.resolve("t.parquet");
        writeThreeRows(file);

        List<String> records = new ArrayList<>();
        try (ParquetReader<GenericRecord> reader = AvroParquetReader.<GenericRecord>builder(
                        new LocalInputFile(file), new PlainParquetConfiguration())
                .withDataModel(GenericData.get())
                .withCodecFactory(new TestCodecs())
                .build()) {
            for (GenericRecord record = reader.read(); record != null; record = reader.read()) {
                records.add(record.get("name") + "|" + record.get("big") + "|" + record.get("small") + "|"
                        + record.get("flag") + "|" + record.get("seconds") + "|" + record.get("at"));
            }
        }

        assertThat(records)
                .containsExactly(
                        "été|9223372036854775807|-7|true|0.5|1",
                        "null|null|0|null|null|null",
                        "|-9223372036854775808|2147483647|false|-0.0|1795166128000000");
    }

    @Test
    void manyRowsOfRepeatedAndDistinctValuesArriveInOrder() throws IOException, SQLException {
        Path file = folder.resolve("many.parquet");
        int rows = 300_000;
        List<TableColumn> columns = List.of(
                new TableColumn("id", TableColumn.Type.INT64, false),
                new TableColumn("distinct_text", TableColumn.Type.STRING, false),
                new TableColumn("repeated_text", TableColumn.Type.STRING, true),
                new TableColumn("repeated_number", TableColumn.Type.INT64, true),
                new TableColumn("flag", TableColumn.Type.BOOLEAN, false));
        try (ParquetTableWriter writer = new ParquetTableWriter(file, columns)) {
            for (int row = 0; row < rows; row++) {
                writer.begin().set(0, row).set(1, "row " + row).set(4, row % 3 == 0);
                if (row % 10 != 0) {
                    writer.set(2, "group " + row % 1000).set(3, (long) (row % 777) * row % 5000);
                }
                writer.end();
            }
            writer.finish();
        }

        assertThat(OtherParquet.rows("select count(*), count(repeated_text), count(repeated_number),"
                        + " count(*) filter (where id = file_row_number and distinct_text = 'row ' || id"
                        + " and flag = (id % 3 = 0)"
                        + " and (id % 10 = 0 or (repeated_text = 'group ' || (id % 1000)"
                        + " and repeated_number = (id % 777) * id % 5000)))"
                        + " from read_parquet('" + file + "', file_row_number = true)"))
                .containsExactly("300000|270000|270000|300000");
    }

    @Test
    void sameRowsGiveTheSameBytes() throws IOException {
        writeThreeRows(folder.resolve("a.parquet"));
        writeThreeRows(folder.resolve("b.parquet"));

        assertThat(Files.readAllBytes(folder.resolve("a.parquet")))
                .isEqualTo(Files.readAllBytes(folder.resolve("b.parquet")));
    }

    @Test
    void aTableWithoutRowsIsAFileWithASchema() throws IOException, SQLException {
        Path file = folder.resolve("empty.parquet");
        try (ParquetTableWriter writer = new ParquetTableWriter(file, ALL_TYPES)) {
            writer.finish();
        }

        assertThat(OtherParquet.rows("select count(*) from '" + file + "'")).containsExactly("0");
    }

    @Test
    void aWriterClosedWithoutFinishLeavesNothingBehind() throws IOException {
        try (ParquetTableWriter writer = new ParquetTableWriter(folder.resolve("t.parquet"), ALL_TYPES)) {
            writer.begin().set(2, 1).end();
        }

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void nullInARequiredColumnIsTheCallersMistake() throws IOException {
        try (ParquetTableWriter writer = new ParquetTableWriter(folder.resolve("t.parquet"), ALL_TYPES)) {
            assertThatThrownBy(() -> writer.begin().end())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("column may not be null: column=small");
        }
    }

    @Test
    void aNumberInAStringColumnIsTheCallersMistake() throws IOException {
        try (ParquetTableWriter writer = new ParquetTableWriter(folder.resolve("t.parquet"), ALL_TYPES)) {
            assertThatThrownBy(() -> writer.begin().set(0, 1L))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("value does not fit its column: column=name type=STRING");
        }
    }

    private static void writeThreeRows(Path file) throws IOException {
        try (ParquetTableWriter writer = new ParquetTableWriter(file, ALL_TYPES)) {
            writer.begin().set(0, "été").set(1, Long.MAX_VALUE).set(2, -7).set(3, true);
            writer.set(4, 0.5).set(5, 1L).end();
            writer.begin().set(0, (String) null).set(2, 0).set(1, 5L).setNull(1).end();
            writer.begin()
                    .set(0, "")
                    .set(1, Long.MIN_VALUE)
                    .set(2, Integer.MAX_VALUE)
                    .set(3, false);
            writer.set(4, -0.0).set(5, 1_795_166_128_000_000L).end();
            writer.finish();
        }
    }
}
