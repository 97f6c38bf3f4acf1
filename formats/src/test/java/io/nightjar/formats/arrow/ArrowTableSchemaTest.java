package io.nightjar.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.parquet.TableColumn;
import io.nightjar.formats.parquet.TableColumn.Type;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

/** Compatibility of the schema with Arrow's library. */
class ArrowTableSchemaTest {

    @Test
    void columnsKeepTheirTypes() throws IOException {
        List<TableColumn> columns = new ArrayList<>();
        for (Type type : Type.values()) {
            columns.add(new TableColumn("column_" + type, type, true));
        }

        Schema schema = decode(ArrowTableSchema.encode(columns, Set.of()));

        assertThat(schema.getFields())
                .extracting(field -> field.getName() + " " + field.getType())
                .containsExactly(
                        "column_STRING Utf8",
                        "column_INT64 Int(64, true)",
                        "column_INT32 Int(32, true)",
                        "column_BOOLEAN Bool",
                        "column_DOUBLE FloatingPoint(DOUBLE)",
                        "column_TIMESTAMP_MICROS_UTC Timestamp(MICROSECOND, UTC)");
    }

    @Test
    void partitionIsDictionaryOfStringsAsInPyarrow() throws IOException {
        List<TableColumn> columns =
                List.of(new TableColumn("run_id", Type.STRING, true), new TableColumn("history_id", Type.STRING, true));

        List<Field> fields =
                decode(ArrowTableSchema.encode(columns, Set.of("history_id"))).getFields();

        assertThat(fields.get(0).getDictionary()).isNull();
        assertThat(fields.get(1).getDictionary())
                .isEqualTo(new DictionaryEncoding(1, false, new ArrowType.Int(32, true)));
    }

    private static Schema decode(String encoded) throws IOException {
        byte[] message = Base64.getDecoder().decode(encoded);
        return MessageSerializer.deserializeSchema(
                new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message))));
    }
}
