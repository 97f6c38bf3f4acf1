package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nightjar's files after another program read and rewrote them with their metadata, as pyarrow does. */
class RewrittenFilesTest {

    @TempDir
    Path folder;

    /** The sample was made with {@code pyarrow.parquet.write_table(pyarrow.parquet.read_table("ours.parquet"), …)} of pyarrow 25.0.1. */
    @Test
    void aFileThatPyarrowWroteAgainHasTheSameRows() throws Exception {
        List<String> ours = HistoryRows.at(sample("ours.parquet"));

        assertThat(ours).hasSize(60);
        HistoryRows.assertSame("rewritten", HistoryRows.at(sample("rewritten-by-pyarrow.parquet")), ours);
        assertThat(metadata(sample("rewritten-by-pyarrow.parquet")))
                .as("pyarrow copies our checksum")
                .containsKey("nightjar.footer_crc32");
    }

    private static Path sample(String name) throws Exception {
        return Path.of(RewrittenFilesTest.class.getResource("/samples/" + name).toURI());
    }

    @Test
    void aFileWhoseMetadataWasCopiedIsRead() throws IOException {
        Path ours = ourFile();
        Path theirs = folder.resolve("rewritten.parquet");
        Map<String, String> metadata = metadata(ours);
        assertThat(metadata).containsKey(FooterWriter.FOOTER_CRC);
        rewrite(ours, theirs, metadata);

        assertThat(metadata(theirs)).containsEntry(FooterWriter.FOOTER_CRC, metadata.get(FooterWriter.FOOTER_CRC));
        assertThat(SliceText.read(theirs)).isEqualTo(SliceText.read(ours)).isNotEmpty();
    }

    @Test
    void aFooterOfOursWithAnotherColumnNameIsRejected() throws IOException {
        Path ours = ourFile();
        byte[] bytes = Files.readAllBytes(ours);
        int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("commit_ts");
        bytes[name + "commit_t".length()] = 'r'; // no other part of Parquet detects this
        Files.write(ours, bytes);

        assertThatThrownBy(() -> SliceText.read(ours))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("parquet footer is corrupt: checksum differs");
    }

    private Path ourFile() throws IOException {
        Path file = folder.resolve("ours.parquet");
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file)) {
            for (HistorySlice slice : RandomSlices.any(9).slices(200)) {
                writer.write(slice);
            }
            writer.finish();
        }
        return file;
    }

    private static Map<String, String> metadata(Path file) throws IOException {
        ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new TestCodecs())
                .build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            return new LinkedHashMap<>(reader.getFileMetaData().getKeyValueMetaData());
        }
    }

    private static void rewrite(Path from, Path to, Map<String, String> metadata) throws IOException {
        Schema schema = new Schema.Parser().parse(metadata.get(HistorySchema.AVRO_SCHEMA_KEY));
        Map<String, String> copied = new LinkedHashMap<>(metadata);
        copied.remove(HistorySchema.AVRO_SCHEMA_KEY); // the library writes a separate schema
        try (ParquetWriter<GenericRecord> writer = AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(to))
                .withDataModel(GenericData.get())
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new TestCodecs())
                .withCompressionCodec(CompressionCodecName.SNAPPY)
                .withExtraMetaData(copied)
                .withSchema(schema)
                .build()) {
            for (GenericRecord record : records(from)) {
                writer.write(record);
            }
        }
    }

    private static List<GenericRecord> records(Path file) throws IOException {
        List<GenericRecord> records = new ArrayList<>();
        try (ParquetReader<GenericRecord> reader = AvroParquetReader.<GenericRecord>builder(
                        new LocalInputFile(file), new PlainParquetConfiguration())
                .withDataModel(GenericData.get())
                .withCodecFactory(new TestCodecs())
                .build()) {
            for (GenericRecord record = reader.read(); record != null; record = reader.read()) {
                records.add(record);
            }
        }
        return records;
    }
}
