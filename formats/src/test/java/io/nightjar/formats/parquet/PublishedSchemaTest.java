package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** The published Avro schema. */
class PublishedSchemaTest {

    @Test
    void publishedSchemaIsTheOneThatIsWritten() throws IOException {
        Path avsc = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("history.avsc");

        assertThat(new Schema.Parser().parse(avsc.toFile()).toString())
                .isEqualTo(new HistorySchema(ValueType.STRING, ValueType.LONG, OpColumns.ALL).avroSchema());
    }
}
