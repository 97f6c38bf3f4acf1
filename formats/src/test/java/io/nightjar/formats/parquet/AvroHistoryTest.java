package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published Avro schema, and the example of the documents that writes a history with it. */
class AvroHistoryTest {

    private static final Path DOCS = Path.of("").toAbsolutePath().resolveSibling("docs");

    @TempDir
    Path folder;

    @Test
    void publishedSchemaIsTheOneThatIsWritten() throws IOException {
        Schema published =
                new Schema.Parser().parse(DOCS.resolve("history.avsc").toFile());

        assertThat(published.toString())
                .isEqualTo(new HistorySchema(ValueType.STRING, ValueType.LONG, OpColumns.ALL).avroSchema());
    }

    @Test
    void aHistoryWrittenWithParquetAvroIsRead() throws IOException {
        Path file = folder.resolve("history.parquet");
        write(DOCS.resolve("history.avsc"), file);

        assertThat(SliceText.read(file)).containsExactly("row 1: 1 0/0 committed [10,12] (-,-) w('x',1) r('y',_)");
    }

    @Test
    void theExampleIsTheOneOfTheDocuments() throws IOException {
        String source = Files.readString(
                Path.of("src/test/java", AvroHistoryTest.class.getName().replace('.', '/') + ".java"));
        String page = Files.readString(DOCS.resolve("history-format.md"));
        int begin = page.indexOf("```java\n") + "```java\n".length();

        assertThat(flat(source)).contains(flat(page.substring(begin, page.indexOf("```", begin))));
    }

    private static String flat(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static void write(Path avsc, Path file) throws IOException {
        Schema schema = new Schema.Parser().parse(avsc.toFile());
        Schema op = schema.getField("ops").schema().getElementType();
        try (ParquetWriter<GenericRecord> out = AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
                .withSchema(schema)
                .withDataModel(GenericData.get())
                .withConf(new PlainParquetConfiguration())
                .build()) {
            GenericRecord write = new GenericRecordBuilder(op)
                    .set("kind", "w")
                    .set("key", "x")
                    .set("value", 1L)
                    .build();
            GenericRecord read = new GenericRecordBuilder(op)
                    .set("kind", "r")
                    .set("key", "y")
                    .build(); // read of the initial state
            out.write(new GenericRecordBuilder(schema)
                    .set("txn_id", 1L)
                    .set("session_id", 0L)
                    .set("session_seq", 0L)
                    .set("status", "committed")
                    .set("start_ts", 10L)
                    .set("commit_ts", 12L)
                    .set("ops", List.of(write, read))
                    .build());
        }
    }
}
